"""The port for ways of keeping the history of a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


@dataclass(frozen=True)
class SummaryInput:
    """The input of a summariser.

    Attributes:
        previous: the summary so far.
        records: oldest first; each observation carries the outcome of the action before it.
        fresh: number of records at the end that are not in `previous` yet.
        subgoals: the subgoal of the action before each record; empty before the first plan.
        first: the first look around, where `previous` and the records are what came after it; None = they include it.
    """

    previous: Summary
    records: tuple[Observation, ...]
    fresh: int
    subgoals: tuple[str, ...] = ()
    first: Observation | None = None


class WorkingMemory(Protocol):
    """Holds the history of one task: a record per step, with the subgoal of the action that led to it."""

    def add(self, record: Observation, subgoal: str) -> None:
        """Adds the record of the next step. subgoal: empty before the first plan."""
        ...

    def summary_input(self) -> SummaryInput | None:
        """Returns the input of the summariser for the next belief; None = there is nothing to summarise."""
        ...

    def condense(self, summary: Summary) -> None:
        """Takes the summary of the last reading; not called where there is no usable one."""
        ...

    @property
    def content(self) -> Summary:
        """The history as a belief shows it: the summary, followed by the records that are not in it yet."""
        ...
