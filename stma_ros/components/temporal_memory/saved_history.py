"""What is saved of the running task, so that a node that was killed goes on with it: its history, or its trail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from stma_ros.memory.working.subgoal_chunks import SavedChunks
from stma_ros.roles.task_parser import ParsedTask
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Task

MAX_EARLIER = 1000
"""Ids of earlier tasks that are saved; no topic holds more messages for late readers."""


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


@dataclass(frozen=True)
class SavedTrail:
    """A trail at its last belief.

    Attributes:
        task: the task.
        entries: of the trail, oldest first.
        belief: the last belief. It is saved before it is published, and may not have been.
        earlier: ids of tasks before this one, whose messages come again to a process that goes on.
    """

    task: Task
    entries: tuple[str, ...]
    belief: TemporalBelief
    earlier: tuple[str, ...] = ()


SavedT = TypeVar("SavedT")


class StateStore(Protocol[SavedT]):
    """Holds what is saved of one task beyond the life of a process (storage.state_file)."""

    def save(self, state: SavedT) -> None:
        """Replaces the state. Raises StorageError."""
        ...

    def load(self) -> SavedT | None:
        """Returns the state; None if there is none. Raises StorageError."""
        ...

    def preserve(self) -> str:
        """Keeps a copy of the state, which is there; returns the name of its file. Raises StorageError."""
        ...

    def clear(self) -> None:
        """Removes the state. Raises StorageError."""
        ...
