"""Visual evidence that outlives its task and, with a folder, its process.

Loaded evidence is on trial until its furniture is seen again (home_trial): before, it is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stma_ros.components.visual_memory.home_trial import HomeTrial
from stma_ros.components.visual_memory.recent_views import View
from stma_ros.library.persistence import clock_offset
from stma_ros.memory.snapshots import snapshot_id
from stma_ros.memory.visual_evidence import VisualEvidence
from stma_ros.storage.codec import shift_times
from stma_ros.storage.memory_store import AnotherPlaceError, MemoryStore
from stma_ros.types.errors import StorageError
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Time

FOLDER = "visual_memory"
"""Folder within the memory_dir, which also holds the memories of other components."""


@dataclass(frozen=True)
class SavedEvidence:
    """The content of a saved memory: snapshots of all tasks, oldest first, with stamps of one clock."""

    snapshots: tuple[Snapshot, ...]


class EvidenceMemory:
    """The evidence of all tasks. It begins with the saved one, if there is one and it is of this home."""

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
        self._store = MemoryStore(Path(memory_dir) / FOLDER, SavedEvidence) if memory_dir else None
        self._refused: list[StorageError] = []
        self._loaded: tuple[Snapshot, ...] = ()
        self._trial: HomeTrial | None = None
        self._changed = False
        self._first: Time | None = None  # stamp of the first new frame
        self._load()

    @property
    def is_on_trial(self) -> bool:
        """Whether evidence was loaded of which it is not known yet if it is of this home."""
        return self._trial is not None

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """All snapshots, oldest first; without those on trial."""
        return self._evidence.snapshots

    def take_refusals(self) -> tuple[StorageError, ...]:
        """Returns the reasons why saved memories were not used, each once."""
        refused, self._refused = tuple(self._refused), []
        return refused

    def look(self, views: Sequence[View]) -> None:
        """Compares what is on trial with the views of a step, oldest first, and uses or drops it if these decide."""
        if self._trial is None or not views:
            return
        if self._first is None:
            self._first = views[0].snapshot.stamp
        is_of_this_home = self._trial.look(views)
        if is_of_this_home:
            self._evidence.add(_before(self._loaded, self._first))
            self._loaded, self._trial = (), None
        elif is_of_this_home is False:
            assert self._store is not None, "what is on trial was loaded"
            self._refused.append(
                AnotherPlaceError(
                    f"{self._store.path} holds pictures of another home, or the robot is not where its localisation "
                    "says: furniture is not where they show it. It is left as it is"
                )
            )
            self._load()

    def add(self, snapshots: Iterable[Snapshot]) -> None:
        """Adds the snapshots of a step."""
        new = tuple(snapshots) if self._limit else ()
        if new:
            self._evidence.add(new)
            self._changed = True

    def revise(self, stamp: Time, detections: tuple[Detection, ...]) -> None:
        """Replaces the detections of the snapshot that was taken at a time, if it is kept."""
        self._changed |= self._evidence.revise(stamp, detections)

    @property
    def path(self) -> Path | None:
        """The file of the evidence; None = it is not saved."""
        return None if self._store is None else self._store.path

    def forget(self, category: str = "") -> frozenset[str]:
        """Drops the snapshots that show things of a category; empty = all. What is saved is replaced at once.

        Returns:
            Ids of the dropped ones.

        Raises:
            MemoryNotSavedError: the folder cannot be written.
        """

        def is_unwanted(snapshot: Snapshot) -> bool:
            return not category or any(found.category == category for found in snapshot.detections)

        dropped = frozenset(
            each.id for each in (*self._evidence.snapshots, *self._loaded) if is_unwanted(each)
        )
        self._changed |= bool(self._evidence.discard(is_unwanted))
        kept = tuple(each for each in self._loaded if not is_unwanted(each))
        if self._store is not None and len(kept) < len(self._loaded):
            self._replace(self._store, kept)
        self._loaded = kept
        if not kept:
            self._trial = None
        self.save()
        return dropped

    def save(self) -> None:
        """Saves what is new, if there is a folder; not as long as something is on trial.

        Raises:
            MemoryNotSavedError: the folder cannot be written.
        """
        if self._trial is None:
            if self._store is not None and self._changed:
                self._replace(self._store, self.snapshots)
            self._changed = False

    def close(self) -> None:
        """Saves what is new, and unlocks the folder. What is still on trial stays in its own file. Raises as `save`."""
        try:
            if self._trial is not None and self._store is not None:
                self._store.detach()
                self._trial = None
            self.save()
        finally:
            if self._store is not None:
                self._store.close()

    def _load(self) -> None:
        """Begins a trial of the newest saved evidence that was not tried yet, if there is one."""
        self._loaded, self._trial = (), None
        if self._store is None or not self._limit:
            return
        loaded = self._store.load()
        self._refused += loaded.refused
        if loaded.memory is not None and loaded.memory.snapshots:
            self._loaded = loaded.memory.snapshots
            self._trial = HomeTrial(self._loaded)

    @staticmethod
    def _replace(store: MemoryStore[SavedEvidence], snapshots: tuple[Snapshot, ...]) -> None:
        if snapshots:
            store.save(SavedEvidence(snapshots))
        else:
            store.forget()


def _before(snapshots: tuple[Snapshot, ...], first: Time) -> Iterable[Snapshot]:
    """Returns snapshots that were taken before a new frame: all are shifted into the past if the clock was set back
    since, as by a simulation that starts at 0."""
    late = clock_offset(snapshots[-1].stamp, first)
    if not late:
        return snapshots
    return (replace(each, id=snapshot_id(each.stamp)) for each in shift_times(snapshots, -late))
