"""Every way of holding the history, by the name that the setting `temporal_memory.summariser` spells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stma_ros.memory.working.adaplanner_history import AdaPlannerHistory
from stma_ros.memory.working.buffer import HistoryBuffer
from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import WorkingMemory
from stma_ros.memory.working.window import WindowHistory

INCREMENTAL = "incremental"

WORKING_MEMORIES: Mapping[str, Callable[[int], WorkingMemory]] = {
    INCREMENTAL: IncrementalHistory,
    "window": WindowHistory,
    "plan": AdaPlannerHistory,
    "none": HistoryBuffer,
}
"""Each is made with the number of records that it keeps."""
