"""Tests of maps of several floors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from stma_ros.mapping.building_map import BuildingMap, BuildingMapConfig
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN
from stma_ros.mapping.spatial_map import SpatialMap, SpatialMapConfig
from stma_ros.mapping.voxel_grid import VoxelGridConfig
from stma_ros.types.floors import Floors
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell, table, two_rooms
from support.mapping.poses import planar_pose

UP = 3.0
VOXELS = VoxelGridConfig(resolution=0.1)
PUBLISHED = SpatialMapConfig(VOXELS, PublishedFrontierConfig())
OWN = SpatialMapConfig(VOXELS)
FLOORS = Floors((0.0, UP))
LOWER = [*shell(0, 0, 8.1, 4), *table(3.0, 1.0)]
UPPER = two_rooms()


def _lifted(pose, height):
    lifted = pose.copy()
    lifted[2, 3] += height
    return lifted


def _frames(boxes, x, y, yaws=ALL_ROUND):
    """Yields depth and camera pose of looks in a room whose floor is at z = 0."""
    for yaw in yaws:
        pose = planar_pose(x, y, float(yaw)) @ MOUNT
        yield look(boxes, pose), pose


def _visit(building, boxes, x, y, height, yaws=ALL_ROUND):
    """Has a robot look around on a floor at some height, in rooms that are given with their floor at z = 0."""
    for depth, pose in _frames(boxes, x, y, yaws):
        building.integrate(depth, CAMERA, _lifted(pose, height), (x, y, height))
    return building.snapshot((x, y, height))


def _alone(config, boxes, *stops):
    """Returns a snapshot of a map of these rooms alone."""
    alone = SpatialMap(config)
    for x, y in stops:
        for depth, pose in _frames(boxes, x, y):
            alone.integrate(depth, CAMERA, pose, (x, y))
    return alone.snapshot(stops[-1])


def _describe(frontiers):
    return [
        (each.center, each.viewpoint, each.distance, each.length, each.unknown_area) for each in frontiers
    ]


@pytest.mark.parametrize("config", [OWN, PUBLISHED], ids=["own", "published"])
def test_each_floor_is_mapped_as_if_it_were_alone(config):
    building = BuildingMap(BuildingMapConfig(config, FLOORS))
    lower, upper = _visit(building, LOWER, 1.0, 2.0, 0.0), _visit(building, UPPER, 1.5, 2.0, UP)
    assert (lower.floor, upper.floor) == (0.0, UP)
    for found, expected in (
        (lower, _alone(config, LOWER, (1.0, 2.0))),
        (upper, _alone(config, UPPER, (1.5, 2.0))),
    ):
        np.testing.assert_array_equal(found.occupancy.data, expected.occupancy.data)
        np.testing.assert_array_equal(found.distance, expected.distance)
        assert _describe(found.frontiers) == _describe(expected.frontiers)
        assert [room.area for room in found.rooms.rooms] == [room.area for room in expected.rooms.rooms]
    assert upper.frontiers


@pytest.mark.parametrize("config", [OWN, PUBLISHED], ids=["own", "published"])
def test_map_of_one_floor_is_that_of_a_spatial_map_whatever_the_height_of_the_base(config):
    building = BuildingMap(BuildingMapConfig(config))
    for depth, pose in _frames(UPPER, 1.5, 2.0):
        building.integrate(depth, CAMERA, pose, (1.5, 2.0, 1.7))
    found, expected = building.snapshot((1.5, 2.0, 9.0)), _alone(config, UPPER, (1.5, 2.0))
    np.testing.assert_array_equal(found.occupancy.data, expected.occupancy.data)
    assert found.frontiers == expected.frontiers
    assert [room.polygon for room in found.rooms.rooms] == [room.polygon for room in expected.rooms.rooms]
    assert found.room_at(1.5, 2.0, 7.0) == found.room_at(1.5, 2.0) == 1


@pytest.mark.parametrize("config", [OWN, PUBLISHED], ids=["own", "published"])
def test_ids_stay_when_the_robot_comes_back_to_a_floor_and_are_not_used_on_two(config):
    building = BuildingMap(BuildingMapConfig(config, FLOORS))
    first = _visit(building, UPPER, 1.5, 2.0, UP)
    other = _visit(building, UPPER, 1.5, 2.0, 0.0)
    again = building.snapshot((1.5, 2.0, UP))
    assert first.frontiers
    assert [each.id for each in again.frontiers] == [each.id for each in first.frontiers]
    assert not any(each.changed for each in again.frontiers)
    assert not {each.id for each in other.frontiers} & {each.id for each in first.frontiers}
    assert not {room.id for room in other.rooms.rooms} & {room.id for room in first.rooms.rooms}
    assert [room.id for room in again.rooms.rooms] == [room.id for room in first.rooms.rooms]


def test_rooms_of_all_floors_are_known_on_each():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    lower = _visit(building, LOWER, 1.0, 2.0, 0.0)
    upper = _visit(building, UPPER, 1.5, 2.0, UP)
    (below,), (above,) = lower.rooms.rooms, [upper.rooms.rooms[0]]
    assert [(room.id, floor) for room, floor in upper.rooms_with_floors()][:2] == [
        (below.id, 0.0),
        (above.id, UP),
    ]
    assert upper.room_at(1.5, 2.0) == upper.room_at(1.5, 2.0, UP + 0.8) == above.id
    assert upper.room_at(1.5, 2.0, 0.8) == below.id
    again = building.snapshot((1.0, 2.0, 0.0))
    assert again.room_at(1.5, 2.0, UP + 0.8) == above.id
    assert again.detached().room_at(1.5, 2.0, UP + 0.8) == above.id


def test_occupancy_is_that_of_the_floor_on_which_the_robot_is():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    for boxes, x, height in ((LOWER, 1.0, 0.0), (UPPER, 1.5, UP)):
        snapshot = _visit(building, boxes, x, 2.0, height)
        occupancy, floor = building.occupancy((x, 2.0, height))
        assert occupancy is snapshot.occupancy
        assert floor == snapshot.floor == height


def test_there_is_no_way_to_what_is_on_another_floor():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    _visit(building, LOWER, 1.0, 2.0, 0.0)
    upper = _visit(building, UPPER, 1.5, 2.0, UP)
    size = 1.2, 0.8, 0.75
    below, here = (2.0, 1.0, 0.4), (2.0, 1.0, UP + 0.4)
    assert upper.find_approach_pose(below, size) is None
    assert upper.find_front_pose(below, size, 0.0) is None
    assert not upper.is_within_reach(1.5, 2.0, below, size, 0.0, 1.4)
    assert upper.find_approach_pose(here, size) is not None
    assert upper.find_front_pose(here, size, 0.0) is not None
    assert upper.is_within_reach(1.5, 2.0, here, size, 0.0, 1.4)


def test_things_on_an_upper_floor_are_approached_as_on_the_ground():
    ground, building = BuildingMap(BuildingMapConfig(OWN)), BuildingMap(BuildingMapConfig(OWN, FLOORS))
    lower, upper = _visit(ground, LOWER, 1.0, 2.0, 0.0), _visit(building, LOWER, 1.0, 2.0, UP)
    size = 1.2, 0.8, 0.75
    assert upper.find_approach_pose((3.0, 1.0, UP + 0.375), size) == lower.find_approach_pose(
        (3.0, 1.0, 0.375), size
    )
    assert upper.find_front_pose((3.0, 1.0, UP + 0.375), size, 0.0) == lower.find_front_pose(
        (3.0, 1.0, 0.375), size, 0.0
    )
    one = lower.volume_in((3.0, 1.0, 0.375), size, 0.0, 0.27)
    other = upper.volume_in((3.0, 1.0, UP + 0.375), size, 0.0, 0.27)
    np.testing.assert_array_equal(one.counts, other.counts)
    assert other.bottom == pytest.approx(UP + one.bottom)


def test_stairs_are_obstacles_of_the_lower_floor_and_the_robot_on_them_frees_nothing():
    stairs = [(5.0 + 0.3 * k, 1.5, 0.0, 5.3 + 0.3 * k, 2.5, 0.2 + 0.2 * k) for k in range(8)]
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    on_the_way = _visit(building, [*LOWER, *stairs], 3.0, 2.0, 0.0)
    cell = on_the_way.occupancy.geometry.cell(6.1, 2.0)
    assert on_the_way.occupancy.data[cell] == OCCUPIED
    building.mark_robot((6.1, 2.0, 1.2))
    pose = _lifted(planar_pose(6.1, 2.0, 0.0) @ MOUNT, 1.2)
    building.integrate(look([*LOWER, *stairs], pose), CAMERA, pose, (6.1, 2.0, 1.2))
    climbing = building.snapshot((6.1, 2.0, 1.2))
    assert climbing.floor == 0.0
    assert climbing.occupancy.data[cell] == OCCUPIED
    assert climbing.occupancy.data[climbing.occupancy.geometry.cell(7.5, 2.0)] in (OCCUPIED, UNKNOWN)
    assert building.snapshot((6.1, 2.0, 2.8)).floor == UP


def test_box_is_forgotten_on_its_own_floor():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    for height in (0.0, UP):
        _visit(building, LOWER, 1.0, 2.0, height)
    building.forget((3.0, 1.0, 0.375), (1.2, 0.8, 0.75), 0.0, (1.0, 2.0, UP))
    lower, upper = building.snapshot((1.0, 2.0, 0.0)), building.snapshot((1.0, 2.0, UP))
    cell = lower.occupancy.geometry.cell(3.0, 1.0)
    assert (lower.occupancy.data[cell] == OCCUPIED, upper.occupancy.data[cell] == OCCUPIED) == (False, True)


def test_building_is_restored_with_all_floors_and_ids():
    config = BuildingMapConfig(PUBLISHED, FLOORS)
    building = BuildingMap(config)
    _visit(building, UPPER, 1.5, 2.0, 0.0)
    _visit(building, UPPER, 1.5, 2.0, UP)
    back = BuildingMap(config, building.saved())
    for height in (0.0, UP):
        one, other = building.snapshot((1.5, 2.0, height)), back.snapshot((1.5, 2.0, height))
        np.testing.assert_array_equal(one.occupancy.data, other.occupancy.data)
        assert [each.id for each in one.frontiers] == [each.id for each in other.frontiers]
        assert one.rooms_with_floors() == other.rooms_with_floors()
    highest = max(each.id for each in building.snapshot((1.5, 2.0, UP)).frontiers)
    further = _visit(back, UPPER, 6.0, 2.0, UP)
    assert all(each.id > highest or each.distance < np.inf for each in further.frontiers)


def test_building_with_other_floors_is_not_restored():
    saved = BuildingMap(BuildingMapConfig(OWN, FLOORS)).saved()
    with pytest.raises(ValueError, match="2 floors"):
        BuildingMap(BuildingMapConfig(OWN), saved)
    with pytest.raises(ValueError, match="made with"):
        BuildingMap(BuildingMapConfig(OWN, Floors((0.0, 2.6))), saved)


def _localized(building, boxes, x, height, k, error=0.0):
    """Has a robot whose odometry is off by `error` [m] along y, uncorrected, look along x; returns the correction."""
    pose = planar_pose(x, 2.0, 0.0)
    localization = planar_pose(0.0, error, 0.0)
    localization[2, 3] = height
    depth = look(boxes, pose @ MOUNT)
    believed = planar_pose(x, 2.0 + error, 0.0)
    return building.integrate(
        depth, CAMERA, _lifted(believed @ MOUNT, height), (x, 2.0 + error, height), k, localization
    )


def test_lift_that_only_the_localisation_notices_is_no_jump_of_the_map():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    for k, height in enumerate((0.0, 0.0, UP, UP, 0.0)):
        assert _localized(building, UPPER, 1.5, height, k) is None
    assert building.restarts == 0
    assert (building.snapshot((1.5, 2.0, 0.0)).occupancy.data == FREE).any()


def test_correction_moves_what_was_mapped_since_the_robot_came_to_the_floor():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    for k in range(5):
        _localized(building, UPPER, 1.0 + 0.3 * k, 0.0, k)
    below = building.snapshot((1.0, 2.0, 0.0)).occupancy
    for k in range(5):
        _localized(building, UPPER, 1.0 + 0.3 * k, UP, 5 + k)
    correction = _localized(building, UPPER, 2.5, UP, 10, error=0.3)
    assert correction is not None
    np.testing.assert_array_equal(correction.at(4), np.eye(4))
    assert correction.at(9)[1, 3] > 0.1
    np.testing.assert_array_equal(building.snapshot((1.0, 2.0, 0.0)).occupancy.data, below.data)


def test_jump_of_the_localisation_begins_the_maps_of_all_floors_anew():
    building = BuildingMap(BuildingMapConfig(OWN, FLOORS))
    _localized(building, UPPER, 1.5, 0.0, 0)
    for k in range(2):
        _localized(building, UPPER, 1.5, UP, 1 + k)
    _localized(building, UPPER, 1.5, UP, 3, error=5.0)
    assert building.restarts == 1
    lower = building.snapshot((1.5, 2.0, 0.0))
    assert not (lower.occupancy.data == FREE).any()
    assert {floor for _, floor in lower.rooms_with_floors()} == {UP}


def test_settings_of_each_floor_differ_in_its_height_alone():
    lower, upper = BuildingMapConfig(OWN, FLOORS).maps
    assert lower == OWN
    assert upper == dataclasses.replace(OWN, voxels=dataclasses.replace(VOXELS, floor=UP))
    assert upper.voxels.bottom == pytest.approx(UP - 0.3)
