"""Tests of dividing the pixels of things into regions."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.class_regions import class_regions
from stma_ros.mapping.thing_regions import PixelClasses, ThingRegions, thing_regions

MUG, BOOK = 3, 7


def sure(classes: np.ndarray, middles: np.ndarray | None = None) -> PixelClasses:
    """The classes of pixels about which there is no doubt, and the middles (H, W, 2) to which they point."""
    cells = np.arange(classes.size, dtype=np.int32).reshape(classes.shape)
    of_cells = None if middles is None else middles.reshape(-1, 2)
    return PixelClasses(np.eye(BOOK + 1, dtype=np.float32)[classes.ravel()], cells, of_cells)


def regions_of(
    probabilities: np.ndarray, cells: np.ndarray, depth: np.ndarray, middles: np.ndarray | None = None
) -> ThingRegions:
    pixels = PixelClasses(
        probabilities.reshape(-1, BOOK + 1), cells, None if middles is None else middles.reshape(-1, 2)
    )
    return thing_regions(pixels, depth, camera(depth), 0.0, 5)


def kinds(regions: ThingRegions) -> tuple[int, ...]:
    return tuple(regions.probabilities.argmax(axis=1).tolist())


def camera(image: np.ndarray) -> PinholeCamera:
    return PinholeCamera.from_horizontal_fov(image.shape[1], image.shape[0], 1.2)


@given(
    classes=arrays(np.uint16, (9, 11), elements=st.integers(0, 3)),
    depth=arrays(np.uint16, (9, 11), elements=st.sampled_from([0, 900, 1000, 2500])),
    min_pixels=st.integers(1, 4),
)
def test_regions_of_sure_pixels_are_those_of_their_classes(
    classes: np.ndarray, depth: np.ndarray, min_pixels: int
) -> None:
    found, wanted = (
        thing_regions(sure(classes), depth, camera(classes), 0.0, min_pixels),
        class_regions(classes, depth, 0.0, min_pixels),
    )
    assert np.array_equal(found.ids, wanted.ids)
    assert kinds(found) == wanted.classes


def test_parts_of_one_class_are_joined_where_they_point_to_one_middle() -> None:
    classes, depth = np.zeros((20, 60), np.uint16), np.full((20, 60), 2000, np.uint16)
    middles = np.zeros((20, 60, 2), np.float32)
    classes[2:18, 4:10] = classes[2:18, 14:20] = MUG  # one thing, with another one before its middle
    middles[:, :25] = 12.0, 10.0
    classes[2:18, 30:38] = classes[2:18, 40:48] = MUG  # two things side by side
    middles[:, 30:39], middles[:, 39:] = (34.0, 10.0), (44.0, 10.0)
    apart = thing_regions(sure(classes), depth, camera(classes), 0.0, 5)
    joined = thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5)
    assert len(kinds(apart)) == 4
    assert kinds(joined) == (MUG, MUG, MUG)
    assert joined.ids[5, 6] == joined.ids[5, 16]
    assert len({int(joined.ids[5, column]) for column in (6, 34, 44)}) == 3


def test_stray_pixels_are_not_joined_to_the_thing_that_they_point_to() -> None:
    classes, depth = np.zeros((20, 20), np.uint16), np.full((20, 20), 2000, np.uint16)
    classes[2:10, 2:10] = MUG
    classes[15, 15] = MUG
    middles = np.full((20, 20, 2), 6.0, np.float32)
    regions = thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5)
    assert kinds(regions) == (MUG,)
    assert regions.ids[15, 15] == 0


def test_parts_far_apart_in_depth_are_two_things_though_they_point_to_one_middle() -> None:
    classes, depth = np.zeros((30, 40), np.uint16), np.full((30, 40), 2200, np.uint16)
    classes[2:28, 6:18] = classes[2:28, 18:30] = MUG
    depth[:, 18:] = 4200
    middles = np.full((30, 40, 2), 17.0, np.float32)
    assert kinds(thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5)) == (MUG, MUG)


def test_part_joins_the_thing_whose_middle_is_nearest() -> None:
    classes, depth = np.zeros((20, 60), np.uint16), np.full((20, 60), 2000, np.uint16)
    middles = np.zeros((20, 60, 2), np.float32)
    classes[2:18, 2:14] = classes[2:18, 18:28] = classes[2:18, 30:32] = MUG
    middles[:, :16], middles[:, 16:29], middles[:, 29:] = (17.0, 10.0), (24.0, 10.0), (23.0, 10.0)
    regions = thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5)
    assert regions.ids[5, 31] == regions.ids[5, 20]


def test_image_of_specks_is_divided_within_seconds() -> None:
    rng = np.random.default_rng(0)
    classes = (rng.random((240, 320)) < 0.2).astype(np.uint16)
    depth = np.full((240, 320), 2000, np.uint16)
    middles = rng.random((240, 320, 2)).astype(np.float32) * 200
    start = time.perf_counter()
    thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5)
    assert time.perf_counter() - start < 10


def test_parts_that_point_to_one_middle_are_one_thing_if_they_may_be_of_one_class() -> None:
    depth, middles = np.full((20, 30), 2000, np.uint16), np.full((20, 30, 2), (14.5, 9.5), np.float32)
    cells = np.arange(600, dtype=np.int32).reshape(20, 30)
    probabilities = np.zeros((20, 30, BOOK + 1), np.float32)
    probabilities[:, :18, (MUG, BOOK)] = 0.6, 0.4
    probabilities[:, 18:, (MUG, BOOK)] = 0.4, 0.6
    (thing,) = regions_of(probabilities, cells, depth, middles).probabilities
    assert thing[[MUG, BOOK]] == pytest.approx((0.52, 0.48), abs=1e-5)
    probabilities[:, :18, (MUG, BOOK)] = 0.95, 0.05
    probabilities[:, 18:, (MUG, BOOK)] = 0.02, 0.98
    assert kinds(regions_of(probabilities, cells, depth, middles)) == (MUG, BOOK)


def test_region_that_points_elsewhere_than_to_its_own_middle_is_likely_a_piece() -> None:
    classes, depth = np.zeros((20, 60), np.uint16), np.full((20, 60), 2000, np.uint16)
    classes[4:16, 2:12] = classes[4:16, 30:40] = MUG
    middles = np.zeros((20, 60, 2), np.float32)
    middles[:, :20], middles[:, 20:] = (6.5, 9.5), (48.5, 9.5)
    whole, piece = thing_regions(sure(classes, middles), depth, camera(classes), 0.0, 5).wholeness
    assert whole == pytest.approx(1)
    assert piece < 0.2
    unknown = thing_regions(sure(classes), depth, camera(classes), 0.0, 5)
    assert unknown.wholeness.tolist() == [1, 1]


def test_region_has_the_mean_probabilities_of_its_pixels_whatever_the_size_of_the_cells() -> None:
    depth = np.full((4, 8), 2000, np.uint16)
    cells = np.arange(8, dtype=np.int32).reshape(2, 4).repeat(2, 0).repeat(2, 1)
    probabilities = np.zeros((2, 4, BOOK + 1), np.float32)
    probabilities[..., MUG] = np.linspace(0.6, 0.8, 8).reshape(2, 4)
    probabilities[..., 0] = 1 - probabilities[..., MUG]
    (thing,) = regions_of(probabilities, cells, depth).probabilities
    assert thing[MUG] == pytest.approx(0.7)
    assert thing[0] == pytest.approx(0.3)
