"""What the memories that a program holds have in common: a folder, one caller at a time, and an end."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from stma_ros.library.errors import MemoryClosedError

SelfT = TypeVar("SelfT", bound="OwnedMemory")


class OwnedMemory(ABC):
    """A memory that is closed when its program is done with it; `with` does so."""

    def __init__(self, folder: str | PathLike[str] | None) -> None:
        """
        Args:
            folder: Where it is saved; a relative path is below the working directory. None = nowhere.
        """
        self._folder = None if folder is None else Path(folder).absolute()
        self._lock = threading.RLock()
        self._is_closed = False

    @property
    def folder(self) -> Path | None:
        """Where it is saved, as an absolute path; None = nowhere."""
        return self._folder

    def close(self) -> None:
        """Saves what is new, where there is a folder, and lets the folder go. Nothing can be asked afterwards.

        Raises:
            MemoryNotSavedError: It could not be saved. The folder is let go all the same.
        """
        with self._lock:
            if not self._is_closed:
                try:
                    self._finish()
                finally:
                    self._is_closed = True

    @abstractmethod
    def _finish(self) -> None:
        """Saves what is new, and lets the folder go."""

    @contextmanager
    def _open(self) -> Iterator[None]:
        """One caller at a time, of a memory that is not closed."""
        with self._lock:
            if self._is_closed:
                raise MemoryClosedError("this memory is closed; make a new one from its folder")
            yield

    def __enter__(self: SelfT) -> SelfT:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
