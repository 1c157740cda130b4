"""Tests of finding a pose from which an object shows other sides than before."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.occupancy import OCCUPIED, navigable_slice, wall_slice
from stma_ros.mapping.viewpoint import OVER_RIM, SAME_SIDE, find_viewpoint
from support.mapping.box_world import map_of, table, two_rooms

CENTER, SIZE = (2.0, 2.0, 0.8), (0.2, 0.2, 0.2)
VOXELS = map_of(two_rooms() + table(2.0, 2.0), [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0), (3.0, 3.0)])
WALLS = wall_slice(VOXELS).data == OCCUPIED


def field(x: float, y: float):
    occupancy = navigable_slice(VOXELS)
    passable = traversable(occupancy)
    return distance_field(passable, [snap(passable, occupancy.geometry, x, y)], 0.05)


FROM_CORNER = field(0.8, 0.8)


@given(bearings=st.lists(st.floats(-math.pi, math.pi), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_object_is_seen_from_another_direction_than_before(bearings):
    seen_from = [(2.0 + math.cos(each), 2.0 + math.sin(each)) for each in bearings]
    pose = find_viewpoint(VOXELS, WALLS, FROM_CORNER, CENTER, SIZE, 0.0, seen_from)
    if pose is None:
        return
    bearing = math.atan2(pose.y - CENTER[1], pose.x - CENTER[0])
    assert all(abs(math.remainder(bearing - each, math.tau)) >= SAME_SIDE - 1e-6 for each in bearings)
    assert math.hypot(pose.x - CENTER[0], pose.y - CENTER[1]) < 3.3
    assert pose.distance == FROM_CORNER[VOXELS.geometry.cell(pose.x, pose.y)]
    assert pose.yaw == pytest.approx(np.arctan2(CENTER[1] - pose.y, CENTER[0] - pose.x))


def test_object_that_was_seen_from_all_sides_has_no_other_viewpoint():
    around = [(2.0 + math.cos(each), 2.0 + math.sin(each)) for each in np.arange(4) * math.pi / 2]
    assert find_viewpoint(VOXELS, WALLS, FROM_CORNER, CENTER, SIZE, 0.0, around) is None
    assert find_viewpoint(VOXELS, WALLS, FROM_CORNER, CENTER, SIZE, 0.0, around[:3]) is not None


def test_look_over_a_rim_is_taken_from_near_by():
    far = find_viewpoint(VOXELS, WALLS, FROM_CORNER, CENTER, SIZE, 0.0, [])
    near = find_viewpoint(VOXELS, WALLS, FROM_CORNER, CENTER, SIZE, 0.0, [], OVER_RIM)
    away = [math.hypot(pose.x - CENTER[0], pose.y - CENTER[1]) for pose in (far, near)]
    assert away[1] <= away[0]
    assert away[1] <= OVER_RIM.stretched_gap + math.hypot(*SIZE[:2]) / 2
