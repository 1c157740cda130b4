"""Tests of finding a pose from which the robot reaches an object."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.approach_pose import find_approach_pose, is_within_reach
from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.occupancy import OCCUPIED, navigable_slice, wall_slice
from support.mapping.box_world import map_of, table, two_rooms

SHELF = [(0.0, 3.6, 0.0, 1.2, 4.0, 0.85), (0.0, 3.6, 1.15, 1.2, 4.0, 1.4)]  # a niche between 0.85 and 1.15 m
CUP_ON_TABLE = ((2.6, 2.9, 0.8), (0.08, 0.08, 0.1))


@pytest.fixture(scope="module")
def mapped():
    return map_of(two_rooms() + table(2.6, 3.0) + SHELF, [(1.0, 1.0), (3.0, 1.2), (1.0, 2.6), (6.0, 2.0)])


def _field_from(voxels, x, y):
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    return distance_field(passable, [snap(passable, occupancy.geometry, x, y)], 0.05)


def _pose(voxels, field, center, size):
    return find_approach_pose(voxels, wall_slice(voxels).data == OCCUPIED, field, center, size)


def _gap(pose, center, size):
    return np.hypot(
        max(abs(pose.x - center[0]) - size[0] / 2, 0), max(abs(pose.y - center[1]) - size[1] / 2, 0)
    )


def test_approach_pose_of_a_cup_on_a_table_is_on_the_near_side(mapped):
    field = _field_from(mapped, 3.0, 1.2)
    pose = _pose(mapped, field, *CUP_ON_TABLE)
    assert 0.45 <= _gap(pose, *CUP_ON_TABLE) <= 1.0
    assert pose.y < 2.6
    assert pose.yaw == pytest.approx(np.arctan2(2.9 - pose.y, 2.6 - pose.x))
    assert pose.distance == pytest.approx(field[mapped.geometry.cell(pose.x, pose.y)])
    assert 0.6 < pose.distance < 1.2


def test_approach_pose_is_on_the_objects_side_of_a_wall(mapped):
    """A pose on the robot's side of the wall would be nearer."""
    center, size = (4.2, 0.6, 0.4), (0.2, 0.3, 0.3)
    pose = _pose(mapped, _field_from(mapped, 3.4, 0.6), center, size)
    assert pose.x > 4.1
    assert pose.distance > 1.5


def test_approach_pose_of_an_object_in_a_niche_is_in_front_of_it(mapped):
    center, size = (0.6, 3.75, 1.0), (0.1, 0.1, 0.2)
    pose = _pose(mapped, _field_from(mapped, 2.6, 2.0), center, size)
    assert pose.y < 3.3
    assert _gap(pose, center, size) <= 1.0


def test_approach_pose_respects_a_wall_whose_lower_part_was_never_seen():
    """Furniture hid the lower part, and the line of sight passes below the known part of the wall."""
    voxels = map_of(two_rooms(), [(1.0, 2.0), (3.0, 1.2), (5.0, 1.9), (6.0, 2.0)])
    row0, col0 = voxels.geometry.cell(3.9, 0.0)
    row1, col1 = voxels.geometry.cell(4.2, 1.4)
    voxels.counts[: voxels.layer(0.9), row0:row1, col0:col1] = 0
    center, size = (4.4, 0.6, 0.3), (0.3, 0.3, 0.3)
    pose = _pose(voxels, _field_from(voxels, 3.4, 0.6), center, size)
    assert pose.x > 4.1


def test_approach_pose_of_a_box_measured_into_a_wall_is_on_its_own_side(mapped):
    center, size = (4.2, 0.6, 0.3), (0.5, 0.3, 0.3)  # from 3.95 to 4.45, with the wall from 4.0 to 4.1
    pose = _pose(mapped, _field_from(mapped, 3.4, 0.6), center, size)
    assert pose.x > 4.1


@pytest.mark.parametrize(
    ("x", "center", "size", "within"),
    [
        (3.0, (2.6, 2.9, 0.8), (0.08, 0.08, 0.1), True),
        (3.4, (4.4, 0.6, 0.3), (0.3, 0.3, 0.3), False),  # behind the wall
        (4.9, (4.4, 0.6, 0.3), (0.3, 0.3, 0.3), True),
        (3.4, (3.98, 0.6, 1.2), (0.04, 0.3, 0.3), True),  # hangs on the wall
        (1.0, (2.8, 0.6, 0.3), (0.3, 0.3, 0.3), False),  # too far
    ],
)
def test_is_within_reach_depends_on_distance_and_walls(mapped, x, center, size, within):
    walls = wall_slice(mapped).data == OCCUPIED
    y = center[1] - 1.0 if center == CUP_ON_TABLE[0] else center[1]
    assert is_within_reach(mapped, walls, x, y, center, size, 0.0, 1.4) == within


NOOK = [(0.4, 3.2, 0.0, 0.5, 4.0, 1.3), (0.0, 3.2, 0.0, 0.5, 3.3, 1.3)]  # a screen about a corner


@pytest.mark.parametrize(("height", "reached"), [(1.3, True), (2.4, False)])
def test_arm_reaches_over_furniture_but_over_no_wall(height, reached):
    screen = [(*box[:5], height) for box in NOOK]
    voxels = map_of(two_rooms() + screen, [(1.2, 3.0), (1.8, 3.4), (1.0, 2.0)])
    center, size = (0.25, 3.65, 0.3), (0.1, 0.1, 0.1)
    pose = _pose(voxels, _field_from(voxels, 1.2, 3.0), center, size)
    assert (pose is not None) == reached
    assert not reached or _gap(pose, center, size) <= 1.35


def test_arm_reaches_an_object_in_a_niche_of_tall_furniture():
    tall = [(*SHELF[0][:5], 0.85), (*SHELF[1][:5], 2.1)]
    voxels = map_of(two_rooms() + tall, [(0.6, 2.2), (1.4, 2.4), (2.6, 3.4)])
    center, size = (0.6, 3.75, 1.0), (0.1, 0.1, 0.2)
    pose = _pose(voxels, _field_from(voxels, 2.6, 3.4), center, size)
    assert _gap(pose, center, size) <= 1.0


def test_object_out_of_reach_has_no_approach_pose(mapped):
    field = _field_from(mapped, 1.0, 1.0)
    assert _pose(mapped, field, (2.0, -3.0, 0.5), (0.1, 0.1, 0.1)) is None  # outside the walls
    assert _pose(mapped, field, (500.0, 0.0, 0.5), (0.1, 0.1, 0.1)) is None
    assert _pose(mapped, np.full_like(field, np.inf), *CUP_ON_TABLE) is None


def test_approach_pose_refuses_wrong_shapes_and_boxes(mapped):
    field = _field_from(mapped, 1.0, 1.0)
    with pytest.raises(ValueError, match="present state"):
        _pose(mapped, field[:-1], *CUP_ON_TABLE)
    with pytest.raises(ValueError, match="not a box"):
        _pose(mapped, field, (np.nan, 0, 0), (0.1, 0.1, 0.1))
