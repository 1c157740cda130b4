"""The dynamic knowledge graph (STMA, section 4.2): which facts hold now, which held before, and how entities are
linked.

A fact is a triple. Facts that exclude one another share a slot, and a slot holds one fact: an object is at one place,
an exit leads to one place, a door is open or closed. A newer fact replaces the older one, which moves to the history of
the slot.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from stma_ros.memory.exclusive_facts import NOT_KNOWN, PLACE, Slot, is_link, place_slot, slot_of
from stma_ros.memory.fact_table import FactTable
from stma_ros.memory.predicates import canonical, canonical_name
from stma_ros.memory.states import OPENNESS, oldest_surplus
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import MalformedTripleError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

MAX_PAST = 16
"""Past facts of one slot that are stored; the newest ones."""

_WAYS_OUT: Final = (words.EXIT, words.DOOR)
_MAX_PASSED = 64  # largest number of rooms that one update passes in search of a name to drop
_NOWHERE: Final[Mapping[str, Time]] = {}


@dataclass(frozen=True)
class Revision:
    """The changes that an update made.

    Attributes:
        began: facts that hold since.
        ended: facts that no longer hold.
        appeared, vanished: entities.
        rejected: facts that could not be read, and why.
    """

    began: tuple[Relation, ...] = ()
    ended: tuple[Relation, ...] = ()
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    rejected: tuple[tuple[Relation, str], ...] = ()


@dataclass(frozen=True)
class SavedKnowledge:
    """The contents of a graph as plain values.

    Attributes:
        facts: those that hold.
        past: those that held before; of each slot oldest first.
    """

    facts: tuple[Relation, ...]
    past: tuple[Relation, ...]


class KnowledgeGraph:
    """Entities and the facts on them. An entity exists as long as a fact that holds names it.

    Invariants: one fact to a slot; nothing is inside of itself, however long the chain; each fact is found from both of
    its ends.
    """

    def __init__(self, limit: int = 0) -> None:
        """Creates an empty graph.

        Args:
            limit: names that are stored, former ones included; 0 = any number. Beyond it, the names that were mentioned
                least recently are dropped, except for rooms and doors on a way.
        """
        self._table = FactTable()
        self._numbers: dict[Slot, int] = {}  # of the facts that hold, in the table
        self._past: dict[str, dict[Slot, tuple[Relation, ...]]] = {}  # by subject
        self._limit = limit
        self._recent: OrderedDict[str, None] = OrderedDict()  # where there is a limit; the newest comes last

    @classmethod
    def restored(cls, saved: SavedKnowledge, limit: int = 0) -> KnowledgeGraph:
        """Returns the graph that was saved; a fact that breaks an invariant is left out."""
        graph = cls(limit)
        for fact in saved.past:
            graph._remember(slot_of(fact), fact)
            graph._touch(fact.subject)
        graph.update(saved.facts)
        return graph

    def saved(self) -> SavedKnowledge:
        """Returns the contents as plain values."""
        past = chain.from_iterable(slots.values() for slots in self._past.values())
        return SavedKnowledge(self.facts, tuple(chain.from_iterable(past)))

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, entity: str) -> bool:
        return entity in self._table

    @property
    def entities(self) -> tuple[str, ...]:
        """Entities of facts that hold, in the order in which they appeared."""
        return tuple(self._table.entities)

    @property
    def names(self) -> tuple[str, ...]:
        """The entities, and names on which only past facts are stored."""
        return tuple(dict.fromkeys((*self._table.entities, *self._past)))

    @property
    def facts(self) -> tuple[Relation, ...]:
        """The facts that hold."""
        return tuple(self._table[number] for number in self._numbers.values())

    def about(self, entity: str) -> Iterator[Relation]:
        """Returns the facts that name an entity at either end; none for an unknown one."""
        table = self._table
        return chain(table.values_of(entity), table.links_from(entity), table.links_to(entity))

    def links_to(self, entity: str) -> Iterator[Relation]:
        """Returns the facts with an entity as the object."""
        return self._table.links_to(entity)

    def neighbourhood(
        self,
        seeds: Iterable[str],
        hops: int,
        *,
        directed: bool = False,
        limit: int = 0,
        also: Iterable[str] = (),
    ) -> tuple[tuple[str, ...], tuple[Relation, ...]]:
        """Returns the K-hop neighbourhood of some entities (STMA, algorithm 3, appendix C.2), and the subgraph that it
        induces.

        Args:
            seeds: entities at which the expansion begins; unknown ones are ignored.
            hops: largest number of facts on the way from a seed.
            directed: follow facts from subject to object only.
            limit: entities at most, seeds counted, all of which stay; 0 = any number.
            also: entities that are appended to the result; unknown ones are ignored.

        Returns:
            The entities, nearest first, and the facts between them or on one of them alone, by their subject, in the
                order of the entities.
        """
        return self._table.neighbourhood(seeds, hops, directed=directed, limit=limit, also=also)

    def fact(self, slot: Slot) -> Relation | None:
        """Returns the fact that holds in a slot, or None."""
        number = self._numbers.get(slot)
        return None if number is None else self._table[number]

    def history(self, slot: Slot) -> tuple[Relation, ...]:
        """Returns the past facts of a slot, oldest first; `last_seen` is when a fact was last known to hold."""
        return self._past.get(slot[0], {}).get(slot, ())

    def update(self, facts: Iterable[Relation], complete: Mapping[str, Time] = _NOWHERE) -> Revision:
        """Adds facts, in any of the wordings that `predicates.canonical` reads.

        Of two facts that exclude each other the one that was seen later holds; of two that were seen at once, the later
        one in the list.

        Args:
            facts: triples; one that cannot be read is left out and returned as rejected.
            complete: rooms that were seen completely, and when last. Exits of these rooms that the facts do not name
                end: they were a mistake, or have been closed off. Places of objects that were believed to be there and
                were not seen end as well, unless something closed may hide them.

        Returns:
            The changes.
        """
        changes = _Changes()
        mentioned: set[Slot] = set()
        for fact in facts:
            try:
                read = canonical(fact)
                mentioned.add(slot_of(read))
                self._take(read, changes)
            except MalformedTripleError as error:
                changes.rejected.append((fact, str(error)))
        for name, seen in complete.items():
            try:
                room = canonical_name(name)
            except MalformedTripleError:
                continue  # no fact has such a name
            self._end_other_ways(room, mentioned, changes)
            self._end_places_in(room, seen, changes)
        self._keep_to_limit(changes)
        return self._revision(changes)

    def end(self, slot: Slot) -> Revision:
        """Moves the fact that holds in a slot to its history; nothing holds there then."""
        changes = _Changes()
        if slot in self._numbers:
            self._end(slot, changes)
        return self._revision(changes)

    def forget(self, entity: str) -> Revision:
        """Removes every fact that names an entity, and its history."""
        changes = _Changes()
        self._drop(entity, changes)
        for subject, slots in tuple(self._past.items()):
            remaining = {
                slot: tuple(fact for fact in past if fact.object != entity) for slot, past in slots.items()
            }
            self._past[subject] = {slot: past for slot, past in remaining.items() if past}
            if not self._past[subject]:
                del self._past[subject]
        return self._revision(changes)

    def _drop(self, entity: str, changes: _Changes) -> None:
        for fact in tuple(self.about(entity)):
            self._end(slot_of(fact), changes)
        self._past.pop(entity, None)
        self._recent.pop(entity, None)

    def _end_other_ways(self, room: str, mentioned: Collection[Slot], changes: _Changes) -> None:
        for fact in tuple(self.about(room)):
            slot = slot_of(fact)
            if fact.subject == room and fact.predicate.startswith(_WAYS_OUT) and slot not in mentioned:
                self._end(slot, changes)

    def _end_places_in(self, room: str, seen: Time, changes: _Changes) -> None:
        """Ends the places of objects that were not seen where they should be when the room was seen.

        What is in or on an object that is itself absent keeps its place: that object was not seen.
        """
        looked_at = [room]
        while looked_at:
            for fact in tuple(self.links_to(looked_at.pop())):
                if fact.predicate not in (words.IN, words.ON) or fact.subject == words.ROBOT:
                    continue
                if fact.last_seen < seen:
                    self._end(slot_of(fact), changes)
                elif not self._is_closed(fact.subject):
                    looked_at.append(fact.subject)

    def _is_closed(self, thing: str) -> bool:
        state = self.fact((thing, words.STATE, OPENNESS))
        return state is not None and state.object == words.STATE_CLOSED

    def _touch(self, entity: str) -> None:
        """Marks an entity as mentioned most recently."""
        if self._limit:
            self._recent[entity] = None
            self._recent.move_to_end(entity)

    def _keep_to_limit(self, changes: _Changes) -> None:
        passed = 0
        while len(self._recent) > self._limit and passed < _MAX_PASSED:
            entity = next(iter(self._recent))
            if self._is_on_a_way(entity):
                self._recent.move_to_end(entity)
                passed += 1
            else:
                self._drop(entity, changes)

    def _is_on_a_way(self, entity: str) -> bool:
        return any(fact.predicate.startswith(_WAYS_OUT) for fact in self.about(entity))

    def _take(self, fact: Relation, changes: _Changes) -> None:
        slot = slot_of(fact)
        known = self.fact(slot)
        if known is not None:
            if known.object != fact.object and fact.object in NOT_KNOWN:
                return  # not to know is no news
            if fact.last_seen < known.last_seen and known.object not in NOT_KNOWN:
                return
            if (known.predicate, known.object) == (fact.predicate, fact.object):
                self._set(
                    slot,
                    replace(
                        fact,
                        first_seen=min(known.first_seen, fact.first_seen),
                        last_seen=max(known.last_seen, fact.last_seen),
                    ),
                )
                return
        if slot[1] == PLACE:
            outdated = self._closing_link(fact)
            if outdated is not None:
                if fact.last_seen < outdated.last_seen:
                    raise MalformedTripleError(
                        f"{fact.subject} {fact.predicate} {fact.object} would make a loop with the newer fact that "
                        f"{outdated.subject} is {outdated.predicate} {outdated.object}"
                    )
                self._end(slot_of(outdated), changes)
        if known is not None:
            self._end(slot, changes)
        for entity in _ends(fact):
            if entity not in self._table:
                changes.entities[entity] += 1
        self._set(slot, fact)
        changes.began[slot] = fact
        if slot[1] == words.STATE:
            self._end_surplus(fact.subject, changes)

    def _end_surplus(self, thing: str, changes: _Changes) -> None:
        states = (f for f in self._table.values_of(thing) if f.predicate == words.STATE)
        fact = oldest_surplus(states)
        if fact is not None:
            self._end(slot_of(fact), changes)
            del self._past[thing][slot_of(fact)]  # else the history of unknown states would grow

    def _set(self, slot: Slot, fact: Relation) -> None:
        """Stores a fact in a slot; if one holds there already, it is the same fact at another time."""
        for entity in _ends(fact):
            self._touch(entity)
        number = self._numbers.get(slot)
        if number is None:
            self._numbers[slot] = self._table.add(fact, link=is_link(fact))
        else:
            self._table.replace(number, fact)

    def _closing_link(self, fact: Relation) -> Relation | None:
        """Returns the fact that would make a loop of places with this one: the last of the chain is in or on its
        subject."""
        holder = fact.object
        while (place := self.fact(place_slot(holder))) is not None:
            if place.object == fact.subject:
                return place
            holder = place.object
        return None

    def _end(self, slot: Slot, changes: _Changes) -> None:
        number = self._numbers.pop(slot)
        fact = self._table[number]
        self._table.remove(number)
        for entity in _ends(fact):
            if entity not in self._table:
                changes.entities[entity] -= 1
        self._remember(slot, fact)
        if changes.began.pop(slot, None) is None:
            changes.ended.append(fact)

    def _remember(self, slot: Slot, fact: Relation) -> None:
        """Moves a fact to the history of its slot, unless it is there: a history buffer reports an ended fact at every
        step."""
        slots = self._past.setdefault(slot[0], {})
        past = slots.get(slot, ())
        if not any(
            (f.object, f.predicate, f.last_seen) == (fact.object, fact.predicate, fact.last_seen)
            for f in past
        ):
            slots[slot] = (*past, fact)[-MAX_PAST:]

    @staticmethod
    def _revision(changes: _Changes) -> Revision:
        return Revision(
            tuple(changes.began.values()),
            tuple(changes.ended),
            tuple(entity for entity, count in changes.entities.items() if count > 0),
            tuple(entity for entity, count in changes.entities.items() if count < 0),
            tuple(changes.rejected),
        )


class _Changes:
    """Collects the changes of one update."""

    def __init__(self) -> None:
        self.began: dict[Slot, Relation] = {}
        self.ended: list[Relation] = []
        self.entities: Counter[str] = Counter()
        self.rejected: list[tuple[Relation, str]] = []


def _ends(fact: Relation) -> tuple[str, ...]:
    return (fact.subject, fact.object) if is_link(fact) else (fact.subject,)
