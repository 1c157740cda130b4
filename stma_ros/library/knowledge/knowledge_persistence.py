"""Saves and loads a knowledge graph, and finds out whether a loaded one is of this home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stma_ros.library.persistence import Persistence
from stma_ros.memory.knowledge_graph import KnowledgeGraph, SavedKnowledge
from stma_ros.memory.same_home import is_same_home
from stma_ros.storage.memory_store import AnotherPlaceError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time


@dataclass(frozen=True)
class SavedGraph:
    """A knowledge graph in a file.

    Attributes:
        stamp: Up to when it had looked; all its times are on one clock.
        knowledge: The facts.
    """

    stamp: Time
    knowledge: SavedKnowledge


class KnowledgePersistence(Persistence[SavedGraph, KnowledgeGraph]):
    """Compares the rooms and exits of a loaded graph with those that are seen now."""

    def __init__(self, folder: str, *, compares_homes: bool = True, setting: str = "memory_dir") -> None:
        """Opens the folder.

        Args:
            folder: Folder of the memories; empty = they are not saved.
            compares_homes: Whether a loaded graph is compared with observations; otherwise it is taken to be of this
                home.
            setting: Name of the folder's setting in messages.
        """
        super().__init__(folder, SavedGraph, setting)
        self._compares_homes = compares_homes
        self._seen = KnowledgeGraph()
        self._complete: frozenset[str] = frozenset()

    @property
    def _has_looked(self) -> bool:
        return len(self._seen) > 0

    @property
    def seen(self) -> tuple[Relation, ...]:
        """The facts that were seen during the trial."""
        return self._seen.facts

    def load(self) -> SavedGraph | None:
        """Returns the newest graph that can be used; when called again, the next older one. It is on trial then."""
        self._tried = None
        if self._store is None:
            return None
        loaded = self._store.load()
        self._refused += loaded.refused
        if loaded.memory is not None and self._compares_homes:
            self._tried = KnowledgeGraph.restored(loaded.memory.knowledge)
        return loaded.memory

    def look(self, facts: Iterable[Relation], complete: Mapping[str, Time]) -> None:
        """Adds facts to what was seen during the trial. complete: as of KnowledgeGraph.update."""
        if self._tried is not None:
            self._seen.update(facts, complete)
            self._complete |= frozenset(complete)

    def is_of_another_home(self) -> bool:
        """Whether the facts so far say that the graph on trial must be given up. Ends the trial if they say no."""
        if self._tried is None or self._store is None:
            return False
        same = is_same_home(self._tried, self._seen, self._complete)
        if same:
            self._tried = None
        if same is False:
            self._refused.append(
                AnotherPlaceError(
                    f"{self._store.loaded} is a memory of another home: its rooms have other exits than are seen here. "
                    "It is left as it is"
                )
            )
        return same is False
