"""Tests of the conventions in which models draw boxes."""

from __future__ import annotations

import pytest

from stma_ros.models.box_convention import BoxConvention, convention_of


@pytest.mark.parametrize(
    ("convention", "box"),
    [
        (BoxConvention.THOUSANDTHS, (100, 200, 300, 400)),
        (BoxConvention.TOP_FIRST, (200, 100, 400, 300)),
        (BoxConvention.PIXELS, (64, 80, 192, 160)),
        (BoxConvention.FRACTIONS, (0.1, 0.2, 0.3, 0.4)),
    ],
)
def test_box_of_every_convention_is_converted_to_thousandths(
    convention: BoxConvention, box: tuple[float, float, float, float]
) -> None:
    assert convention.corners(box, 640, 400) == pytest.approx((100, 200, 300, 400))


@pytest.mark.parametrize(
    ("model", "convention"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct at http://localhost:8000/v1", BoxConvention.PIXELS),
        ("qwen2.5vl:7b at http://localhost:11434/v1", BoxConvention.PIXELS),
        ("/models/Qwen2.5-VL-3B-Instruct", BoxConvention.PIXELS),
        ("Qwen2-VL-2B", BoxConvention.THOUSANDTHS),
        ("Qwen3-VL-8B-Instruct", BoxConvention.THOUSANDTHS),
        ("OpenGVLab/InternVL3-8B", BoxConvention.THOUSANDTHS),
        ("gemini-2.5-flash at https://host/v1", BoxConvention.TOP_FIRST),
        ("small at http://gemini.example/v1", BoxConvention.THOUSANDTHS),
        ("/home/gemini/models/llava", BoxConvention.THOUSANDTHS),
        ("/models/Qwen2.5-VL-3B-Instruct/", BoxConvention.PIXELS),
        ("", BoxConvention.THOUSANDTHS),
    ],
)
def test_convention_of_a_family_follows_from_the_name_of_the_model(
    model: str, convention: BoxConvention
) -> None:
    assert convention_of(model) is convention
