"""Puts an object down at a given place: the arm corrects by its camera, turns the object in line with the edges of the
piece, and lowers it until it rests on something."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.standard import Pose
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Rect
from stma_ros.worlds.robot.placing import (
    loaded_extents,
    room_for,
    shelves_for,
    standing_beside,
    standing_on,
)
from stma_ros.worlds.robot.scene import Holder, Portable, Scene, Shelf, StandingPortable
from stma_ros.worlds.robot.state import SceneState, Spot

SERVO = 0.15
"""Greatest horizontal distance of the place from the given one [m]: what the camera at the gripper shows around it."""

RISE, DROP = 0.1, 0.3
"""A surface is at most this far above or below the given height [m]. The arm sees one that comes earlier than expected,
and lowers what it holds no farther."""

_Extents: TypeAlias = "Callable[[float], tuple[FloatArray, FloatArray]]"
"""The lower and upper corner (3,) of what is put down, by its turn about z [rad]."""

_STEP = 0.03  # spacing of candidate places [m]
_APART = 0.01  # free space between two things [m]


def spot_at(
    scene: Scene, state: SceneState, piece: Holder, item: Portable, goal: Pose, *, inside: bool, name: str
) -> Spot:
    """Returns the free place on (or in) a piece that is nearest to a given one.

    Args:
        scene: the objects.
        state: present state of the scene.
        piece: on or in which the place is.
        item: what is put there.
        goal: of the middle of its underside, x along its longer horizontal side, in the frame of the home.
        inside: whether the place is in the piece.
        name: the agent's id of the piece.

    Raises:
        SkillError: DOES_NOT_FIT where it would not fit anywhere on the piece even alone; NO_SURFACE where nothing is
            that it can stand on; SPOT_TAKEN where other things are in the way.
    """
    extents = partial(loaded_extents, scene, state, item)
    height = extents(0.0)[1][2]
    shelves = shelves_for(piece, height, inside=inside)
    on_small = isinstance(piece, StandingPortable)
    if not any(_has_room(shelf, extents, overhang=on_small) for shelf in shelves):
        raise SkillError(ErrorCode.DOES_NOT_FIT, f"what is in the hand is too large for {name}")
    z = goal.position.z
    levels = [shelf for shelf in shelves if -DROP <= shelf.height - z <= RISE]
    taken = False
    for shelf in sorted(levels, key=lambda shelf: abs(shelf.height - z)):
        others = standing_on(scene, state, piece, shelf, inside=inside)
        others += standing_beside(piece, shelf.height, shelf.height + height)
        for turn in _turns(goal.yaw - piece.placement.yaw, item):
            for x, y, area in _areas(shelf, piece, extents, turn, goal, overhang=on_small):
                if not any(area.overlaps(other) for other in others):
                    place = piece.placement.point(x, y)
                    return Spot(piece.name, inside, *place, shelf.height, piece.placement.yaw + turn)
                taken = True
    if taken:
        raise SkillError(ErrorCode.SPOT_TAKEN, f"something is in the way at that place of {name}")
    raise SkillError(ErrorCode.NO_SURFACE, f"at that place of {name} is nothing that it can stand on")


def _turns(heading: float, item: Portable) -> tuple[float, float]:
    """Returns how an object may be turned in the frame of the piece [rad], in line with its edges, where a heading of
    its longer side is asked for: nearest to that, then a quarter further."""
    turn = yaw_for(round(heading / (math.pi / 2)) * math.pi / 2, item)
    return turn, turn + math.pi / 2


def yaw_for(heading: float, item: Portable) -> float:
    """Returns the heading of an object whose longer horizontal side has a heading [rad]."""
    low, high = item.extents(0.0)
    return heading if high[0] - low[0] >= high[1] - low[1] else heading - math.pi / 2


def _has_room(shelf: Shelf, extents: _Extents, *, overhang: bool) -> bool:
    return any(room_for(shelf, *extents(turn), overhang=overhang) is not None for turn in (0.0, math.pi / 2))


def _areas(
    shelf: Shelf, piece: Holder, extents: _Extents, turn: float, goal: Pose, *, overhang: bool
) -> Iterator[tuple[float, float, OrientedRect]]:
    """Yields the origins of an object on a shelf and the areas that it needs there, in the frame of the piece: those
    within the arm's tolerance of the goal, nearest first."""
    low, high = extents(turn)
    room = room_for(shelf, low, high, overhang=overhang)
    if room is None:
        return
    x, y = piece.placement.local(goal.position.x, goal.position.y)
    x, y = x - (low[0] + high[0]) / 2, y - (low[1] + high[1]) / 2
    for at_x, at_y in _nearby(room, x, y):
        area = Rect(at_x + low[0], at_y + low[1], at_x + high[0], at_y + high[1])
        yield at_x, at_y, OrientedRect.of(area.grown(_APART))


def _nearby(room: Rect, x: float, y: float) -> Iterator[tuple[float, float]]:
    """Yields the places in a room within the arm's tolerance of a point, nearest first."""
    count = math.floor(SERVO / _STEP)
    offsets = [_STEP * k for k in range(-count, count + 1)]
    start_x, start_y = min(max(x, room.x0), room.x1), min(max(y, room.y0), room.y1)
    places = {
        (min(max(start_x + dx, room.x0), room.x1), min(max(start_y + dy, room.y0), room.y1))
        for dx in offsets
        for dy in offsets
    }
    near = sorted((math.hypot(at[0] - x, at[1] - y), at) for at in places)
    yield from (at for distance, at in near if distance <= SERVO)
