"""Conditions on the world at the end of a household task, checked against the ground truth.

Success is all conditions together; goal-condition recall (GCR) is the share of them that holds at the end, counted
over conditions that do not hold at the start (reference: ExtendaBench's measures, rebuilt from the MCoT-Memory text).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from stma_ros.types.truth import GroundTruth, GroundTruthObject

_DEPTH = (
    4  # an object in a bowl on a tray on a table is on the table; deeper nesting is an error of the world
)


@dataclass(frozen=True)
class Placed:
    """At least `count` of the objects are in or on one of the places.

    Attributes:
        things: the world's names of objects.
        places: the world's names of furniture or rooms.
        inside: True = in the place, False = on it, None = either.
        count: least number of objects.
    """

    things: tuple[str, ...]
    places: tuple[str, ...]
    inside: bool | None = None
    count: int = 1

    def __str__(self) -> str:
        preposition = {True: "in", False: "on", None: "at"}[self.inside]
        return f"{_counted(self.things, self.count)} {preposition} {' or '.join(self.places)}"

    def holds(self, truth: GroundTruth) -> bool:
        objects = _by_name(truth)
        return sum(self._is_placed(objects, name) for name in self.things) >= self.count

    def _is_placed(self, objects: Mapping[str, GroundTruthObject], name: str) -> bool:
        thing = objects.get(name)
        if thing is None:
            return False
        if thing.room in self.places:
            return _is_on_furniture(objects, thing)  # neither in the gripper nor dropped on the floor
        for holder, inside in _holders(objects, thing):
            if holder in self.places:
                return self.inside is None or inside == self.inside
        return False


@dataclass(frozen=True)
class InState:
    """At least `count` of the objects are in the state (a word of types.vocabulary)."""

    things: tuple[str, ...]
    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{_counted(self.things, self.count)} {self.state}"

    def holds(self, truth: GroundTruth) -> bool:
        objects = _by_name(truth)
        return (
            sum(name in objects and self.state in objects[name].states for name in self.things) >= self.count
        )


@dataclass(frozen=True)
class Held:
    """One of the objects is in the robot's gripper."""

    things: tuple[str, ...]
    count: int = 1

    def __str__(self) -> str:
        return f"{_counted(self.things, self.count)} in the hand"

    def holds(self, truth: GroundTruth) -> bool:
        objects = _by_name(truth)
        return sum(name in objects and objects[name].support == HAND for name in self.things) >= self.count


HAND = "robot"
"""The support of a held object (GroundTruthObject.msg)."""

Condition: TypeAlias = Placed | InState | Held


def recall(conditions: Iterable[Condition], truth: GroundTruth) -> float:
    """Returns the share of the conditions that hold [0..1]; 1 when there are none."""
    held = [condition.holds(truth) for condition in conditions]
    return sum(held) / len(held) if held else 1.0


def unmet(conditions: Iterable[Condition], truth: GroundTruth) -> tuple[Condition, ...]:
    return tuple(condition for condition in conditions if not condition.holds(truth))


def wrong_things(wanted: Iterable[Condition], before: GroundTruth, after: GroundTruth) -> tuple[str, ...]:
    """Returns the objects that newly fulfil a condition in place of another object of their category, while no
    condition refers to them."""
    conditions = tuple(wanted)
    meant = {name for condition in conditions for name in condition.things}
    wrong = []
    for condition in unmet(conditions, after):
        categories = {thing.category for thing in after.objects if thing.name in condition.things}
        for thing in after.objects:
            if thing.name not in meant and thing.category in categories:
                instead = replace(condition, things=(thing.name,), count=1)
                wrong += [thing.name] if instead.holds(after) and not instead.holds(before) else []
    return tuple(dict.fromkeys(wrong))


def _counted(things: tuple[str, ...], count: int) -> str:
    return things[0] if len(things) == 1 else f"{count} of {', '.join(things)}"


def _by_name(truth: GroundTruth) -> dict[str, GroundTruthObject]:
    return {thing.name: thing for thing in truth.objects}


def _holders(
    objects: Mapping[str, GroundTruthObject], thing: GroundTruthObject
) -> Iterable[tuple[str, bool]]:
    """Yields the support of the object, the support's support, and so on: name, and whether the object is inside."""
    for _ in range(_DEPTH):
        if thing.support not in objects:
            return
        yield thing.support, thing.inside
        thing = objects[thing.support]


def _is_on_furniture(objects: Mapping[str, GroundTruthObject], thing: GroundTruthObject) -> bool:
    """Whether an object is on or in furniture, also by way of others: an apple in a bowl in the hand is not."""
    holders = [name for name, _ in _holders(objects, thing)]
    return bool(holders) and objects[holders[-1]].fixed
