"""Tests of the belief that an object exists, and of how far detectors are trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.existence import LIMIT, MAX_PLACES, Existence
from stma_ros.sensing.detectors.reliability import Reliability

HERE = np.zeros(3)
scores = st.floats(0.0, 1.0)
recalls = st.floats(0.05, 0.99)
places = st.builds(lambda x, y: np.array((x, y, 1.4)), st.floats(-9, 9), st.floats(-9, 9))
one_look = st.tuples(st.one_of(scores, st.none()), recalls, places)
looks = st.lists(one_look, max_size=30)
few_looks = st.lists(one_look, max_size=MAX_PLACES - 2)
Looks = Sequence[tuple[float | None, float, np.ndarray]]


def place(number: int) -> np.ndarray:
    """Returns one of the places that are elsewhere than the others."""
    return np.array((float(number), 0.0, 0.0))


def after(belief: Existence, seen: Looks) -> Existence:
    for score, recall, at in seen:
        belief = belief.overlooked(recall, at) if score is None else belief.found(score, recall, at)
    return belief


@given(score=st.floats(0.05, 0.95), recall=recalls)
def test_first_find_is_believed_as_far_as_its_score_says(score: float, recall: float) -> None:
    assert Existence().found(score, recall, HERE).probability == pytest.approx(score)


@given(seen=looks)
def test_belief_stays_within_its_limits(seen: Looks) -> None:
    belief = after(Existence(), seen)
    assert -LIMIT <= belief.log_odds <= LIMIT
    assert 0 < belief.probability < 1


@given(first=scores, second=st.floats(0.5, 1.0), recall=st.floats(0.3, 0.99))
def test_find_from_elsewhere_with_a_fair_score_makes_the_belief_firmer(
    first: float, second: float, recall: float
) -> None:
    before = Existence().found(first, recall, place(0))
    assert before.found(second, recall, place(1)).log_odds > before.log_odds


@given(seen=few_looks, recall=st.floats(0.3, 0.99))
def test_overlooking_view_from_elsewhere_makes_no_belief_firmer(seen: Looks, recall: float) -> None:
    belief = after(Existence().found(0.6, recall, place(0)), seen)
    assert belief.overlooked(recall, np.array((99.0, 0.0, 0.0))).log_odds <= belief.log_odds


def test_view_that_overlooks_says_more_when_its_detector_finds_more() -> None:
    belief = Existence().found(0.9, 0.9, place(0))
    odds = [belief.overlooked(recall, place(1)).log_odds for recall in (0.4, 0.6, 0.8, 0.95)]
    assert odds == sorted(odds, reverse=True)


def test_many_views_from_one_place_say_less_than_two_from_two_places() -> None:
    once = Existence().found(0.6, 0.8, HERE)
    fixed, moving = once, once.found(0.6, 0.8, place(1)).found(0.6, 0.8, place(2))
    for _ in range(1000):
        fixed = fixed.found(0.6, 0.8, HERE)
    assert once.log_odds < fixed.log_odds < moving.log_odds


def test_views_of_one_place_count_by_the_share_that_finds_the_object() -> None:
    half = Existence().found(0.6, 0.8, HERE).overlooked(0.8, HERE)
    assert half.log_odds < Existence().found(0.6, 0.8, HERE).log_odds
    for _ in range(20):
        half = half.found(0.6, 0.8, HERE).overlooked(0.8, HERE)
    assert not half.is_settled


@given(seen=looks)
def test_correction_of_the_map_changes_no_belief(seen: Looks) -> None:
    belief = after(Existence(), seen)
    assert belief.moved(lambda at: (at[0] + 7, at[1], at[2])).log_odds == belief.log_odds


def test_two_tracks_of_one_object_are_believed_as_one_that_was_seen_from_all_places() -> None:
    one, other = (Existence().found(0.6, 0.8, place(number)) for number in (0, 1))
    both = Existence().found(0.6, 0.8, place(0)).found(0.6, 0.8, place(1))
    assert one.joined(other).log_odds == pytest.approx(both.log_odds)


def test_belief_of_places_that_are_not_remembered_any_more_is_kept() -> None:
    belief = Existence()
    for number in range(50):
        belief = belief.found(0.5, 0.5, place(number))
    assert belief.log_odds == LIMIT


def test_object_that_was_touched_is_believed() -> None:
    assert Existence.proven().is_settled


# -- scores


@given(score=scores)
def test_scores_of_a_calibrated_detector_are_probabilities(score: float) -> None:
    assert Reliability(0.8).probability(score) == score


@given(precision=st.floats(0.01, 0.99), one=scores, other=scores)
def test_higher_score_is_never_less_probable(precision: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    trust = Reliability(0.8, precision)
    assert 0 <= trust.probability(low) <= trust.probability(high) <= 1


def test_a_detector_that_is_always_sure_is_no_surer_than_its_precision() -> None:
    assert (
        Reliability(0.8, precision=0.2).probability(1.0)
        < Reliability(0.8, precision=0.8).probability(1.0)
        < 1
    )


@given(precision=st.floats(0.01, 0.99))
def test_score_of_one_half_is_as_probable_as_the_precision(precision: float) -> None:
    assert Reliability(0.8, precision).probability(0.5) == pytest.approx(precision)


def test_find_with_a_low_score_says_more_for_the_object_where_scores_are_usually_low() -> None:
    before = Existence().found(0.4, 0.75, place(0))
    odds = [before.found(0.4, 0.75, place(1), usual).log_odds for usual in (0.9, 0.5, 0.4, 0.3)]
    assert odds[0] == odds[1] < odds[2] < odds[3]
    assert before.found(0.4, 0.75, place(1), 0.4).log_odds - before.log_odds == pytest.approx(np.log(3))


@given(score=st.floats(0.05, 0.95), usual=st.floats(0.05, 0.95))
def test_first_find_is_believed_as_far_as_its_score_says_whatever_is_usual(
    score: float, usual: float
) -> None:
    assert Existence().found(score, 0.75, HERE, usual).probability == pytest.approx(score)


def test_detector_that_overlooks_half_is_believed_from_elsewhere_as_one_that_overlooks_a_quarter() -> None:
    gains = []
    for recall in (0.5, 0.75):
        before = Existence().found(0.5, recall, place(0))
        gains.append(before.found(0.5, recall, place(1)).log_odds - before.log_odds)
    assert gains[0] == pytest.approx(gains[1])
