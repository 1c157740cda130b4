"""All that is known of a home of words: learnt, asked for, saved and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from stma_ros.components.knowledge_memory.knowledge_persistence import (
    KnowledgeKeeper,
    SavedGraph,
)
from stma_ros.components.knowledge_memory.last_seen import KnowledgeRecollection
from stma_ros.components.memory_requests import NotRememberedError, RequestDesk, complaints, lateness
from stma_ros.memory.exclusive_facts import place_slot
from stma_ros.memory.knowledge_graph import KnowledgeGraph, Revision
from stma_ros.memory.predicates import canonical_name
from stma_ros.storage.codec import shifted
from stma_ros.types import vocabulary as words
from stma_ros.types.component import Emission
from stma_ros.types.errors import MalformedTripleError
from stma_ros.types.remembering import MemoryRequest, ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header, Time

_GUESS = 0.5  # confidence that what is not in the hand any more is where it was taken from


class Knowledge:
    """Begins with what was kept, if anything was. graph: what is known now. A Rememberer (memory_requests)."""

    def __init__(self, keeper: KnowledgeKeeper, changed: Callable[[Revision], None], limit: int = 0) -> None:
        """changed: is told of every change to the graph. limit: names that it holds (0 = any number)."""
        self._keeper = keeper
        self._tell = changed
        self._requests = RequestDesk(self)
        self._forgotten: dict[str, Time] = {}
        self._forgotten_up_to: Time | None = None
        self._woke: Time | None = None
        self._seen_up_to: Time | None = None
        self._is_new = False
        self._limit = limit
        self.graph = KnowledgeGraph(limit)
        self._start(keeper.recall())

    def _start(self, saved: SavedGraph | None) -> None:
        before = self.graph
        self.graph = KnowledgeGraph(self._limit)
        if saved is not None:
            self.graph = KnowledgeGraph.restored(saved.knowledge, self._limit)
        self._kept_up_to = saved.stamp if saved else None
        self._tell(Revision(self.graph.facts, (), self.graph.entities, before.entities))

    # -- what is seen

    def learn(self, facts: Iterable[Relation], stamp: Time, complete: Mapping[str, Time]) -> None:
        """Take what was seen up to `stamp`; complete: as of KnowledgeGraph.update. What was forgotten is not learnt
        again from what was seen before."""
        fresh = [fact for fact in facts if not self._is_forgotten(fact)]
        self._keeper.look(fresh, complete)
        self._seen_up_to = stamp
        self._is_new = True
        if self._woke is None:
            self._woke = stamp
            self._wake(fresh, stamp, complete)
        else:
            self._tell(self.graph.update(fresh, complete))
        while self._keeper.is_of_another_home():
            self._start(self._keeper.recall())
            self._wake(self._keeper.seen, self._woke, complete)

    def _wake(self, facts: Iterable[Relation], stamp: Time, complete: Mapping[str, Time]) -> None:
        """The first look, at `stamp`, after a time in which nobody looked. A clock that was set back since must not
        make the past the future: all that is remembered is moved then, and may get stamps below zero."""
        if self._kept_up_to is not None:
            late = lateness(self._kept_up_to, stamp)
            if late:
                self.graph = KnowledgeGraph.restored(shifted(self.graph.saved(), -late), self._limit)
        self._tell(self.graph.update(facts, complete))
        self._put_back(stamp)

    def _put_back(self, woke: Time) -> None:
        """What was in the hand and is not, after a time in which nobody looked, is taken to be where it was before: no
        more than a guess, but a place to look at first. Where it was nowhere else, nothing is known of it any more."""
        for fact in tuple(self.graph.links_to(words.ROBOT)):
            if fact.predicate != words.HELD_BY or fact.last_seen >= woke:
                continue
            before = self.graph.history(place_slot(fact.subject))
            if not before:
                self._tell(self.graph.forget(fact.subject))
                continue
            since = fact.last_seen
            guess = replace(before[-1], confidence=_GUESS, first_seen=since, last_seen=since)
            self._tell(self.graph.update((guess,)))

    def _is_forgotten(self, fact: Relation) -> bool:
        if self._forgotten_up_to is not None and fact.last_seen <= self._forgotten_up_to:
            return True
        if not self._forgotten:
            return False
        try:
            ends = canonical_name(fact.subject), canonical_name(fact.object)
        except MalformedTripleError:
            return False  # the graph says why it does not take it
        return any(name in self._forgotten and fact.last_seen <= self._forgotten[name] for name in ends)

    # -- what is asked

    @property
    def _header(self) -> Header:
        """Up to when it has looked."""
        return Header(self._seen_up_to or self._kept_up_to or Time())

    def complaints(self) -> Iterator[Emission]:
        """Why what was kept is not used; each is told once."""
        return complaints(self._keeper.refused(), self._header)

    def answer(self, request: ObjectQuery | MemoryRequest) -> Iterator[Emission]:
        """The answer to a question or a request; nothing for one that was answered before."""
        return self._requests.answer(request, self._header)

    def close(self) -> None:
        """Saves what is new, where memories are kept. Raises MemoryNotKeptError."""
        if self._is_new and self._keeper.keeps:
            self.save()

    # -- what is done about it (memory_requests.Rememberer)

    def recall(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        return KnowledgeRecollection(self.graph).answer(query, header)

    def save(self) -> str:
        path = self._keeper.save(SavedGraph(self._header.stamp, self.graph.saved()))
        self._is_new = False
        return f"Saved {len(self.graph)} facts on {len(self.graph.entities)} names to {path}."

    def forget(self, subject: str) -> str:
        if not subject:
            path = self._keeper.forget()
            self._forgotten_up_to = self._seen_up_to
            self._start(None)
            self._is_new = False
            return f"Forgot everything; removed {path}." if path else "Forgot everything."
        names = KnowledgeRecollection(self.graph).find(subject)
        if not names:
            raise NotRememberedError(f"There is nothing to forget: no {subject!r} is remembered.")
        for name in names:
            if self._seen_up_to is not None:
                self._forgotten[name] = self._seen_up_to
            self._tell(self.graph.forget(name))
        self._is_new = True
        text = f"Forgot {', '.join(names)}"
        if self._keeper.file is None:
            return f"{text}."
        self.save()
        return f"{text}, also in {self._keeper.file}."
