"""What is true of the things of an activity, by the ground truth of a flat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.conditions import HAND
from stma_ros.evaluation.oriented_boxes import gaps
from stma_ros.types import vocabulary as words
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from stma_ros.worlds.bddl.expressions import Atom
from stma_ros.worlds.house.activities.instantiation import inside_of
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.robot.state import FLOOR

NEXT_TO: Final = 0.5
"""Greatest gap between the boxes of things that are next to each other [m]."""

TOUCHING: Final = 0.05
"""Greatest gap between the boxes of things that touch [m]: what is put down keeps 4 cm from others."""


class ActivityFacts:
    """The facts of a moment, as Facts of worlds.bddl.expressions.

    A thing is inside what it, or what carries it, was put into. It is on what it was put on, also by way of others: a
    cup on a tray on a table is on the table. A thing that never opens is not open.

    Args:
        truth: the ground truth.
        flat: the flat, which tells on and in what things can be put.
        names: the world's names of the instances; those of floors are names of rooms.
    """

    def __init__(self, truth: GroundTruth, flat: Flat, names: Mapping[str, str]) -> None:
        self._flat, self._names = flat, names
        self._objects = {thing.name: thing for thing in truth.objects}
        self._order = {thing.name: k for k, thing in enumerate(truth.objects)}
        self._boxes = [thing.box for thing in truth.objects]
        self._rooms = {room.name for room in truth.rooms}

    def holds(self, atom: Atom) -> bool:
        one, *others = (self._names[term] for term in atom.terms)
        match atom.predicate:
            case "open":
                return words.STATE_OPEN in self._objects[one].states
            case "toggled_on":
                return words.STATE_ON in self._objects[one].states
        (other,) = others
        if other in self._rooms:  # a floor is touched by what is on it, and nothing is next to or under it
            return atom.predicate in ("ontop", "touching") and self._is_on_floor(one, other)
        match atom.predicate:
            case "inside" | "ontop":
                return self._is_placed(one, other, inside=atom.predicate == "inside")
            case "nextto":
                return not self._hold_each_other(one, other) and self._are_apart(one, other, NEXT_TO)
            case "touching":
                return self._hold_each_other(one, other) or self._are_apart(one, other, TOUCHING)
            case "under":
                return self._is_under(one, other)
        raise ValueError(f"{atom} cannot be told from a ground truth")  # the selection has no others

    def _is_on_floor(self, name: str, room: str) -> bool:
        thing = self._objects[name]
        return not thing.fixed and thing.support == FLOOR and thing.room == room

    def _is_placed(self, name: str, place: str, *, inside: bool) -> bool:
        thing = self._objects[name]
        holder = self._flat.fixed_by_name.get(place) or self._flat.items_by_name[place]
        within = inside_of(holder, inside=inside)
        relations = []
        for support, is_inside in self._holders(thing):
            relations.append(is_inside)
            if support == place:
                return is_inside if within else not any(relations)
        return False

    def _holders(self, thing: GroundTruthObject) -> Iterator[tuple[str, bool]]:
        """Yields what carries a thing, nearest first, and whether what it carries is inside."""
        while thing.support in self._objects:
            yield thing.support, thing.inside
            thing = self._objects[thing.support]

    def _hold_each_other(self, one: str, other: str) -> bool:
        return any(
            holder == place
            for name, place in ((one, other), (other, one))
            for holder, _ in self._holders(self._objects[name])
        )

    def _are_apart(self, one: str, other: str, gap: float) -> bool:
        """Whether two things, neither of which is in the hand, are at most so far apart, in one room."""
        things = self._objects[one], self._objects[other]
        if any(self._is_held(thing) for thing in things) or not self._share_a_room(*things):
            return False
        return bool(self._gaps[self._order[one], self._order[other]] <= gap)

    @cached_property
    def _gaps(self) -> NDArray[np.float64]:
        return gaps(self._boxes)

    def _is_held(self, thing: GroundTruthObject) -> bool:
        return thing.support == HAND or any(holder == HAND for holder in self._supports(thing))

    def _supports(self, thing: GroundTruthObject) -> Iterator[str]:
        yield from (self._objects[name].support for name, _ in self._holders(thing))

    @staticmethod
    def _share_a_room(one: GroundTruthObject, other: GroundTruthObject) -> bool:
        """Whether both are in one room; a door belongs to the rooms on both sides."""
        return one.room == other.room or "door" in (one.category, other.category)

    def _is_under(self, name: str, place: str) -> bool:
        thing, above = self._objects[name], self._objects[place]
        x, y = (above.box.center.position.x, above.box.center.position.y)
        at = thing.box.center.position
        half = min(above.box.size.x, above.box.size.y) / 2
        low_enough = at.z < above.box.center.position.z
        return thing.support == FLOOR and low_enough and abs(at.x - x) <= half and abs(at.y - y) <= half
