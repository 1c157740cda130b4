"""Tests of how images are made to fit a network, and how its boxes and maps are taken back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.vision.description import InputDescription, Layout, Resize
from stma_ros.models.vision.preparation import (
    colour_tensor,
    fit_of,
    geometry_tensor,
    map_in_image,
)

SIDES = st.integers(1, 60)
RESIZES = st.sampled_from(Resize)
PLAIN = InputDescription("image", 8, 6, scale=1.0)


def image(height: int, width: int) -> np.ndarray:
    return np.arange(height * width * 3, dtype=np.uint32).astype(np.uint8).reshape(height, width, 3)


def test_image_of_the_size_of_the_input_is_given_as_it_is() -> None:
    colour = image(6, 8)
    nhwc = replace(PLAIN, layout=Layout.NHWC)
    assert np.array_equal(colour_tensor(colour, fit_of(colour.shape, nhwc), nhwc)[0], colour)
    assert np.array_equal(
        colour_tensor(colour, fit_of(colour.shape, PLAIN), PLAIN)[0], colour.transpose(2, 0, 1)
    )


def test_blue_comes_first_after_mean_and_deviation_of_red_green_and_blue_were_applied() -> None:
    about = replace(PLAIN, blue_first=True, scale=1 / 255, mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7))
    colour = np.full((6, 8, 3), (10, 100, 200), np.uint8)
    tensor = colour_tensor(colour, fit_of(colour.shape, about), about)
    assert tensor.shape == (1, 3, 6, 8)
    wanted = [(200 / 255 - 0.3) / 0.7, (100 / 255 - 0.2) / 0.6, (10 / 255 - 0.1) / 0.5]
    assert tensor[0, :, 3, 3] == pytest.approx(wanted, abs=1e-6)


def test_letterboxed_image_keeps_its_aspect_ratio_and_has_borders_of_the_given_brightness() -> None:
    about = replace(PLAIN, resize=Resize.LETTERBOX, border=30, layout=Layout.NHWC)
    colour = np.full((4, 16, 3), 200, np.uint8)
    tensor = colour_tensor(colour, fit_of(colour.shape, about), about)[0]
    assert np.all(tensor[:2] == 200)
    assert np.all(tensor[2:] == 30)


@given(height=SIDES, width=SIDES, rows=SIDES, columns=SIDES, resize=RESIZES)
def test_box_around_the_whole_image_comes_back_as_the_image(
    height: int, width: int, rows: int, columns: int, resize: Resize
) -> None:
    fit = fit_of((height, width, 3), InputDescription("image", columns, rows, resize=resize))
    edge = width * fit.scale_x, height * fit.scale_y
    assert fit.to_image(np.array([[0.0, 0.0, *edge]]))[0] == pytest.approx((0, 0, width, height))
    assert fit.inner[0] <= columns
    assert fit.inner[1] <= rows


@given(height=SIDES, width=SIDES, rows=SIDES, columns=SIDES, resize=RESIZES)
def test_any_image_fits_any_input_and_its_map_comes_back_in_its_size(
    height: int, width: int, rows: int, columns: int, resize: Resize
) -> None:
    about = InputDescription("image", columns, rows, resize=resize)
    colour = image(height, width)
    fit = fit_of(colour.shape, about)
    assert colour_tensor(colour, fit, about).shape == (1, 3, rows, columns)
    geometry = np.ones((height, width, 3), np.float32)
    tensor = geometry_tensor(geometry, fit, about)
    assert tensor.shape == (1, 3, rows, columns)
    back = map_in_image(tensor[0], fit, about)
    assert back.shape == (3, height, width)
    assert np.all(back == 1)  # no pixel of the borders


@given(factor=st.integers(1, 4), height=st.integers(1, 12), width=st.integers(1, 12))
def test_map_of_a_fraction_of_the_input_is_enlarged_by_its_nearest_pixels(
    factor: int, height: int, width: int
) -> None:
    about = InputDescription("image", width * factor, height * factor)
    values = np.arange(height * width, dtype=np.float32).reshape(1, height, width)
    fit = fit_of((height * factor, width * factor, 3), about)
    assert np.array_equal(map_in_image(values, fit, about)[0], values[0].repeat(factor, 0).repeat(factor, 1))
