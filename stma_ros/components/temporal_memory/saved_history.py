"""What is saved of the running task, so that a node that was killed goes on with it: its history, or its trail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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


SavedT = TypeVar("SavedT", bound=SavedHistory | SavedTrail)


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


class TaskState(Generic[SavedT]):
    """The saved state of the running task, and the tasks that are over, whose messages change nothing.

    Attributes:
        left: what a killed process has left; None = there is nothing.
        resumed_from: name of the file with a copy of it; empty = there is none.
    """

    def __init__(self, store: StateStore[SavedT] | None) -> None:
        """Loads what was left. store: None = nothing is saved.

        Raises:
            StorageError: the store cannot be read.
        """
        self._store = store
        self.left: SavedT | None = None if store is None else store.load()
        self.resumed_from = "" if store is None or self.left is None else store.preserve()
        self._over = dict.fromkeys(() if self.left is None else self.left.earlier)

    def is_over(self, task_id: str) -> bool:
        return task_id in self._over

    def end(self, task_id: str) -> None:
        """Takes a task for over: nothing of it is remembered any more."""
        self._over[task_id] = None
        while len(self._over) > MAX_EARLIER:
            del self._over[next(iter(self._over))]

    def save(self, others: Iterable[str], state: Callable[[tuple[str, ...]], SavedT]) -> None:
        """Replaces what is saved.

        Args:
            others: ids of the other tasks that are remembered, oldest first.
            state: makes the state from the ids of the tasks before the running one.

        Raises:
            StorageError: the store cannot be written.
        """
        if self._store is not None:
            self._store.save(state((*self._over, *others)[-MAX_EARLIER:]))

    def clear(self) -> None:
        """Removes what is saved: only a process that was killed leaves it behind. Raises StorageError."""
        if self._store is not None:
            self._store.clear()
