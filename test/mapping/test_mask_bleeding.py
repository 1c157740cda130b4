"""Tests of removing strips of the surroundings from masks."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.mask_bleeding import without_bleeding

BACK, THING = 1, 2
ALL = np.ones(1 << 16, np.bool_)
ROWS, COLUMNS = slice(100, 140), slice(100, 160)


def scene(behind: int = 2000, depth: int = 1000) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Returns inverse depth [1 / mm] and ids of a thing before a wall."""
    depths = np.full((240, 320), behind, np.float32)
    ids = np.full((240, 320), BACK, np.uint16)
    depths[ROWS, COLUMNS], ids[ROWS, COLUMNS] = depth, THING
    return 1 / depths, ids


def test_strip_of_the_background_is_removed_from_a_mask() -> None:
    inverse, ids = scene()
    ids[98:143, 98:162] = THING
    cleaned = without_bleeding(inverse, ids, ALL, 0.0)
    expected = np.where(inverse > 1 / 1500, THING, 0)
    assert (cleaned[98:143, 98:162] == expected[98:143, 98:162]).all()


def test_strip_of_an_object_in_front_is_removed_from_a_mask() -> None:
    inverse, ids = scene()
    ids[ROWS, 157:160] = BACK
    cleaned = without_bleeding(inverse, ids, ALL, 0.0)
    assert (cleaned[ROWS, 157:160] == 0).all()
    assert (cleaned[ROWS, 100:157] == THING).all()


def test_masks_that_are_not_wanted_stay_and_change_no_other() -> None:
    inverse, ids = scene()
    ids[98:143, 98:162] = THING  # strips of the wall
    ids[ROWS, 157:160] = BACK  # a strip of the thing
    everything = without_bleeding(inverse, ids, ALL, 0.0)
    wanted = np.zeros_like(ALL)
    wanted[THING] = True
    cleaned = without_bleeding(inverse, ids, wanted, 0.0)
    assert (cleaned[ids == BACK] == BACK).all()
    assert (cleaned[ids == THING] == everything[ids == THING]).all()
    assert (cleaned != ids).any()


def test_exact_mask_is_unchanged_on_steep_surfaces_and_with_noise() -> None:
    inverse, ids = scene()
    floor = np.linspace(1 / 6000, 1 / 900, 60)[:, None]  # a floor, seen at a grazing angle
    inverse[180:] = floor
    ids[180:] = 3
    assert (without_bleeding(inverse, ids, ALL, 0.0) == ids).all()
    rough = 1 / (1 / inverse + np.random.default_rng(0).normal(0, 5, inverse.shape)).astype(np.float32)
    assert (without_bleeding(rough, ids, ALL, 1.0) == ids).mean() > 0.99


def test_thin_parts_of_a_thing_before_a_distant_background_stay() -> None:
    inverse, ids = scene()
    legs = np.zeros_like(ids, bool)
    legs[140:170, 105:108] = legs[140:170, 150:153] = True
    inverse[legs], ids[legs] = 1 / 1150, THING
    assert (without_bleeding(inverse, ids, ALL, 0.0)[legs] == THING).all()


def test_pixels_without_depth_keep_their_id() -> None:
    inverse, ids = scene()
    inverse[110:120] = 0
    assert (without_bleeding(inverse, ids, ALL, 0.0) == ids).all()


def test_cleaning_an_image_takes_a_few_milliseconds() -> None:
    inverse, ids = scene()
    without_bleeding(inverse, ids, ALL, 1.0)
    took = []
    for _ in range(5):
        start = time.process_time()
        without_bleeding(inverse, ids, ALL, 1.0)
        took.append(time.process_time() - start)
    assert min(took) < 0.02
