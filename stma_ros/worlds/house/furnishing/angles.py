"""Turns the furniture of a room: what stands free to any angle, loose pieces somewhat, others by a little."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.worlds.house.building.room_templates import Group
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.house.furnishing.room_plan import GAP, SATELLITE_GAP, RoomPlan
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, wrap_angle

_ATTEMPTS, _ATTEMPTS_AT_WALL = 60, 15
_SHIFT = 0.5  # greatest shift of what stands free, along each axis [m]
_BUILT_IN = frozenset({"sink", "washbasin", "bathtub", "toilet", "shower", "heater"})
"""Furniture that is parallel to its wall."""


@dataclass(frozen=True)
class PlacedGroup:
    """A group as it stands in a room.

    Attributes:
        group: from the template of the room.
        run: its pieces in a row, or its one piece in the open.
        satellites: its other pieces, as far as they fit.
    """

    group: Group
    run: tuple[Furniture, ...]
    satellites: tuple[Furniture, ...]

    @property
    def pieces(self) -> tuple[Furniture, ...]:
        return (*self.run, *self.satellites)

    @property
    def turns(self) -> bool:
        """Whether it may have another angle than its wall."""
        return len(self.run) == 1 and self.run[0].category not in _BUILT_IN

    def moved(self, placement: Placement) -> PlacedGroup:
        """Returns the group with its single piece at a placement, and the satellites around it as before."""
        motion = placement.times(self.run[0].placement.inverse())

        def at(piece: Furniture) -> Furniture:
            moved = motion.times(piece.placement)
            return replace(piece, placement=Placement(round(moved.x, 3), round(moved.y, 3), moved.yaw))

        return PlacedGroup(self.group, tuple(map(at, self.run)), tuple(map(at, self.satellites)))


def turn_groups(rng: np.random.Generator, plan: RoomPlan, groups: Sequence[PlacedGroup]) -> list[Furniture]:
    """Returns the pieces of a furnished room, turned as far as there is room for it. Pieces neither come nor go.

    Args:
        rng: source of the angles.
        plan: the room with all pieces of the groups.
        groups: all groups that stand in the room.
    """
    standing = list(groups)
    changed = []
    for k, group in enumerate(groups):
        turned = _turned(rng, plan, group) if group.turns else None
        if turned is not None:
            plan = plan.with_others(group.pieces, turned.pieces)
            standing[k] = turned
            changed.append(k)
    while changed and not plan.is_within_reach():  # it was before the turns
        k = changed.pop()
        plan = plan.with_others(standing[k].pieces, groups[k].pieces)
        standing[k] = groups[k]
    return [piece for group in standing for piece in group.pieces]


def _turned(rng: np.random.Generator, plan: RoomPlan, group: PlacedGroup) -> PlacedGroup | None:
    """Returns the group at another angle, at its place or near it; None where it does not fit."""
    others = plan.with_others(group.pieces, ())
    piece = group.run[0]
    for placement in _anywhere_near(rng, piece) if group.group.in_the_open else _off_wall(rng, group):
        moved = group.moved(placement)
        if not (others.fits(moved.run, GAP) and _all_fit(others, moved)):
            continue
        # What stands free may block the way. Small turns rarely do: those of all pieces are tried at once.
        blocking = group.group.in_the_open and piece.kind.solid
        if not blocking or others.with_others((), moved.pieces).is_within_reach():
            return moved
    return None


def _all_fit(others: RoomPlan, group: PlacedGroup) -> bool:
    """Whether all satellites fit around the piece, which does."""
    plan = others.with_others((), group.run)
    for satellite in group.satellites:
        if not plan.fits([satellite], SATELLITE_GAP):
            return False
        plan = plan.with_others((), [satellite])
    return True


def _anywhere_near(rng: np.random.Generator, piece: Furniture) -> Iterator[Placement]:
    """Yields placements at any angle, the farther from the place of a piece the more attempts fail."""
    x, y = piece.placement.x, piece.placement.y
    for attempt in range(_ATTEMPTS):
        reach = _SHIFT * attempt / _ATTEMPTS
        dx, dy = rng.uniform(-reach, reach, 2).tolist()
        yield Placement(round(x + dx, 3), round(y + dy, 3), float(rng.uniform(-math.pi, math.pi)))


def _off_wall(rng: np.random.Generator, group: PlacedGroup) -> Iterator[Placement]:
    """Yields placements turned from the wall by up to the group's deviation, as far from the wall as before, and as far
    from a neighbour at either side."""
    piece = group.run[0]
    depth, width, _ = piece.size
    for _ in range(_ATTEMPTS_AT_WALL):
        turn = float(rng.uniform(-group.group.turned, group.group.turned))
        area = OrientedRect(0.0, 0.0, depth / 2, width / 2, turn)
        ahead, aside = area.half_along(0.0) - depth / 2, area.half_along(math.pi / 2) - width / 2
        for side in (0.0, aside, -aside):
            x, y = piece.placement.point(ahead, side)
            yield Placement(round(x, 3), round(y, 3), wrap_angle(piece.placement.yaw + turn))
