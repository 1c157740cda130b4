"""Tests of doors that open and close: occupancy, rooms and approach poses."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.occupancy import FREE, OCCUPIED
from stma_ros.mapping.spatial_map import MapSnapshot, SpatialMap, SpatialMapConfig
from support.mapping.box_world import CAMERA, DOOR, MOUNT, Box, look, table, two_rooms
from support.mapping.poses import planar_pose

LEAF: Box = (4.03, DOOR[0], 0.01, 4.07, DOOR[1], 2.04)
SWUNG: Box = (4.1, DOOR[1] - 0.04, 0.01, 5.0, DOOR[1], 2.04)
OPENED, CLOSED = [*two_rooms(), SWUNG], [*two_rooms(), LEAF]
WEST, EAST = (2.0, 1.9), (6.2, 1.9)
IN_THE_DOOR = (4.05, 1.95)


def see(spatial: SpatialMap, boxes: list[Box], place: tuple[float, float], *yaws: float) -> None:
    for yaw in yaws:
        pose = planar_pose(*place, yaw) @ MOUNT
        spatial.integrate(look(boxes, pose), CAMERA, pose, place)


def look_round(spatial: SpatialMap, boxes: list[Box], place: tuple[float, float]) -> None:
    see(spatial, boxes, place, *(np.arange(8) * np.pi / 4))


def cell(snapshot: MapSnapshot, x: float, y: float) -> int:
    return int(snapshot.occupancy.data[snapshot.occupancy.geometry.cell(x, y)])


@pytest.fixture
def known() -> SpatialMap:
    """Returns a map of both rooms, seen through the open door and from within."""
    spatial = SpatialMap()
    look_round(spatial, OPENED, WEST)
    look_round(spatial, OPENED, EAST)
    return spatial


def test_map_frees_an_opened_door_after_one_view_and_shows_a_closed_one_after_two(known: SpatialMap) -> None:
    assert cell(known.snapshot(WEST), *IN_THE_DOOR) == FREE
    see(known, CLOSED, WEST, 0.0, 0.0)
    shut = known.snapshot(WEST)
    assert cell(shut, *IN_THE_DOOR) == OCCUPIED
    assert np.isinf(shut.distance[shut.occupancy.geometry.cell(*EAST)])
    see(known, OPENED, WEST, 0.0)
    opened = known.snapshot(WEST)
    assert cell(opened, *IN_THE_DOOR) == FREE
    assert np.isfinite(opened.distance[opened.occupancy.geometry.cell(*EAST)])


def test_a_way_leads_through_a_gap_that_is_hardly_wider_than_the_robot() -> None:
    spatial, (x, y) = SpatialMap(), IN_THE_DOOR
    narrowed: list[Box] = [*OPENED, (x - 0.05, y + 0.3, 0.0, x + 0.05, y + 0.9, 1.7)]
    narrowed += [(x - 0.05, y - 0.9, 0.0, x + 0.05, y - 0.3, 1.7)]
    look_round(spatial, narrowed, WEST)
    look_round(spatial, narrowed, EAST)
    wide = SpatialMap()
    look_round(wide, OPENED, WEST)
    look_round(wide, OPENED, EAST)
    through, usual = (
        each.distance[each.occupancy.geometry.cell(*EAST)]
        for each in (spatial.snapshot(WEST), wide.snapshot(WEST))
    )
    assert np.isfinite(through)
    assert through > usual + 1.5  # another way is preferred
    snapshot = spatial.snapshot(WEST)
    assert not snapshot.passable[snapshot.occupancy.geometry.cell(x, y)]


def test_map_shows_an_opened_door_although_edges_behind_it_have_no_depth(
    known: SpatialMap,
) -> None:
    see(known, CLOSED, WEST, 0.0, 0.0)
    posts: list[Box] = [(5.0, y, 0.0, 5.1, y + 0.12, 1.7) for y in (1.5, 1.8, 2.1)]
    pose = planar_pose(*WEST, 0.0) @ MOUNT
    depth = look([*OPENED, *posts], pose)
    edges = np.abs(np.diff(depth.astype(np.int32), axis=1)) > 100
    for side in (np.s_[:, 1:], np.s_[:, :-1]):
        depth[side][edges] = 0
    known.integrate(depth, CAMERA, pose, WEST)
    doorway = [cell(known.snapshot(WEST), 4.05, y) for y in np.arange(DOOR[0] + 0.1, DOOR[1] - 0.2, 0.05)]
    assert OCCUPIED not in doorway


@pytest.mark.parametrize("boxes", [OPENED, CLOSED], ids=["open", "closed"])
def test_rooms_end_at_doors_also_when_these_are_open(boxes: list[Box]) -> None:
    spatial = SpatialMap()
    look_round(spatial, boxes, WEST)
    look_round(spatial, boxes, EAST)
    snapshot = spatial.snapshot(WEST)
    assert len(snapshot.rooms.rooms) == 2
    assert 0 < snapshot.room_at(*WEST) != snapshot.room_at(*EAST) > 0


def test_rooms_keep_their_ids_when_a_door_closes_and_opens(known: SpatialMap) -> None:
    west, east = (known.snapshot(WEST).room_at(*place) for place in (WEST, EAST))
    see(known, CLOSED, WEST, 0.0, 0.0)
    assert [known.snapshot(WEST).room_at(*place) for place in (WEST, EAST)] == [west, east]
    see(known, OPENED, WEST, 0.0)
    assert [known.snapshot(WEST).room_at(*place) for place in (WEST, EAST)] == [west, east]


@pytest.mark.parametrize("side", [WEST, EAST], ids=["west", "east"])
def test_approach_pose_of_a_closed_door_is_on_the_robots_side(
    known: SpatialMap, side: tuple[float, float]
) -> None:
    see(known, CLOSED, WEST, 0.0, 0.0)
    middle = [(LEAF[axis] + LEAF[axis + 3]) / 2 for axis in range(3)]
    size = [LEAF[axis + 3] - LEAF[axis] for axis in range(3)]
    pose = known.snapshot(side).find_approach_pose(middle, size)
    assert pose is not None
    assert (pose.x < 4.0) == (side is WEST)
    assert abs(pose.x - 4.05) < 1.1


def test_object_behind_a_closed_door_has_no_approach_pose(known: SpatialMap) -> None:
    see(known, CLOSED, WEST, 0.0, 0.0)
    top = table(6.0, 1.0)[0]
    center = ((top[0] + top[3]) / 2, (top[1] + top[4]) / 2, top[5])
    assert known.snapshot(WEST).find_approach_pose(center, (0.1, 0.1, 0.1)) is None
    assert known.snapshot(EAST).find_approach_pose(center, (0.1, 0.1, 0.1)) is not None


def test_map_forgets_a_door_that_opened_where_the_camera_cannot_look_down() -> None:
    near = (3.3, 1.95)
    spatial = SpatialMap()
    see(spatial, CLOSED, WEST, 0.0)  # the whole leaf
    see(spatial, OPENED, near, 0.0)  # the upper part of the doorway, and the room behind
    before = spatial.snapshot(near)
    assert np.isinf(before.distance[before.occupancy.geometry.cell(5.6, 1.8)])
    low, high = np.array(LEAF[:3]), np.array(LEAF[3:])
    spatial.forget((low + high) / 2, high - low, 0.0, near)
    after = spatial.snapshot(near)
    assert np.isfinite(after.distance[after.occupancy.geometry.cell(5.6, 1.8)])


def test_occupancy_can_be_read_before_a_snapshot_and_changes_nothing_in_it(known: SpatialMap) -> None:
    other = SpatialMap.restored(SpatialMapConfig(), known.saved())
    for door in (OPENED, CLOSED):
        for spatial in (known, other):
            look_round(spatial, door, WEST)
        occupancy = known.occupancy()
        read, unread = known.snapshot(WEST), other.snapshot(WEST)
        assert read.occupancy is occupancy
        assert (unread.occupancy.data == occupancy.data).all()
        assert read.frontiers == unread.frontiers
        assert (read.rooms.labels == unread.rooms.labels).all()
