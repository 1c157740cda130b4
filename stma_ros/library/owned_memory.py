"""What the memories that a program holds have in common: a folder, one caller at a time, and an end."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import ClassVar, TypeVar

from stma_ros.library.errors import MemoryClosedError
from stma_ros.types.errors import ConfigurationError

SelfT = TypeVar("SelfT", bound="OwnedMemory")


class OwnedMemory(ABC):
    """A memory that is closed when its program is done with it; `with` does so."""

    _NAMED_BY: ClassVar[str]
    """What names the things in it, for messages to people."""

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

    def forget(self, subject: str) -> str:
        """Forgets things, also in the saved file.

        Args:
            subject: Of a SceneMemory an object's id ("mug_1") or a category ("mug"); of a KnowledgeMemory a phrase that
                names things, about which everything is forgotten.

        Returns:
            What was forgotten, as a sentence.

        Raises:
            NotRememberedError: Nothing of the name is remembered.
            ConfigurationError: The subject is empty.
        """
        if not subject.strip():
            raise ConfigurationError(f"forget what? Give {self._NAMED_BY}, or call forget_everything()")
        with self._open():
            return self._forget(subject.strip())

    def forget_everything(self) -> str:
        """Forgets all that is remembered, and removes its file; files of other places stay. Says what it did."""
        with self._open():
            return self._forget("")

    @abstractmethod
    def _forget(self, subject: str) -> str:
        """Forgets as QueryableMemory.forget does."""

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
