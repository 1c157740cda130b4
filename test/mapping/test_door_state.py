"""Tests of measuring whether containers and doors are open; views that do not show it give no state."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.door_state import SegmentedFrame, container_is_open, door_is_open
from stma_ros.mapping.segments import Segment, find_segments
from support.mapping.box_world import CAMERA, Box
from support.mapping.segmented_world import FLOOR_ID, Things, noisy, view

THING, OTHER = 7, 8
SHELL: list[Box] = [  # a cupboard with its back to +x: 0.5 deep, 0.8 wide, 0.9 high
    (2.98, -0.4, 0.0, 3.0, 0.4, 0.9),
    (2.5, -0.4, 0.0, 3.0, -0.38, 0.9),
    (2.5, 0.38, 0.0, 3.0, 0.4, 0.9),
    (2.5, -0.4, 0.88, 3.0, 0.4, 0.9),
    (2.5, -0.4, 0.0, 3.0, 0.4, 0.1),
    (2.6, -0.4, 0.45, 3.0, 0.4, 0.47),
]
SHUT: Things = {THING: [*SHELL, (2.48, -0.4, 0.0, 2.5, 0.4, 0.9), (2.45, 0.3, 0.5, 2.48, 0.32, 0.7)]}
OPEN: Things = {THING: [*SHELL, (2.1, 0.38, 0.0, 2.5, 0.4, 0.9), (2.1, -0.4, 0.0, 2.5, -0.38, 0.9)]}
WALL_OF_DOOR: list[Box] = [
    (3, -3, 0, 3.1, -0.5, 2.5),
    (3, 0.5, 0, 3.1, 3, 2.5),
    (3, -0.5, 2.05, 3.1, 0.5, 2.5),
]
FRAME: list[Box] = [(2.98, -0.5, 0, 3.12, -0.45, 2.05), (2.98, 0.45, 0, 3.12, 0.5, 2.05)]
LINTEL: Box = (2.98, -0.5, 2.0, 3.12, 0.5, 2.05)
SHUT_DOOR: Things = {THING: [*FRAME, LINTEL, (3.03, -0.45, 0.0, 3.07, 0.45, 2.0)], 2: WALL_OF_DOOR}
OPEN_DOOR: Things = {THING: [*FRAME, LINTEL, (2.1, 0.41, 0.0, 3.0, 0.45, 2.0)], 2: WALL_OF_DOOR}
BEHIND: Things = {THING: [*FRAME, LINTEL, (3.1, 0.41, 0.0, 4.0, 0.45, 2.0)], 2: WALL_OF_DOOR}
LEAF_ALONE: Things = {THING: [(2.1, -0.45, 0.0, 2.14, 0.4, 2.0)]}  # the frame is out of sight


def measured_state(
    things: Things, x: float, y: float, yaw: float, door: bool = False, noise: int | None = None
) -> bool | None:
    depth, ids, pose = view(things, x, y, yaw)
    if noise is not None:
        depth = noisy(depth, noise)
    level = noise_level(depth)
    (found,) = find_segments(depth, CAMERA, pose, ids, [THING], 6.0, level)
    frame = SegmentedFrame(depth, ids, CAMERA, pose, level, FLOOR_ID)
    return (door_is_open if door else container_is_open)(found, frame)


VIEWS = [(0.6, 0.0, 0.0), (0.8, -1.2, 0.6), (0.7, 1.3, -0.6)]


@pytest.mark.parametrize("place", VIEWS)
@pytest.mark.parametrize("noise", [None, 1])
def test_container_is_open_recognises_open_and_closed_containers(
    place: tuple[float, float, float], noise: int | None
) -> None:
    assert measured_state(SHUT, *place, noise=noise) is False
    seen = measured_state(OPEN, *place, noise=noise)
    assert seen is True if place == VIEWS[0] else seen is not False  # a leaf may hide the inside


def test_container_that_is_cut_off_far_or_covered_is_not_called_closed() -> None:
    assert measured_state(SHUT, 1.9, 0.0, 0.0) is None
    assert measured_state(SHUT, -0.9, 2.5, -0.65) is None
    covered = {**SHUT, OTHER: [(1.6, -0.3, 0.0, 2.0, 0.2, 0.8)]}
    assert measured_state(covered, 0.6, 0.0, 0.0) is None


@pytest.mark.parametrize("place", [(1.72, -1.9, 1.18), (1.6, -2.0, 1.15), (1.8, -1.4, 1.1)])
def test_leaf_in_the_plane_of_the_side_is_not_called_closed(place: tuple[float, float, float]) -> None:
    body: Box = (2.5, -0.25, 0.0, 3.0, 0.25, 0.95)
    leaf: Box = (2.0, -0.25, 0.0, 2.5, -0.23, 0.95)
    assert measured_state({THING: [body]}, *place) is False
    assert measured_state({THING: [body, leaf]}, *place) is not False


def test_container_with_a_single_crooked_face_has_no_known_state() -> None:
    """A leaf almost in the plane of the side looks like a deeper, closed piece when seen from the hinges."""
    side = [(2.4, -0.2, 0.0, 3.0, 0.0, 1.6), (1.8, -0.28, 0.0, 2.4, -0.1, 1.6)]
    narrow = {THING: [(x0, y0 + 0.1, z0, x1, y1 + 0.1, z1) for x0, y0, z0, x1, y1, z1 in side]}
    assert measured_state(narrow, 2.4, -1.9, np.pi / 2) is not False


@pytest.mark.parametrize("place", [(0.6, 0.0, 0.0), (1.0, -1.0, 0.5), (1.0, 1.0, -0.5)])
@pytest.mark.parametrize("noise", [None, 1])
def test_door_is_open_recognises_open_and_closed_doors(
    place: tuple[float, float, float], noise: int | None
) -> None:
    assert measured_state(SHUT_DOOR, *place, door=True, noise=noise) is False
    assert measured_state(OPEN_DOOR, *place, door=True, noise=noise) is True


def test_frame_without_its_leaf_is_an_open_door() -> None:
    assert measured_state(BEHIND, 0.6, 0.0, 0.0, door=True) is True


def test_leaf_without_its_frame_is_not_a_closed_door() -> None:
    assert measured_state(LEAF_ALONE, 0.3, 0.0, 0.0, door=True) is None


def test_leaf_without_depth_along_its_edges_is_not_a_closed_door() -> None:
    """Cameras leave holes at edges before a distant background; the rest must not pass for a wall."""
    depth, ids, pose = view({**LEAF_ALONE, 2: [(2.14, 0.4, 0.0, 2.2, 3.0, 2.5)]}, 0.3, 0.0, 0.0)
    steps = np.abs(np.diff(depth.astype(np.int32), axis=1)) > 100
    for side in (np.s_[:, 1:], np.s_[:, :-1]):
        depth[side][steps] = 0
    (found,) = find_segments(depth, CAMERA, pose, ids, [THING], 6.0, 0.0)
    assert door_is_open(found, SegmentedFrame(depth, ids, CAMERA, pose, 0.0, FLOOR_ID)) is None


def test_half_visible_door_has_no_known_state() -> None:
    assert measured_state(SHUT_DOOR, 2.2, 0.2, 0.9, door=True) is None


def test_container_that_is_cut_off_is_not_called_open_because_of_its_open_stand() -> None:
    """A container that is cut off needs a fifth of its points inside to be open, a whole one a seventh."""
    count = round(0.05 * CAMERA.fx * CAMERA.fy)
    points = np.zeros((count, 3), np.float32)
    points[:, 1] = np.linspace(-0.3, 0.3, count)
    points[round(0.4 * count) : round(0.58 * count), 0] = 0.2  # behind the front, x = 0
    box = np.array([0.0, -0.3, -0.3]), np.array([0.5, 0.3, 0.3])
    empty = np.zeros((CAMERA.height, CAMERA.width), np.uint16)
    pose = np.eye(4)
    pose[:3, :3] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]  # looks along x
    pose[0, 3] = -1.5
    frame = SegmentedFrame(empty, empty, CAMERA, pose, 0.0, FLOOR_ID)
    whole, cut = (
        Segment(
            THING,
            points,
            np.arange(count, dtype=np.int32),
            *box,
            0.0,
            0.01,
            np.zeros((0, 2)),
            slice(5, 50),
            slice(5, 50),
            truncated=off,
        )
        for off in (False, True)
    )
    assert container_is_open(whole, frame) is True
    assert container_is_open(cut, frame) is None
