"""Tests of dividing the pixels of a class into regions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stma_ros.mapping.class_regions import class_regions
from stma_ros.mapping.smooth_surfaces import STEP

MUG, BOOK = 3, 7


def table_top(nearest: float, farthest: float) -> np.ndarray:
    """Returns (240, 320) depth [mm] of a level surface 0.5 m below a level camera between two distances [m]."""
    rows = np.arange(240) - 119.5
    depth = np.repeat(0.5 * 200 / np.maximum(rows, 1e-3)[:, None], 320, axis=1)
    depth[(depth < nearest) | (depth > farthest)] = 0
    return np.rint(1e3 * depth).astype(np.uint16)


def test_things_of_one_class_are_parted_by_a_step_in_depth_and_by_what_lies_between() -> None:
    classes, depth = np.zeros((12, 40), np.uint16), np.full((12, 40), 2000, np.uint16)
    classes[2:6, 2:8] = MUG
    classes[2:6, 8:14] = MUG  # beside the first in the image, and half a metre behind
    depth[:, 8:14] = 2500
    classes[2:6, 20:26] = MUG
    classes[8:11, 2:8] = BOOK
    regions = class_regions(classes, depth, 1.0, 10)
    assert regions.classes == (MUG, MUG, MUG, BOOK)
    numbers = [regions.ids[3, 4], regions.ids[3, 10], regions.ids[3, 22], regions.ids[9, 4]]
    assert sorted(map(int, numbers)) == [1, 2, 3, 4]
    assert [int((regions.ids == number).sum()) for number in numbers] == [24, 24, 24, 18]


def test_a_level_surface_at_a_grazing_angle_is_one_region() -> None:
    depth = table_top(3.0, 4.6)
    steps = np.abs(np.diff(depth[depth[:, 0] > 0, 0].astype(int)))
    assert steps.max() > 2 * 1000 * STEP
    regions = class_regions(np.where(depth > 0, MUG, 0).astype(np.uint16), depth, 0.0, 1)
    assert regions.classes == (MUG,)
    assert np.array_equal(regions.ids > 0, depth > 0)


def test_level_surfaces_behind_one_another_are_two_regions() -> None:
    depth = table_top(2.0, 2.6) + table_top(3.4, 4.0)
    depth = depth[depth[:, 0] > 0]  # what lies between them is hidden
    assert class_regions(np.full(depth.shape, MUG, np.uint16), depth, 0.0, 20).classes == (MUG, MUG)


@given(front=st.integers(1000, 3000), behind=st.integers(500, 2000))
def test_a_pixel_measured_half_way_joins_no_regions(front: int, behind: int) -> None:
    depth = np.full((10, 12), front, np.uint16)
    depth[:, 6:] = front + behind
    depth[:, 5] = round(2 / (1 / front + 1 / (front + behind)))  # in line, as inverse depth is
    regions = class_regions(np.full(depth.shape, MUG, np.uint16), depth, 0.0, 20)
    assert regions.classes == (MUG, MUG)


def test_regions_of_few_pixels_and_pixels_without_depth_are_left_out() -> None:
    classes, depth = np.full((6, 6), MUG, np.uint16), np.full((6, 6), 1000, np.uint16)
    depth[:, 2] = 0
    regions = class_regions(classes, depth, 0.0, 13)
    assert regions.classes == (MUG,)
    assert not regions.ids[:, :3].any()
    assert regions.ids[:, 3:].all()


@given(
    classes=arrays(np.uint16, (9, 11), elements=st.integers(0, 3)),
    depth=arrays(np.uint16, (9, 11), elements=st.sampled_from([0, 900, 1000, 2500])),
    min_pixels=st.integers(1, 4),
)
def test_each_region_is_of_one_class_connected_measured_and_large_enough(
    classes: np.ndarray, depth: np.ndarray, min_pixels: int
) -> None:
    regions = class_regions(classes, depth, 0.0, min_pixels)
    assert set(np.unique(regions.ids)) - {0} == set(range(1, len(regions.classes) + 1))
    for number, kind in enumerate(regions.classes, start=1):
        pixels = regions.ids == number
        assert pixels.sum() >= min_pixels
        assert np.all(classes[pixels] == kind)
        assert np.all(depth[pixels] > 0)
    if min_pixels == 1:
        assert np.array_equal(regions.ids > 0, (classes > 0) & (depth > 0))
