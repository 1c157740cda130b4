"""Tests of boxes that are estimated from many views."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.boxes import Box
from stma_ros.memory.shapes import Shape, ShapeEvidence
from stma_ros.types.standard import Time

ABOVE = np.array([0.3, -1.5, 1.8])


def box(middle: tuple[float, float, float], extent: tuple[float, float, float]) -> Box:
    return Box(np.array(middle), np.array(extent))


def evidence(
    of: Box, viewpoint: np.ndarray | None = ABOVE, partial: bool = False, clear: bool = True
) -> ShapeEvidence:
    return ShapeEvidence(of, viewpoint, partial, clear and not partial)


def shape_of(*views: ShapeEvidence) -> Shape:
    shape = Shape.from_evidence(views[0], Time(1))
    for second, later in enumerate(views[1:], start=2):
        shape = shape.updated(later, Time(second))
    return shape


@pytest.mark.parametrize("noise", [0.01, 0.03])
def test_noise_is_averaged_and_does_not_enlarge_the_box(noise: float) -> None:
    rng = np.random.default_rng(1000)
    true = box((0, 0, 0.85), (0.1, 0.1, 0.12))
    views = [evidence(Box.of_faces(true.faces + rng.normal(0, noise, (2, 3)))) for _ in range(60)]
    shape = shape_of(*views)
    assert np.abs(shape.faces - true.faces).max() < 1.2 * noise


@given(st.lists(st.floats(0.05, 1.0), min_size=1, max_size=20))
def test_partial_views_never_shrink_a_box(shares: list[float]) -> None:
    whole = box((0, 0, 0.4), (2.0, 0.9, 0.8))
    cut = [evidence(box((-1 + share, 0, 0.4), (2.0 * share, 0.9, 0.8)), partial=True) for share in shares]
    shape = shape_of(evidence(whole), *cut)
    assert shape.box == whole


_COORDINATE, _SIDE = st.floats(-2, 2), st.floats(0, 1)


@given(
    st.lists(
        st.tuples(_COORDINATE, _SIDE, st.lists(st.booleans(), min_size=6, max_size=6), st.booleans()),
        min_size=1,
        max_size=12,
    )
)
def test_views_in_contradiction_never_turn_a_box_inside_out(
    views: list[tuple[float, float, list[bool], bool]],
) -> None:
    shape = shape_of(
        *(
            replace(
                evidence(box((at, -at, at), (side, 2 * side, side / 2)), partial=partial),
                freed=np.array(freed).reshape(2, 3),
            )
            for at, side, freed, partial in views
        )
    )
    assert (shape.faces[0] <= shape.faces[1]).all()


def test_one_view_of_a_part_does_not_shrink_a_well_known_box() -> None:
    whole, part = box((0, 0, 0.4), (1.0, 0.9, 0.8)), box((-0.25, 0, 0.4), (0.5, 0.9, 0.8))
    freed = np.zeros((2, 3), np.bool_)
    freed[1, 0] = True
    half = replace(evidence(part, partial=True), freed=freed)
    known = [evidence(whole)] * 6
    assert shape_of(*known, half).box == whole
    shrunk = shape_of(*known, *[half] * 20).box
    assert shrunk.extent == pytest.approx(part.extent, abs=0.03)


def test_partial_views_extend_a_box_to_the_whole() -> None:
    left, right = box((-0.5, 0, 0.4), (1.0, 0.9, 0.8)), box((0.5, 0, 0.4), (1.0, 0.9, 0.8))
    shape = shape_of(evidence(left, partial=True), evidence(right, partial=True))
    assert shape.box.extent == pytest.approx((2.0, 0.9, 0.8))


def test_far_side_is_taken_from_the_first_view_that_shows_it() -> None:
    front = ShapeEvidence(box((0, -0.28, 0.9), (0.6, 0.04, 1.8)), np.array([0.0, -2.0, 1.2]), False, True)
    side = ShapeEvidence(box((0, 0, 0.9), (0.6, 0.6, 1.8)), np.array([2.0, 0.1, 1.2]), False, True)
    assert shape_of(front, side).box.extent == pytest.approx((0.6, 0.6, 1.8), abs=0.02)


def test_complete_views_correct_an_outlier() -> None:
    true = box((0, 0, 0.8), (0.1, 0.1, 0.1))
    outlier = box((0.2, 0, 0.8), (0.5, 0.1, 0.1))
    shape = shape_of(evidence(true), evidence(outlier), *(evidence(true) for _ in range(15)))
    assert shape.box.extent == pytest.approx(true.extent, abs=0.03)


def test_view_that_may_be_occluded_does_not_shrink_a_box() -> None:
    true, half = box((0, 0, 0.4), (2.0, 0.9, 0.8)), box((-0.5, 0, 0.4), (1.0, 0.9, 0.8))
    shape = shape_of(evidence(true), *(evidence(half, clear=False) for _ in range(10)))
    assert shape.box.extent == pytest.approx((2.0, 0.9, 0.8))


def test_unsupported_side_is_extended_to_the_other_shape() -> None:
    sliver = shape_of(evidence(box((0.55, 0, 0.5), (0.1, 0.4, 1.0)), partial=True))
    whole = shape_of(evidence(box((0, 0, 0.5), (1.2, 0.9, 1.0))))
    assert sliver.extended(whole).extent == pytest.approx(whole.box.extent)
    assert whole.extended(sliver) == whole.box
    shown = shape_of(evidence(box((0, 0, 0.5), (1.0, 0.4, 1.0))))
    assert shown.extended(whole) == shown.box
