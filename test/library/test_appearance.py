"""The colour of an object in one view."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.library.scene.appearance import own_color

GREY = (150, 150, 150)
channels = st.tuples(*[st.integers(0, 255)] * 3)


@given(channels, channels, st.integers(0, 49))
def test_light_glare_or_a_drink_on_less_than_half_of_an_object_leaves_its_colour_as_it_is(
    own: tuple[int, int, int], other: tuple[int, int, int], share: int
) -> None:
    pixels = np.array([*[other] * share, *[own] * (100 - share)], np.uint8)
    color = own_color(pixels)
    assert (color.r, color.g, color.b) == pytest.approx([channel / 255 for channel in own])


def test_the_colour_of_a_large_view_is_that_of_all_of_it() -> None:
    pixels = np.tile(np.array(GREY, np.uint8), (50_000, 1))
    pixels[::7] = (255, 196, 90)
    color = own_color(pixels)
    assert (color.r, color.a) == (pytest.approx(150 / 255), 1.0)
