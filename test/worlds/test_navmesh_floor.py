"""A floor from the raster of a navmesh agrees with the floor of the obstacles themselves, up to the raster."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stma_ros.worlds.habitat.engine.interface import NavigableRaster
from stma_ros.worlds.habitat.navmesh import FLAT_SETTINGS, RESOLUTION, SETTINGS, NavmeshFloor
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground, Obstacles, way_length

ROOM = Rect(0.0, 0.0, 5.0, 4.0)
WALLS = (
    OrientedRect(2.5, 0.05, 2.5, 0.05),
    OrientedRect(2.5, 3.95, 2.5, 0.05),
    OrientedRect(0.05, 2.0, 0.05, 2.0),
    OrientedRect(4.95, 2.0, 0.05, 2.0),
)
# Between the two boxes the base just passes.
BOXES = (OrientedRect(2.5, 1.0125, 0.3, 0.9125), OrientedRect(2.5, 3.2125, 0.3, 0.6875))


def floor_of(radius: float, shift: float = 0.0) -> NavmeshFloor:
    """Returns the floor of an engine that subtracts the radius exactly; the raster begins `shift` [m] farther out."""
    rows, columns = round(4.2 / RESOLUTION), round(5.2 / RESOLUTION)
    x0, y0 = -0.05 - shift, -0.05 - shift
    x = x0 + (np.arange(columns) + 0.5) * RESOLUTION
    y = y0 + (np.arange(rows) + 0.5) * RESOLUTION
    away = np.min([o.distances(x[None, :], y[:, None]) for o in (*WALLS, *BOXES)], axis=0)
    inside = ((x > 0) & (x < 5))[None, :] & ((y > 0) & (y < 4))[:, None]
    cells = (away >= radius) & inside
    # Habitat's z runs against the map's y.
    raster = NavigableRaster((x0, -(y0 + rows * RESOLUTION)), RESOLUTION, cells[::-1])
    return NavmeshFloor.of(raster, radius)


@pytest.mark.parametrize("radius", [FLAT_SETTINGS.radius, SETTINGS.radius])
def test_clearance_on_a_navmesh_floor_agrees_with_the_obstacles(radius: float) -> None:
    floor, wanted = floor_of(radius), Obstacles((*WALLS, *BOXES))
    points = np.random.default_rng(1).uniform((0.1, 0.1), (4.9, 3.9), (2000, 2)).tolist()
    room = [(floor.room(x, y), wanted.room(x, y)) for x, y in points]
    near = [found - true for found, true in room if 0 < true < 0.1]
    assert len(near) > 30
    assert max(map(abs, near)) < 0.02
    assert all((found < 0) == (true < 0) for found, true in room if abs(true) > 0.02)


def test_a_navmesh_floor_ends_at_its_raster() -> None:
    floor = floor_of(FLAT_SETTINGS.radius)
    for x, y in ((-1.0, 2.0), (6.0, 2.0), (2.0, -1.0), (2.0, 5.0)):
        assert floor.room(x, y) == -math.inf


@pytest.mark.parametrize("shift", [0.0, 0.013, 0.031])
def test_a_narrow_passage_is_found_for_every_origin_of_the_raster(shift: float) -> None:
    ground = floor_of(FLAT_SETTINGS.radius, shift).ground(())
    start, goal = Placement(1.0, 2.2, 0.0), (4.0, 2.2)
    wanted = Ground.among(ROOM, (*WALLS, *BOXES)).way(start, *goal)
    found = ground.way(start, *goal)
    assert wanted is not None
    assert found is not None
    assert way_length(start, found) == pytest.approx(way_length(start, wanted), rel=0.02)


def test_an_opened_leaf_is_an_obstacle_on_a_navmesh_floor() -> None:
    floor = floor_of(FLAT_SETTINGS.radius)
    leaf = OrientedRect(1.2, 2.0, 0.02, 0.4)
    assert floor.ground(()).collides(1.2, 2.0) is False
    assert floor.ground((leaf,)).collides(1.2, 2.0)
    assert not floor.ground((leaf,)).free.all()
