"""A summary to which each record is added once (STMA, section 4.1)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from stma_ros.memory.working.port import SummaryInput
from stma_ros.memory.working.records import raw_summary
from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


class IncrementalHistory:
    """A WorkingMemory whose summariser reads the summary so far and the new records.

    A record that is in no summary yet is shown unchanged, and read again with the next one.
    """

    def __init__(self, size: int) -> None:
        """Creates an empty history.

        Args:
            size: number of records that are stored; older ones are in the summary only.
        """
        self._records: deque[Observation] = deque(maxlen=size)
        self._subgoals: deque[str] = deque(maxlen=size)
        self._summary = Summary()
        self._fresh = 0

    def add(self, record: Observation, subgoal: str) -> None:
        self._records.append(record)
        self._subgoals.append(subgoal)
        self._fresh = min(self._fresh + 1, len(self._records))

    def summary_input(self) -> SummaryInput:
        return SummaryInput(self._summary, tuple(self._records), self._fresh, tuple(self._subgoals))

    def condense(self, summary: Summary) -> None:
        self._summary = summary
        self._fresh = 0

    @property
    def content(self) -> Summary:
        if not self._fresh:
            return self._summary
        raw = raw_summary(tuple(self._records)[-self._fresh :])
        return replace(
            self._summary,
            completed=(*self._summary.completed, *raw.completed),
            observations=(*self._summary.observations, raw.text),
            text="\n\n".join(filter(None, (self._summary.text, raw.text))),
        )
