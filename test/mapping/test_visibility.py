"""Tests of comparing boxes of the map with the depth that the camera measured at their pixels."""

from __future__ import annotations

import time

import numpy as np
import pytest

from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.visibility import Visibility, box_visibility
from support.mapping.box_world import CAMERA, MOUNT, Box, look, shell, table, wall_x
from support.mapping.poses import planar_pose

ROOM = shell(0, 0, 8, 6)
HERE = planar_pose(1.0, 3.0, 0.0) @ MOUNT
CUP: Box = (3.0, 2.95, 0.75, 3.1, 3.05, 0.87)
TABLE = table(3.05, 3.0)


def see(boxes: list[Box], target: Box, pose: Pose = HERE, noise: int | None = None) -> Visibility:
    depth = look(boxes, pose)
    if noise is not None:
        metres = depth * 1e-3
        depth = np.round(
            (metres + np.random.default_rng(noise).normal(0, depth_noise(metres))) * 1000
        ).astype(np.uint16)
    low, high = np.array(target[:3]), np.array(target[3:])
    return box_visibility(depth, CAMERA, pose, (low + high) / 2, high - low)


@pytest.mark.parametrize("noise", [None, 1, 2])
def test_box_of_a_present_object_is_neither_seen_through_nor_hidden(noise: int | None) -> None:
    seen = see([*ROOM, *TABLE, CUP], CUP, noise=noise)
    assert 50 < seen.pixels < 400
    assert seen.through == pytest.approx(0.0, abs=0.05)
    assert seen.hidden == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("noise", [None, 1, 2])
def test_box_of_a_removed_object_is_seen_through_above_its_support(noise: int | None) -> None:
    assert see([*ROOM, *TABLE], CUP, noise=noise).through > 0.5
    assert see(ROOM, CUP, noise=noise).through > 0.95  # with its table


def test_box_behind_a_wall_is_hidden() -> None:
    assert see([*ROOM, *TABLE, CUP, *wall_x(2.0, 0, 6)], CUP).hidden == 1.0


def test_box_half_behind_a_post_is_half_hidden() -> None:
    post = (2.0, 2.6, 0.0, 2.05, 3.0, 2.0)
    assert see([*ROOM, *TABLE, CUP, post], CUP).hidden == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(
    "target",
    [(-2.0, 2.9, 0.7, -1.9, 3.1, 0.9), (1.0, 5.0, 0.7, 1.1, 5.1, 0.9), (3.0, 3.0, 8.0, 3.1, 3.1, 8.1)],
    ids=["behind the camera", "left of the view", "above the view"],
)
def test_box_out_of_view_has_no_pixels(target: Box) -> None:
    seen = see(ROOM, target)
    assert (seen.pixels, seen.through, seen.hidden) == (0, 0, 0)


def test_box_without_measured_depth_has_no_pixels() -> None:
    depth = np.zeros((CAMERA.height, CAMERA.width), np.uint16)
    assert box_visibility(depth, CAMERA, HERE, (3.05, 3.0, 0.81), (0.1, 0.1, 0.12)).pixels == 0


def test_box_around_the_camera_is_seen_through() -> None:
    seen = see(ROOM, (0.8, 2.8, 1.0, 1.2, 3.2, 1.4))
    assert seen.pixels > 0.9 * CAMERA.width * CAMERA.height
    assert seen.through > 0.95


def test_many_boxes_give_the_same_result_as_single_ones() -> None:
    boxes = np.random.default_rng(3).uniform((0, 0, 0), (7, 5, 2), (150, 3))
    depth = look([*ROOM, *TABLE, CUP], HERE)
    sides, yaws = np.full(3, 0.3), np.linspace(0.0, 3.0, len(boxes))
    together = box_visibility(depth, CAMERA, HERE, boxes, sides, yaws)
    alone = [
        box_visibility(depth, CAMERA, HERE, middle, sides, yaw)
        for middle, yaw in zip(boxes, yaws, strict=True)
    ]
    assert together.pixels.tolist() == [int(one.pixels) for one in alone]
    assert together.through.tolist() == [float(one.through) for one in alone]
    assert together.hidden.tolist() == [float(one.hidden) for one in alone]


def test_box_visibility_of_a_whole_flat_is_fast() -> None:
    boxes = np.random.default_rng(3).uniform((0, 0, 0), (7, 5, 2), (150, 3))
    depth = look([*ROOM, *TABLE], HERE)
    box_visibility(depth, CAMERA, HERE, boxes, np.full(3, 0.4), 0.3)
    took = []
    for _ in range(7):
        start = time.process_time()
        box_visibility(depth, CAMERA, HERE, boxes, np.full(3, 0.4), 0.3)
        took.append(time.process_time() - start)
    assert min(took) < 0.01
