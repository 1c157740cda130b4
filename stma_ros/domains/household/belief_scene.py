"""The Scene of a spatial belief, through which questions are answered from what the robot remembers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stma_ros.domains.eqa.question import Relation
from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.memory.room_kinds import Shares
from stma_ros.memory.states import States
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation as Fact

TOLD_RELATIONS = frozenset(
    (Relation.IN, Relation.ON, Relation.NEAR, Relation.SAME_ROOM, Relation.WITH, Relation.PART_OF)
)
"""Relations that the facts of a belief tell. Of the others they tell at most that two things are near each other."""

_HEIGHTS = frozenset((Relation.UNDER, Relation.ABOVE))
_BESIDE = 0.5  # distance that is assumed of things that are near each other [m]


@dataclass(frozen=True, eq=False)
class BelievedThing:
    """A KnownThing of a spatial belief.

    Attributes:
        known: what the belief holds of it.
        room: probability of each kind of room.
        room_kind: kind that its room is taken for; empty = not known.
        is_surveyed: whether the robot stood before it.
    """

    known: KnownObject
    room: Shares
    room_kind: str
    is_surveyed: bool

    @property
    def id(self) -> str:
        return self.known.id

    @property
    def category(self) -> str:
        return self.known.category

    @property
    def confidence(self) -> float:
        return self.known.confidence

    @property
    def colour(self) -> str:
        return next(iter(self.known.colours), "")

    @property
    def states(self) -> States:
        return self.known.states

    @property
    def longest(self) -> float:
        return 0.0 if math.isnan(self.known.size) else self.known.size

    @property
    def clearness(self) -> float:
        return self.known.confidence

    @property
    def is_seen_well(self) -> bool:
        """Whether it was seen more than once, or from nearby."""
        return self.is_surveyed or not self.known.seen_once


class BeliefScene:
    """The things of a spatial belief that are not missing."""

    def __init__(self, view: BeliefIndex, approached: Collection[str] = ()) -> None:
        """Takes a belief.

        Args:
            view: index of the belief.
            approached: ids of the things before which the robot has stood.
        """
        self._view = view
        self._approached = frozenset(approached)

    @cached_property
    def things(self) -> Sequence[BelievedThing]:
        return tuple(map(self._thing, self._present))

    @cached_property
    def facts(self) -> Sequence[Fact]:
        return tuple(self._facts())

    def find(self, name: str) -> BelievedThing | None:
        return next((thing for thing in self.things if thing.id == name), None)

    def lies(self, name: str, relation: Relation, landmark: str) -> bool:
        """Whether a thing is near a landmark, or on the same thing. Whether it is higher or lower is not known."""
        if relation in _HEIGHTS:
            return False
        if relation is Relation.SAME_ROOM:
            rooms = [self._view.room_of(self._view.objects[each]) for each in (name, landmark)]
            return bool(rooms[0]) and rooms[0] == rooms[1]
        return self._is_beside(name, landmark)

    def covers(self, room: str) -> bool:
        """Whether no frontier is left in the rooms of a kind, of which one is known; in the home, if none is named."""
        kinds = self._view.rooms
        left = [frontier for frontier in self._view.frontiers.values() if not frontier.is_nook]
        if not room:
            return not left
        return room in kinds.values() and all(
            frontier.room and kinds.get(frontier.room) != room for frontier in left
        )

    @cached_property
    def rooms(self) -> Mapping[str, int]:
        return Counter(self._view.rooms.values())

    def extent(self, room: str) -> float:
        """Returns NaN, as the belief holds no areas."""
        return math.nan

    def distance(self, name: str, other: str) -> float:
        """Returns the distance that things near each other have; NaN for others [m]."""
        return _BESIDE if self._is_beside(name, other) else math.nan

    @property
    def _present(self) -> Iterator[KnownObject]:
        return (thing for thing in self._view.objects.values() if not thing.is_missing)

    def _thing(self, known: KnownObject) -> BelievedThing:
        room = self._view.room_of(known)
        return BelievedThing(
            known, self._view.room_kinds(room), self._view.rooms.get(room, ""), known.id in self._approached
        )

    def _facts(self) -> Iterator[Fact]:
        present = {thing.id for thing in self._present}
        for thing in self._present:
            for predicate, holder in ((words.IN, thing.inside), (words.ON, thing.on)):
                if holder in present:
                    yield Fact(thing.id, predicate, holder, last_seen=thing.last_seen)
            for other in self._view.near(thing.id):
                if other in present and thing.id < other:
                    yield Fact(thing.id, words.NEAR, other, last_seen=thing.last_seen)

    def _is_beside(self, name: str, other: str) -> bool:
        thing, mark = self._view.objects[name], self._view.objects[other]
        holders = {thing.holder, mark.holder} - {""}
        shared = bool(thing.holder) and thing.holder == mark.holder
        return shared or other in self._view.near(name) or bool(holders & {name, other})
