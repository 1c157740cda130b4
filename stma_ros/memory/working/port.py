"""The port behind which the history of a task is held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


@dataclass(frozen=True)
class Reading:
    """What a summariser is to read.

    Attributes:
        previous: the summary so far.
        records: oldest first; each observation carries the outcome of the action before it.
        fresh: the last so many records are not in `previous` yet.
        subgoals: what the action before each record served; empty before the first plan.
    """

    previous: Summary
    records: tuple[Observation, ...]
    fresh: int
    subgoals: tuple[str, ...] = ()


class WorkingMemory(Protocol):
    """Holds the history of one task: records come in, each with the subgoal of the action that led to it."""

    def add(self, record: Observation, subgoal: str) -> None:
        """Takes the record of the next step. subgoal: empty before the first plan."""
        ...

    def reading(self) -> Reading | None:
        """What a summariser is to read before a belief is shown; None = nothing. Changes nothing."""
        ...

    def condense(self, summary: Summary) -> None:
        """Takes the summary of the last reading. Where there is no usable one, this is not called."""
        ...

    @property
    def content(self) -> Summary:
        """The history as a belief shows it: the summary, and as it is whatever is not in the summary yet."""
        ...
