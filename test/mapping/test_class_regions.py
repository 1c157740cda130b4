"""Tests of dividing the pixels of a class into regions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stma_ros.mapping.class_regions import class_regions

MUG, BOOK = 3, 7


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
