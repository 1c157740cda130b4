"""Facts of a spatial belief, in addition to those of the scene (library.scene.scene_facts)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.memory.place_history import PlaceInterval, taken_from
from stma_ros.memory.relations import near_to
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

_TAKEN = {words.IN: words.TAKEN_OUT_OF, words.ON: words.TAKEN_OFF}


def origins(objects: Iterable[TrackedObject], since: Time) -> dict[str, PlaceInterval]:
    """Returns, for the id of each object that the robot has taken since a time, the place where it first took it from.

    A task's text describes where things are when the task begins.
    """
    former = ((item.id, taken_from(item.place_history, since)) for item in objects)
    return {name: interval for name, interval in former if interval is not None}


def origin_facts(taken: Mapping[str, PlaceInterval], objects: Sequence[TrackedObject]) -> Iterator[Relation]:
    """Yields the places from which the robot took objects (`taken`, by the id of the object)."""
    for name, former in taken.items():
        fact = partial(Relation, name, first_seen=former.first_seen, last_seen=former.last_seen)
        if former.predicate in _TAKEN:
            yield fact(_TAKEN[former.predicate], former.holder)
        elif former.box is not None:  # what is near a holder is near what it holds
            neighbours = near_to(former.box, objects)
            yield from (fact(words.TAKEN_FROM_BESIDE, other.id) for other in neighbours if other.id != name)
        if former.room:
            yield fact(words.TAKEN_FROM, former.room)


def at_hand(
    robot: tuple[float, float], reach: float, objects: Sequence[TrackedObject], snapshot: MapSnapshot
) -> Iterator[Relation]:
    """Yields the objects that a robot at map point `robot` (x, y) [m] can reach from there; objects behind a wall
    are left out."""
    for item in objects:
        box = item.box
        if item.is_present and snapshot.is_within_reach(
            *robot, box.middle.tolist(), box.extent.tolist(), box.yaw, reach
        ):
            yield Relation(words.ROBOT, words.NEAR, item.id, confidence=item.confidence)
