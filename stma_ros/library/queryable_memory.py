"""The port behind which every memory can be asked, saved and made to forget."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from stma_ros.types.remembering import MemoryAnswer, MemoryQuestion, ObjectQuery, ObjectQueryResult
from stma_ros.types.standard import Header


def forgotten(what: str, file: Path | None) -> str:
    """Returns the sentence on what was forgotten, also in a file; None = in none."""
    return f"Forgot {what}, also in {file}." if file else f"Forgot {what}."


class SavableMemory(Protocol):
    """A memory that can be saved and made to forget. Both methods return what they did, as a sentence."""

    def save(self) -> str:
        """Raises MemoryNotSavedError where the memory cannot be saved."""

    def forget(self, subject: str) -> str:
        """Forgets things by their id, kind or name; everything, with the saved file, where `subject` is empty.

        Raises:
            NotRememberedError: Nothing of the name is remembered.
            MemoryNotSavedError: The file cannot be changed.
        """


class QueryableMemory(SavableMemory, Protocol):
    """A memory that can be asked for things, too."""

    def last_seen(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        """Answers the question where an object was last seen."""

    def ask(self, question: MemoryQuestion, header: Header) -> MemoryAnswer:
        """Answers a question about the home from what is remembered."""
