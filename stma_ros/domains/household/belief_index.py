"""An index of the spatial belief: the place and the states of each object."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import Time

REACH = 0.3
"""Largest length [m] of the route to the approach pose of an object at which the robot stands before it."""

CERTAIN = 0.95
"""Confidence from which a state counts as certain: a result of the robot's own action, a close look, or several looks.
What is less sure is a guess, from which nothing is concluded."""

EVEN = 0.5
"""Confidence beyond which something is likelier than not."""

NOOK_AREA = 1.5
"""Unknown floor of less than this area [m^2] is often observed in passing, and is explored late."""

_ROUNDING = 1e-6
"""Rounding error of a confidence of 32 bits."""

OPENNESS = words.STATE_DIMENSION[words.STATE_OPEN]
PRESENCE = words.STATE_DIMENSION[words.STATE_MISSING]


@lru_cache(maxsize=4096)
def id_order(name: str) -> tuple[str, int, str]:
    """Returns a sort key for the natural order of ids: mug_2 before mug_10."""
    stem, digits = re.fullmatch(r"(.*?)(\d*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    return stem, int(digits or 0), digits


def kind_in_id(name: str) -> str:
    """Returns the category that an id contains: coffee table for coffee_table_2."""
    return id_order(name)[0].strip("_").replace("_", " ")


def is_certain(fact: Relation) -> bool:
    """Whether a fact is more than a guess."""
    return fact.confidence >= CERTAIN - _ROUNDING


@dataclass(frozen=True)
class Origin:
    """The place from which the robot took an object.

    Attributes:
        inside, on, room: those of KnownObject.
        near: ids of the objects near which it was, if it was in or on nothing.
    """

    inside: str = ""
    on: str = ""
    room: str = ""
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class KnownObject:
    """An object of the spatial belief. Empty texts stand for unknown values.

    Attributes:
        id: of the object.
        category: its most likely category.
        confidence: of its category, from 0 to 1.
        first_seen: stamp of the first observation.
        last_seen: stamp of the last observation.
        inside: id of the object that contains it; empty for a held object.
        on: id of the object that it is on; empty for a held object.
        room: id of its room.
        states: at most one fact for each dimension.
        colours: basic colour words.
        size: longest side [m]; NaN = unknown.
        held: whether it is in the robot's hand.
        other_kinds: categories that a good part of its labels is for.
        other_colours: colour words that a good part of its views says.
        put_next_to: id of the object next to which the robot put it on the floor, where it still is; empty = it is
            anywhere else.
        origin: where the robot first took it from during the task; None = it has not taken it, or this is not known.
    """

    id: str
    category: str
    confidence: float
    first_seen: Time
    last_seen: Time
    inside: str
    on: str
    room: str
    states: tuple[Relation, ...]
    colours: tuple[str, ...]
    size: float
    held: bool
    origin: Origin | None = None
    other_kinds: tuple[str, ...] = ()
    other_colours: tuple[str, ...] = ()
    put_next_to: str = ""

    def state(self, dimension: str) -> str:
        """Returns its state in a dimension; empty = unknown."""
        fact = self.state_fact(dimension)
        return fact.object if fact is not None else ""

    def state_fact(self, dimension: str) -> Relation | None:
        """Returns the fact about its state in a dimension, or None."""
        return next((f for f in self.states if words.STATE_DIMENSION.get(f.object) == dimension), None)

    def is_certainly(self, state: str) -> bool:
        """Whether it is known for certain to be in a state."""
        fact = self.state_fact(words.STATE_DIMENSION[state])
        return fact is not None and fact.object == state and is_certain(fact)

    @property
    def is_missing(self) -> bool:
        """Whether it is known to have left its place."""
        return self.state(PRESENCE) == words.STATE_MISSING

    @property
    def holder(self) -> str:
        """Id of the object that it is in or on; empty = unknown."""
        return self.inside or self.on

    @property
    def seen_once(self) -> bool:
        """Whether all knowledge about it comes from one observation."""
        return self.first_seen == self.last_seen


@dataclass(frozen=True)
class KnownFrontier:
    """A frontier of the spatial belief.

    Attributes:
        id: of the frontier.
        area: unexplored area behind it [m^2]; NaN = unknown.
        room: id of its room; empty = unknown.
    """

    id: str
    area: float
    room: str

    @property
    def is_nook(self) -> bool:
        """Whether so little floor is unknown behind it that it hides nothing."""
        return self.area < NOOK_AREA


class BeliefIndex:
    """Objects, rooms and frontiers of a spatial belief, sorted by id.

    Attributes:
        knowledge: of categories.
        rooms: category of each room; empty = unknown.
        frontiers: the frontiers by id.
        objects: the objects by id.
        unconfirmed: those of which another look must tell whether they exist, by id: what each most likely is.
    """

    def __init__(
        self, facts: Iterable[Relation], routes: Iterable[Route], knowledge: CategoryKnowledge
    ) -> None:
        self.knowledge = knowledge
        self._facts: dict[tuple[str, str], list[Relation]] = {}
        for fact in facts:
            self._facts.setdefault((fact.subject, fact.predicate), []).append(fact)
        self._at_hand = {fact.object for fact in self._facts.get((words.ROBOT, words.NEAR), ())}
        self._near: dict[str, set[str]] = {}
        for (subject, predicate), group in self._facts.items():
            if predicate == words.NEAR and subject != words.ROBOT:
                for fact in group:
                    self._near.setdefault(subject, set()).add(fact.object)
                    self._near.setdefault(fact.object, set()).add(subject)
        self._lengths = {route.target: route.length for route in routes}
        subjects = {subject for subject, predicate in self._facts if predicate == words.IS_A}
        kinds = {subject: self._best(subject, words.IS_A) for subject in sorted(subjects, key=id_order)}
        rooms = {
            fact.object for group in self._facts.values() for fact in group if fact.predicate == words.IN_ROOM
        }
        rooms |= {subject for subject, kind in kinds.items() if kind in knowledge.rooms}
        self.rooms = {name: kinds.get(name, "") for name in sorted(rooms, key=id_order)}
        self.frontiers = {
            name: self._frontier(name) for name, kind in kinds.items() if kind == words.FRONTIER
        }
        self.objects = {
            name: self._object(name, kind)
            for name, kind in kinds.items()
            if name not in self.rooms and name not in self.frontiers
        }
        seeming = {subject for subject, predicate in self._facts if predicate == words.SEEMS} - subjects
        self.unconfirmed = {
            name: self._object(name, self._best(name, words.SEEMS), words.SEEMS, words.SEEMS)
            for name in sorted(seeming, key=id_order)
        }

    def length(self, target: str) -> float:
        """Returns the length [m] of the route to an object or frontier; NaN = there is no route; inf = unknown."""
        return self._lengths.get(target, math.inf)

    def at_hand(self, target: str) -> bool:
        """Whether an object is within the arm's reach, or the robot stands before it."""
        return target in self._at_hand or self.length(target) <= REACH

    @property
    def held(self) -> str:
        """Id of the object in the hand; empty = no known object."""
        return next((thing.id for thing in self.objects.values() if thing.held), "")

    def near(self, name: str) -> tuple[str, ...]:
        """Returns the ids of the objects near an object."""
        return tuple(sorted(self._near.get(name, ()), key=id_order))

    def reachable(self, target: str) -> bool:
        """Whether a route to the target may exist; False only if it is known that there is none."""
        return not math.isnan(self.length(target))

    def chain(
        self, thing: KnownObject, objects: Mapping[str, KnownObject] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Returns the chain of holders of an object as pairs of predicate and id, its own holder first.

        Args:
            thing: the object.
            objects: those that may be holders, by id; None = the objects where they are now.
        """
        objects = self.objects if objects is None else objects
        links: list[tuple[str, str]] = []
        seen = {thing.id}
        place: KnownObject | None = thing
        while place is not None:
            predicate, name = (words.IN, place.inside) if place.inside else (words.ON, place.on)
            if not name or name in seen:
                break
            seen.add(name)
            links.append((predicate, name))
            place = objects.get(name)
        return tuple(links)

    def room_of(self, thing: KnownObject, objects: Mapping[str, KnownObject] | None = None) -> str:
        """Returns the room of an object or of its holders; empty = unknown. The arguments are those of `chain`."""
        objects = self.objects if objects is None else objects
        holders = (objects[name] for _, name in self.chain(thing, objects) if name in objects)
        return next((item.room for item in (thing, *holders) if item.room), "")

    def is_of_likely_kind(self, room: str) -> bool:
        """Whether the kind that a room is taken for is likelier than all other kinds together."""
        kind = self.rooms.get(room, "")
        facts = self._facts.get((room, words.IS_A), ())
        return any(fact.object == kind and fact.confidence > EVEN for fact in facts)

    def likelihood(self, name: str, category: str) -> float:
        """Returns how likely a room or an object is of a category [0..1], by the kinds that it is taken for and may be
        of."""
        return self._likelihood(name, category, (words.IS_A, words.MAY_BE))

    def likelihood_unconfirmed(self, thing: KnownObject, category: str) -> float:
        """Returns how likely there is a thing of a category where one seems to be [0..1]."""
        return self._likelihood(thing.id, category, (words.SEEMS,))

    def _likelihood(self, name: str, category: str, predicates: Sequence[str]) -> float:
        facts = (fact for predicate in predicates for fact in self._facts.get((name, predicate), ()))
        return math.fsum(fact.confidence for fact in facts if self.knowledge.is_kind(fact.object, category))

    def room_kinds(self, room: str) -> dict[str, float]:
        """Returns how likely a room is of each kind [0..1]: of one alone where that is likelier than all others."""
        kinds = {
            fact.object: fact.confidence
            for predicate in (words.MAY_BE, words.IS_A)
            for fact in self._facts.get((room, predicate), ())
        }
        kind = self.rooms.get(room, "")
        return {kind: kinds[kind]} if self.is_of_likely_kind(room) else kinds

    def described(self, name: str) -> str:
        """Returns an id with its category, "room_1 (kitchen)"; the id alone if it contains the category."""
        thing = self.objects.get(name)
        kind = self.rooms.get(name, "") if thing is None else thing.category
        return f"{name} ({kind})" if kind and kind.replace("_", " ") != kind_in_id(name) else name

    def place_text(self, thing: KnownObject) -> str:
        """Returns the place of an object in words, "on table_1, in room_2 (kitchen)"; empty = unknown."""
        if thing.held:
            return "in the robot's hand"
        parts = [f"{predicate} {self.described(name)}" for predicate, name in self.chain(thing)]
        room = self.room_of(thing)
        return ", ".join([*parts, *([f"in {self.described(room)}"] if room else [])])

    def spoken_place(self, thing: KnownObject) -> str:
        """Returns the place of an object as people say it, "on the table in the kitchen"; empty = unknown.

        A kind of room that is no likelier than all others is told with "perhaps".
        """
        if thing.held:
            return "in the robot's hand"
        holders = [
            (how, self.objects[name].category) for how, name in self.chain(thing) if name in self.objects
        ]
        room = self.room_of(thing)
        kind = self.rooms.get(room, "")
        parts = [f"{how} the {category}" for how, category in holders[:1]]
        if kind and not self.is_of_likely_kind(room):
            return ", ".join([*parts, f"perhaps in the {kind}"])
        return " ".join([*parts, *([f"in the {kind}"] if kind else [])])

    def _best(self, subject: str, predicate: str) -> str:
        """Returns the object of the fact with the highest confidence; ties go to the newest, then the first by id."""
        return self._first(self._facts.get((subject, predicate), ()))

    def _measured(self, subject: str, predicate: str) -> str:
        """Returns the same without what rests on the word of a detector alone, by which no task is done."""
        facts = self._facts.get((subject, predicate), ())
        return self._first([fact for fact in facts if fact.source != EvidenceSource.DETECTOR])

    @staticmethod
    def _first(facts: Sequence[Relation]) -> str:
        if len(facts) == 1:
            return facts[0].object
        ranked = sorted(facts, key=lambda f: (-f.confidence, -f.last_seen.nanoseconds, id_order(f.object)))
        return ranked[0].object if ranked else ""

    def _object(
        self, name: str, category: str, kind: str = words.IS_A, other_kind: str = words.MAY_BE
    ) -> KnownObject:
        """Returns an object of a category; the predicates tell that, and what else it may be."""
        (fact, *_) = (f for f in self._facts[name, kind] if f.object == category)
        colours = dict.fromkeys(self._all(name, words.COLOUR))
        held = any(f.object == words.ROBOT for f in self._facts.get((name, words.HELD_BY), ()))
        return KnownObject(
            name,
            category,
            fact.confidence,
            fact.first_seen,
            fact.last_seen,
            "" if held else self._measured(name, words.IN),
            "" if held else self._measured(name, words.ON),
            self._best(name, words.IN_ROOM),
            self._states(name),
            tuple(colours),
            self._number(name, words.SIZE),
            held,
            self._origin(name),
            tuple(each for each in self._all(name, other_kind) if each != category),
            self._all(name, words.MAY_HAVE_COLOUR),
            "" if held else self._put_next_to(name),
        )

    def _all(self, name: str, predicate: str) -> tuple[str, ...]:
        return tuple(sorted(fact.object for fact in self._facts.get((name, predicate), ())))

    def _put_next_to(self, name: str) -> str:
        own = EvidenceSource.OWN_ACTION
        facts = self._facts.get((name, words.NEAR), ())
        return next((fact.object for fact in facts if fact.source == own), "")

    def _origin(self, name: str) -> Origin | None:
        origin = Origin(
            self._best(name, words.TAKEN_OUT_OF),
            self._best(name, words.TAKEN_OFF),
            self._best(name, words.TAKEN_FROM),
            tuple(sorted(f.object for f in self._facts.get((name, words.TAKEN_FROM_BESIDE), ()))),
        )
        return origin if origin != Origin() else None

    def _states(self, name: str) -> tuple[Relation, ...]:
        """Returns the newest state of each dimension; ties go to the higher confidence."""
        newest: dict[str, Relation] = {}
        for fact in self._facts.get((name, words.STATE), ()):
            dimension = words.STATE_DIMENSION.get(fact.object, fact.object)
            other = newest.get(dimension)
            if other is None or _is_newer(fact, other):
                newest[dimension] = fact
        return tuple(newest[dimension] for dimension in sorted(newest))

    def _number(self, name: str, predicate: str) -> float:
        """Returns the number in a fact; NaN if there is none."""
        try:
            return float(self._best(name, predicate))
        except ValueError:
            return math.nan

    def _frontier(self, name: str) -> KnownFrontier:
        return KnownFrontier(name, self._number(name, words.UNKNOWN_AREA), self._best(name, words.IN_ROOM))


def _is_newer(fact: Relation, other: Relation) -> bool:
    return (fact.last_seen.nanoseconds, fact.confidence, fact.object) > (
        other.last_seen.nanoseconds,
        other.confidence,
        other.object,
    )
