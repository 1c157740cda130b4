from __future__ import annotations

import numpy as np
import pytest
from box_world import map_of, table, two_rooms

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.occupancy import navigable_slice
from stma_ros.mapping.standing import standing_pose

SHELF = [(0.0, 3.6, 0.0, 1.2, 4.0, 0.85), (0.0, 3.6, 1.15, 1.2, 4.0, 1.4)]  # a niche between 0.85 and 1.15 m
CUP_ON_TABLE = ((2.6, 2.9, 0.8), (0.08, 0.08, 0.1))


@pytest.fixture(scope="module")
def mapped():
    return map_of(two_rooms() + table(2.6, 3.0) + SHELF, [(1.0, 1.0), (3.0, 1.2), (1.0, 2.6), (6.0, 2.0)])


def _field_from(voxels, x, y):
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    return distance_field(passable, [snap(passable, occupancy.geometry, x, y)], 0.05)


def _gap(pose, center, size):
    return np.hypot(
        max(abs(pose.x - center[0]) - size[0] / 2, 0), max(abs(pose.y - center[1]) - size[1] / 2, 0)
    )


def test_a_cup_on_a_table_is_approached_from_the_near_side(mapped):
    field = _field_from(mapped, 3.0, 1.2)
    pose = standing_pose(mapped, field, *CUP_ON_TABLE)
    assert 0.45 <= _gap(pose, *CUP_ON_TABLE) <= 1.0
    assert pose.y < 2.6
    assert pose.yaw == pytest.approx(np.arctan2(2.9 - pose.y, 2.6 - pose.x))
    assert pose.distance == pytest.approx(field[mapped.geometry.cell(pose.x, pose.y)])
    assert 0.6 < pose.distance < 1.2


def test_it_stands_on_the_side_of_the_wall_where_the_object_is(mapped):
    """A box at the wall, with the robot in the other room: a pose across the wall would be nearer."""
    center, size = (4.2, 0.6, 0.4), (0.2, 0.3, 0.3)
    pose = standing_pose(mapped, _field_from(mapped, 3.4, 0.6), center, size)
    assert pose.x > 4.1
    assert pose.distance > 1.5


def test_a_thing_in_a_niche_is_seen_from_the_front_only(mapped):
    center, size = (0.6, 3.75, 1.0), (0.1, 0.1, 0.2)
    pose = standing_pose(mapped, _field_from(mapped, 2.6, 2.0), center, size)
    assert pose.y < 3.3
    assert _gap(pose, center, size) <= 1.0


def test_what_is_out_of_reach_has_no_pose(mapped):
    field = _field_from(mapped, 1.0, 1.0)
    assert standing_pose(mapped, field, (2.0, -3.0, 0.5), (0.1, 0.1, 0.1)) is None  # outside the walls
    assert standing_pose(mapped, field, (500.0, 0.0, 0.5), (0.1, 0.1, 0.1)) is None
    assert standing_pose(mapped, np.full_like(field, np.inf), *CUP_ON_TABLE) is None


def test_bad_input_is_refused(mapped):
    field = _field_from(mapped, 1.0, 1.0)
    with pytest.raises(ValueError, match="present state"):
        standing_pose(mapped, field[:-1], *CUP_ON_TABLE)
    with pytest.raises(ValueError, match="not a box"):
        standing_pose(mapped, field, (np.nan, 0, 0), (0.1, 0.1, 0.1))
