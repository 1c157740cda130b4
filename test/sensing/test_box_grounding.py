"""Tests of finding things in image boxes by depth, in a room of upright boxes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.segments import Segment
from stma_ros.mapping.transforms import camera_mount
from stma_ros.sensing.camera_frame import CameraFrame, DepthView, Segmentation
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import PixelBox
from stma_ros.sensing.detectors.segmentation import SegmentationDetector
from stma_ros.types.evidence import Masks
from stma_ros.types.planar import turned
from stma_ros.types.sensing import SegmentLabel
from stma_ros.types.standard import Header

Block = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Least and greatest corner [m]."""

CAMERA = PinholeCamera.from_horizontal_fov(320, 240, 1.2)
POSE = camera_mount(0.0, 0.0, 1.2, 0.45)
LIMITS = DepthLimits(6.0, 12)
FLOOR: Block = ((-1.0, -9.0, -0.1), (9.0, 9.0, 0.0))
WALL: Block = ((4.0, -9.0, 0.0), (4.2, 9.0, 3.0))
TOP: Block = ((1.6, -0.5, 0.7), (2.4, 0.5, 0.74))
LEGS: tuple[Block, ...] = tuple(
    ((x, y, 0.0), (x + 0.06, y + 0.06, 0.7)) for x in (1.6, 2.34) for y in (-0.5, 0.44)
)
MUG: Block = ((1.9, 0.1, 0.74), (1.98, 0.18, 0.84))


def depth_of(*blocks: Block) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Returns the depth image [mm] of blocks, and which of them each pixel shows."""
    v, u = np.mgrid[: CAMERA.height, : CAMERA.width]
    rays = np.stack(((u - CAMERA.cx) / CAMERA.fx, (v - CAMERA.cy) / CAMERA.fy, np.ones(u.shape)), axis=-1)
    rays = rays @ POSE[:3, :3].T
    hits = []
    for low, high in blocks:
        ends = (np.array((low, high))[:, None, None] - POSE[:3, 3]) / rays
        enters, leaves = ends.min(axis=0).max(axis=-1), ends.max(axis=0).min(axis=-1)
        hits.append(np.where((enters < leaves) & (enters > 0), enters, np.inf))
    nearest = np.min(hits, axis=0)
    depth = np.where(np.isfinite(nearest), np.rint(1000 * nearest), 0)
    return depth.astype(np.uint16), np.argmin(hits, axis=0)


def box_around(shown: NDArray[np.bool_]) -> PixelBox:
    rows, columns = np.nonzero(shown)
    return slice(int(rows.min()), int(rows.max()) + 1), slice(int(columns.min()), int(columns.max()) + 1)


def share_found(segment: Segment | None, shown: NDArray[np.bool_]) -> float:
    """Returns intersection over union of a segment and the pixels of a thing."""
    assert segment is not None
    found = np.zeros(shown.size, bool)
    found[segment.index] = True
    return float((found & shown.ravel()).sum() / (found | shown.ravel()).sum())


def test_thing_on_a_table_is_found_without_the_table_top() -> None:
    depth, owner = depth_of(FLOOR, WALL, TOP, *LEGS, MUG)
    mug = owner == 7
    (segment,) = ground_boxes(DepthView(depth, CAMERA, POSE), [box_around(mug)], LIMITS)
    assert share_found(segment, mug) > 0.8
    assert segment is not None
    assert segment.size[2] < 0.12


def test_table_is_found_with_its_legs_and_without_what_stands_on_it_and_lies_behind() -> None:
    depth, owner = depth_of(FLOOR, WALL, TOP, *LEGS, MUG)
    table, mug = (owner >= 2) & (owner <= 6), owner == 7
    boxes = [box_around(table | mug), box_around(mug)]
    segment, _ = ground_boxes(DepthView(depth, CAMERA, POSE), boxes, LIMITS)
    assert share_found(segment, table) > 0.85
    assert segment is not None
    corners = [(x, y) for x in (segment.low[0], segment.high[0]) for y in (segment.low[1], segment.high[1])]
    assert turned(np.array(corners), segment.yaw).max(axis=0) == pytest.approx((2.4, 0.5), abs=0.05)
    assert segment.high[2] == pytest.approx(0.74, abs=0.05)


def test_frame_is_found_rather_than_what_is_seen_through_it() -> None:
    sides: tuple[Block, ...] = tuple(((2.0, y, 0.0), (2.1, y + 0.1, 1.1)) for y in (-0.5, 0.4))
    lintel: Block = ((2.0, -0.5, 1.0), (2.1, 0.5, 1.1))
    chest: Block = ((3.0, -0.3, 0.0), (3.5, 0.3, 0.5))
    depth, owner = depth_of(FLOOR, WALL, chest, *sides, lintel)
    frame = owner >= 3
    (segment,) = ground_boxes(DepthView(depth, CAMERA, POSE), [box_around(frame)], LIMITS)
    assert share_found(segment, frame) > 0.9


def test_back_of_a_chair_is_found_rather_than_what_is_seen_between_its_slats() -> None:
    chair = np.zeros((CAMERA.height, CAMERA.width), bool)
    chair[60:200, 100:180] = True
    for row in (70, 90, 110):
        chair[row : row + 10, 110:170] = False
    depth = np.where(chair, 1500, 3000).astype(np.uint16)
    back = slice(60, 130), slice(100, 180)  # the chair goes on below
    (segment,) = ground_boxes(DepthView(depth, CAMERA, POSE), [back], LIMITS)
    shown = np.zeros_like(chair)
    shown[back] = chair[back]
    assert share_found(segment, shown) > 0.9


def test_rug_is_found_though_it_lies_in_the_plane_of_the_floor() -> None:
    rug: Block = ((1.6, -0.5, 0.0), (2.6, 0.5, 0.008))
    depth, owner = depth_of(FLOOR, WALL, rug)
    (segment,) = ground_boxes(DepthView(depth, CAMERA, POSE), [box_around(owner == 2)], LIMITS)
    assert share_found(segment, owner == 2) > 0.9


def test_box_around_a_part_of_a_wall_gives_that_part() -> None:
    depth, owner = depth_of(FLOOR, WALL)
    box = slice(10, 40), slice(100, 150)
    assert (owner[box] == 1).all()
    (segment,) = ground_boxes(DepthView(depth, CAMERA, POSE), [box], LIMITS)
    assert segment is not None
    assert len(segment.index) == 30 * 50


@pytest.mark.parametrize("masks", list(Masks))
def test_segments_are_grounded_by_depth_when_they_are_boxes(masks: Masks) -> None:
    depth, owner = depth_of(FLOOR, WALL, TOP, *LEGS, MUG)
    ids = np.zeros(depth.shape, np.uint16)
    ids[box_around(owner == 7)] = 5
    frame = CameraFrame(
        header=Header(),
        parts={},
        view=DepthView(depth, CAMERA, POSE),
        segmentation=Segmentation(ids, (SegmentLabel(id=5, category="mug", confidence=0.5),)),
    )
    (mug,) = SegmentationDetector(LIMITS, household_categories(), masks).detect(frame).objects
    assert mug.category == "mug"
    assert mug.score == 0.5
    assert (mug.sight is None) == (masks is Masks.BOXES)
    assert mug.segment is not None
    table = np.isin(mug.segment.index, np.flatnonzero(owner == 2))
    assert table.any() == (masks is Masks.OUTLINES)
