"""Tests of the household critic by criterion."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.planning import Action, Criterion, Verdict
from support.roles.scripted_home import (
    GIVE_UP,
    LOOK_AROUND,
    Belief,
    allowed,
    explore,
    navigate,
    open_,
    outcome,
    report,
    temporal,
    with_goals,
)

HOUSEHOLD = household_categories()

LOOKED = outcome(1, LOOK_AROUND)
ACTIONS = allowed(["cupboard_1", "table_1"], ["cupboard_1"], ["frontier_1"])


def scene(cupboard: float = 2.0, frontier: float = 3.0, **more: str) -> Belief:
    belief = Belief().room("room_1", "kitchen").thing("cupboard_1", "cupboard", "room_1", cupboard, **more)
    return belief.thing("table_1", "table", "room_1", 2.0).frontier("frontier_1", 8.0, frontier)


def judge(
    action: Action,
    belief: Belief | None = None,
    past: TemporalBelief | None = None,
    actions: tuple[Action, ...] = ACTIONS,
    task: str = "find the red mug",
) -> CritiqueAnswer:
    spatial = (belief or scene()).done()
    return SymbolicCritic(HOUSEHOLD).answer(
        CritiqueQuery(task, "", action, actions, with_goals(past or temporal(LOOKED), task), spatial)
    )


def rejects(answer: CritiqueAnswer, criterion: Criterion, *reasons: str) -> None:
    assert (answer.verdict, answer.criterion) == (Verdict.REJECTED, criterion), answer
    for text in reasons:
        assert text in answer.reason


@pytest.mark.parametrize("action", [navigate("cupboard_1"), navigate("table_1"), explore("frontier_1")])
def test_critic_accepts_actions_that_serve_the_search(action: Action) -> None:
    assert judge(action) == CritiqueAnswer(Verdict.ACCEPTED)


def test_critic_lists_alternatives_to_a_disallowed_action() -> None:
    rejects(judge(navigate("cupboard_9")), Criterion.VALIDITY, "navigate(cupboard_1)", "navigate(table_1)")
    rejects(judge(Action("fly")), Criterion.VALIDITY, "explore, give_up, look_around, navigate, open, report")


@pytest.mark.parametrize("skill", ["navigate", "open", "explore", "report"])
@pytest.mark.parametrize("found", [False, True])
def test_critic_rejects_a_skill_without_its_target(skill: str, found: bool) -> None:
    belief = scene().thing("mug_1", "mug", "room_1", on="table_1", colour="red") if found else scene()
    answer = judge(Action(skill), belief, actions=(*ACTIONS, Action(skill)))
    rejects(answer, Criterion.VALIDITY, f"{skill}() does not say what it is done to")


@given(st.builds(Action, st.text(max_size=8), st.lists(st.text(max_size=8), max_size=2).map(tuple)))
@settings(max_examples=60, deadline=None)
def test_critic_rejects_every_action_outside_of_the_allowed_set(action: Action) -> None:
    if action not in ACTIONS:
        rejects(judge(action), Criterion.VALIDITY)


def test_critic_rejects_a_failed_action_until_something_changed() -> None:
    failed = outcome(2, navigate("cupboard_1"), ErrorCode.UNREACHABLE)
    rejects(
        judge(navigate("cupboard_1"), past=temporal(failed)),
        Criterion.TEMPORAL,
        "step 2",
        "nothing has changed",
    )
    looked = temporal(failed, outcome(3, LOOK_AROUND))
    rejects(judge(navigate("cupboard_1"), past=looked), Criterion.TEMPORAL)
    moved = temporal(failed, outcome(3, navigate("table_1")))
    assert judge(navigate("cupboard_1"), past=moved).verdict == Verdict.ACCEPTED


@pytest.mark.parametrize("code", [ErrorCode.NOT_OPENABLE, ErrorCode.ALREADY_OPEN])
def test_critic_rejects_opening_again_after_a_final_failure(code: ErrorCode) -> None:
    past = temporal(outcome(2, open_("cupboard_1"), code), outcome(3, navigate("cupboard_1")))
    rejects(judge(open_("cupboard_1"), past=past), Criterion.TEMPORAL, "look elsewhere")


def test_critic_rejects_opening_exploring_or_looking_a_second_time() -> None:
    rejects(judge(open_("cupboard_1"), scene(state="open")), Criterion.TEMPORAL, "open already")
    rejects(judge(open_("cupboard_1"), past=temporal(outcome(2, open_("cupboard_1")))), Criterion.TEMPORAL)
    rejects(
        judge(explore("frontier_1"), past=temporal(outcome(2, explore("frontier_1")))), Criterion.TEMPORAL
    )
    rejects(judge(LOOK_AROUND), Criterion.TEMPORAL, "move first")
    rejects(judge(navigate("table_1"), past=temporal(outcome(2, navigate("table_1")))), Criterion.TEMPORAL)


def test_critic_requires_a_way_and_nearness() -> None:
    rejects(judge(explore("frontier_1"), scene(frontier=math.nan)), Criterion.SPATIAL, "No way to frontier_1")
    rejects(judge(open_("cupboard_1")), Criterion.SPATIAL, "first navigate(cupboard_1)")
    assert judge(open_("cupboard_1"), scene(cupboard=0.2)).verdict == Verdict.ACCEPTED
    went = temporal(LOOKED, outcome(2, navigate("cupboard_1")))
    assert judge(open_("cupboard_1"), past=went).verdict == Verdict.ACCEPTED
    # The robot stopped on the way to something else, so it is no longer at the cupboard.
    left = temporal(
        outcome(2, navigate("cupboard_1")), outcome(3, explore("frontier_1"), ErrorCode.BLOCKED, 0.8)
    )
    rejects(judge(open_("cupboard_1"), past=left), Criterion.SPATIAL)


def test_critic_accepts_putting_down_an_unknown_held_object() -> None:
    pick, place = Action("pick", ("mug_1",)), Action("place_on", ("table_1",))
    belief = (
        scene().thing("mug_1", "mug", "room_1", 0.1, on="table_1").thing("table_1", "table", "room_1", 0.1)
    )
    actions = (*ACTIONS, pick, place)
    task = "put the mug in the cupboard"
    rejects(judge(place, belief, actions=actions, task=task), Criterion.SPATIAL, "Nothing is in the hand")

    full = temporal(LOOKED, outcome(2, pick, ErrorCode.HAND_FULL))
    rejects(judge(pick, belief, full, actions, task), Criterion.SPATIAL, "Something is in the hand")
    assert judge(place, belief, full, actions, task) == CritiqueAnswer(Verdict.ACCEPTED)

    empty = temporal(LOOKED, outcome(2, pick, ErrorCode.HAND_FULL), outcome(3, place))
    rejects(judge(place, belief, empty, actions, task), Criterion.SPATIAL, "Nothing is in the hand")


def test_critic_rejects_further_search_when_the_object_is_found() -> None:
    belief = scene().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    actions = (*ACTIONS, *allowed(["mug_1"]))
    for action in (explore("frontier_1"), navigate("cupboard_1"), GIVE_UP):
        rejects(judge(action, belief, actions=actions), Criterion.ALIGNMENT, "on table_1", "report(mug_1)")
    for action in (report("mug_1"), navigate("mug_1")):
        assert judge(action, belief, actions=actions).verdict == Verdict.ACCEPTED


def test_critic_rejects_a_report_of_another_object() -> None:
    belief = (
        scene()
        .thing("bowl_1", "bowl", colour="red")
        .thing("mug_1", "mug", colour="blue")
        .thing("cup_1", "cup")
    )
    actions = (*ACTIONS, *allowed(["bowl_1", "mug_1", "cup_1", "mug_9"]))
    rejects(
        judge(report("bowl_1"), belief, actions=actions), Criterion.ALIGNMENT, "red bowl, not the red mug"
    )
    rejects(judge(report("mug_1"), belief, actions=actions), Criterion.ALIGNMENT, "blue mug, not the red mug")
    rejects(judge(report("mug_9"), belief, actions=actions), Criterion.ALIGNMENT, "not in the spatial belief")
    rejects(judge(report("cup_1"), belief, actions=actions), Criterion.ALIGNMENT, "not the red mug")


def test_critic_rejects_a_report_before_the_robot_is_there() -> None:
    actions = (*ACTIONS, report("table_1"))
    answer = judge(report("table_1"), actions=actions, task="go to the table")
    rejects(answer, Criterion.ALIGNMENT, "Not everything is done yet", "navigate(table_1)")
    there = temporal(LOOKED, outcome(2, navigate("table_1")))
    assert judge(report("table_1"), None, there, actions, "go to the table").verdict == Verdict.ACCEPTED


def test_critic_rejects_giving_up_while_places_are_left() -> None:
    rejects(judge(GIVE_UP), Criterion.ALIGNMENT, "frontier_1", "cupboard_1")
    past = temporal(outcome(2, explore("frontier_1")), outcome(3, open_("cupboard_1")))
    assert judge(GIVE_UP, past=past).verdict == Verdict.ACCEPTED
    # A sofa cannot be in a cupboard.
    assert (
        judge(GIVE_UP, past=temporal(outcome(2, explore("frontier_1"))), task="find the sofa").verdict
        == Verdict.ACCEPTED
    )


def test_critic_requires_a_look_around_after_two_collisions() -> None:
    blocked = [
        outcome(step, navigate(name), ErrorCode.BLOCKED) for step, name in ((2, "table_1"), (3, "cupboard_1"))
    ]
    rejects(judge(explore("frontier_1"), past=temporal(*blocked)), Criterion.SAFETY, "look_around()")
    looked = temporal(*blocked, outcome(4, LOOK_AROUND))
    assert judge(explore("frontier_1"), past=looked).verdict == Verdict.ACCEPTED


def test_critic_raises_for_a_task_that_is_not_understood() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        judge(GIVE_UP, task="sing")
