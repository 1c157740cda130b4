"""Tests of the faults that measurements put into spatial beliefs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.components.spatial_memory.belief_faults import BeliefFaultConfig, BeliefFaults
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.roles.corruption import FaultKind
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation
from support.roles.scripted_home import at, outcome, temporal, with_goals

HOUSEHOLD = household_categories()
TASK = "put the mug in the sink"
PAST = with_goals(temporal(), TASK)

ON_TABLE = (
    Relation("mug_1", words.IS_A, "mug", last_seen=at(5)),
    Relation("mug_1", words.ON, "table_1", confidence=0.9, first_seen=at(2), last_seen=at(5)),
    Relation("mug_1", words.IN_ROOM, "room_1", last_seen=at(5)),
)
IN_SINK = (
    Relation("mug_1", words.IS_A, "mug", last_seen=at(30)),
    Relation("mug_1", words.IN, "sink_1", first_seen=at(30), last_seen=at(30)),
    Relation("mug_1", words.IN_ROOM, "room_1", last_seen=at(30)),
)
HOME = (
    Relation("table_1", words.IN_ROOM, "room_1", last_seen=at(30)),
    Relation("shelf_1", words.IN_ROOM, "room_2", last_seen=at(30)),
    Relation("book_1", words.IS_A, "book", last_seen=at(30)),
    Relation("book_1", words.ON, "shelf_1", last_seen=at(30)),
)
LAMP_ON = Relation(
    "lamp_1",
    words.STATE,
    words.STATE_ON,
    source=EvidenceSource.OWN_ACTION,
    first_seen=at(9),
    last_seen=at(9),
)


def faults(kinds: str = "beliefs", rate: float = 1.0, seed: int = 0) -> BeliefFaults:
    return BeliefFaults(BeliefFaultConfig(fault_rate=rate, fault_seed=seed, fault_kinds=kinds), HOUSEHOLD)


def test_beliefs_stay_as_they_are_at_a_rate_of_zero() -> None:
    facts = (*HOME, *ON_TABLE)
    assert faults(rate=0.0).corrupted(facts, PAST) == (facts, None)


def test_a_stale_belief_says_of_a_thing_all_that_an_earlier_one_said() -> None:
    found = set()
    for seed in range(10):
        corruption = faults(seed=seed)
        corruption.corrupted((*HOME, *ON_TABLE), PAST)
        facts, injected = corruption.corrupted((*HOME, *IN_SINK), PAST)
        assert injected is not None
        found.add(injected.kind)
        if injected.kind is FaultKind.STALE:
            assert facts == (*HOME, *ON_TABLE)
            assert injected.detail == "mug_1 on table_1, not in sink_1"
    assert found == {FaultKind.STALE, FaultKind.CONTRADICTED}


def test_a_contradicted_place_is_in_another_room_and_takes_the_thing_s_room_along() -> None:
    facts, injected = faults().corrupted((*HOME, *ON_TABLE), PAST)
    assert injected is not None
    assert (injected.kind, injected.detail) == (FaultKind.CONTRADICTED, "mug_1 on shelf_1, not on table_1")
    kind, place, room = ON_TABLE
    wrong = (kind, replace(place, object="shelf_1"), replace(room, object="room_2"))
    assert facts == (*HOME, *wrong)


def test_a_contradicted_result_of_an_action_is_older_than_the_action_and_no_result_itself() -> None:
    switched = temporal(outcome(9, Action(words.SKILL_SWITCH_ON, ("lamp_1",))))
    (wrong,), injected = faults().corrupted((LAMP_ON,), switched)
    assert injected is not None
    assert (wrong.object, wrong.source) == (words.STATE_OFF, EvidenceSource.GEOMETRY)
    assert wrong.last_seen < LAMP_ON.last_seen


def test_a_state_that_nothing_speaks_for_but_the_fact_itself_is_not_contradicted() -> None:
    assert faults().corrupted((LAMP_ON,), temporal()) == ((LAMP_ON,), None)


def test_a_wrong_label_gives_another_thing_the_name_that_the_task_mentions() -> None:
    facts, injected = faults("labels").corrupted((*HOME, *ON_TABLE), PAST)
    assert injected is not None
    assert injected.detail == "book_1 is a mug, not is a book"
    assert [fact.object for fact in facts if fact.predicate == words.IS_A] == ["mug", "mug"]


@pytest.mark.parametrize("kinds", ["beliefs", "labels", "all"])
def test_things_that_the_task_does_not_concern_are_not_corrupted(kinds: str) -> None:
    past = with_goals(temporal(), "open the fridge")
    assert faults(kinds).corrupted((*HOME, *ON_TABLE), past)[1] is None


@given(st.integers(0, 2**16), st.floats(0.0, 1.0))
@settings(max_examples=30, deadline=None)
def test_the_same_beliefs_get_the_same_faults(seed: int, rate: float) -> None:
    runs = []
    for _ in range(2):
        corruption = faults("all", rate, seed)
        runs.append([corruption.corrupted((*HOME, *mug), PAST) for mug in (ON_TABLE, IN_SINK, ON_TABLE)])
    assert runs[0] == runs[1]


@given(st.integers(0, 2**16), st.sampled_from(["beliefs", "labels", "all"]))
@settings(max_examples=30, deadline=None)
def test_a_corrupted_belief_has_the_form_of_a_sound_one(seed: int, kinds: str) -> None:
    corruption = faults(kinds, seed=seed)
    for mug in (ON_TABLE, IN_SINK, ON_TABLE):
        sound = (*HOME, *mug)
        facts, injected = corruption.corrupted(sound, PAST)
        assert injected is not None
        assert facts != sound
        assert Counter(fact.subject for fact in facts) == Counter(fact.subject for fact in sound)
        places = Counter(fact.subject for fact in facts if fact.predicate in (words.IN, words.ON))
        assert max(places.values()) == 1
