"""The choice of a place on the floor next to a thing, from its box, the map and the boxes of other things."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.library.scene.floor_places import Within, choose_floor_place
from stma_ros.library.scene.free_places import APART, FailedPlace
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.relations import NEAR
from stma_ros.types.planar import turned
from stma_ros.types.standard import Pose

BALL = (0.2, 0.2, 0.2)
RESOLUTION, EDGE = 0.1, 60
ROBOT = (0.0, -1.0)


def box(x: float, y: float, sides: tuple[float, float, float], yaw: float = 0.0) -> Box:
    return Box(np.array([x, y, sides[2] / 2]), np.array(sides), yaw)


FRIDGE = box(0.0, 0.0, (0.7, 0.6, 1.8))


def floor_around(*things: Box, unknown: Box | None = None) -> OccupancySlice:
    """Returns 6 x 6 m of free floor around the origin without the things."""
    geometry = GridGeometry(RESOLUTION, -EDGE // 2, -EDGE // 2, EDGE, EDGE)
    cells = np.argwhere(np.ones(geometry.shape, np.bool_))
    centers = geometry.centers(cells)
    data = np.full(geometry.shape, FREE, np.int8)
    for thing, state in [
        *([(unknown, UNKNOWN)] if unknown else []),
        *((thing, OCCUPIED) for thing in things),
    ]:
        inside = _gap(centers, thing) <= 0.0
        data[tuple(cells[inside].T)] = state
    return OccupancySlice(data, geometry)


def _gap(points: NDArray[np.float64], thing: Box) -> NDArray[np.float64]:
    off = np.abs(turned(points - thing.middle[:2], -thing.yaw)) - thing.extent[:2] / 2
    gaps: NDArray[np.float64] = np.hypot(*off.clip(0).T)
    return gaps


def gap_to(thing: Box, pose: Pose, size: tuple[float, float, float] = BALL) -> float:
    """Returns the horizontal gap from a thing to what is put at a pose."""
    put = Box(np.array([pose.position.x, pose.position.y, thing.middle[2]]), np.array(size), pose.yaw)
    return float(BoxArray.of([put]).gaps(BoxArray.of([thing]))[0, 0])


def chosen(
    occupancy: OccupancySlice,
    *others: Box,
    thing: Box = FRIDGE,
    robot: tuple[float, float] = ROBOT,
    failed: tuple[FailedPlace, ...] = (),
    size: tuple[float, float, float] = BALL,
    room: Within | None = None,
) -> Pose | None:
    return choose_floor_place(thing, occupancy, 0.0, size, others, robot, failed, room)


@settings(deadline=None)
@example(yaw=2.875, bearing=-1.457, others=[(0.236, -0.625)])  # less than a corner's length apart
@given(
    yaw=st.floats(-math.pi, math.pi),
    bearing=st.floats(-math.pi, math.pi),
    others=st.lists(st.tuples(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2)), max_size=4),
)
def test_place_is_free_beside_the_thing_and_within_reach_from_wherever_the_robot_stands(
    yaw: float, bearing: float, others: list[tuple[float, float]]
) -> None:
    fridge = box(0.0, 0.0, (0.7, 0.6, 1.8), yaw)
    things = [box(x, y, (0.15, 0.1, 0.1)) for x, y in others]
    robot = 1.1 * math.cos(bearing), 1.1 * math.sin(bearing)
    pose = chosen(floor_around(fridge, *things), *things, thing=fridge, robot=robot)
    if pose is None:
        assert others  # alone, there is always room
        return
    at = pose.position.x, pose.position.y
    assert pose.position.z == 0.0
    least = APART - 1e-9
    assert least < gap_to(fridge, pose) < NEAR
    assert 0.4 < math.dist(at, robot) < 1.5
    assert all(gap_to(thing, pose) > least for thing in things)


def test_nothing_is_put_where_the_floor_was_not_seen() -> None:
    unseen = box(0.0, 0.0, (2.4, 2.4, 0.1))
    assert chosen(floor_around(FRIDGE, unknown=unseen)) is None
    assert chosen(floor_around(FRIDGE)) is not None


def test_nothing_is_put_behind_a_wall() -> None:
    wall = box(0.0, -0.65, (6.0, 0.1, 2.5))
    assert chosen(floor_around(FRIDGE, wall)) is None


def test_place_is_in_the_room_of_the_thing() -> None:
    occupancy = floor_around(FRIDGE)
    left = occupancy.geometry.centers(np.argwhere(np.ones(occupancy.geometry.shape, np.bool_)))[:, 0] < -0.4
    pose = chosen(occupancy, room=Within(left.reshape(occupancy.geometry.shape), occupancy.geometry))
    assert pose is not None
    assert pose.position.x < -0.4
    nowhere = Within(np.zeros(occupancy.geometry.shape, np.bool_), occupancy.geometry)
    assert chosen(occupancy, room=nowhere) is None


@pytest.mark.parametrize("yaw", [0.0, 0.5])
def test_gap_to_a_long_thing_is_that_of_its_outline(yaw: float) -> None:
    fridge, broom = box(0.0, 0.0, (0.7, 0.6, 1.8), yaw), (0.9, 0.06, 0.06)
    pose = chosen(floor_around(fridge), thing=fridge, robot=(0.0, -1.3), size=broom)
    assert pose is not None
    assert 0.0 < gap_to(fridge, pose, broom) < NEAR


def test_rug_is_no_obstacle() -> None:
    rug = box(0.0, 0.0, (3.0, 3.0, 0.02))
    assert chosen(floor_around(FRIDGE), rug) is not None


def test_another_place_follows_one_that_was_tried_in_vain() -> None:
    occupancy, failed = floor_around(FRIDGE), ()
    places: list[tuple[float, float]] = []
    for _ in range(3):
        pose = chosen(occupancy, failed=failed)
        assert pose is not None
        at = pose.position.x, pose.position.y
        assert all(math.dist(at, other) > 0.15 for other in places)
        places.append(at)
        failed = (*failed, FailedPlace(np.array([*at, 0.0]), no_surface=False))


@pytest.mark.parametrize("robot", [(0.0, -3.0), (50.0, 50.0)])
def test_nothing_is_offered_out_of_reach_or_off_the_map(robot: tuple[float, float]) -> None:
    assert chosen(floor_around(FRIDGE), robot=robot) is None


def test_nothing_is_offered_on_an_empty_map() -> None:
    empty = OccupancySlice(np.empty((0, 0), np.int8), GridGeometry(RESOLUTION))
    assert chosen(empty) is None
