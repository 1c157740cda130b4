"""Tests of the policy of the household planner on small scripted beliefs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.task_parser import READING
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.planning import Action, Outcome
from stma_ros.types.scene_graph import Route
from stma_ros.types.stepped import StepStamp
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
UNVERIFIED = Action("finish_unverified")


def plan(
    belief: Belief,
    actions: tuple[Action, ...],
    past: TemporalBelief | None = None,
    task: str = "find the red mug",
    rejected: tuple[Action, ...] = (),
) -> PlanAnswer:
    return SymbolicPlanner(HOUSEHOLD).answer(
        PlanQuery(task, with_goals(past or temporal(LOOKED), task), belief.done(), actions, "", rejected)
    )


def kitchen() -> Belief:
    belief = Belief().room("room_1", "kitchen").thing("cupboard_1", "cupboard", "room_1", 2.0, state="closed")
    return belief.thing("table_1", "table", "room_1", 2.5)


def test_planner_reports_a_certain_object_with_its_place() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    answer = plan(belief, allowed(["mug_1", "table_1"]))
    assert answer.actions == (report("mug_1"),)
    assert "on table_1, in room_1 (kitchen)" in answer.reasoning


def test_answer_begins_with_how_the_text_of_the_task_was_read() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    past = replace(temporal(LOOKED), observations=(f"{READING}I read 'muug' as 'mug'.", "The door is open."))
    answer = plan(belief, allowed(["mug_1", "table_1"]), past)
    assert answer.reasoning.startswith("I read 'muug' as 'mug'. The red mug is")


@pytest.mark.parametrize(("confidence", "once"), [(0.55, False), (0.9, True)])
def test_planner_approaches_an_object_with_weak_evidence(confidence: float, once: bool) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 4.0, confidence, once, colour="red")
    assert plan(belief, allowed(["mug_1"])).actions == (navigate("mug_1"),)
    been = temporal(LOOKED, outcome(2, navigate("mug_1"), ErrorCode.UNREACHABLE))
    assert plan(belief, allowed(["mug_1"]), been).actions == (report("mug_1"),)


def test_planner_goes_to_an_object_and_reports_it_there() -> None:
    belief, task = kitchen(), "go to the table"
    answer = plan(belief, allowed(["table_1"]), task=task)
    assert (answer.actions, answer.subgoal) == ((navigate("table_1"),), "go to table_1")
    assert "Asked for: go to the table" in answer.reasoning
    there = temporal(LOOKED, outcome(2, navigate("table_1")))
    answer = plan(belief, allowed(["table_1"]), there, task)
    assert answer.actions == (report("table_1"),)
    assert answer.reasoning == "Done: go to the table (table_1)."
    left = temporal(LOOKED, outcome(2, navigate("table_1")), outcome(3, navigate("cupboard_1")))
    assert plan(belief, allowed(["table_1"]), left, task).actions == (navigate("table_1"),)


def test_planner_gives_up_going_to_an_unreachable_object_with_the_reason() -> None:
    fails = [outcome(k, navigate("table_1"), ErrorCode.UNREACHABLE) for k in (1, 2, 3)]
    failed = temporal(*fails, outcome(4, LOOK_AROUND))
    answer = plan(kitchen(), allowed(["table_1"]), failed, "go to the table")
    assert answer.actions == (GIVE_UP,)
    assert "Not done: go to the table" in answer.reasoning


def test_planner_reports_an_object_in_a_container_that_it_just_opened() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0, 0.9, True, inside="cupboard_1", colour="red")
    been = temporal(LOOKED, outcome(2, navigate("cupboard_1")), outcome(3, open_("cupboard_1")))
    assert plan(belief, allowed(["mug_1", "cupboard_1"]), been).actions == (report("mug_1"),)


def test_planner_ends_unverified_with_a_doubtful_object_when_nothing_else_is_left() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 0.2, 0.2, colour="red")
    actions = allowed(["mug_1", "cupboard_1"], ["cupboard_1"])
    assert plan(belief, actions).actions == (navigate("cupboard_1"), open_("cupboard_1"))
    last = plan(belief, (*allowed(["mug_1"]), UNVERIFIED))
    assert last.actions == (UNVERIFIED,)
    assert "What may be the red mug is" in last.reasoning
    assert "mug_1" in last.reasoning


@pytest.mark.parametrize(
    ("category", "colour", "searched_on"),
    [("mug", "blue", True), ("bowl", "red", True), ("mug", "orange", True), ("mug", "red", False)],
)
def test_planner_requires_category_and_colour_to_match(category: str, colour: str, searched_on: bool) -> None:
    belief = kitchen().thing("thing_1", category, "room_1", colour=colour)
    answer = plan(belief, allowed(["thing_1", "cupboard_1"], ["cupboard_1"]))
    assert (answer.actions[-1] == open_("cupboard_1")) is searched_on
    # When nothing else is left, an object in a shade of the colour may be it, but none of another colour.
    last = plan(belief, (*allowed(["thing_1"]), UNVERIFIED))
    assert (last.actions == (GIVE_UP,)) is ((category, colour) in (("mug", "blue"), ("bowl", "red")))


def test_planner_prefers_the_object_at_the_place_in_the_task() -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2", "bedroom")
    belief.thing("mug_1", "mug", "room_1", 1.0).thing("mug_2", "mug", "room_2", 9.0)
    actions = allowed(["mug_1", "mug_2"])
    assert plan(belief, actions, task="find the mug").actions == (report("mug_1"),)
    assert plan(belief, actions, task="find the mug in the bedroom").actions == (report("mug_2"),)


def test_planner_looks_around_at_the_start_only_without_frontiers() -> None:
    assert plan(Belief(), allowed([]), temporal()).actions == (LOOK_AROUND,)
    # Exploring includes a look around, so one command suffices instead of two.
    glance = Belief().frontier("frontier_1", 9.0, 2.0)
    assert plan(glance, allowed([], [], ["frontier_1"]), temporal()).actions == (explore("frontier_1"),)


def test_planner_explores_larger_and_nearer_frontiers_first() -> None:
    belief = Belief().frontier("frontier_1", 2.0, 3.0).frontier("frontier_2", 11.0, 3.0)
    belief.frontier("frontier_3", 11.0, 9.0).frontier("frontier_4", 30.0, math.nan)
    order = ["frontier_2", "frontier_3", "frontier_1"]
    for index, name in enumerate(order):
        assert plan(belief, allowed((), (), [*order[index:], "frontier_4"])).actions == (explore(name),)
    assert plan(belief, allowed((), (), ["frontier_4"])).actions == (GIVE_UP,)


def test_planner_breaks_ties_of_frontiers_by_their_numbers() -> None:
    belief = Belief().frontier("frontier_10", 9.0, 3.0).frontier("frontier_9", 9.0, 3.0)
    assert plan(belief, allowed((), (), ["frontier_10", "frontier_9"])).actions == (explore("frontier_9"),)


def test_planner_searches_a_nearby_usual_container_before_a_small_distant_frontier() -> None:
    belief = kitchen().frontier("frontier_1", 1.5, 12.0, "room_1")
    actions = allowed(["cupboard_1"], ["cupboard_1"], ["frontier_1"])
    assert plan(belief, actions).actions == (navigate("cupboard_1"), open_("cupboard_1"))


def test_planner_opens_a_container_at_once_when_it_is_there() -> None:
    belief = kitchen()
    been = temporal(LOOKED, outcome(2, navigate("cupboard_1")))
    actions = allowed(["cupboard_1"], ["cupboard_1"])
    assert plan(belief, actions, been).actions == (open_("cupboard_1"),)


def test_planner_searches_implausible_containers_last() -> None:
    belief = Belief().room("room_1", "bathroom").thing("washing_machine_1", "washing machine", "room_1", 0.5)
    belief.frontier("frontier_1", 5.0, 20.0)
    actions = allowed(["washing_machine_1"], ["washing_machine_1"], ["frontier_1"])
    assert plan(belief, actions).actions == (explore("frontier_1"),)
    actions = allowed(["washing_machine_1"], ["washing_machine_1"])
    assert plan(belief, actions).actions[-1] == open_("washing_machine_1")


@pytest.mark.parametrize(("code", "attempts"), [(ErrorCode.UNREACHABLE, 2), (ErrorCode.BLOCKED, 3)])
def test_planner_tries_an_unreachable_container_again_from_another_place(
    code: ErrorCode, attempts: int
) -> None:
    belief = kitchen()
    actions = allowed(["cupboard_1", "table_1"], ["cupboard_1"])
    past = [LOOKED]
    for attempt in range(attempts):
        assert plan(belief, actions, temporal(*past)).actions[-1] == open_("cupboard_1")
        past.append(outcome(2 + 2 * attempt, navigate("cupboard_1"), code, 0.5))
        if attempt < attempts - 1:
            assert plan(belief, actions, temporal(*past)).actions == (navigate("table_1"),)
        past.append(outcome(3 + 2 * attempt, navigate("table_1")))
    last = plan(belief, actions, temporal(*past))
    assert last.actions == (GIVE_UP,)
    assert "Could not be searched: cupboard_1" in last.reasoning


def test_planner_gives_up_a_container_that_does_not_open() -> None:
    past = temporal(outcome(2, open_("cupboard_1"), ErrorCode.NOT_OPENABLE), outcome(3, navigate("table_1")))
    assert plan(kitchen(), allowed(["cupboard_1"], ["cupboard_1"]), past).actions == (GIVE_UP,)


def test_planner_explores_failed_frontiers_after_the_others() -> None:
    belief = Belief().frontier("frontier_1", 12.0, 1.0).frontier("frontier_2", 1.0, 9.0)
    actions = allowed((), (), ["frontier_1", "frontier_2"])
    failed = outcome(2, explore("frontier_1"), ErrorCode.BLOCKED)
    assert plan(belief, actions, temporal(LOOKED, failed)).actions == (explore("frontier_2"),)
    moved = temporal(LOOKED, failed, outcome(3, explore("frontier_2")))
    assert plan(belief, actions, moved).actions == (explore("frontier_1"),)


def test_planner_does_not_plan_rejected_actions_again() -> None:
    belief = kitchen().thing("fridge_1", "fridge", "room_1", 2.0)
    actions = allowed(["cupboard_1", "fridge_1"], ["cupboard_1", "fridge_1"])
    first = plan(belief, actions)
    second = plan(belief, actions, rejected=first.actions[:1])
    assert not set(second.actions) & set(first.actions)
    third = plan(belief, actions, rejected=(*first.actions[:1], *second.actions[:1]))
    assert third.actions == (GIVE_UP,)


def test_planner_plans_a_rejected_later_action_after_an_approach() -> None:
    actions = allowed(["cupboard_1"], ["cupboard_1"])
    first = plan(kitchen(), actions)
    assert first.actions == (navigate("cupboard_1"), open_("cupboard_1"))
    assert plan(kitchen(), actions, rejected=first.actions[1:]) == first


def test_planner_ignores_skills_offered_without_a_target() -> None:
    empty = tuple(Action(skill) for skill in ("navigate", "open", "explore", "report"))
    actions = allowed(["cupboard_1"], ["cupboard_1"], ["frontier_1"])
    assert plan(kitchen(), (*empty, *actions)) == plan(kitchen(), actions)
    assert plan(Belief(), (*empty, GIVE_UP)).actions == (GIVE_UP,)


def test_planner_looks_around_after_two_blocked_ways() -> None:
    belief = (
        Belief()
        .frontier("frontier_1", 9.0, 1.0)
        .frontier("frontier_2", 9.0, 2.0)
        .frontier("frontier_3", 9.0, 3.0)
    )
    blocked = [outcome(index, explore(f"frontier_{index}"), ErrorCode.BLOCKED) for index in (1, 2)]
    actions = allowed((), (), ["frontier_1", "frontier_2", "frontier_3"])
    assert plan(belief, actions, temporal(*blocked)).actions == (LOOK_AROUND,)
    assert plan(belief, actions, temporal(*blocked, outcome(3, LOOK_AROUND))).actions == (
        explore("frontier_3"),
    )


def test_planner_that_gives_up_lists_the_searched_places() -> None:
    belief = kitchen().room("room_2", "bedroom").thing("wardrobe_1", "wardrobe", "room_2", state="open")
    past = temporal(LOOKED, outcome(2, open_("cupboard_1")))
    answer = plan(belief, allowed(["cupboard_1", "wardrobe_1"]), past)
    assert answer.actions == (GIVE_UP,)
    assert answer.reasoning == (
        "No red mug was found. Searched: room_1 (kitchen) and room_2 (bedroom). "
        "Looked into cupboard_1 and wardrobe_1."
    )


def test_planner_raises_typed_errors() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        plan(kitchen(), allowed(), task="sing me a song")
    with pytest.raises(RoleError, match="give_up"):
        plan(kitchen(), (LOOK_AROUND,))


# -- properties

CATEGORIES = ["mug", "cup", "table", "cupboard", "fridge", "wardrobe", "bowl"]
NAMES = [f"o{index}" for index in range(6)]
FRONTIERS = [f"f{index}" for index in range(4)]


@st.composite
def plan_queries(draw: st.DrawFn) -> PlanQuery:
    belief = Belief().room("r1", draw(st.sampled_from(["kitchen", "bedroom", ""])))
    lengths = iter(draw(st.permutations([0.7 * index for index in range(12)])))
    things = draw(st.lists(st.sampled_from(NAMES), unique=True))
    for name in things:
        more = {"colour": draw(st.sampled_from(["red", "blue"]))} if draw(st.booleans()) else {}
        confidence, once = draw(st.sampled_from([0.1, 0.5, 0.9])), draw(st.booleans())
        room = draw(st.sampled_from(["", "r1", "r2"]))
        belief.thing(name, draw(st.sampled_from(CATEGORIES)), room, next(lengths), confidence, once, **more)
    frontiers = draw(st.lists(st.sampled_from(FRONTIERS), unique=True))
    for name in frontiers:
        belief.frontier(name, draw(st.sampled_from([0.5, 4.0, 12.0])), next(lengths))
    full = allowed(things, [name for name in things if draw(st.booleans())], frontiers)
    past = [
        outcome(
            step, action, draw(st.sampled_from([ErrorCode.NONE, ErrorCode.BLOCKED, ErrorCode.NOT_OPENABLE]))
        )
        for step, action in enumerate(draw(st.lists(st.sampled_from(full), max_size=6)), 1)
    ]
    rejected = tuple(draw(st.lists(st.sampled_from(full), max_size=2)))
    task = draw(st.sampled_from(["find the mug", "find the red mug", "where is the bowl?", "find the sofa"]))
    return PlanQuery(task, with_goals(temporal(*past), task), belief.done(), full, "", rejected)


def renamed(query: PlanQuery, name: Callable[[str], str]) -> PlanQuery:
    def action(item: Action) -> Action:
        return Action(item.skill, tuple(map(name, item.arguments)))

    spatial = query.spatial
    facts = tuple(replace(f, subject=name(f.subject), object=name(f.object)) for f in reversed(spatial.facts))
    routes = tuple(
        Route(target=name(r.target), goal=r.goal, length=r.length) for r in reversed(spatial.routes)
    )
    past = [replace(o, action=action(o.action), duration=0.0) for o in query.temporal.completed]
    return PlanQuery(
        query.task,
        with_goals(temporal(*past), query.task),
        SpatialBelief(
            at=StepStamp(header=spatial.header, task_id="t", step=1),
            robot=spatial.robot,
            room=name(spatial.room),
            facts=facts,
            routes=routes,
        ),
        tuple(map(action, reversed(query.allowed_actions))),
        query.feedback,
        tuple(map(action, query.rejected)),
    )


@settings(max_examples=80, deadline=None)
@given(plan_queries())
def test_planner_plans_allowed_actions_only(query: PlanQuery) -> None:
    answer = SymbolicPlanner(HOUSEHOLD).answer(query)
    assert answer.actions
    assert set(answer.actions) <= set(query.allowed_actions)
    assert answer.actions == (GIVE_UP,) or answer.actions[0] not in query.rejected


@settings(max_examples=80, deadline=None)
@given(plan_queries(), st.permutations(NAMES + FRONTIERS + ["r1", "r2"]))
def test_planner_does_not_depend_on_object_ids(query: PlanQuery, names: list[str]) -> None:
    fresh = dict(zip(NAMES + FRONTIERS + ["r1", "r2"], names, strict=True))

    def name(old: str) -> str:
        return fresh.get(old, old)

    expected = [
        Action(a.skill, tuple(map(name, a.arguments)))
        for a in SymbolicPlanner(HOUSEHOLD).answer(query).actions
    ]
    assert list(SymbolicPlanner(HOUSEHOLD).answer(renamed(query, name)).actions) == expected


@settings(max_examples=80, deadline=None)
@given(plan_queries(), st.sets(st.integers(0, 40)), st.sets(st.sampled_from(NAMES + FRONTIERS)))
def test_planner_names_no_object_that_is_missing_from_its_beliefs(
    query: PlanQuery, gone: set[int], unseen: set[str]
) -> None:
    spatial = query.spatial
    facts = tuple(
        fact
        for index, fact in enumerate(spatial.facts)
        if index not in gone and fact.subject not in unseen and fact.object not in unseen
    )
    routes = tuple(route for route in spatial.routes if route.target not in unseen)
    less = PlanQuery(
        query.task,
        with_goals(
            temporal(*(o for o in query.temporal.completed if not unseen.intersection(o.action.arguments))),
            query.task,
        ),
        replace(spatial, room="r1", facts=facts, routes=routes, text="", derived_from=()),
        tuple(a for a in query.allowed_actions if not unseen.intersection(a.arguments)),
    )
    answer = SymbolicPlanner(HOUSEHOLD).answer(less)
    assert set(answer.actions) <= set(less.allowed_actions)
    mentioned = (
        f"{answer.subgoal} {answer.reasoning}".replace(",", " ").replace(".", " ").replace(":", " ").split()
    )
    assert not unseen.intersection(mentioned)


def advised(feedback: str, *rejected: Action, last: Outcome = LOOKED) -> PlanAnswer:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    task = "find the red mug"
    actions = allowed(["mug_1", "table_1"])
    past = with_goals(temporal(last), task)
    return SymbolicPlanner(HOUSEHOLD).answer(
        PlanQuery(task, past, belief.done(), actions, feedback, rejected)
    )


def test_planner_does_first_what_the_critic_asks_for_before_an_action_of_its_choice() -> None:
    doubt = "mug_1 on table_1 is stale; first look_around()."
    assert advised(doubt, report("mug_1")).actions == (LOOK_AROUND,)
    assert advised(doubt, report("table_1")).actions == (
        report("mug_1"),
    )  # not its choice: a slip of a model
    assert advised(doubt, report("mug_1"), LOOK_AROUND).actions != (LOOK_AROUND,)


def test_planner_looks_around_once_before_it_gives_up_what_the_critic_refuses() -> None:
    there = outcome(2, navigate("table_1"))
    assert advised("That is doubtful.", report("mug_1"), last=there).actions == (LOOK_AROUND,)
    assert advised("That is doubtful.", report("mug_1"), LOOK_AROUND, last=there).actions == (GIVE_UP,)
    assert advised("That is doubtful.", report("mug_1")).actions == (GIVE_UP,)


def test_planner_that_ends_a_task_for_a_refusal_gives_the_reason_of_the_critic() -> None:
    answer = advised("the red mug is hot.", report("mug_1"))
    assert answer.actions == (GIVE_UP,)
    assert answer.reasoning.endswith("Refused: the red mug is hot.")
