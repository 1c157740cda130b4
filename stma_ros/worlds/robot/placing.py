"""Finds free space for another object on or in a piece of furniture."""

from __future__ import annotations

import math

import numpy as np

from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Placement, Rect
from stma_ros.worlds.robot.scene import LEVEL, Holder, Portable, Scene, Shelf, StandingPortable
from stma_ros.worlds.robot.state import FLOOR, ROBOT, SceneState, Spot

FLOOR_SEARCH = 0.8
"""Greatest distance between a given place on the floor and one that is free, unless it is told [m]."""

BESIDE_SEARCH = 0.3
"""The same for a place next to a thing."""

_STEP = 0.04  # spacing of candidate places [m]
_APART = 0.04  # free space between two things [m]
_EXACT = 1e-9  # error of the computed sizes [m]
_SNUG = 0.005  # the same on or in a small object, such as a basket [m]
_ENCLOSED = 0.9  # a shelf with less room above it is filled along its front edge [m]
_FRONT_SHARE = 0.5  # share of such a shelf's depth in which objects are visible under the board above
_EYE_LEVEL = 0.9  # shelves near this height are used first [m]
_FALLS = 0.9, 0.7, 1.2, 0.5  # distances from the base at which a dropped object may land [m]
_AROUND = [math.radians(angle) for angle in (0, 40, -40, 80, -80, 120, -120, 180)]
_ALL_AROUND = [math.radians(angle) for angle in range(0, 360, 30)]
_LEAST_AHEAD = 0.4  # from the middle of the base to an object that the arm puts on the floor [m]


def free_spot(
    scene: Scene,
    state: SceneState,
    piece: Holder,
    item: Portable,
    base: Placement,
    *,
    inside: bool,
    name: str,
) -> Spot:
    """Returns a place for a thing on (or in) a piece: clear of other things, not behind one, near the robot.

    Raises:
        SkillError: DOES_NOT_FIT where it would not fit even alone; NO_ROOM where it would. `name` is the agent's id of
            the piece.
    """
    turns = [(turn, *loaded_extents(scene, state, item, turn)) for turn in (0.0, math.pi / 2)]
    shelves = shelves_for(piece, turns[0][2][2], inside=inside)
    on_small = isinstance(piece, StandingPortable)
    apart = _SNUG if on_small else _APART
    if on_small:  # in a basket, things pile up
        shelves = sorted(shelves, key=lambda shelf: shelf.height)
    else:
        shelves = sorted(shelves, key=lambda shelf: (abs(shelf.height - _EYE_LEVEL), shelf.height))
    fitting = False
    for shelf in shelves:
        best: tuple[tuple[int, float], float, float, float] | None = None
        for turn, low, high in turns:
            room = room_for(shelf, low, high, overhang=on_small)
            if room is None:
                continue
            fitting = True
            for x, y, rank in _places(
                scene, state, piece, shelf, room, low, high, base, inside=inside, apart=apart
            ):
                if best is None or rank < best[0]:
                    best = rank, x, y, turn
            if best is not None:
                break  # turned only where it does not fit otherwise
        if best is not None:
            _, x, y, turn = best
            return Spot(
                piece.name,
                inside,
                *piece.placement.point(x, y),
                shelf.height,
                piece.placement.yaw + turn,
            )
    if fitting:
        raise SkillError(ErrorCode.NO_ROOM, f"{name} is full: there is no free place left for it")
    raise SkillError(ErrorCode.DOES_NOT_FIT, f"what is in the hand is too large for {name}")


def floor_place(
    scene: Scene,
    state: SceneState,
    item: Portable,
    base: Placement,
    x: float,
    y: float,
    reach: float,
    within: float = FLOOR_SEARCH,
    yaw: float | None = None,
) -> Spot | None:
    """Returns the free place on the floor that is nearest to a given one, in the same room; None if there is none.

    Args:
        scene: the objects.
        state: present state of the scene.
        item: what is put there.
        base: pose of the robot.
        x, y: the given place [m].
        reach: greatest distance from the robot [m].
        within: greatest distance from the given place [m].
        yaw: heading of the item there [rad]; None = as the robot faces.
    """
    yaw = base.yaw if yaw is None else yaw
    low, high = item.extents(yaw)
    radius = math.hypot(*(max(-low[k], high[k]) for k in (0, 1))) + _APART
    others = _others_on_floor(scene, state, item)
    for distance in _steps(0.0, within):
        for angle in _ALL_AROUND:
            at = x + distance * math.cos(angle), y + distance * math.sin(angle)
            if (
                _LEAST_AHEAD <= math.hypot(at[0] - base.x, at[1] - base.y) <= reach
                and scene.same_room((x, y), at)
                and all(other.distances(*map(np.array, at)) > radius for other in others)
                and scene.is_clear(state, *at, radius)
            ):
                return Spot(FLOOR, False, *at, scene.floor_height(*at), yaw)
    return None


def floor_spot(scene: Scene, state: SceneState, item: Portable, base: Placement) -> Spot:
    """Returns the place where an object lands that slips out of the gripper: on free floor in the same room, or in one
    next to the doorway in which the robot is, preferably ahead of it, and clear of doors; else under the robot."""
    low, high = item.extents(base.yaw)
    radius = math.hypot(*(max(-low[k], high[k]) for k in (0, 1))) + _APART
    others = _others_on_floor(scene, state, item)
    here = base.x, base.y
    in_room = scene.same_room(here, here)
    for turn in _AROUND:
        for distance in _FALLS:
            at = Placement(*here, base.yaw + turn).point(distance, 0.0)
            if (
                scene.same_room(here if in_room else at, at)
                and all(other.distances(*map(np.array, at)) > radius for other in others)
                and scene.is_clear(state, *at, radius)
            ):
                return Spot(FLOOR, False, *at, scene.floor_height(*at), base.yaw)
    return Spot(FLOOR, False, *here, scene.floor_height(*here), base.yaw)


def _others_on_floor(scene: Scene, state: SceneState, item: Portable) -> list[OrientedRect]:
    """Returns the areas of the other objects on the floor."""
    return [
        other.box_at(spot).footprint
        for other in scene.items
        if (spot := state.spots[other.name]).support == FLOOR and other.name != item.name
    ]


def loaded_extents(
    scene: Scene, state: SceneState, item: Portable, turn: float
) -> tuple[FloatArray, FloatArray]:
    """Returns the lower and upper corner (3,) of an object in the gripper with what it carries, at the origin, turned
    about z [rad]. What it carries is within its outline."""
    low, high = item.extents(turn)
    if state.spots[item.name].support == ROBOT:
        tops = [scene.items_by_name[name].box_at(state.spots[name]).high for name in state.load(item.name)]
        high = np.array([high[0], high[1], max([high[2], *tops])])
    return low, high


def shelves_for(piece: Holder, height: float, *, inside: bool) -> list[Shelf]:
    """Returns the surfaces on a piece, or in it, without those of a small object on which an object of that height [m]
    would reach into what is over it."""
    ceiling = piece.ceiling if isinstance(piece, StandingPortable) else math.inf
    return [shelf for shelf in piece.shelves(inside=inside) if shelf.height + height <= ceiling]


def room_for(shelf: Shelf, low: FloatArray, high: FloatArray, *, overhang: bool = False) -> Rect | None:
    """Returns the area for the thing's origin; None where the shelf is too small.

    Args:
        shelf: the shelf.
        low: lower corner (3,) of the thing at the origin.
        high: upper corner.
        overhang: whether a thing may be in the middle of something down to half its size, as a pizza on a plate, or a
            newspaper in a bin.
    """
    area = shelf.area
    if overhang:
        spare = [max(0.0, high[k] - low[k] - side) / 2 for k, side in enumerate((area.width, area.depth))]
        spare = [
            each if each <= side / 2 else 0.0
            for each, side in zip(spare, (area.width, area.depth), strict=True)
        ]
        area = Rect(area.x0 - spare[0], area.y0 - spare[1], area.x1 + spare[0], area.y1 + spare[1])
    room = Rect(area.x0 - low[0], area.y0 - low[1], area.x1 - high[0], area.y1 - high[1])
    return None if high[2] > shelf.clearance or room.width < -_EXACT or room.depth < -_EXACT else room


def _places(
    scene: Scene,
    state: SceneState,
    piece: Holder,
    shelf: Shelf,
    room: Rect,
    low: FloatArray,
    high: FloatArray,
    base: Placement,
    *,
    inside: bool,
    apart: float,
) -> list[tuple[float, float, tuple[int, float]]]:
    """Returns free places (x, y) in the piece's frame with their ranks: the number of things that hide it or are hidden
    by it, then the distance to the robot."""
    enclosed = shelf.clearance < _ENCLOSED
    others = standing_on(scene, state, piece, shelf, inside=inside)
    beside = standing_beside(piece, shelf.height, shelf.height + high[2])
    robot_x, robot_y = piece.placement.local(base.x, base.y)
    if enclosed:  # visible from the front
        robot_x, robot_y = max(robot_x, shelf.area.x1 + 0.5), min(max(robot_y, shelf.area.y0), shelf.area.y1)
    first = room.x1 - _FRONT_SHARE * room.width if enclosed else room.x0
    found = []
    for x in _steps(first, room.x1):
        for y in _steps(room.y0, room.y1):
            mine = OrientedRect.of(Rect(x + low[0], y + low[1], x + high[0], y + high[1]))
            if any(_too_near(mine, other, enclosed, apart) for other in others):
                continue
            if any(mine.overlaps(other) for other in beside):
                continue
            hidden = sum(_in_line(mine, other, robot_x, robot_y) for other in others)
            found.append((x, y, (hidden, round(math.hypot(x - robot_x, y - robot_y), 6))))
    return found


def _steps(low: float, high: float) -> list[float]:
    count = max(1, math.ceil((high - low) / _STEP))
    return [low + (high - low) * k / count for k in range(count + 1)]


def standing_on(
    scene: Scene, state: SceneState, piece: Holder, shelf: Shelf, *, inside: bool
) -> list[OrientedRect]:
    """Returns the areas of the things on a shelf, seen from above in the piece's frame."""
    areas = []
    for item in scene.items:
        spot = state.spots[item.name]
        if spot.support == piece.name and spot.inside == inside and abs(spot.z - shelf.height) < LEVEL:
            areas.append(_local(piece, item.box_at(spot).footprint))
    return sorted(areas, key=lambda area: area.centre)


def standing_beside(piece: Holder, low: float, high: float) -> list[OrientedRect]:
    """Returns the areas of what stands beside a small object and reaches between two heights above the floor [m], seen
    from above in the small object's frame."""
    if not isinstance(piece, StandingPortable):
        return []
    return [_local(piece, box.footprint) for box in piece.neighbours if box.low < high and low < box.high]


def _local(piece: Holder, area: OrientedRect) -> OrientedRect:
    """Converts an area to the frame of a piece."""
    x, y = piece.placement.local(area.x, area.y)
    return OrientedRect(x, y, area.half_x, area.half_y, area.yaw - piece.placement.yaw)


def _too_near(a: OrientedRect, b: OrientedRect, enclosed: bool, apart: float) -> bool:
    """Whether two things are too close; within a shelf they stand side by side, so that none hides another."""
    if not enclosed:
        return a.grown(apart).overlaps(b)
    return abs(a.y - b.y) < a.half_along(math.pi / 2) + b.half_along(math.pi / 2) + apart


def _in_line(a: OrientedRect, b: OrientedRect, x: float, y: float) -> bool:
    """Whether two things are approximately in line as seen from a point."""
    (ax, ay), (bx, by) = a.centre, b.centre
    bearing = math.atan2(ay - y, ax - x) - math.atan2(by - y, bx - x)
    near = min(math.hypot(ax - x, ay - y), math.hypot(bx - x, by - y))
    half_width = (max(a.half_x, a.half_y) + max(b.half_x, b.half_y)) / 2
    return abs(math.remainder(bearing, 2 * math.pi)) < math.atan2(half_width, near)
