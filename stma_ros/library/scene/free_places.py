"""Chooses where something can be put down on or in a piece of furniture: where the map shows a surface with room above
it, clear of everything that is known to be there, and near the robot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.surfaces import BoxVolume
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.types.planar import enclosing_sides, turned
from stma_ros.types.standard import Point, Pose

APART = 0.04
"""Free space between what is put down and other things [m]."""

_ROOMY = 0.1  # the free space that is preferred, since things may be larger than what was seen of them [m]
_TIGHT = 0.3  # cost of less [m]
_REACH = 1.2  # from the base to a place that the arm reaches with ease [m]
_STRETCH = 4.0  # cost of each metre more
_BESIDE = 4.0  # cost of each metre from what the thing is to be near
_MARGIN = 0.1  # the distance from the sides of the piece that is preferred, since its box is an estimate [m]
_NEAR_EDGE = 2.0  # cost of each metre less
_STEP = 0.05  # spacing of the places that are considered [m]
_SUPPORT = 0.6  # least share of the area beneath that must be seen to be a surface
_BLOCKED = 0.12  # share of the space above in which noise of the map may lie
_EMPTY = 0.7  # share of the space there that must be seen to be free to know that no surface is there
_MAY_DROP, _MAY_RISE = 0.3, 0.1  # a surface may be this far below or above what was guessed [m]
_UNSEEN_BELOW = 0.6  # cost of a level where things stand but the map shows no surface [m]
_UNSEEN = 2.0  # cost of any other level without a surface: more than that of any height [m]
_HIDDEN = 1.0  # cost of each thing that hides it or is hidden by it [m]
_ACROSS = 0.1  # cost of a longer side across the longer side of the piece [m]
_OVERHANG = 10.0  # cost of each metre by which it is larger than the piece
_SAME_LEVEL = 0.12  # things whose undersides differ by less are side by side [m]
_ON_TOP = 0.06  # a surface at most this far above the top of a thing is that top [m]
_TAKEN_NEAR = 0.25  # nearer places than this to one that was taken are not free either [m]
_NOTHING_NEAR, _NOTHING_THERE = 0.5, 0.3  # the same without a surface [m]; cost of the rest of that level [m]
_SCRAPS_NEAR = 0.3  # nearer surfaces than this to a place without one may be scraps of an open door [m]
_SCRAPS = 2.0  # cost of these [m]

_Values = NDArray[np.float64]


@dataclass(frozen=True)
class PlacingLimits:
    """Heights at which something may be put down [m].

    Attributes:
        low: of the lowest surface.
        high: of the highest surface.
        best: of the best surface.
        top: of the top of what is put down.
        stood_on: of surfaces on which things are known to stand.
        guesses: of other surfaces that the map may not show.
        wall: distance from the sides of the piece, where it has room for that.
    """

    low: float
    high: float
    best: float
    top: float
    stood_on: tuple[float, ...]
    guesses: tuple[float, ...]
    wall: float = 0.05


@dataclass(frozen=True)
class FailedPlace:
    """A place at which something could not be put down.

    Attributes:
        at: (3,) in the map frame [m].
        no_surface: whether nothing was there to put it on, rather than something in the way.
    """

    at: NDArray[np.float64]
    no_surface: bool


def choose_place(
    piece: Box,
    volume: BoxVolume,
    size: Sequence[float],
    limits: PlacingLimits,
    others: Sequence[Box],
    robot: tuple[float, float],
    failed: Sequence[FailedPlace] = (),
    beside: Box | None = None,
) -> Pose | None:
    """Returns the best place for a thing on or in a piece of furniture.

    Args:
        piece: its box.
        volume: what was mapped there.
        size: sides of the thing [m]: longer horizontal side, shorter one, height.
        limits: heights at which it may be put.
        others: boxes of what is known to be there.
        robot: (x, y) of the base in the map frame [m].
        failed: places that were tried in vain.
        beside: box of what it is to be near; None = it may be anywhere.

    Returns:
        The pose of the middle of its underside, x along its longer side; None where nothing is free.
    """
    boxes = BoxArray.of(others)
    away = piece.local(np.array([*robot, 0.0]))[:2]
    best: tuple[float, _Values, float] | None = None
    for turn in (0.0, math.pi / 2):
        half = enclosing_sides(np.array([size[0], size[1]]) / 2, turn)
        across = _ACROSS * ((turn == 0.0) == bool(piece.extent[1] > piece.extent[0]))
        overhang = _OVERHANG * float((half - piece.extent[:2] / 2).clip(0).sum())
        for places, cost, drop in _levels(piece, volume, half, size[2], limits, failed):
            cost = cost + across + overhang + _edge_cost(places, piece.extent[:2] / 2 - half)
            far = np.hypot(*(places[:, :2] - away).T)
            cost += far + _STRETCH * (far - _REACH).clip(0)
            cost += _obstruction(places, half, size[2], drop, piece, boxes, away)
            if beside is not None:
                cost += _BESIDE * _distance(places, piece, beside)
            index = int(cost.argmin())
            if np.isfinite(cost[index]) and (best is None or cost[index] < best[0]):
                best = float(cost[index]), places[index], piece.yaw + turn
    if best is None:
        return None
    _, place, yaw = best
    x, y = turned(place[:2], piece.yaw) + piece.middle[:2]
    return Pose.upright(Point(float(x), float(y), float(place[2])), yaw)


def _distance(places: _Values, piece: Box, other: Box) -> _Values:
    """Returns (N,) the horizontal distances [m] of places along the axes of a piece from another box."""
    points = turned(places[:, :2], piece.yaw) + piece.middle[:2]
    off = np.abs(turned(points - other.middle[:2], -other.yaw)) - other.extent[:2] / 2
    distances: _Values = np.hypot(*off.clip(0).T)
    return distances


def _levels(
    piece: Box,
    volume: BoxVolume,
    half: _Values,
    height: float,
    limits: PlacingLimits,
    failed: Sequence[FailedPlace],
) -> Iterator[tuple[_Values, _Values, float]]:
    """Yields, for each level, the places (N, 3) along the axes of the piece, from its middle and the floor [m]; their
    costs, inf = it cannot be put there; and how far below the surface may be [m]."""
    grid = _grid(piece.extent[:2] / 2 - half, limits.wall)
    found = volume.surfaces(grid, half.tolist(), height)
    usable = (found.support >= _SUPPORT) & (found.blocked <= _BLOCKED)
    with np.errstate(invalid="ignore"):
        usable &= (found.height >= limits.low) & (found.height <= limits.high)
        usable &= found.height + height <= limits.top
    levels = [
        (found.height[k], np.where(usable[k], 1 - found.support[k], np.inf), 0.0)
        for k in np.flatnonzero(usable.any(axis=1)).tolist()
    ]
    unseen = [(z, _UNSEEN_BELOW) for z in limits.stood_on] + [(z, _UNSEEN) for z in limits.guesses]
    for z, doubt in unseen:
        empty = volume.free_share(grid, half.tolist(), z - _MAY_DROP, z) > _EMPTY
        levels.append((np.full(len(grid), z), np.where(empty, np.inf, doubt), _MAY_DROP))
    for heights, cost, drop in levels:
        places = np.column_stack((grid, np.nan_to_num(heights)))
        in_vain = _in_vain(places, piece, failed, is_guessed=drop > 0)
        yield places, cost + np.abs(places[:, 2] - limits.best) + in_vain, drop


def _grid(room: _Values, wall: float) -> _Values:
    """Returns (N, 2) the places of the middle of a thing that can be moved by `room` (2,) from the middle of the piece;
    where it is larger than the piece, the middle."""
    axes = []
    for side in room.tolist():
        reach = max(side - wall, min(side, _STEP / 2), 0.0)
        axes.append(np.linspace(-reach, reach, 2 * math.ceil(reach / _STEP) + 1))
    points: _Values = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    return points


def _edge_cost(places: _Values, room: _Values) -> _Values:
    """Returns (N,) the cost of being near the sides of the piece, from whose middle a thing can be moved by `room`."""
    margin = (room - np.abs(places[:, :2])).min(axis=1)
    cost: _Values = _NEAR_EDGE * (_MARGIN - margin).clip(0)
    return cost


def _in_vain(places: _Values, piece: Box, failed: Sequence[FailedPlace], *, is_guessed: bool) -> _Values:
    """Returns (N,) the cost of earlier attempts; inf where one has shown that nothing can be put.

    An attempt shows that there is no surface from `_MAY_DROP` below to `_MAY_RISE` above it. A guess that would show
    as much again is worth an attempt.
    """
    cost = np.zeros(len(places))
    for past in failed:
        at = piece.local(past.at)
        above = places[:, 2] - past.at[2]
        level = np.abs(above) <= _SAME_LEVEL
        if past.no_surface:
            shown = (_MAY_DROP + _MAY_RISE) / 2
            level = np.abs(above) < shown if is_guessed else (above >= -_MAY_DROP) & (above <= _MAY_RISE)
        away = np.hypot(*(places[:, :2] - at[:2]).T)
        cost[level & (away <= (_NOTHING_NEAR if past.no_surface else _TAKEN_NEAR))] = np.inf
        if past.no_surface:
            cost[level] += _NOTHING_THERE
            cost[away <= _SCRAPS_NEAR] += _SCRAPS
    return cost


def _obstruction(
    places: _Values,
    half: _Values,
    height: float,
    drop: float,
    piece: Box,
    others: BoxArray,
    robot: _Values,
) -> _Values:
    """Returns (N,) the cost of other things: inf where they are in the way, else how many are in line with the place as
    seen from the robot, of those that stand on the same level."""
    if not len(others):
        return np.zeros(len(places))
    middle = turned(others.middle - piece.middle, -piece.yaw)
    middle[:, 2] = others.middle[:, 2]
    turn = others.yaw - piece.yaw
    low, high = middle[:, 2] - others.extent[:, 2] / 2, middle[:, 2] + others.extent[:, 2] / 2
    beside = (places[:, 2, None] + height > low) & (places[:, 2, None] - drop < high + _ON_TOP)
    parted = _parted(places[:, None, :2] - middle[None, :, :2], half + APART, others.extent[:, :2] / 2, turn)
    roomy = _parted(places[:, None, :2] - middle[None, :, :2], half + _ROOMY, others.extent[:, :2] / 2, turn)
    blocked = (beside & ~parted).any(axis=1)
    tight = (beside & ~roomy).any(axis=1)
    same = np.abs(places[:, 2, None] - low) <= _SAME_LEVEL
    hidden = _in_line(places[:, :2] - robot, float(half.max()), middle[:, :2] - robot, others.length / 2)
    cost: _Values = np.where(blocked, np.inf, _TIGHT * tight + _HIDDEN * (same & hidden).sum(axis=1))
    return cost


def _parted(apart: _Values, half: _Values, other_half: _Values, turn: _Values) -> NDArray[np.bool_]:
    """Returns (N, M) whether rectangles of half sides `half` (2,) and others (M, 2), turned by `turn` (M,), whose
    middles are `apart` (N, M, 2), have no point in common."""
    mine = np.abs(apart) > half + enclosing_sides(other_half, turn)
    theirs = np.abs(turned(apart, -turn)) > other_half + enclosing_sides(half, turn)
    parted: NDArray[np.bool_] = np.any(mine | theirs, axis=2)
    return parted


def _in_line(one: _Values, half: float, other: _Values, other_half: _Values) -> NDArray[np.bool_]:
    """Returns (N, M) whether two things are about in line, by their places (N, 2) and (M, 2) from the eye."""
    bearing = np.arctan2(one[:, 1], one[:, 0])[:, None] - np.arctan2(other[:, 1], other[:, 0])
    off = np.abs((bearing + np.pi) % (2 * np.pi) - np.pi)
    near = np.minimum(np.hypot(*one.T)[:, None], np.hypot(*other.T))
    width: _Values = np.arctan2((half + other_half) / 2, near)
    line: NDArray[np.bool_] = np.less(off, width).astype(np.bool_)
    return line
