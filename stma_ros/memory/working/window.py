"""A summary that is made anew of the last records at each step."""

from __future__ import annotations

from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import Reading
from stma_ros.types.belief import Summary


class WindowHistory(IncrementalHistory):
    """A WorkingMemory of which all records that are kept are read each time; what lies before them is forgotten."""

    def reading(self) -> Reading:
        return Reading(Summary(), tuple(self._records), len(self._records), tuple(self._subgoals))
