"""Common base of memories that a program owns: their folder, and forgetting."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from pathlib import Path
from typing import ClassVar

from stma_ros.library.closable_memory import ClosableMemory
from stma_ros.types.errors import ConfigurationError

FOLDER = "the argument `folder`"
"""Name of the folder of a memory in messages to a program, which has no settings of an agent."""


class OwnedMemory(ClosableMemory):
    """A memory with a folder of its own, in which it is saved."""

    _KEPT_IN: ClassVar[str] = "folder"
    _NAMED_BY: ClassVar[str]
    """Kind of names by which objects are forgotten, for error messages."""

    def __init__(self, folder: str | PathLike[str] | None) -> None:
        """Sets the folder.

        Args:
            folder: Folder of the memory; a relative path is below the working directory. None = the memory is not
                saved.
        """
        super().__init__()
        self._folder = None if folder is None else Path(folder).absolute()

    @property
    def folder(self) -> Path | None:
        """Absolute path of the folder; None if the memory is not saved."""
        return self._folder

    def forget(self, subject: str) -> str:
        """Forgets objects, also in the saved file.

        Args:
            subject: For a SceneMemory, an object's id ("mug_1") or a category ("mug"); for a KnowledgeMemory, a phrase
                that names objects, about which all facts are forgotten: a name, or some words of it, and a place where
                it tells one ("the mug in the kitchen").

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
        super().close()
