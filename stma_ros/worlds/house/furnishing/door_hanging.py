"""Hangs doors into doorways, and draws the initial state: what is open, switched on and full."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.flat import Furniture, Item
from stma_ros.worlds.house.furnishing.room_plan import COMFORT_RADIUS
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import OrientedRect
from stma_ros.worlds.robot.motion import GOAL_TOLERANCE
from stma_ros.worlds.robot.places import DOCK_DISTANCE
from stma_ros.worlds.robot.state import SceneState

_DOORS, _STATE = 11, 12  # random streams of their own: the rest of the flat does not depend on them

_HUNG = 0.75  # share of the doorways that have a door
_DOOR_SHUT, _CONTAINER_OPEN, _DEVICE_ON, _VESSEL_FULL = 0.35, 0.04, 0.12, 0.1
_COLOURS: tuple[Colour, ...] = ((236, 232, 222), (200, 160, 112), (150, 104, 66), (216, 222, 226))
_SIGHT = 0.6  # distance from a piece's corners at which the base can stand to see the objects on it [m]


def hang_doors(seed: int, layout: Layout, furniture: Sequence[Furniture]) -> tuple[Door, ...]:
    """Returns doors for most doorways of the flat, named "door_1" and so on. A doorway gets none where every way of
    hanging the door would hit something or block a passage."""
    rng = np.random.default_rng((seed, _DOORS))
    colour = _COLOURS[int(rng.integers(len(_COLOURS)))]
    reach = _Reach(layout, furniture)
    before = reach.with_doors(())
    doors: list[Door] = []
    for index, doorway in enumerate(layout.doorways):
        wanted = rng.random() < _HUNG
        ways = [((-1, 1)[k // 2], (-1, 1)[k % 2]) for k in rng.permutation(4)]
        for swing, hinge in ways if wanted else ():
            door = Door(f"door_{len(doors) + 1}", index, doorway, swing, hinge, colour)
            if _swings_free(layout, furniture, doors, door) and before <= reach.with_doors([*doors, door]):
                doors.append(door)
                break
    return tuple(doors)


def initial_state(
    seed: int, furniture: Sequence[Furniture], doors: Sequence[Door], items: Sequence[Item]
) -> SceneState:
    """Returns the initial state of episodes; closed doors can be opened, so everything remains reachable."""
    rng = np.random.default_rng((seed, _STATE))
    ajar = [door.name for door in doors if rng.random() >= _DOOR_SHUT]
    sweeps = [_swept(door) for door in doors]
    for piece in furniture:
        drawn = piece.opens and rng.random() < _CONTAINER_OPEN
        if drawn and not any(leaf.overlaps(sweep) for sweep in sweeps for leaf in piece.leaves):
            ajar.append(piece.name)
    running = [piece.name for piece in furniture if piece.is_device and rng.random() < _DEVICE_ON]
    running += [item.name for item in items if item.is_device and rng.random() < _DEVICE_ON]
    full = [item.name for item in items if item.is_vessel and rng.random() < _VESSEL_FULL]
    spots = {item.name: item.spot for item in items}
    return SceneState(frozenset(ajar), frozenset(running), frozenset(full), spots)


def _swept(door: Door) -> OrientedRect:
    """Returns the square that holds all positions of a door's leaf."""
    return OrientedRect.around(door.sweep, door.placement.yaw)


def _swings_free(layout: Layout, furniture: Sequence[Furniture], doors: Sequence[Door], door: Door) -> bool:
    area = _swept(door)
    return not (
        any(area.overlaps(piece.footprint) for piece in furniture if piece.kind.solid)
        or any(area.overlaps(_swept(other)) for other in doors)
        or any(area.grown(-0.01).overlaps(wall) for wall in layout.walls)
    )


class _Reach:
    """Computes which of the important places the base can reach while everything is open."""

    def __init__(self, layout: Layout, furniture: Sequence[Furniture]) -> None:
        self._start = layout.doorways[0].opening.centre
        obstacles = list(layout.walls)
        obstacles += [obstacle for piece in furniture for obstacle in piece.obstacles(open_=True)]
        self._furnished = Clearance(layout.bounds, obstacles, COMFORT_RADIUS)
        self._places = [(*doorway.opening.centre, GOAL_TOLERANCE) for doorway in layout.doorways]
        self._places += [(*piece.ahead(DOCK_DISTANCE), GOAL_TOLERANCE) for piece in furniture]
        self._places += [
            (piece.placement.x, piece.placement.y, math.hypot(*piece.size[:2]) / 2 + _SIGHT)
            for piece in furniture
        ]

    def with_doors(self, doors: Sequence[Door]) -> frozenset[int]:
        """Returns the numbers of the places in reach."""
        clearance = self._furnished.copy()
        for door in doors:
            for obstacle in door.obstacles(open_=True):
                clearance.block(obstacle)
        reachable = clearance.reachable(clearance.cell(*self._start))
        return frozenset(
            k
            for k, (x, y, within) in enumerate(self._places)
            if clearance.nearest_free(x, y, within, reachable) is not None
        )
