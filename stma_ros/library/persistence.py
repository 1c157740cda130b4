"""Saving and loading that all kinds of memories share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Generic, TypeVar

from stma_ros.storage.memory_store import MemoryNotSavedError, MemoryStore
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time

MemoryT = TypeVar("MemoryT")
TriedT = TypeVar("TriedT")

GAP = NANOSECONDS_PER_SECOND
"""Time between the end of a saved memory and the first new frame or fact after the clock was set back [ns]."""


class Persistence(ABC, Generic[MemoryT, TriedT]):
    """A folder of saved memories. Without a folder nothing is saved and nothing is loaded.

    A loaded memory is on trial until observations show that it is of this place.

    Attributes:
        _tried: Part of the memory on trial that is compared with observations; None while nothing is on trial.
    """

    def __init__(self, folder: str, kind: type[MemoryT], setting: str = "memory_dir") -> None:
        """Opens the folder.

        Args:
            folder: Folder of the memories; empty = they are not saved.
            kind: Type of the memory, a frozen dataclass.
            setting: Name of the folder's setting in messages.

        Raises:
            MemoryNotSavedError: The folder cannot be used.
        """
        self._setting = setting
        self._store = MemoryStore(Path(folder), kind, setting) if folder else None
        self._refused: list[StorageError] = []
        self._tried: TriedT | None = None

    @property
    @abstractmethod
    def _has_looked(self) -> bool:
        """Whether anything was observed since the trial began."""

    @property
    def has_folder(self) -> bool:
        """Whether there is a folder to save to."""
        return self._store is not None

    @property
    def file(self) -> Path | None:
        """The saved memory of this place; None as long as there is none."""
        return self._store.file if self._store is not None else None

    def take_refusals(self) -> tuple[StorageError, ...]:
        """Returns the reasons why saved memories were not used, each once."""
        refused, self._refused = tuple(self._refused), []
        return refused

    def require_usable(self) -> tuple[StorageError, ...]:
        """Returns the result of take_refusals if a memory was loaded or there is none.

        Raises:
            StorageError: There are saved memories, and none of them can be used. The folder is unlocked.
        """
        refused = self.take_refusals()
        if refused and self.file is None:
            self.close()
            raise refused[0]
        return refused

    def save(self, memory: MemoryT) -> Path:
        """Saves the memory.

        It replaces the file that was loaded once that is known to be of this place. Before, it gets a file of its own,
        which later saves replace, and the trial goes on.

        Raises:
            MemoryNotSavedError: There is no folder, or it cannot be written.
        """
        if self._store is None:
            raise MemoryNotSavedError(f"no folder is set ({self._setting}): there is nowhere to save to")
        if self._tried is not None and self._has_looked:
            self._store.detach()
        return self._store.save(memory)

    def close(self) -> None:
        """Unlocks the folder without saving."""
        if self._store is not None:
            self._store.close()

    def forget(self) -> Path | None:
        """Deletes the saved memory of this place, and returns its file; None if there is none."""
        self._tried = None
        return self._store.forget() if self._store is not None else None


def clock_offset(saved_up_to: Time, first: Time) -> int:
    """Returns how far a saved memory must be shifted into the past to end before the first new stamp [ns].

    It is 0 unless the clock was set back since, in which case the past would otherwise become the future.
    """
    late = saved_up_to.nanoseconds - first.nanoseconds
    return late + GAP if late >= 0 else 0
