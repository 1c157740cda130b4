"""Answers "where did you last see X?" from a knowledge graph, in which things have names and no looks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stma_ros.library.last_seen import NOWHERE, OTHERS_NAMED, last_seen_text
from stma_ros.library.phrases import split_place, telling_words
from stma_ros.memory.elapsed_time import ago
from stma_ros.memory.exclusive_facts import place_slot
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult, Sighting
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header


@dataclass(frozen=True)
class KnowledgeSightings:
    """Looks up the places of things by their names."""

    graph: KnowledgeGraph

    def answer(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        """Returns the sightings of the objects in question, best match first and the newest first for each, and a
        sentence about the first of them.

        Args:
            query: The phrase or question.
            header: Header of the answer, with the stamp up to which the memory has processed its input.
        """
        names = [name for name in self.find(query.description) if self._stays(name)]
        if not names:
            text = self._nothing(query.description)
            return ObjectQueryResult(
                header=header,
                request_id=query.request_id,
                text=text,
                sightings=(),
                error=Error(ErrorCode.NOT_REMEMBERED, text),
            )
        newest = {name: self._stays(name)[0] for name in names}
        first, *others = names
        text = last_seen_text(
            f"the {first}",
            ago(newest[first].last_seen, header.stamp),
            self._spoken(newest[first]),
            self._is_there(newest[first]),
            [(name, self._place(newest[name])) for name in others],
            is_sure=newest[first].confidence == 1,
        )
        sightings = [sighting for name in names for sighting in self._sightings(name)]
        return ObjectQueryResult(
            header=header,
            request_id=query.request_id,
            text=text,
            sightings=tuple(sightings[: query.limit or None]),
        )

    def find(self, description: str) -> list[str]:
        """Returns the names that a phrase or a question ("the red potato on the counter") refers to, best first.

        These are the exact name, or else all names that contain all of its words, or else the longest names that
        consist of its words. Among them, objects at the place come first, then objects that are still where they were,
        then those that were seen last.
        """
        named = {name: telling_words(name) for name in self.graph.names}
        asked, place = _words_of(description, named.values())
        if not asked:
            return []
        bearing = [name for name, own in named.items() if _covers(own, asked)]
        found = [name for name in bearing if len(named[name]) == len(asked)] or bearing
        if not found:
            held = [name for name, own in named.items() if own and _covers(asked, own)]
            longest = max((len(named[name]) for name in held), default=0)
            found = [name for name in held if len(named[name]) == longest]
        return sorted(found, key=lambda name: self._rank(name, place))

    def find_named(self, description: str) -> list[str]:
        """Returns the names that a phrase refers to without doubt, best first.

        These are the exact name, or else all names that contain all of its words. If it tells a place, only objects
        count that were last there, or else those that ever were.
        """
        named = {name: telling_words(name) for name in self.graph.names}
        asked, place = _words_of(description, named.values())
        bearing = [name for name, own in named.items() if asked and _covers(own, asked)]
        if place:
            bearing = [name for name in bearing if self._was_at(place, self._stays(name)[:1])] or [
                name for name in bearing if self._was_at(place, self._stays(name))
            ]
        found = [name for name in bearing if len(named[name]) == len(asked)] or bearing
        return sorted(found, key=lambda name: self._rank(name, place))

    def _rank(self, name: str, place: Sequence[str]) -> tuple[bool, bool, int, str]:
        stays = self._stays(name)
        if not stays:
            return True, True, 0, name
        return (
            not self._was_at(place, stays),
            not self._is_there(stays[0]),
            -stays[0].last_seen.nanoseconds,
            name,
        )

    def _was_at(self, place: Sequence[str], stays: Iterable[Relation]) -> bool:
        return any(_covers(telling_words(" ".join(self._holders(stay))), place) for stay in stays)

    def _stays(self, name: str) -> tuple[Relation, ...]:
        """Returns the present and earlier places of an object, newest first."""
        slot = place_slot(name)
        now = self.graph.fact(slot)
        return (*([now] if now else []), *reversed(self.graph.history(slot)))

    def _is_there(self, interval: Relation) -> bool:
        return self.graph.fact(place_slot(interval.subject)) is interval

    def _sightings(self, name: str) -> Iterator[Sighting]:
        for interval in self._stays(name):
            yield Sighting(
                object_id=name,
                category=name,
                first_seen=interval.first_seen,
                last_seen=interval.last_seen,
                position=NOWHERE,
                place=self._place(interval),
                present=self._is_there(interval),
                confidence=interval.confidence,
            )

    def _chain(self, interval: Relation) -> Iterator[Relation]:
        """Yields the place of an object and the places of its holders, out to the room.

        Holders in the past are taken to be where they are now, because furniture rarely moves; the past places of the
        robot are unknown.
        """
        yield interval
        if interval.predicate == words.HELD_BY and not self._is_there(interval):
            return
        holder = self.graph.fact(place_slot(interval.object))
        while holder is not None:
            yield holder
            holder = self.graph.fact(place_slot(holder.object))

    def _holders(self, interval: Relation) -> Iterator[str]:
        return (fact.object for fact in self._chain(interval))

    def _place(self, interval: Relation) -> str:
        """Returns a place as text: "on counter, in kitchen"."""
        return ", ".join(_said(fact, "") for fact in self._chain(interval))

    def _spoken(self, interval: Relation) -> str:
        """Returns a place for a sentence: "on the counter in the kitchen"."""
        return " ".join(_said(fact, "the ") for fact in self._chain(interval))

    def _nothing(self, description: str) -> str:
        asked = " ".join(telling_words(split_place(description)[0]))
        if not asked:
            return (
                f"{description.strip()!r} names no thing that I could look up. Name one ('the red potato')."
            )
        placeless = self.find(description)
        if placeless:
            return f"I know the {placeless[0]}, but of no place that it was at."
        things = [name for name in self.graph.names if self._stays(name)]
        if not things:
            return f"I have not seen the {asked}; I have seen nothing yet."
        near = difflib.get_close_matches(asked, things, n=OTHERS_NAMED)
        if near:
            return f"I have not seen the {asked}; I have seen {', '.join(f'the {name}' for name in near)}."
        return f"I have not seen the {asked} among the {len(things)} things that I remember."


def _words_of(description: str, names: Iterable[Sequence[str]]) -> tuple[Sequence[str], Sequence[str]]:
    """Returns the words for the thing and for its place; all are for the thing where a name consists of them."""
    whole = telling_words(description.casefold())
    if any(len(name) == len(whole) and _covers(name, whole) for name in names):
        return whole, ()
    thing, place = split_place(description)
    return telling_words(thing), telling_words(place)


def _said(fact: Relation, article: str) -> str:
    if fact.predicate == words.HELD_BY:
        return "in the hand"
    return f"{fact.predicate} {article}{fact.object}"


def _covers(some: Sequence[str], wanted: Sequence[str]) -> bool:
    """Returns whether `some` includes each of the wanted words."""
    return all(any(_is_same(word, other) for other in some) for word in wanted)


def _is_same(one: str, other: str) -> bool:
    """Returns whether two words are equal up to an English plural ending."""
    short, long = sorted((one, other), key=len)
    return long in (short, f"{short}s", f"{short}es")
