"""All that is known from text: learnt, retrieved, asked for, saved and forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.library.knowledge.knowledge_persistence import KnowledgePersistence, SavedGraph
from stma_ros.library.knowledge.knowledge_sightings import KnowledgeSightings
from stma_ros.library.last_seen import OTHERS_NAMED
from stma_ros.library.persistence import clock_offset
from stma_ros.library.queryable_memory import forgotten
from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.exclusive_facts import place_slot
from stma_ros.memory.knowledge_graph import KnowledgeGraph, Revision
from stma_ros.memory.predicates import canonical_name
from stma_ros.memory.retrieval import Subgraph, retrieve
from stma_ros.models.embedder import Embedder
from stma_ros.storage.codec import shift_times
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import (
    ErrorCode,
    MalformedTripleError,
    NotRememberedError,
    StmaError,
    StorageError,
)
from stma_ros.types.remembering import MemoryAnswer, MemoryQuestion, ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Time

_GUESS = 0.5  # confidence that an object that is no longer in the hand is where it was taken from


@dataclass(frozen=True)
class RetrievalConfig:
    """Size of the part of the graph that is retrieved for a question (STMA, algorithm 1)."""

    top: int = setting(8, "entities most like the query from which the graph is expanded", low=1, high=1000)
    hops: int = setting(3, "facts that the expansion follows", low=0, high=20)
    entities: int = setting(
        64,
        "entities at most: those that fit the query, and the nearest to them; 0 = any number",
        low=0,
        high=1_000_000,
    )
    places: int = setting(
        64, "places around the robot, as far as exits lead, that the belief holds at most", low=0, high=10_000
    )
    facts: int = setting(
        1000, "facts that the belief holds at most, the nearest; 0 = any number", low=0, high=1_000_000
    )
    directed: bool = setting(False, "follow facts from subject to object only")


class KnowledgeStore:
    """A QueryableMemory of a knowledge graph and the embeddings of its entities.

    It begins with the saved graph, if there is one.

    Attributes:
        graph: The facts that hold now, and their history.
    """

    def __init__(
        self,
        persistence: KnowledgePersistence,
        embedder: Embedder | None,
        limit: int = 0,
        *,
        follows_clock: bool = True,
    ) -> None:
        """Makes a store, and loads a saved graph.

        Args:
            persistence: Saves and loads the graph.
            embedder: Embedder of names; None = nothing can be retrieved.
            limit: Largest number of names in the graph; 0 = any.
            follows_clock: Whether facts are what a robot has seen by a running clock, which was set back if the first
                stamp is not newer than the saved graph. What was in the hand then is guessed to be where it was taken
                from. Otherwise facts can be of any time, and hold until others replace them.
        """
        self._persistence = persistence
        self._embedder = embedder
        self._index = EntityIndex(embedder.dimensions if embedder else 1)
        self._rejected: list[str] = []
        self._forgotten: dict[str, Time] = {}
        self._forgotten_up_to: Time | None = None
        self._woke: Time | None = None
        self._seen_up_to: Time | None = None
        self._saved_up_to: Time | None = None
        self._is_new = False
        self._limit = limit
        self._follows_clock = follows_clock
        self.graph = KnowledgeGraph(limit)
        self._start(persistence.load())

    def _start(self, saved: SavedGraph | None) -> None:
        before = self.graph
        self.graph = KnowledgeGraph(self._limit)
        if saved is not None:
            self.graph = KnowledgeGraph.restored(saved.knowledge, self._limit)
        self._saved_up_to = saved.stamp if saved else None
        self._reindex(Revision(self.graph.facts, (), self.graph.entities, before.entities))

    # -- learning

    def learn(self, facts: Iterable[Relation], stamp: Time, complete: Mapping[str, Time]) -> tuple[str, ...]:
        """Adds facts that were observed up to a stamp. Facts that were forgotten are not learnt again from earlier
        observations.

        Args:
            facts: Facts in any wording that `memory.predicates.canonical` reads.
            stamp: Stamp up to which observations have been processed.
            complete: Rooms that were seen completely, as for KnowledgeGraph.update.

        Returns:
            Reasons why facts were left out.
        """
        self._rejected.clear()
        fresh = [fact for fact in facts if not self.is_forgotten(fact)]
        self._persistence.look(fresh, complete)
        self._seen_up_to = stamp
        self._is_new = True
        if self._woke is None:
            self._woke = stamp
            self._wake(fresh, stamp, complete)
        else:
            self._reindex(self.graph.update(fresh, complete))
        while self._persistence.is_of_another_home():
            self._start(self._persistence.load())
            seen = [fact for fact in self._persistence.seen if not self.is_forgotten(fact)]
            self._wake(seen, self._woke, complete)
        return tuple(self._rejected)

    def _wake(self, facts: Iterable[Relation], stamp: Time, complete: Mapping[str, Time]) -> None:
        """Adds the facts of the first observation, at `stamp`, after the memory was loaded.

        If the clock was set back since the memory was saved, all its times are shifted into the past first, and stamps
        may become negative.
        """
        resumed = self._saved_up_to if self._follows_clock else None
        if resumed is not None:
            late = clock_offset(resumed, stamp)
            if late:
                self.graph = KnowledgeGraph.restored(shift_times(self.graph.saved(), -late), self._limit)
        self._reindex(self.graph.update(facts, complete))
        if resumed is not None:
            self._put_back(stamp)

    def _put_back(self, woke: Time) -> None:
        """Assumes that objects that were in the hand before a time without observations are where they were before
        that.

        This is a guess with low confidence, but a place to search first. The place of an object that was nowhere else
        is unknown.
        """
        for fact in tuple(self.graph.links_to(words.ROBOT)):
            if fact.predicate != words.HELD_BY or fact.last_seen >= woke:
                continue
            slot = place_slot(fact.subject)
            before = [past for past in self.graph.history(slot) if past.predicate != words.HELD_BY]
            if not before:
                self._reindex(self.graph.end(slot))
                continue
            since = fact.last_seen
            guess = replace(before[-1], confidence=_GUESS, first_seen=since, last_seen=since)
            self._reindex(self.graph.update((guess,)))

    def is_forgotten(self, fact: Relation) -> bool:
        """Whether a fact is not newer than when one of its names, or everything, was forgotten."""
        if self._forgotten_up_to is not None and fact.last_seen <= self._forgotten_up_to:
            return True
        if not self._forgotten:
            return False
        try:
            ends = canonical_name(fact.subject), canonical_name(fact.object)
        except MalformedTripleError:
            return False  # the graph says why it does not take it
        return any(name in self._forgotten and fact.last_seen <= self._forgotten[name] for name in ends)

    def _reindex(self, revision: Revision) -> None:
        """Updates the index of entities after a change of the graph."""
        self._rejected += (reason for _, reason in revision.rejected)
        for name in revision.vanished:
            self._index.remove(name)
        if revision.appeared and self._embedder is not None:
            self._index.add(revision.appeared, self._embedder.embed(revision.appeared))

    # -- questions

    def retrieve(self, texts: Sequence[str], config: RetrievalConfig, around: str = "") -> Subgraph:
        """Returns the part of the graph that matters for a query (STMA, algorithm 1).

        Args:
            texts: The parts of the query, each with the same weight: the longest would drown the others.
            config: How much is retrieved.
            around: An entity; the places around it belong to the result. Empty = none do.

        Raises:
            StmaError: The memory has no embedder.
        """
        if self._embedder is None:
            raise StmaError("nothing can be retrieved without an embedder; make the memory with one")
        vectors = self._embedder.embed(texts)
        query = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).sum(axis=0)
        return retrieve(
            self.graph,
            self._index,
            query,
            top=config.top,
            hops=config.hops,
            directed=config.directed,
            limit=config.entities,
            around=around,
            places=config.places,
            facts=config.facts,
        )

    @property
    def header(self) -> Header:
        """The stamp up to which was looked, in no frame."""
        return Header(self._seen_up_to or self._saved_up_to or Time())

    def take_refusals(self) -> tuple[StorageError, ...]:
        """Returns why saved memories are not used, each once."""
        return self._persistence.take_refusals()

    def close(self) -> None:
        """Saves the graph if there is a folder and something has changed, and unlocks the folder.

        Raises:
            MemoryNotSavedError: The graph cannot be saved.
        """
        try:
            if self._is_new and self._persistence.has_folder:
                self.save()
        finally:
            self._persistence.close()

    # -- QueryableMemory

    def last_seen(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        return KnowledgeSightings(self.graph).answer(query, header)

    def ask(self, question: MemoryQuestion, header: Header) -> MemoryAnswer:
        """Says that a graph of facts about a text world answers no questions."""
        text = "no question can be asked about a text world; ask where a thing was last seen"
        error = Error(ErrorCode.TASK_NOT_UNDERSTOOD, text)
        return MemoryAnswer(header=header, request_id=question.request_id, text=text, error=error)

    def save(self) -> str:
        path = self._persistence.save(SavedGraph(self.header.stamp, self.graph.saved()))
        self._is_new = False
        return f"Saved {len(self.graph)} facts on {len(self.graph.entities)} names to {path}."

    def forget(self, subject: str) -> str:
        if not subject:
            path = self._persistence.forget()
            self._forgotten_up_to = self._seen_up_to
            self._start(None)
            self._is_new = False
            return f"Forgot everything; removed {path}." if path else "Forgot everything."
        sightings = KnowledgeSightings(self.graph)
        names = sightings.find_named(subject)
        if not names:
            near = " or ".join(sightings.find(subject)[:OTHERS_NAMED])
            hint = f" Did you mean {near}?" if near else ""
            raise NotRememberedError(f"There is nothing to forget: no {subject!r} is remembered.{hint}")
        for name in names:
            if self._seen_up_to is not None:
                self._forgotten[name] = self._seen_up_to
            self._reindex(self.graph.forget(name))
        self._is_new = True
        if self._persistence.file is not None:
            self.save()
        return forgotten(", ".join(names), self._persistence.file)
