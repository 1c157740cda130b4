"""The history of the running task as it is saved, so that a node that was killed goes on with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stma_ros.memory.working.subgoal_chunks import SavedChunks
from stma_ros.roles.task_parser import ParsedTask
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Task


@dataclass(frozen=True)
class SavedHistory:
    """A history at its last belief.

    Attributes:
        task: the task.
        parsed: the goals of the task; without goals where there is no task parser.
        belief: the last belief. It is saved before it is published, and may not have been.
        chunks: the working memory.
        earlier: ids of tasks before this one, whose messages come again to a process that goes on.
    """

    task: Task
    parsed: ParsedTask
    belief: TemporalBelief
    chunks: SavedChunks
    earlier: tuple[str, ...] = ()


class HistoryStore(Protocol):
    """Holds the history of one task beyond the life of a process (storage.state_file)."""

    def save(self, state: SavedHistory) -> None:
        """Replaces the history. Raises StorageError."""
        ...

    def load(self) -> SavedHistory | None:
        """Returns the history; None if there is none. Raises StorageError."""
        ...

    def preserve(self) -> str:
        """Keeps a copy of the history, which is there; returns the name of its file. Raises StorageError."""
        ...

    def clear(self) -> None:
        """Removes the history. Raises StorageError."""
        ...
