"""A summary of the last records that is made anew at each step."""

from __future__ import annotations

from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import SummaryInput
from stma_ros.types.belief import Summary


class WindowHistory(IncrementalHistory):
    """A WorkingMemory whose summariser reads all stored records each time; older ones are forgotten."""

    def summary_input(self) -> SummaryInput:
        return SummaryInput(Summary(), tuple(self._records), len(self._records), tuple(self._subgoals))
