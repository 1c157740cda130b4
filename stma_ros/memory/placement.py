"""The place of an object that the robot has taken or put down, until a keyframe shows it again."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.existence import Existence
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.relations import NEAR
from stma_ros.memory.shapes import Shape
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.floors import Floors
from stma_ros.types.planar import turned
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Pose, Time

SLACK = 0.2
"""An object is at its place while its centre or its foot is at most this far [m] outside of the place's box."""

SEARCH = 0.35
"""The same for an object that is expected there: the exact spot is not known."""

ON_FLOOR = 0.3
"""The underside of what stands or lies on a floor is at most this far from it, perhaps on legs [m]."""

FLOOR_SEARCH = 1.5
"""A dropped object is searched for within this distance of the robot [m]."""


def pick_up(item: TrackedObject, fact: Relation, robot: Corner | None) -> TrackedObject:
    """Returns the object in the robot's hand.

    Args:
        item: the object.
        fact: says that the robot holds it, and since when.
        robot: (3,) a point of the robot in the map frame [m]; None = not known.
    """
    stamp = fact.last_seen
    interval = PlaceInterval(words.HELD_BY, words.ROBOT, "", None, stamp, stamp)
    shape = Shape.from_guess(_in_hand(item, robot), stamp)
    held = item.moved_to(shape, ObjectStatus.HELD, interval)
    return replace(held, placement=fact, existence=Existence.proven())


def carry(item: TrackedObject, robot: Corner | None) -> TrackedObject:
    """Returns a held object at the robot's present position (3,) [m]; None = not known."""
    return replace(item, closed_shape=Shape.from_guess(_in_hand(item, robot), item.shape.stamp))


def take_along(item: TrackedObject, carrier: str, before: Box, after: Box, stamp: Time) -> TrackedObject:
    """Returns an object that moved with what it is in or on.

    Args:
        item: the object.
        carrier: id of what it is in or on.
        before, after: boxes of that.
        stamp: of the move.
    """
    here = item.place_history[-1]
    middle = after.middle + turned(before.local(item.box.middle), after.yaw)
    box = Box(middle, item.box.extent, item.box.yaw + after.yaw - before.yaw)
    shape = Shape.from_guess(box, stamp)
    if item.status is ObjectStatus.ASSUMED and item.placement is not None:
        there = replace(here, box=box, last_seen=stamp)
        return replace(item, closed_shape=shape, place_history=(*item.place_history[:-1], there))
    fact = Relation(
        item.id,
        here.predicate,
        carrier,
        confidence=item.confidence,
        first_seen=here.first_seen,
        last_seen=stamp,
    )
    interval = PlaceInterval(here.predicate, carrier, "", box, stamp, stamp)
    return replace(
        item.moved_to(shape, ObjectStatus.ASSUMED, interval), placement=fact, placement_stamp=stamp
    )


def put_down(
    item: TrackedObject,
    fact: Relation,
    place: TrackedObject | None,
    robot: Corner | None,
    put_at: Pose | None = None,
    floors: Floors = Floors(),
) -> TrackedObject:
    """Returns the object after it was put down.

    Args:
        item: the object.
        fact: says in, on or near what, and since when; near = on the floor there.
        place: the object that holds it now; None = not known, and then it is taken to lie on the floor next to the
            robot.
        robot: (3,) a point of the robot in the map frame [m]; None = not known.
        put_at: where the robot put the middle of its underside, x along its longer horizontal side; None = not known,
            and then it is taken to be in the middle of the place, or on the robot's side of it.
        floors: of the building.
    """
    stamp = fact.last_seen
    if place is None:
        return drop(item, stamp, robot, floors)
    if fact.predicate == words.NEAR:
        box = (
            _beside(item.box, place.box, robot, floors)
            if put_at is None
            else _standing_at(put_at, item.box.extent)
        )
        return replace(_on_floor(item, box, stamp), placement=fact)
    if item.status is ObjectStatus.SEEN and is_at(item.box, place.box):
        return replace(item.without_placement(stamp), placement=fact)  # it has been seen there
    box = Box(place.box.middle, item.box.extent, place.box.yaw)
    if put_at is not None:
        box = _standing_at(put_at, item.box.extent)
    elif fact.predicate == words.ON:
        offset = np.zeros(3)
        if robot is not None:  # on the robot's side
            inner = np.maximum(place.box.extent[:2] - box.extent[:2], 0) / 2
            offset[:2] = np.clip(place.box.local(robot)[:2], -inner, inner)
        offset[2] = (place.box.extent[2] + box.extent[2]) / 2
        box = replace(box, middle=place.box.middle + turned(offset, place.box.yaw))
    interval = PlaceInterval(fact.predicate, place.id, "", box, stamp, stamp)
    return replace(
        item.moved_to(Shape.from_guess(box, stamp), ObjectStatus.ASSUMED, interval), placement=fact
    )


def drop(item: TrackedObject, stamp: Time, robot: Corner | None, floors: Floors = Floors()) -> TrackedObject:
    """Returns the object on the floor next to the robot, where it lies since `stamp`."""
    middle = (item.box.middle if robot is None else robot).copy()
    middle[2] = floors.below(middle[2]) + item.box.extent[2] / 2
    return _on_floor(item, replace(item.box, middle=middle), stamp)


def is_where_put(item: TrackedObject, place: TrackedObject, floors: Floors = Floors()) -> bool:
    """Whether an object that was put in, on or next to `place` may still be there, where it was seen now."""
    if _is_put_next_to(item):
        return _is_beside(item.box, place.shape.box, float(floors.below(item.box.middle[2])))
    return is_at(item.box, place.shape.box)


def may_match(item: TrackedObject, box: Box, place: TrackedObject | None) -> bool:
    """Whether a detection with this box may be an object that was put down, or was taken along, in, on or next to
    `place` (None = anywhere on the floor)."""
    if _may_have_stayed(item, box):
        return True
    if place is not None and _is_put_next_to(item):
        return _is_beside(box, place.shape.box, item.box.bottom, SLACK)
    if place is not None:
        return is_at(box, place.shape.box, SEARCH)
    return bool(np.linalg.norm(box.middle - item.box.middle) <= FLOOR_SEARCH)


def _may_have_stayed(item: TrackedObject, box: Box) -> bool:
    """Whether a detection with this box may be an object that was believed to be in or on what the robot took away, and
    was not: what the robot itself has put there is."""
    if item.placement is None or len(item.place_history) < 2:
        return False
    before, here = item.place_history[-2:]
    was_held = words.HELD_BY in (before.predicate, here.predicate)
    return not was_held and before.box is not None and is_at(box, before.box)


def is_at(box: Box, place: Box, slack: float = SLACK) -> bool:
    """Whether the centre or the foot of a box is inside of the place's box, grown by `slack` [m]: the centre of what is
    tall is far above what it stands on."""
    foot = np.array([*box.middle[:2], box.bottom])
    around = place.grown(slack)
    return around.contains(box.middle) or around.contains(foot)


def _is_put_next_to(item: TrackedObject) -> bool:
    return item.placement is not None and item.placement.predicate == words.NEAR


def _is_beside(box: Box, place: Box, floor: float, slack: float = 0.0) -> bool:
    """Whether a box is on the floor, at a height [m], and near the place's box or at most `slack` [m] farther away."""
    ((gap,),) = BoxArray.of([box]).gaps(BoxArray.of([place])).tolist()
    return gap <= NEAR + slack and abs(box.bottom - floor) <= ON_FLOOR


def _on_floor(item: TrackedObject, box: Box, stamp: Time) -> TrackedObject:
    interval = PlaceInterval("", "", "", box, stamp, stamp)
    return item.moved_to(Shape.from_guess(box, stamp), ObjectStatus.ASSUMED, interval)


def _beside(box: Box, place: Box, robot: Corner | None, floors: Floors) -> Box:
    """Returns a box on the floor next to a place, on the robot's side of it if that is known."""
    half = place.extent[:2] / 2
    ahead = half + np.array([1.0, 0.0])
    toward = place.local(robot)[:2] if robot is not None else ahead
    if np.all(np.abs(toward) <= half):
        toward = ahead
    edge = np.clip(toward, -half, half)
    outward = (toward - edge) / np.linalg.norm(toward - edge)
    offset = np.array([*(edge + outward * np.linalg.norm(box.extent[:2]) / 2), 0.0])
    middle = place.middle + turned(offset, place.yaw)
    middle[2] = floors.below(place.middle[2]) + box.extent[2] / 2
    return replace(box, middle=middle)


def _standing_at(pose: Pose, extent: Corner) -> Box:
    x, y, z = pose.position.x, pose.position.y, pose.position.z
    along_y = math.pi / 2 if extent[1] > extent[0] else 0.0
    return Box(np.array([x, y, z + extent[2] / 2]), extent, pose.yaw - along_y)


def _in_hand(item: TrackedObject, robot: Corner | None) -> Box:
    return item.box if robot is None else replace(item.box, middle=robot)
