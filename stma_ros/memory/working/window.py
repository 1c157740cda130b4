"""A summary of the last records that is made anew at each step."""

from __future__ import annotations

from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import Reading
from stma_ros.types.belief import Summary


class WindowHistory(IncrementalHistory):
    """A WorkingMemory whose summariser reads all stored records each time; older ones are forgotten."""

    def reading(self) -> Reading:
        return Reading(Summary(), tuple(self._records), len(self._records), tuple(self._subgoals))
