"""Tests of the names of colours."""

from __future__ import annotations

import pytest

from stma_ros.memory.colours import colour_word
from stma_ros.types.standard import ColorRGBA


@pytest.mark.parametrize(
    ("rgb", "word"),
    [
        ((0.9, 0.1, 0.1), "red"),
        ((0.1, 0.2, 0.8), "blue"),
        ((0.2, 0.7, 0.25), "green"),
        ((0.95, 0.85, 0.1), "yellow"),
        ((0.45, 0.28, 0.12), "brown"),
        ((0.95, 0.95, 0.94), "white"),
        ((0.05, 0.05, 0.05), "black"),
        ((0.5, 0.5, 0.5), "grey"),
    ],
)
def test_colour_word_gives_the_everyday_word(rgb: tuple[float, float, float], word: str) -> None:
    assert colour_word(ColorRGBA(*rgb, 1.0)) == word
    assert colour_word(ColorRGBA(*(0.8 * channel for channel in rgb), 1.0)) in (word, "grey", "brown")


@pytest.mark.parametrize(
    ("rgb", "word"),
    [
        ((0.45, 0.15, 0.17), "red"),  # red in the dark of a drawer
        ((0.33, 0.14, 0.14), "red"),
        ((0.11, 0.12, 0.14), "black"),  # in the blue light of a window
        ((0.07, 0.13, 0.24), "blue"),
        ((0.74, 0.74, 0.72), "white"),
        ((0.83, 0.74, 0.69), "white"),  # in the light that a wooden floor throws back
        ((0.85, 0.80, 0.65), "white"),
        ((0.81, 0.67, 0.46), "orange"),  # light wood
        ((0.66, 0.78, 0.84), "blue"),  # glass: no light of a home is as cold
    ],
)
def test_colour_word_does_not_change_in_shade(rgb: tuple[float, float, float], word: str) -> None:
    assert colour_word(ColorRGBA(*rgb, 1.0)) == word


def test_colour_word_of_an_unmeasured_colour_is_empty() -> None:
    assert colour_word(ColorRGBA()) == ""
