"""Fusion of the states of one object from looks and from results of actions."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.states import (
    LOOKS_LIMIT,
    NEWER,
    OPENNESS,
    STALE_AFTER,
    States,
    aged,
    state_in,
    told,
    with_observed,
    with_reported,
)
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import Relation
from support.memory.keyframes import at, reported

GEOMETRY, LABEL, DETECTOR = EvidenceSource.GEOMETRY, EvidenceSource.LABEL, EvidenceSource.DETECTOR
OPEN, CLOSED = words.STATE_OPEN, words.STATE_CLOSED

confidences = st.floats(0.5, 1.0, width=32)
looks = st.builds(
    lambda state, source, confidence: StateEstimate(state=state, source=source, confidence=confidence),
    st.sampled_from((OPEN, CLOSED)),
    st.sampled_from((GEOMETRY, LABEL, DETECTOR)),
    confidences,
)


def look(
    states: States, second: float, state: str, confidence: float, source: EvidenceSource = GEOMETRY
) -> States:
    estimate = StateEstimate(state=state, source=source, confidence=confidence)
    return with_observed(states, "fridge_1", (estimate,), at(second))


def opened(second: float) -> Relation:
    return reported("fridge_1", words.STATE, OPEN, second)


def log_odds(confidence: float) -> float:
    sure = min(max(confidence, 0.5), LOOKS_LIMIT)
    return math.log(sure / (1 - sure))


def openness(states: States) -> str:
    fact = state_in(states, OPENNESS)
    return fact.object if fact is not None else words.STATE_UNKNOWN


def confidence(states: States) -> float:
    return states[0].confidence


# -- looks


def test_a_first_look_is_believed_as_far_as_it_is_sure() -> None:
    (fact,) = look((), 1, OPEN, 0.8)
    assert (fact.object, fact.source, fact.first_seen, fact.last_seen) == (OPEN, GEOMETRY, at(1), at(1))
    assert fact.confidence == pytest.approx(0.8)


@pytest.mark.parametrize("sure", [0.3, 0.5, math.nan])
def test_a_look_without_confidence_says_nothing(sure: float) -> None:
    assert look((), 1, OPEN, sure) == ()


def test_an_unsure_look_leaves_the_state_unknown() -> None:
    assert openness(look((), 1, OPEN, 0.55)) == words.STATE_UNKNOWN


@pytest.mark.parametrize("sure", [0.8, 0.9, 0.99])
def test_a_mistaken_look_is_corrected_by_the_next_one(sure: float) -> None:
    corrected = look(look((), 1, CLOSED, sure), 10, OPEN, sure)
    assert openness(corrected) == OPEN
    assert confidence(corrected) < confidence(look(corrected, 20, OPEN, sure)) <= sure + 1e-6


def test_a_mistaken_look_does_not_change_what_several_looks_told() -> None:
    states = look(look((), 1, OPEN, 0.95), 5, OPEN, 0.95)
    assert openness(look(states, 10, CLOSED, 0.95)) == OPEN


def test_many_looks_from_far_do_not_become_a_firm_belief() -> None:
    states: States = ()
    for second in range(100):
        states = look(states, second, OPEN, 0.75)
    assert 0.75 < confidence(states) < 0.85


@pytest.mark.parametrize("gap", [0.0, 0.5, 2.0])
def test_two_sources_that_contradict_each_other_within_a_short_time_leave_the_state_unknown(
    gap: float,
) -> None:
    states = look((), 1, OPEN, 0.8, LABEL)
    assert openness(look(states, 1 + gap, CLOSED, 0.95)) == words.STATE_UNKNOWN
    states = look((), 1, CLOSED, 0.95)
    assert openness(look(states, 1 + gap, OPEN, 0.85, LABEL)) == words.STATE_UNKNOWN


def test_sources_that_contradict_each_other_in_one_look_never_become_a_belief() -> None:
    states: States = ()
    both = (
        StateEstimate(state=OPEN, source=LABEL, confidence=0.95),
        StateEstimate(state=CLOSED, source=GEOMETRY, confidence=0.9),
    )
    for second in range(20):
        states = with_observed(states, "fridge_1", both, at(second))
        assert openness(states) == words.STATE_UNKNOWN


def test_a_conflict_weakens_an_earlier_belief_until_it_is_unknown() -> None:
    states = look(look((), 1, OPEN, 0.95), 2, OPEN, 0.95)
    both = (
        StateEstimate(state=OPEN, source=LABEL, confidence=0.9),
        StateEstimate(state=CLOSED, source=GEOMETRY, confidence=0.9),
    )
    once = with_observed(states, "fridge_1", both, at(5))
    assert (openness(once), confidence(once) < confidence(states)) == (OPEN, True)
    twice = with_observed(once, "fridge_1", both, at(6))
    assert openness(twice) == words.STATE_UNKNOWN


def test_sources_that_agree_make_a_belief_surer_than_either() -> None:
    states = look(look((), 1, OPEN, 0.8), 1.5, OPEN, 0.8, LABEL)
    assert confidence(states) > 0.9


def test_a_late_look_is_ignored() -> None:
    states = look((), 10, OPEN, 0.9)
    assert look(states, 9, CLOSED, 0.9) == states


# -- own actions


def test_a_result_of_an_action_counts_before_a_look_of_the_same_moment_in_either_order() -> None:
    for sure in (0.7, 0.99):
        first = with_reported(look((), 5, CLOSED, sure), opened(5))
        then = look(with_reported((), opened(5)), 5, CLOSED, sure)
        assert openness(first) == openness(then) == OPEN
        assert confidence(first) == confidence(then) == 1


def test_later_looks_overrule_the_result_of_an_action_and_a_single_one_does_not() -> None:
    states = look(with_reported((), opened(5)), 6, CLOSED, 0.95)
    assert openness(states) == OPEN
    for second in (7, 8):
        states = look(states, second, CLOSED, 0.95)
    assert openness(states) == CLOSED


def test_a_repeated_report_does_not_restore_a_belief_that_looks_have_weakened() -> None:
    states = look(look(with_reported((), opened(5)), 6, CLOSED, 0.9), 7, CLOSED, 0.9)
    assert with_reported(states, opened(5)) == states


def test_furniture_that_does_not_open_may_look_closed() -> None:
    fact = reported("fridge_1", words.STATE, words.STATE_NOT_OPENABLE, 5)
    states = with_reported((), fact)
    for second in range(6, 12):
        states = look(states, second, CLOSED, 0.95)
    assert openness(states) == words.STATE_NOT_OPENABLE


def test_looks_get_stale_and_results_of_actions_do_not() -> None:
    (seen,) = look((), 0, OPEN, 0.95)
    (done,) = with_reported((), opened(0))
    soon, late, later = at(STALE_AFTER), at(3 * STALE_AFTER), at(20 * STALE_AFTER)
    assert aged(seen, soon) == seen
    assert seen.confidence > aged(seen, late).confidence > aged(seen, later).confidence
    assert (told((seen,), soon), told((seen,), later)) == ((seen,), ())
    assert told((done,), later) == (done,)


def test_looks_are_not_aged_twice_by_one_that_contradicts_them() -> None:
    now = at(3 * STALE_AFTER)
    (old,) = look((), 0, OPEN, 0.98)
    (doubted,) = look((old,), 3 * STALE_AFTER, CLOSED, 0.51)
    lost = log_odds(aged(old, now).confidence) - log_odds(aged(doubted, now).confidence)
    assert lost == pytest.approx(log_odds(0.51) * NEWER, rel=1e-4)


def test_a_stale_belief_gives_way_to_one_new_look() -> None:
    states = look(look((), 0, OPEN, 0.9), 1, OPEN, 0.9)
    assert openness(look(states, 5 * STALE_AFTER, CLOSED, 0.8)) == CLOSED


# -- tracks of one object


def test_joined_tracks_tell_the_same_in_either_order() -> None:
    one, other = look((), 3, CLOSED, 0.75), look((), 9, OPEN, 0.95)
    joined = with_reported(one, other[0])
    assert joined == with_reported(other, one[0])
    assert openness(joined) == OPEN
    done = with_reported((), opened(9))
    assert with_reported(one, done[0]) == with_reported(done, one[0]) == done


# -- properties


@given(st.lists(looks, max_size=4), st.lists(looks, min_size=1, max_size=4))
def test_the_order_of_estimates_within_one_look_does_not_matter(
    before: list[StateEstimate], seen: list[StateEstimate]
) -> None:
    known: States = with_observed((), "fridge_1", before, at(1))
    results = {
        (fact.object, fact.source, fact.confidence)
        for order in permutations(seen)
        for fact in with_observed(known, "fridge_1", order, at(2))
    }
    assert len(results) <= 1


@given(st.lists(looks, min_size=1, max_size=8), st.sampled_from((OPEN, CLOSED)), confidences)
def test_agreement_never_weakens_and_contradiction_never_strengthens_a_belief(
    before: list[StateEstimate], state: str, sure: float
) -> None:
    states: States = ()
    for second, estimate in enumerate(before):
        states = with_observed(states, "fridge_1", (estimate,), at(second))
    after = look(states, len(before), state, sure)
    if not states:
        return
    if states[0].object == state:
        assert (after[0].object, after[0].confidence >= states[0].confidence - 1e-6) == (state, True)
    elif after[0].object == states[0].object:
        assert after[0].confidence <= states[0].confidence + 1e-6
    else:
        assert after[0].confidence <= sure + 1e-6


@given(st.lists(looks, min_size=1, max_size=12))
def test_a_belief_is_never_firmer_than_its_evidence(seen: list[StateEstimate]) -> None:
    states: States = ()
    for second, estimate in enumerate(seen):
        states = with_observed(states, "fridge_1", (estimate,), at(second))
    for fact in states:
        support = [log_odds(estimate.confidence) for estimate in seen if estimate.state == fact.object]
        sources = {estimate.source for estimate in seen if estimate.state == fact.object}
        bound = min(sum(support), (1.5 if len(sources) == 1 else 2.0) * max(support))
        assert log_odds(fact.confidence) <= bound + 1e-4
        assert fact.confidence <= LOOKS_LIMIT + 1e-6


@given(st.lists(looks, min_size=1, max_size=6), st.floats(0, 1e6))
def test_aging_never_makes_a_belief_surer(seen: list[StateEstimate], later: float) -> None:
    for fact in with_observed((), "fridge_1", seen, at(1)):
        assert 0.5 <= aged(fact, at(1 + later)).confidence <= fact.confidence + 1e-6


def _told_by(states: States, second: float, state: str, *detectors: str) -> States:
    estimates = [
        StateEstimate(state=state, source=DETECTOR, confidence=0.7, detectors=(name,)) for name in detectors
    ]
    return with_observed(states, "fridge_1", estimates, at(second))


def test_detectors_that_agree_are_surer_than_one_that_repeats_itself() -> None:
    (once,) = _told_by((), 0, OPEN, "model")
    (repeated,) = _told_by((once,), 1, OPEN, "model")
    (confirmed,) = _told_by((once,), 1, OPEN, "network")
    (together,) = _told_by((), 0, OPEN, "model", "network")
    assert repeated.confidence < confirmed.confidence
    assert confirmed.confidence == pytest.approx(together.confidence)
    assert repeated.detectors == ("model",)
    assert confirmed.detectors == together.detectors == ("model", "network")
    (again,) = _told_by((confirmed,), 2, OPEN, "network")
    assert again.confidence <= LOOKS_LIMIT


def test_state_names_the_detectors_that_say_so_and_none_that_say_otherwise() -> None:
    (fact,) = _told_by((), 0, OPEN, "model", "network")
    for second in range(100, 400, 100):
        (fact,) = _told_by((fact,), second, CLOSED, "network")
    assert (fact.object, fact.detectors) == (CLOSED, ("network",))
    assert with_reported((fact,), opened(500))[0].detectors == ()
