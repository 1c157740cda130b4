"""A scene of a data set as the robot's world."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stma_ros.worlds.habitat.navmesh import SETTINGS, NavmeshFloor
from stma_ros.worlds.habitat.scene.contents import Contents
from stma_ros.worlds.habitat.scene.fixture import LoadedFixture
from stma_ros.worlds.habitat.scene.portable import LoadedPortable
from stma_ros.worlds.habitat.scene.rooms import Room
from stma_ros.worlds.habitat.scene.walls import Walls
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.motion import BASE_RADIUS, Ground
from stma_ros.worlds.robot.reach import arm_distance
from stma_ros.worlds.robot.state import SceneState


@dataclass(frozen=True, eq=False)
class DatasetScene:
    """Implements robot.scene.Scene.

    Attributes:
        floor: the navmesh, which excludes the objects that `contents` marks as no part of it.
        walls: walls without doors.
        categories: categories of all objects that have one, on other storeys too.
    """

    contents: Contents
    initial: SceneState
    floor: NavmeshFloor
    walls: Walls
    rooms: Sequence[Room]
    categories: Mapping[str, str]

    @cached_property
    def fixed(self) -> Sequence[LoadedFixture]:
        return tuple(fixture for fixture in self.contents.fixtures if fixture.category)

    @property
    def items(self) -> Sequence[LoadedPortable]:
        return self.contents.portables

    @cached_property
    def fixed_by_name(self) -> Mapping[str, LoadedFixture]:
        return {fixture.name: fixture for fixture in self.fixed}

    @cached_property
    def items_by_name(self) -> Mapping[str, LoadedPortable]:
        return {item.name: item for item in self.items}

    @cached_property
    def openable_names(self) -> frozenset[str]:
        """Names of everything that opens: the state in which all of it is open."""
        return frozenset(fixture.name for fixture in self.fixed if fixture.opens)

    @cached_property
    def doors(self) -> Sequence[LoadedFixture]:
        return tuple(fixture for fixture in self.fixed if fixture.swings)

    def obstacles(self, state: SceneState) -> list[OrientedRect]:
        """Returns the obstacles of the base in addition to the edges of the navmesh. It pushes small objects on the
        floor aside."""
        return [
            obstacle
            for fixture in self.contents.fixtures
            for obstacle in fixture.obstacles(fixture.name in state.open_names)
        ]

    def ground(self, state: SceneState) -> Ground:
        return self.floor.ground(self.obstacles(state))

    def barriers(self, state: SceneState, within: Rect) -> Sequence[OrientedRect]:
        closed = (door.footprint for door in self.doors if door.name not in state.open_names)
        return [*self.walls.within(within), *(leaf for leaf in closed if leaf.bounds.overlaps(within))]

    def same_room(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        """Whether two points are in one room; without annotated rooms, whether no wall is between them."""
        rooms = [{k for k, room in enumerate(self.rooms) if room.holds(*point)} for point in (a, b)]
        if any(rooms) and not rooms[0] & rooms[1]:
            return False
        everything_open = SceneState(self.openable_names)
        return math.isfinite(arm_distance(self, everything_open, *a, OrientedRect(*b, 0.0, 0.0)))

    def is_clear(self, state: SceneState, x: float, y: float, radius: float) -> bool:
        if self.floor.room(x, y) + BASE_RADIUS <= radius:
            return False
        obstacles = (
            *self.obstacles(state), *(part for fixture in self.fixed for part in fixture.sweep)
        )  # fmt: skip
        at = np.array(x), np.array(y)
        return all(float(obstacle.distances(*at)) > radius for obstacle in obstacles)

    def floor_height(self, x: float, y: float) -> float:
        """Returns the height of the floor, including rugs and other objects that are low enough for the base to drive
        over."""
        rugs = [each.solid for each in self.contents.fixtures if each.solid.high <= SETTINGS.max_climb]
        return max((rug.high for rug in rugs if rug.covers(x, y)), default=0.0)

    def room_name(self, x: float, y: float) -> str:
        """Returns the name of the room around a point; empty where there is none."""
        return next((room.name for room in self.rooms if room.holds(x, y)), "")
