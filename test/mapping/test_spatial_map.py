"""Tests of what a snapshot of the map says of ways."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.mapping.spatial_map import NARROW, SpatialMap, SpatialMapConfig
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell
from support.mapping.poses import planar_pose

START, END = (1.0, 1.0), (1.0, 5.0)


def corridor() -> SpatialMap:
    """Returns the map of a room of 2 m by 6 m."""
    built = SpatialMap()
    for at in (START, (1.0, 3.0), END):
        for yaw in ALL_ROUND:
            pose = planar_pose(*at, float(yaw)) @ MOUNT
            built.integrate(look(shell(0, 0, 2, 6), pose), CAMERA, pose, at)
    return built


@pytest.mark.parametrize(("width", "is_reached"), [(1, True), (2, True), (3, False)])
def test_way_leads_over_slivers_of_unknown_floor_and_not_over_more(width: int, is_reached: bool) -> None:
    """width: of the unknown stripe across the room [cells]."""
    built = corridor()
    whole = built.snapshot(START)
    cell = whole.occupancy.geometry.cell(*END)
    assert whole.distance[cell] == pytest.approx(4.0, abs=0.1)

    saved = built.saved()
    counts, (row, _) = saved.counts.copy(), saved.geometry.cell(1.0, 3.0)
    counts[:, row : row + width] = 0
    cut = SpatialMap.restored(SpatialMapConfig(), replace(saved, counts=counts)).snapshot(START)

    reached = cut.distance[cut.occupancy.geometry.cell(*END)]
    assert math.isfinite(reached) == is_reached
    if is_reached:
        assert reached == pytest.approx(4.0 + NARROW, abs=0.1)
        assert cut.stride_to(*END, 1.0) == pytest.approx((1.0, 2.0, math.pi / 2), abs=0.15)
