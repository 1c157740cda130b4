"""What every spatial memory does to keep itself from one day to the next, whatever it remembers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Generic, TypeVar

from stma_ros.storage.memory_store import MemoryNotKeptError, MemoryStore
from stma_ros.types.errors import StorageError

MemoryT = TypeVar("MemoryT")
TriedT = TypeVar("TriedT")


class Keeper(ABC, Generic[MemoryT, TriedT]):
    """One folder of saved memories. Without a folder nothing is kept and nothing is found.

    A memory that was found is on trial until what is seen shows that it is of this place. `_tried`: what of it is
    compared with what is seen; None = nothing is on trial.
    """

    def __init__(self, folder: str, kind: type[MemoryT]) -> None:
        """Raises MemoryNotKeptError for a folder that cannot be used."""
        self._store = MemoryStore(Path(folder), kind) if folder else None
        self._refused: list[StorageError] = []
        self._tried: TriedT | None = None

    @property
    @abstractmethod
    def _has_looked(self) -> bool:
        """Whether anything was seen since the trial began."""

    @property
    def keeps(self) -> bool:
        """Whether there is a folder to save to."""
        return self._store is not None

    @property
    def file(self) -> Path | None:
        """The saved memory of this place; None as long as there is none."""
        return self._store.file if self._store is not None else None

    def refused(self) -> tuple[StorageError, ...]:
        """Why saved memories were not used; each is told once."""
        told, self._refused = tuple(self._refused), []
        return told

    def save(self, memory: MemoryT) -> Path:
        """Writes the memory: over the one that was recalled, once it is known to be of this place.

        Raises MemoryNotKeptError.
        """
        if self._store is None:
            raise MemoryNotKeptError("no memory_dir is set: there is nowhere to save to")
        if self._tried is not None and self._has_looked:
            self._store.leave()
            self._tried = None
        return self._store.save(memory)

    def forget(self) -> Path | None:
        """Removes the saved memory of this place, if there is one, and returns its file."""
        self._tried = None
        return self._store.forget() if self._store is not None else None
