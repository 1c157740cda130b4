"""Visual evidence that outlives its task and, with a folder, its process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from stma_ros.library.persistence import clock_offset
from stma_ros.memory.snapshots import snapshot_id
from stma_ros.memory.visual_evidence import VisualEvidence
from stma_ros.storage.codec import shift_times
from stma_ros.storage.memory_store import MemoryStore
from stma_ros.types.errors import StorageError
from stma_ros.types.exploration import Snapshot
from stma_ros.types.standard import Time

FOLDER = "visual_memory"
"""Folder within the memory_dir, which also holds the memories of other components."""


@dataclass(frozen=True)
class SavedEvidence:
    """The content of a saved memory: snapshots of all tasks, oldest first, with stamps of one clock."""

    snapshots: tuple[Snapshot, ...]


class EvidenceMemory:
    """The evidence of all tasks. It begins with the saved one, if there is one."""

    def __init__(self, limit: int, memory_dir: str = "") -> None:
        """Opens the memory.

        Args:
            limit: most snapshots that are kept; 0 = none.
            memory_dir: folder of memories; empty = nothing is saved.

        Raises:
            MemoryNotSavedError: the folder cannot be used.
        """
        self._limit = limit
        self._evidence = VisualEvidence(max(limit, 1))
        self._store: MemoryStore[SavedEvidence] | None = None
        self._refused: tuple[StorageError, ...] = ()
        self._is_dated = True
        self._changed = False
        if memory_dir:
            self._store = MemoryStore(Path(memory_dir) / FOLDER, SavedEvidence)
            loaded = self._store.load()
            self._refused = loaded.refused
            if loaded.memory is not None and limit:
                self._evidence.add(loaded.memory.snapshots)
                self._is_dated = not loaded.memory.snapshots

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """All snapshots, oldest first."""
        return self._evidence.snapshots

    def take_refusals(self) -> tuple[StorageError, ...]:
        """Returns the reasons why saved memories were not used, each once."""
        refused, self._refused = self._refused, ()
        return refused

    def begin(self, first: Time) -> None:
        """Sets the stamp of the first new frame. If the clock was set back since the evidence was saved, as by a
        simulation that starts at 0, all its stamps are shifted into the past."""
        if self._is_dated:
            return
        self._is_dated = True
        late = clock_offset(self.snapshots[-1].stamp, first)
        if late:
            shifted = shift_times(self.snapshots, -late)
            self._evidence = VisualEvidence(
                self._evidence.limit, (replace(each, id=snapshot_id(each.stamp)) for each in shifted)
            )

    def add(self, snapshots: Iterable[Snapshot]) -> None:
        """Adds the snapshots of a step."""
        new = tuple(snapshots) if self._limit else ()
        if new:
            self._evidence.add(new)
            self._changed = True

    def forget(self, category: str = "") -> None:
        """Drops the snapshots that show things of a category; empty = all. What is saved is replaced at once.

        Raises:
            MemoryNotSavedError: the folder cannot be written.
        """
        dropped = self._evidence.discard(
            lambda each: not category or any(found.category == category for found in each.detections)
        )
        if not dropped:
            return
        self._changed = True
        if self.snapshots:
            self.save()
        elif self._store is not None:
            self._store.forget()
            self._changed = False

    def save(self) -> None:
        """Saves what is new, if there is a folder.

        Raises:
            MemoryNotSavedError: the folder cannot be written.
        """
        if self._store is not None and self._changed:
            self._store.save(SavedEvidence(self.snapshots))
        self._changed = False

    def close(self) -> None:
        """Saves what is new, and unlocks the folder. Raises as `save`."""
        try:
            self.save()
        finally:
            if self._store is not None:
                self._store.close()
