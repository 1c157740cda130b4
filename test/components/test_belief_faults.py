"""Tests of the faults that measurements put into spatial beliefs."""

from __future__ import annotations

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

ON_TABLE = Relation("mug_1", words.ON, "table_1", confidence=0.9, first_seen=at(2), last_seen=at(5))
IN_SINK = replace(ON_TABLE, predicate=words.IN, object="sink_1", last_seen=at(30))
HOME = (
    Relation("mug_1", words.IS_A, "mug", last_seen=at(30)),
    Relation("book_1", words.IS_A, "book", last_seen=at(30)),
    Relation("book_1", words.ON, "shelf_1", last_seen=at(30)),
)


def faults(kinds: str = "beliefs", rate: float = 1.0, seed: int = 0) -> BeliefFaults:
    return BeliefFaults(BeliefFaultConfig(fault_rate=rate, fault_seed=seed, fault_kinds=kinds), HOUSEHOLD)


def test_beliefs_stay_as_they_are_at_a_rate_of_zero() -> None:
    facts = (*HOME, ON_TABLE)
    assert faults(rate=0.0).corrupted(facts, PAST) == (facts, None)


def test_a_stale_belief_holds_a_fact_of_an_earlier_step_in_place_of_the_present_one() -> None:
    found = set()
    for seed in range(10):
        corruption = faults(seed=seed)
        corruption.corrupted((*HOME, ON_TABLE), PAST)
        facts, injected = corruption.corrupted((*HOME, IN_SINK), PAST)
        assert injected is not None
        found.add(injected.kind)
        if injected.kind is FaultKind.STALE:
            assert facts == (*HOME, ON_TABLE)
            assert injected.detail == "mug_1 on table_1, not in sink_1"
    assert found == {FaultKind.STALE, FaultKind.CONTRADICTED}


def test_a_contradicted_belief_is_older_than_the_sound_fact_that_it_comes_beside() -> None:
    facts, injected = faults().corrupted((*HOME, ON_TABLE), PAST)
    assert injected is not None
    assert injected.kind is FaultKind.CONTRADICTED
    *sound, wrong = facts
    assert tuple(sound) == (*HOME, ON_TABLE)
    assert (wrong.subject, wrong.object) == ("mug_1", "shelf_1")
    assert wrong.last_seen < ON_TABLE.last_seen


def test_a_contradicted_result_of_an_action_is_replaced_where_the_history_tells_it() -> None:
    own = Relation(
        "lamp_1",
        words.STATE,
        words.STATE_ON,
        source=EvidenceSource.OWN_ACTION,
        first_seen=at(9),
        last_seen=at(9),
    )
    switched = temporal(outcome(9, Action(words.SKILL_SWITCH_ON, ("lamp_1",))))
    (wrong,), injected = faults().corrupted((own,), switched)
    assert injected is not None
    assert (wrong.object, wrong.source) == (words.STATE_OFF, EvidenceSource.UNKNOWN)
    assert wrong.last_seen < own.last_seen
    assert faults().corrupted((own,), temporal()) == ((own,), None)


def test_a_wrong_label_gives_another_thing_the_name_that_the_task_mentions() -> None:
    facts, injected = faults("labels").corrupted(HOME, PAST)
    assert injected is not None
    assert injected.detail == "book_1 is a mug, not is a book"
    assert [fact.object for fact in facts if fact.predicate == words.IS_A] == ["mug", "mug"]


@pytest.mark.parametrize("kinds", ["beliefs", "labels", "all"])
def test_things_that_the_task_does_not_concern_are_not_corrupted(kinds: str) -> None:
    assert faults(kinds).corrupted(HOME[1:], with_goals(temporal(), "open the fridge"))[1] is None


@given(st.integers(0, 2**16), st.floats(0.0, 1.0))
@settings(max_examples=30, deadline=None)
def test_the_same_beliefs_get_the_same_faults_of_one_fact_at_most(seed: int, rate: float) -> None:
    runs = []
    for _ in range(2):
        corruption = faults("all", rate, seed)
        runs.append([corruption.corrupted((*HOME, place), PAST) for place in (ON_TABLE, IN_SINK, ON_TABLE)])
    assert runs[0] == runs[1]
    for place, (facts, injected) in zip((ON_TABLE, IN_SINK, ON_TABLE), runs[0], strict=True):
        sound = (*HOME, place)
        added = [fact for fact in facts if fact not in sound]
        assert len(added) == (injected is not None)
