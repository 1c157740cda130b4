"""The last records without a summary (STMA, table 2)."""

from __future__ import annotations

from collections import deque

from stma_ros.memory.working.port import SummaryInput
from stma_ros.memory.working.records import raw_summary
from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


class HistoryBuffer:
    """A WorkingMemory without a summary."""

    def __init__(self, size: int) -> None:
        """Creates an empty history.

        Args:
            size: number of records that are stored.
        """
        self._records: deque[Observation] = deque(maxlen=size)

    def add(self, record: Observation, subgoal: str) -> None:
        self._records.append(record)

    def summary_input(self) -> SummaryInput | None:
        return None

    def condense(self, summary: Summary) -> None:
        raise AssertionError("nothing was to be read")

    @property
    def content(self) -> Summary:
        return raw_summary(tuple(self._records))
