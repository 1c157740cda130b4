"""Tests of the household critic's rules of evidence, with beliefs that are made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.critic_rules.evidence import APART, feedback
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.roles.critic import CRITIC, CritiqueQuery
from stma_ros.roles.evidence import relied_on
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.testing.model_server.decision_prompts import Parsers, critique_query
from stma_ros.testing.model_server.household_beliefs import read_action, read_spatial, read_temporal
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Criterion, Outcome, Verdict
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import Pose
from support.roles.scripted_home import LOOK_AROUND, at, navigate, outcome, temporal, with_goals

HOUSEHOLD = household_categories()
TASK = "put the mug in the sink"
PICK = Action(words.SKILL_PICK, ("mug_1",))
PLACE = Action(words.SKILL_PLACE_IN, ("sink_1",))
OPEN, CLOSE = Action(words.SKILL_OPEN, ("fridge_1",)), Action(words.SKILL_CLOSE, ("fridge_1",))
FINISH = Action(words.SKILL_FINISH)


def fact(
    subject: str, predicate: str, item: str, last: int, confidence: float = 1.0, own: bool = False
) -> Relation:
    source = EvidenceSource.OWN_ACTION if own else EvidenceSource.GEOMETRY
    return Relation(
        subject, predicate, item, source=source, confidence=confidence, first_seen=at(1), last_seen=at(last)
    )


def kind(name: str, category: str, last: int = 50, confidence: float = 1.0) -> Relation:
    return fact(name, words.IS_A, category, last, confidence)


def on_table(last: int = 50) -> Relation:
    return fact("mug_1", words.ON, "table_1", last)


def query(action: Action, *facts: Relation, done: tuple[Outcome, ...] = ()) -> CritiqueQuery:
    past = with_goals(temporal(*done), TASK)
    return CritiqueQuery(TASK, "", action, (action,), past, SpatialBelief(facts=facts))


def judged(action: Action, *facts: Relation, done: tuple[Outcome, ...] = ()) -> str:
    return feedback(query(action, *facts, done=done), HOUSEHOLD)


MUG = (kind("mug_1", "mug"), on_table())
KNOWN = (*MUG, kind("sink_1", "sink"), kind("table_1", "table"))


def test_a_fact_that_the_robot_itself_has_changed_since_is_refused() -> None:
    done = (outcome(60, PICK), outcome(62, PLACE))
    assert "on table_1 (at 50 s) is stale: mug_1 in sink_1 (at 62 s)" in judged(PICK, *KNOWN, done=done)
    assert not judged(
        PICK, *KNOWN[2:], kind("mug_1", "mug", 70), on_table(70), done=done
    )  # someone took it out again


def test_a_place_from_which_the_robot_itself_has_moved_a_thing_to_the_floor_is_stale() -> None:
    done = (outcome(60, PICK), outcome(62, Action(words.SKILL_PLACE_NEXT_TO, ("table_1",))))
    known = (*KNOWN[:1], fact("mug_1", words.IN, "sink_1", 50), *KNOWN[2:])
    assert "in sink_1 (at 50 s) is stale: mug_1 near table_1 (at 62 s)" in judged(PICK, *known, done=done)


def test_a_state_that_the_robot_itself_has_changed_since_is_refused() -> None:
    closed = fact("fridge_1", words.STATE, words.STATE_CLOSED, 50)
    assert "fridge_1 open (at 60 s)" in judged(navigate("fridge_1"), closed, done=(outcome(60, OPEN),))
    opened = (outcome(40, OPEN), outcome(45, CLOSE))
    assert not judged(navigate("fridge_1"), closed, done=opened)


@pytest.mark.parametrize("last", [20, 50])
def test_two_places_of_one_thing_are_refused_whichever_is_surer(last: int) -> None:
    other = fact("mug_1", words.IN, "sink_1", last, 0.9)
    assert "contradicted" in judged(PICK, *MUG, other)


def test_two_states_of_one_dimension_are_refused() -> None:
    states = [fact("fridge_1", words.STATE, state, 50) for state in (words.STATE_OPEN, words.STATE_CLOSED)]
    assert "contradicted" in judged(OPEN, *states)
    full = fact("fridge_1", words.STATE, words.STATE_FULL, 50)  # of another dimension
    assert not judged(OPEN, states[1], full)


def test_a_result_in_a_place_that_is_not_known_any_more_is_not_held_against_the_belief() -> None:
    assert not judged(PICK, *MUG, done=(outcome(60, PICK), outcome(62, PLACE)))


def test_a_look_of_the_same_moment_as_the_result_of_an_action_is_no_contradiction() -> None:
    closed = fact("fridge_1", words.STATE, words.STATE_CLOSED, 60)
    assert not judged(navigate("fridge_1"), closed, done=(outcome(60, OPEN),))


@pytest.mark.parametrize(("apart", "refused"), [(0.0, False), (APART, False), (APART + 0.1, True)])
def test_a_thing_that_is_far_from_its_place_by_the_ways_to_both_is_refused(
    apart: float, refused: bool
) -> None:
    routes = (
        Route(target="mug_1", goal=Pose.planar(apart, 1.0, 0.0), length=1.0),
        Route(target="table_1", goal=Pose.planar(0.0, 1.0, 0.0), length=1.0),
    )
    question = query(PICK, *KNOWN)
    spatial = replace(question.spatial, routes=routes)
    assert bool(feedback(replace(question, spatial=spatial), HOUSEHOLD)) == refused


def test_a_drive_to_a_container_relies_on_the_things_of_the_task_in_it() -> None:
    disputed = (kind("mug_1", "mug"), fact("mug_1", words.IN, "fridge_1", 50), on_table())
    assert "mug_1" in judged(navigate("fridge_1"), *disputed)
    assert "mug_1" in judged(OPEN, *disputed)
    other = [replace(each, subject="book_1") for each in disputed[1:]]
    assert not judged(navigate("fridge_1"), kind("book_1", "book"), *other)


def test_a_pick_that_rests_on_one_unsure_look_is_refused() -> None:
    once = replace(kind("mug_1", "mug", 1, 0.4), first_seen=at(1))
    assert "one unsure look" in judged(PICK, once)
    assert not judged(navigate("mug_1"), once)  # a look from nearby may make it sure
    assert not judged(PICK, replace(once, last_seen=at(9)))


def test_an_action_relies_on_the_held_thing_although_it_does_not_name_it() -> None:
    held = fact("mug_1", words.HELD_BY, words.ROBOT, 20)
    done = (outcome(20, PICK), outcome(30, PLACE))
    assert "mug_1 held by robot" in judged(navigate("sink_1"), *KNOWN[2:], held, done=done)
    assert "mug_1 held by robot" in judged(PLACE, on_table(10), done=(outcome(20, PICK),))


def test_an_older_place_of_what_the_robot_has_picked_up_since_is_no_contradiction() -> None:
    held = fact("mug_1", words.HELD_BY, words.ROBOT, 60, own=True)
    assert not judged(navigate("sink_1"), *MUG, held, done=(outcome(60, PICK),))


def test_the_end_of_a_task_rests_on_what_was_handled_and_on_what_the_goals_name() -> None:
    disputed = (
        kind("mug_2", "mug"),
        fact("mug_2", words.IN, "sink_1", 50),
        fact("mug_2", words.ON, "t_1", 50),
    )
    assert "mug_2" in judged(FINISH, *disputed)
    other = [replace(each, subject="book_1") for each in disputed[1:]]
    assert not judged(FINISH, *other)
    assert "book_1" in judged(FINISH, *other, done=(outcome(9, Action("pick", ("book_1",))),))


def test_the_critic_doubts_no_belief_directly_after_a_look_around() -> None:
    disputed = (*MUG, fact("mug_1", words.IN, "sink_1", 50))
    assert not judged(PICK, *disputed, done=(outcome(60, LOOK_AROUND),))
    assert judged(PICK, *disputed, done=(outcome(60, LOOK_AROUND), outcome(61, navigate("table_1"))))
    assert not judged(LOOK_AROUND, *disputed)


def test_the_question_dates_the_facts_that_an_action_rests_on_and_no_others() -> None:
    question = query(PICK, *MUG, kind("book_1", "book"))
    assert [each.subject for each in relied_on(PICK, question.temporal, question.spatial)] == [
        "mug_1",
        "mug_1",
    ]
    assert "Evidence:\n(mug_1, is a, mug): last seen at 50.0 s, 100% sure\n" in CRITIC.text(question)
    assert "Evidence" not in CRITIC.text(replace(question, observation="You are in the kitchen."))


@given(
    stamp=st.integers(2, 900),
    holder=st.sampled_from(["table_1", "counter_1", "cupboard_1"]),
    predicate=st.sampled_from([words.ON, words.IN]),
    confidence=st.floats(0.95, 1.0),
    skill=st.sampled_from([words.SKILL_PICK, words.SKILL_NAVIGATE, words.SKILL_REPORT]),
    before=st.lists(st.integers(1, 900), max_size=4),
)
@settings(max_examples=80, deadline=None)
def test_an_action_with_fresh_and_certain_evidence_is_never_refused_for_evidence(
    stamp: int, holder: str, predicate: str, confidence: float, skill: str, before: list[int]
) -> None:
    done = [outcome(step, navigate(holder)) for step in sorted(before)]
    facts = (
        kind("mug_1", "mug", stamp, confidence),
        fact("mug_1", predicate, holder, stamp, confidence),
        fact("mug_1", words.STATE, words.STATE_EMPTY, stamp, confidence),
    )
    assert not judged(Action(skill, ("mug_1",)), *facts, done=tuple(done))


def test_the_critic_refuses_on_doubt_and_then_accepts_a_look_around() -> None:
    done = (outcome(60, PICK), outcome(62, PLACE))
    facts = (
        kind("mug_1", "mug"),
        kind("sink_1", "sink"),
        kind("table_1", "table"),
        fact("mug_1", words.IN, "sink_1", 50),
        fact("mug_1", words.ON, "table_1", 50),
    )
    spatial = SpatialBelief(facts=facts, routes=(Route(target="sink_1", goal=Pose(), length=0.1),))
    question = replace(query(FINISH, done=done), spatial=spatial, allowed_actions=(FINISH, LOOK_AROUND, PICK))
    answer = SymbolicCritic(HOUSEHOLD).answer(question)
    assert (answer.verdict, answer.criterion) == (Verdict.REJECTED, Criterion.TEMPORAL)
    assert "look_around()" in answer.reason
    looking = SymbolicCritic(HOUSEHOLD).answer(replace(question, action=LOOK_AROUND))
    assert looking.verdict == Verdict.ACCEPTED


def test_a_model_can_read_from_the_question_what_the_rules_judge_by() -> None:
    done = (outcome(60, PICK), outcome(62, PLACE))
    spatial = SpatialBelief(facts=KNOWN)
    text = SymbolicRelationAggregator(HOUSEHOLD).answer(AggregateQuery("", spatial.facts, ())).text
    question = replace(
        query(PICK, done=done),
        spatial=replace(spatial, text=text),
        temporal=replace(
            temporal(*done), text="Step 60, 60 s: picked up mug_1.\nStep 62, 62 s: put mug_1 into sink_1."
        ),
    )
    parsers = Parsers(read_temporal, read_spatial, read_action)
    parsed = critique_query(CRITIC.text(question), parsers)
    assert feedback(parsed, HOUSEHOLD) == feedback(question, HOUSEHOLD) != ""
