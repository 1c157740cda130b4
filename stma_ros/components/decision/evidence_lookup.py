"""Asks the spatial memory for pictures of the things that an answer rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stma_ros.types.planning import Evidence
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult
from stma_ros.types.standard import Header

MAX_PICTURES = 8
"""Things of one answer whose pictures are looked up."""


class EvidenceLookup:
    """The evidence of one answer, of which some is still looked up."""

    def __init__(self, task_id: str, evidence: Sequence[Evidence]) -> None:
        """Takes the evidence of a task's answer."""
        self._evidence = list(evidence)
        things = [number for number, each in enumerate(self._evidence) if each.thing.id]
        self._open = {f"{task_id}/evidence_{number}": number for number in things[:MAX_PICTURES]}

    @property
    def is_complete(self) -> bool:
        """Whether nothing is looked up any more."""
        return not self._open

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence, with the pictures that were found so far."""
        return tuple(self._evidence)

    def queries(self, header: Header) -> list[ObjectQuery]:
        """Returns the queries that are to be sent."""
        return [
            ObjectQuery(header=header, request_id=name, description=self._evidence[number].thing.id, limit=1)
            for name, number in self._open.items()
        ]

    def take(self, result: ObjectQueryResult) -> bool:
        """Takes a result, and returns whether it was awaited."""
        number = self._open.pop(result.request_id, None)
        if number is None:
            return False
        if result.sightings:
            found = result.sightings[0]
            self._evidence[number] = replace(
                self._evidence[number], picture=found.picture, camera=found.camera
            )
        return True
