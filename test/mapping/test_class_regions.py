"""Tests of dividing the pixels of a class into regions."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.class_regions import class_regions

MUG, BOOK = 3, 7


def camera(image: np.ndarray) -> PinholeCamera:
    return PinholeCamera.from_horizontal_fov(image.shape[1], image.shape[0], 1.2)


def test_things_of_one_class_are_parted_by_a_step_in_depth_and_by_what_lies_between() -> None:
    classes, depth = np.zeros((12, 40), np.uint16), np.full((12, 40), 2000, np.uint16)
    classes[2:6, 2:8] = MUG
    classes[2:6, 8:14] = MUG  # beside the first in the image, and half a metre behind
    depth[:, 8:14] = 2500
    classes[2:6, 20:26] = MUG
    classes[8:11, 2:8] = BOOK
    regions = class_regions(classes, depth, camera(classes), 1.0, 10)
    assert regions.classes == (MUG, MUG, MUG, BOOK)
    numbers = [regions.ids[3, 4], regions.ids[3, 10], regions.ids[3, 22], regions.ids[9, 4]]
    assert sorted(map(int, numbers)) == [1, 2, 3, 4]
    assert [int((regions.ids == number).sum()) for number in numbers] == [24, 24, 24, 18]


def test_regions_of_few_pixels_and_pixels_without_depth_are_left_out() -> None:
    classes, depth = np.full((6, 6), MUG, np.uint16), np.full((6, 6), 1000, np.uint16)
    depth[:, 2] = 0
    regions = class_regions(classes, depth, camera(classes), 0.0, 13)
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
    regions = class_regions(classes, depth, camera(classes), 0.0, min_pixels)
    assert set(np.unique(regions.ids)) - {0} == set(range(1, len(regions.classes) + 1))
    for number, kind in enumerate(regions.classes, start=1):
        pixels = regions.ids == number
        assert pixels.sum() >= min_pixels
        assert np.all(classes[pixels] == kind)
        assert np.all(depth[pixels] > 0)
    if min_pixels == 1:
        assert np.array_equal(regions.ids > 0, (classes > 0) & (depth > 0))


def test_parts_of_one_class_are_joined_where_they_point_to_one_middle() -> None:
    classes, depth = np.zeros((20, 60), np.uint16), np.full((20, 60), 2000, np.uint16)
    middles = np.zeros((20, 60, 2), np.float32)
    classes[2:18, 4:10] = classes[2:18, 14:20] = MUG  # one thing, with another one before its middle
    middles[:, :25] = 12.0, 10.0
    classes[2:18, 30:38] = classes[2:18, 40:48] = MUG  # two things side by side
    middles[:, 30:39], middles[:, 39:] = (34.0, 10.0), (44.0, 10.0)
    apart = class_regions(classes, depth, camera(classes), 0.0, 5)
    joined = class_regions(classes, depth, camera(classes), 0.0, 5, middles)
    assert len(apart.classes) == 4
    assert joined.classes == (MUG, MUG, MUG)
    assert joined.ids[5, 6] == joined.ids[5, 16]
    assert len({int(joined.ids[5, column]) for column in (6, 34, 44)}) == 3


def test_stray_pixels_are_not_joined_to_the_thing_that_they_point_to() -> None:
    classes, depth = np.zeros((20, 20), np.uint16), np.full((20, 20), 2000, np.uint16)
    classes[2:10, 2:10] = MUG
    classes[15, 15] = MUG
    regions = class_regions(classes, depth, camera(classes), 0.0, 5, np.full((20, 20, 2), 6.0, np.float32))
    assert regions.classes == (MUG,)
    assert regions.ids[15, 15] == 0


def test_parts_far_apart_in_depth_are_two_things_though_they_point_to_one_middle() -> None:
    classes, depth = np.zeros((30, 40), np.uint16), np.full((30, 40), 2200, np.uint16)
    classes[2:28, 6:18] = classes[2:28, 18:30] = MUG
    depth[:, 18:] = 4200
    middles = np.full((30, 40, 2), 17.0, np.float32)
    assert class_regions(classes, depth, camera(classes), 0.0, 5, middles).classes == (MUG, MUG)


def test_part_joins_the_thing_whose_middle_is_nearest() -> None:
    classes, depth = np.zeros((20, 60), np.uint16), np.full((20, 60), 2000, np.uint16)
    middles = np.zeros((20, 60, 2), np.float32)
    classes[2:18, 2:14] = classes[2:18, 18:28] = classes[2:18, 30:32] = MUG
    middles[:, :16], middles[:, 16:29], middles[:, 29:] = (17.0, 10.0), (24.0, 10.0), (23.0, 10.0)
    regions = class_regions(classes, depth, camera(classes), 0.0, 5, middles)
    assert regions.ids[5, 31] == regions.ids[5, 20]


def test_image_of_specks_is_divided_within_seconds() -> None:
    rng = np.random.default_rng(0)
    classes = (rng.random((240, 320)) < 0.2).astype(np.uint16)
    depth = np.full((240, 320), 2000, np.uint16)
    start = time.perf_counter()
    class_regions(classes, depth, camera(classes), 0.0, 5, rng.random((240, 320, 2)).astype(np.float32) * 200)
    assert time.perf_counter() - start < 10
