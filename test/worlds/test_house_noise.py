"""Noise of the robot: drift and failed grasps, which are absent unless requested."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.localiser import Localiser
from stma_ros.worlds.robot.map_frame import MapFrame
from stma_ros.worlds.robot.motion import Increment, turn
from stma_ros.worlds.robot.noise import QUIET, NoiseModel
from stma_ros.worlds.robot.placing import floor_spot
from stma_ros.worlds.robot.state import FLOOR, HAND
from support.worlds.two_rooms import FLAT, KITCHEN, LIVING_ROOM, body_in, code_of, do, go_to

USUAL = NoiseModel(0.02, (0.015, math.radians(0.3)))


def rounds(localiser: Localiser, count: int = 10) -> list[tuple[Placement, Placement, Placement]]:
    """Drives squares of 3 m; returns the true and the believed pose, and that by the wheels since the true start, at
    each corner."""
    pose, corners = KITCHEN, []
    for _ in range(4 * count):
        for _ in range(60):
            x, y = pose.point(0.05, 0.0)
            step = Increment(Placement(x, y, pose.yaw), 0.05, 0.0)
            localiser.moved(pose, step)
            pose = step.pose
        for step in turn(pose, math.pi / 2):
            localiser.moved(pose, step)
            pose = step.pose
        corners.append((pose, localiser.believed, KITCHEN.times(localiser.odometry)))
    return corners


def same(a: Placement, b: Placement) -> bool:
    return apart(a, b) < 1e-9 and abs(wrap_angle(a.yaw - b.yaw)) < 1e-9


def apart(a: Placement, b: Placement) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def test_odometry_without_noise_is_exact() -> None:
    localiser = Localiser(QUIET, 1, KITCHEN)
    corners = rounds(localiser, 2)
    assert all(true == believed and same(believed, wheels) for true, believed, wheels in corners)
    assert localiser.map_from_odometry == KITCHEN


@pytest.mark.parametrize("model", [QUIET, USUAL])
def test_odometry_begins_at_the_origin_and_leads_to_the_believed_pose(model: NoiseModel) -> None:
    frame = MapFrame.of(-2.5, 3.25, -1.5)
    localiser = Localiser(model, 5, KITCHEN, frame)
    assert same(localiser.odometry, Placement(0.0, 0.0, 0.0))
    assert same(localiser.map_from_odometry, frame.placed(KITCHEN))
    rounds(localiser, 1)
    assert same(localiser.map_from_odometry.times(localiser.odometry), localiser.believed)


def test_odometry_drifts_and_the_localization_stays_accurate() -> None:
    drifts, errors = [], []
    for seed in range(6):
        corners = rounds(Localiser(USUAL, seed, KITCHEN))
        drifts.append(max(apart(true, wheels) for true, _, wheels in corners))
        errors += [apart(true, believed) for true, believed, _ in corners]
    assert np.median(drifts) > 0.3
    assert np.median(errors) < 0.05
    assert max(errors) < 0.25


def test_localization_corrections_are_constant_between_updates() -> None:
    localiser = Localiser(USUAL, 3, KITCHEN)
    pose, seen = KITCHEN, []
    for _ in range(100):
        x, y = pose.point(0.05, 0.0)
        localiser.moved(pose, Increment(Placement(x, y, pose.yaw), 0.05, 0.0))
        pose = Placement(x, y, pose.yaw)
        seen.append(localiser.map_from_odometry)
    changes = [k for k in range(1, 100) if seen[k] != seen[k - 1]]
    assert len(changes) == 2
    assert 38 <= changes[1] - changes[0] <= 42


def test_positions_are_resolved_relative_to_the_true_pose() -> None:
    localiser = Localiser(USUAL, 4, KITCHEN)
    true = rounds(localiser, 1)[-1][0]
    ahead = localiser.believed.point(1.0, 0.2)
    place = localiser.true_pose(true, Placement(*ahead, 0.0))
    assert (place.x, place.y) == pytest.approx(true.point(1.0, 0.2))


def test_a_failed_grasp_leaves_the_scene_unchanged() -> None:
    body = body_in(noise=replace(QUIET, grasp_failures=0.5))
    go_to(body, "table_1")
    codes = []
    for _ in range(40):
        codes.append(code_of(do(body, "pick", "mug_1")))
        if codes[-1]:
            assert not body.state.held
        body.state = FLAT.initial
    assert set(codes) == {ErrorCode.NONE, ErrorCode.GRASP_FAILED}
    assert 10 < codes.count(ErrorCode.NONE) < 30


def carry(body: Body) -> ErrorCode:
    body.begin()
    body.may_slip()
    try:
        list(body.drive_to(LIVING_ROOM if body.base.x < 4.0 else KITCHEN, CancelToken()))
    except SkillError as error:
        return error.code
    return ErrorCode.NONE


def test_a_dropped_object_lies_on_free_floor_near_the_robot_and_can_be_picked_up() -> None:
    held = FLAT.initial.moved("mug_1", HAND)
    for seed in range(8):
        body = body_in(held, noise=replace(QUIET, drops=1.0))
        body.base = Placement(1.6 + 0.2 * seed, 1.8, 0.4 * seed)
        assert carry(body) == ErrorCode.DROPPED
        spot = body.state.spots["mug_1"]
        assert (spot.support, body.state.held) == (FLOOR, "")
        assert apart(body.base, Placement(spot.x, spot.y, 0.0)) < 1.3
        assert spot.z == 0.0
        obstacles = FLAT.obstacles(body.state)
        assert all(float(o.distances(np.array(spot.x), np.array(spot.y))) > 0.05 for o in obstacles)
        assert do(body, "pick", "mug_1") is None


def test_a_full_vessel_that_is_dropped_is_empty() -> None:
    held = FLAT.initial.moved("mug_1", HAND).filled("mug_1", full=True).filled("mug_2", full=True)
    body = body_in(held, noise=replace(QUIET, drops=1.0))
    assert carry(body) == ErrorCode.DROPPED
    assert body.state.full_names == {"mug_2"}


def test_a_dropped_object_does_not_lie_in_another_one() -> None:
    state = FLAT.initial
    for name in ("mug_1", "radio_1", "book_1"):
        item = FLAT.items_by_name[name]
        state = state.moved(name, HAND)
        state = state.moved(name, floor_spot(FLAT, state, item, KITCHEN))
    boxes = [FLAT.items_by_name[name].box_at(state.spots[name]) for name in ("mug_1", "radio_1", "book_1")]
    assert all(a.gap(b) > 0.03 for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("yaw", [0.0, math.pi / 2, math.pi])
def test_an_object_that_slips_in_a_doorway_falls_into_a_room_out_of_the_way_of_the_door(yaw: float) -> None:
    (door,) = FLAT.doors
    base = Placement(*door.doorway.opening.centre, yaw)
    mug = FLAT.items_by_name["mug_1"]
    spot = floor_spot(FLAT, FLAT.initial.moved("mug_1", HAND), mug, base)
    assert FLAT.layout.room_at(spot.x, spot.y) is not None
    assert apart(base, spot.placement) < 1.3
    assert not any(area.overlaps(mug.box_at(spot).footprint) for area in door.sweep)


def test_no_object_is_dropped_by_an_empty_hand_or_without_noise() -> None:
    assert carry(body_in(noise=replace(QUIET, drops=1.0))) == ErrorCode.NONE
    assert carry(body_in(FLAT.initial.moved("mug_1", HAND))) == ErrorCode.NONE
