"""Common base of memories that a program owns: the folder, mutual exclusion of callers, and closing."""

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

FOLDER = "the argument `folder`"
"""Name of the folder of a memory in messages to a program, which has no settings of an agent."""


class OwnedMemory(ABC):
    """A memory that its program closes, by `close` or as a context manager."""

    _NAMED_BY: ClassVar[str]
    """Kind of names by which objects are forgotten, for error messages."""

    def __init__(self, folder: str | PathLike[str] | None) -> None:
        """Sets the folder.

        Args:
            folder: Folder of the memory; a relative path is below the working directory. None = the memory is not
                saved.
        """
        self._folder = None if folder is None else Path(folder).absolute()
        self._lock = threading.RLock()
        self._is_closed = False

    @property
    def folder(self) -> Path | None:
        """Absolute path of the folder; None if the memory is not saved."""
        return self._folder

    def forget(self, subject: str) -> str:
        """Forgets objects, also in the saved file.

        Args:
            subject: For a SceneMemory, an object's id ("mug_1") or a category ("mug"); for a KnowledgeMemory, a phrase
                that names objects, about which all facts are forgotten.

        Returns:
            A sentence that describes what was forgotten.

        Raises:
            NotRememberedError: The memory has nothing of that name.
            ConfigurationError: The subject is empty.
        """
        if not subject.strip():
            raise ConfigurationError(f"forget what? Give {self._NAMED_BY}, or call forget_everything()")
        with self._open():
            return self._forget(subject.strip())

    def forget_everything(self) -> str:
        """Forgets everything and deletes the memory's file; files of other places are unchanged.

        Returns:
            A sentence that describes what was forgotten.
        """
        with self._open():
            return self._forget("")

    @abstractmethod
    def _forget(self, subject: str) -> str:
        """Forgets as QueryableMemory.forget does."""

    def close(self) -> None:
        """Saves the memory if it has a folder and something has changed, and unlocks the folder. It cannot be used
        afterwards.

        Raises:
            MemoryNotSavedError: The memory could not be saved. The folder is unlocked nevertheless.
        """
        with self._lock:
            if not self._is_closed:
                try:
                    self._finish()
                finally:
                    self._is_closed = True

    @abstractmethod
    def _finish(self) -> None:
        """Saves changes and unlocks the folder."""

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Lets one caller at a time use the memory during the block.

        Raises:
            MemoryClosedError: The memory is closed.
        """
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
