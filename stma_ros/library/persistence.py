"""What every memory does to keep itself from one session to the next, whatever it remembers."""

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
"""Where the clock was set back, what is remembered ends this long [ns] before the first frame or fact that is new."""


class Persistence(ABC, Generic[MemoryT, TriedT]):
    """One folder of saved memories. Without a folder nothing is saved and nothing is found.

    A memory that was found is on trial until what is seen shows that it is of this place.

    Attributes:
        _tried: The part of the memory on trial that is compared with what is seen; None while nothing is on trial.
    """

    def __init__(self, folder: str, kind: type[MemoryT]) -> None:
        """
        Args:
            folder: Empty = memories are not saved.
            kind: The frozen dataclass that is saved.

        Raises:
            MemoryNotSavedError: The folder cannot be used.
        """
        self._store = MemoryStore(Path(folder), kind) if folder else None
        self._refused: list[StorageError] = []
        self._tried: TriedT | None = None

    @property
    @abstractmethod
    def _has_looked(self) -> bool:
        """Whether anything was seen since the trial began."""

    @property
    def has_folder(self) -> bool:
        """Whether there is a folder to save to."""
        return self._store is not None

    @property
    def file(self) -> Path | None:
        """The saved memory of this place; None as long as there is none."""
        return self._store.file if self._store is not None else None

    def take_refusals(self) -> tuple[StorageError, ...]:
        """Returns why saved memories were not used, each once."""
        refused, self._refused = tuple(self._refused), []
        return refused

    def require_usable(self) -> tuple[StorageError, ...]:
        """Returns what take_refusals does, where a memory was loaded or none is there.

        Raises:
            StorageError: There are saved memories, and none can be used. The folder is let go.
        """
        refused = self.take_refusals()
        if refused and self.file is None:
            self.close()
            raise refused[0]
        return refused

    def save(self, memory: MemoryT) -> Path:
        """Writes the memory: over the one that was loaded, once that is known to be of this place.

        Raises:
            MemoryNotSavedError: There is no folder, or it cannot be written.
        """
        if self._store is None:
            raise MemoryNotSavedError("no folder is set (memory_dir): there is nowhere to save to")
        if self._tried is not None and self._has_looked:
            self._store.detach()
            self._tried = None
        return self._store.save(memory)

    def close(self) -> None:
        """Lets the folder go; nothing is saved."""
        if self._store is not None:
            self._store.close()

    def forget(self) -> Path | None:
        """Removes the saved memory of this place, if there is one, and returns its file."""
        self._tried = None
        return self._store.forget() if self._store is not None else None


def clock_offset(saved_up_to: Time, first: Time) -> int:
    """Returns how far [ns] a saved memory has to be moved into the past to end before the first new stamp.

    It is 0 where the clock went on. Where the clock was set back since, the past would become the future otherwise.
    """
    late = saved_up_to.nanoseconds - first.nanoseconds
    return late + GAP if late >= 0 else 0
