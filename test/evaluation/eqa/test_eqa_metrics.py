"""Measures of answers: hand-calculated values, bounds, and the traps of the published formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.eqa.metrics import (
    Grade,
    correctness,
    distance_to_target,
    grounded_correctness,
    llm_match,
    llm_spl,
    path_efficiency,
    path_weighted_correctness,
)

_LENGTHS = st.floats(0, 1e4)
_SCORES = st.one_of(st.none(), st.floats(-10, 10))


@pytest.mark.parametrize(
    ("score", "match"), [(None, 0), (1, 0), (2, 25), (3, 50), (4, 75), (5, 100), (0, 0), (-1, 0), (7, 100)]
)
def test_llm_match_of_a_score_is_cut_and_counts_no_answer_as_0(score: float | None, match: float) -> None:
    assert llm_match(score) == pytest.approx(match)


@pytest.mark.parametrize(
    ("score", "shortest", "driven", "expected"),
    [
        (5, 4.0, 8.0, 50.0),
        (3, 4.0, 8.0, 25.0),
        (5, 8.0, 4.0, 100.0),
        (None, 4.0, 8.0, 0.0),
        (5, 0.0, 0.0, 100.0),
        (5, 0.2, 4.0, 25.0),  # 0.2 m counts as 1 m
        (5, 4.0, 0.1, 100.0),
        (4, 0.5, 0.9, 75.0),
    ],
)
def test_llm_spl_equals_the_value_calculated_by_hand(
    score: float | None, shortest: float, driven: float, expected: float
) -> None:
    assert llm_spl(score, shortest, driven) == pytest.approx(expected)


def test_grades_are_divided_by_5_and_not_by_4() -> None:
    grade = Grade(correctness=4, grounding=0.5)
    assert grounded_correctness(grade) == pytest.approx(40)
    assert correctness(grade) == pytest.approx(80)
    assert path_weighted_correctness(grade, shortest=3.0, driven=12.0) == pytest.approx(10)


def test_missing_grade_counts_0() -> None:
    assert (grounded_correctness(None), correctness(None), path_weighted_correctness(None, 2.0, 3.0)) == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize(("shortest", "driven"), [(math.inf, 2.0), (2.0, math.inf), (math.inf, math.inf)])
def test_infinite_path_is_left_out(shortest: float, driven: float) -> None:
    assert llm_spl(5, shortest, driven) is None
    assert llm_spl(None, shortest, driven) is None
    assert path_weighted_correctness(Grade(5, 1), shortest, driven) is None
    assert distance_to_target(math.inf) is None
    assert distance_to_target(1.5) == 1.5


@pytest.mark.parametrize("length", [-0.1, math.nan])
def test_length_that_is_none_is_refused(length: float) -> None:
    with pytest.raises(ValueError, match="give metres"):
        path_efficiency(length, 1.0)
    with pytest.raises(ValueError, match="give metres"):
        path_efficiency(1.0, length)
    with pytest.raises(ValueError, match="give metres"):
        distance_to_target(length)


@given(_SCORES, _LENGTHS, _LENGTHS)
def test_llm_spl_lies_between_0_and_llm_match(score: float | None, shortest: float, driven: float) -> None:
    weighted = llm_spl(score, shortest, driven)
    assert weighted is not None
    assert 0 <= weighted <= llm_match(score) <= 100


@given(st.floats(-1, 6), st.floats(0, 1), _LENGTHS, _LENGTHS)
def test_path_weighted_correctness_is_at_most_c_and_c_at_most_c_star(
    sigma: float, delta: float, shortest: float, driven: float
) -> None:
    grade = Grade(sigma, delta)
    weighted = path_weighted_correctness(grade, shortest, driven)
    assert weighted is not None
    assert 0 <= weighted <= grounded_correctness(grade) <= correctness(grade) <= 100


@given(_LENGTHS, _LENGTHS, st.floats(0, 100))
def test_efficiency_does_not_rise_when_the_driven_path_gets_longer(
    shortest: float, driven: float, more: float
) -> None:
    short, long = path_efficiency(shortest, driven), path_efficiency(shortest, driven + more)
    assert short is not None
    assert long is not None
    assert long <= short
