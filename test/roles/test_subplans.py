"""Tests of planner and critic of household tasks in single situations: failures, held objects, closed doors."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.memory.descriptions import SMALL, Description
from stma_ros.roles.critic import CritiqueAnswer
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Action, Criterion, Outcome, Verdict
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time
from support.roles.scripted_home import (
    GIVE_UP,
    LOOK_AROUND,
    Belief,
    explore,
    navigate,
    open_,
    outcome,
    temporal,
)
from support.roles.single_steps import IN_SINK, MUG, SINK, actions, beliefs_of, do, judge, kitchen, plan

FINISH = Action(words.SKILL_FINISH)
ALL_IN_SINK = PlaceGoal(MUG, ALL, words.IN, SINK)


PICK = do("pick", "mug_1")
INTO_SINK = do("place_in", "sink_1")
SEARCHED = (outcome(1, navigate("cupboard_1")), outcome(2, do("open", "cupboard_1")))
WENT_AND_PICKED = (outcome(1, navigate("mug_1")), outcome(2, PICK))


def with_mug(**more: str) -> Belief:
    return kitchen().thing("mug_1", "mug", "room_1", 3.0, **(more or {"on": "counter_1"}))


def holding() -> Belief:
    return kitchen().thing("mug_1", "mug", "room_1", 3.0).add("mug_1", words.HELD_BY, words.ROBOT)


def rejects(answer: CritiqueAnswer, criterion: Criterion, reason: str) -> None:
    assert (answer.verdict, answer.criterion) == (Verdict.REJECTED, criterion), answer
    assert reason in answer.reason


# -- plans


def test_planner_plans_a_placement_to_its_end() -> None:
    assert plan(with_mug()).actions == (navigate("mug_1"), PICK, navigate("sink_1"), INTO_SINK)
    inside = with_mug(inside="cupboard_1")
    assert plan(inside).actions == (
        navigate("cupboard_1"),
        open_("cupboard_1"),
        PICK,
        navigate("sink_1"),
        INTO_SINK,
    )
    into_cupboard = PlaceGoal(MUG, 1, words.IN, Description("cupboard"))
    assert plan(with_mug(), goals=(into_cupboard,)).actions[2:] == (
        navigate("cupboard_1"),
        open_("cupboard_1"),
        do("place_in", "cupboard_1"),
    )


def test_planner_goes_to_what_a_device_stands_on_if_no_way_to_the_device_is_known() -> None:
    belief = kitchen().thing("radio_1", "radio", "room_1", math.nan, on="counter_1")
    found = plan(belief, goals=(StateGoal(Description("radio"), words.STATE_ON),))
    assert found.actions == (navigate("counter_1"), do("switch_on", "radio_1"))


@pytest.mark.parametrize(
    ("furniture", "place"), [(("bench", "counter"), "counter_1"), (("bench",), "bench_1")]
)
def test_thing_wanted_in_a_kitchen_goes_onto_the_counter_rather_than_onto_a_bench_by_it(
    furniture: tuple[str, ...], place: str
) -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2", "bedroom")
    belief.thing("bed_1", "bed", "room_2", 3.0).thing("mug_1", "mug", "room_2", 3.0, on="bed_1")
    for kind in furniture:  # the bench is nearer
        belief.thing(f"{kind}_1", kind, "room_1", 2.0 if kind == "bench" else 6.0)
    goal = PlaceGoal(MUG, 1, words.IN_ROOM, Description("kitchen"))
    assert plan(belief, goals=(goal,)).actions[-1] == do("place_on", place)


def test_a_thing_that_fell_to_the_floor_of_a_room_was_not_brought_there() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0)
    into_kitchen = PlaceGoal(MUG, 1, words.IN_ROOM, Description("kitchen"))
    fallen = outcome(2, navigate("counter_1"), ErrorCode.DROPPED)
    assert plan(belief, outcome(1, PICK), fallen, goals=(into_kitchen,)).actions == (LOOK_AROUND,)
    looked = outcome(3, LOOK_AROUND)
    assert plan(belief, outcome(1, PICK), fallen, looked, goals=(into_kitchen,)).actions[1] == PICK
    put = outcome(2, do("place_on", "counter_1"))
    assert PICK not in plan(belief, outcome(1, PICK), put, goals=(into_kitchen,)).actions


@pytest.mark.parametrize("frontier", [False, True])
def test_planner_puts_a_held_device_down_before_it_is_switched(frontier: bool) -> None:
    belief = kitchen().thing("torch_1", "torch", "room_1", 3.0).add("torch_1", words.HELD_BY, words.ROBOT)
    if frontier:
        belief.frontier("frontier_1", 4.0, 2.0)
    taken = outcome(1, do("pick", "torch_1"))
    goals = (StateGoal(Description("torch"), words.STATE_ON), IN_SINK)
    assert plan(belief, taken, goals=goals).actions[-1] == do("place_on", "counter_1")
    put = kitchen().thing("torch_1", "torch", "room_1", 3.0, on="counter_1")
    down = outcome(2, do("place_on", "counter_1"))
    assert plan(put, taken, down, goals=goals[:1]).actions[-1] == do("switch_on", "torch_1")


def test_planner_places_the_held_object_first() -> None:
    assert plan(holding(), *WENT_AND_PICKED).actions == (navigate("sink_1"), INTO_SINK)
    book = Description("book")
    answer = plan(holding(), *WENT_AND_PICKED, goals=(PlaceGoal(book, 1, words.IN, SINK),))
    assert answer.actions == (navigate("counter_1"), do("place_on", "counter_1"))
    assert "put mug_1 down" in answer.subgoal


def test_planner_puts_the_held_object_down_on_furniture_and_not_on_a_nearer_tray() -> None:
    belief = holding().thing("serving_tray_1", "serving tray", "room_1", 0.5, on="counter_1")
    goals = (PlaceGoal(Description("book"), 1, words.IN, SINK),)
    assert plan(belief, *WENT_AND_PICKED, goals=goals).actions[-1] == do("place_on", "counter_1")
    onto_tray = (PlaceGoal(MUG, 1, words.ON, Description("serving tray")),)
    assert plan(belief, *WENT_AND_PICKED, goals=onto_tray).actions[-1] == do("place_on", "serving_tray_1")


def test_planner_searches_for_the_destination_while_it_holds_the_object() -> None:
    goal = PlaceGoal(MUG, 1, words.ON, Description("bed"))
    belief = holding().frontier("frontier_1", 9.0, 6.0)
    assert plan(belief, *WENT_AND_PICKED, goals=(goal,)).actions == (explore("frontier_1"),)


def test_planner_takes_along_only_objects_within_reach() -> None:
    goal = PlaceGoal(MUG, 1, words.ON, Description("bed"))
    far = with_mug().frontier("frontier_1", 9.0, 6.0)
    near = with_mug().frontier("frontier_1", 9.0, 6.0).add(words.ROBOT, words.NEAR, "mug_1")
    assert plan(far, goals=(goal,)).actions == (explore("frontier_1"),)
    assert plan(near, goals=(goal,)).actions == (PICK,)


def test_planner_leaves_an_object_where_it_put_it_at_a_guess() -> None:
    bedroom = Description("bedroom")
    goal = PlaceGoal(MUG, 1, words.ON, Description("counter", relation=words.IN_ROOM, place=bedroom))
    near = with_mug().add(words.ROBOT, words.NEAR, "mug_1").frontier("frontier_1", 9.0, 6.0)
    assert plan(near, goals=(goal,)).actions == (PICK,)  # taken along to the bedroom that may be found
    put = (*WENT_AND_PICKED, outcome(3, do("place_on", "counter_1")))
    assert PICK not in plan(near, *put, goals=(goal,)).actions


def test_planner_and_critic_try_a_grasp_three_times() -> None:
    went = outcome(1, navigate("mug_1"))
    slips = [outcome(step, PICK, ErrorCode.GRASP_FAILED) for step in (2, 3, 4)]
    for tried in range(3):
        assert plan(with_mug(), went, *slips[:tried]).actions[0] == PICK
        assert judge(PICK, with_mug(), went, *slips[:tried]).verdict == Verdict.ACCEPTED
    last = plan(with_mug(), went, *slips, outcome(5, open_("cupboard_1")))
    assert last.actions == (GIVE_UP,)
    assert "mug_1 could not be picked up (grasp_failed)" in last.reasoning


@pytest.mark.parametrize("code", [ErrorCode.SPOT_TAKEN, ErrorCode.NO_SURFACE])
def test_planner_and_critic_try_six_spots_of_a_place_without_moving(code: ErrorCode) -> None:
    went = (*WENT_AND_PICKED, outcome(3, navigate("sink_1")))
    held = holding().add(words.ROBOT, words.NEAR, "sink_1")
    tries = [outcome(step, INTO_SINK, code) for step in range(4, 10)]
    for tried in range(6):
        assert plan(held, *went, *tries[:tried]).actions[0] == INTO_SINK
        assert judge(INTO_SINK, held, *went, *tries[:tried]).verdict == Verdict.ACCEPTED
    assert INTO_SINK not in plan(held, *went, *tries).actions
    assert judge(INTO_SINK, held, *went, *tries).verdict == Verdict.REJECTED


def test_planner_looks_for_a_way_to_the_only_place_of_an_object_at_hand() -> None:
    there = with_mug().add(words.ROBOT, words.NEAR, "mug_1")
    shut_off = replace(there, routes=[item for item in there.routes if item.target != "sink_1"])
    shut_off.route("sink_1", math.nan)
    looked = (outcome(1, open_("cupboard_1")), outcome(2, navigate("mug_1")))
    assert plan(shut_off, *looked).actions == (LOOK_AROUND,)
    assert judge(LOOK_AROUND, shut_off, *looked).verdict == Verdict.ACCEPTED


def test_planner_approaches_an_object_by_its_support_when_it_is_too_far() -> None:
    went = (outcome(1, navigate("mug_1")), outcome(2, PICK, ErrorCode.TOO_FAR))
    assert plan(with_mug(), *went).actions[:2] == (navigate("counter_1"), PICK)
    assert judge(navigate("counter_1"), with_mug(), *went).verdict == Verdict.ACCEPTED


def test_planner_opens_a_container_again_that_it_found_open_and_did_not_see_into() -> None:
    found = (outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1"), ErrorCode.ALREADY_OPEN))
    close = do("close", "cupboard_1")
    goals = (FindGoal(MUG),)
    assert plan(kitchen(), *found, goals=goals).actions == (close, open_("cupboard_1"))
    reopened = (*found, outcome(3, close), outcome(4, open_("cupboard_1")))
    answer = plan(kitchen(), *reopened, goals=goals)
    assert open_("cupboard_1") not in answer.actions


def test_planner_opens_a_container_again_that_was_closed_meanwhile() -> None:
    belief = with_mug(
        inside="cupboard_1",
    )
    past = (
        outcome(1, navigate("cupboard_1")),
        outcome(2, open_("cupboard_1")),
        outcome(3, PICK, ErrorCode.IS_CLOSED),
    )
    assert plan(belief, *past).actions[:2] == (open_("cupboard_1"), PICK)


def test_planner_looks_for_a_dropped_object() -> None:
    dropped = (*WENT_AND_PICKED, outcome(3, navigate("sink_1"), ErrorCode.DROPPED, 1.0))
    missing = with_mug(on="counter_1").add("mug_1", words.STATE, words.STATE_MISSING)
    assert plan(missing, *dropped).actions == (LOOK_AROUND,)
    assert judge(LOOK_AROUND, missing, *dropped).verdict == Verdict.ACCEPTED
    found = kitchen().thing("mug_1", "mug", "room_1", 1.0)
    assert plan(found, *dropped, outcome(4, LOOK_AROUND)).actions[:2] == (navigate("mug_1"), PICK)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (ErrorCode.NO_ROOM, "sink_1 is full"),
        (ErrorCode.DOES_NOT_FIT, "sink_1 is too small for it"),
        (ErrorCode.HOLDS_NOTHING, "sink_1 holds nothing"),
    ],
)
def test_planner_replaces_a_destination_that_refuses_or_names_it(code: ErrorCode, reason: str) -> None:
    past = (*WENT_AND_PICKED, outcome(3, navigate("sink_1")), outcome(4, INTO_SINK, code))
    two = holding().thing("sink_2", "sink", "room_1", 9.0)
    assert plan(two, *past).actions == (navigate("sink_2"), do("place_in", "sink_2"))
    down = plan(holding(), *past, outcome(5, open_("cupboard_1")))
    assert down.actions == (navigate("counter_1"), do("place_on", "counter_1"))
    after = with_mug()
    put = (
        *past,
        outcome(5, open_("cupboard_1")),
        outcome(6, navigate("counter_1")),
        outcome(7, do("place_on", "counter_1")),
    )
    last = plan(after, *put)
    assert last.actions == (GIVE_UP,)
    if code != ErrorCode.DOES_NOT_FIT:
        assert reason in last.reasoning
    assert last.failure == ErrorCode.IMPOSSIBLE


def test_planner_opens_a_door_when_no_way_leads_to_an_object() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_2", math.nan)
    belief.thing("door_1", "door", "room_1", 2.0, state="closed")
    assert plan(belief, outcome(1, open_("cupboard_1"))).actions == (navigate("door_1"), open_("door_1"))
    assert plan(with_mug().thing("door_1", "door", "room_1", 0.5, state="closed")).actions[0] == navigate(
        "mug_1"
    )


def test_planner_closes_a_container_after_placing_into_it() -> None:
    cupboard = Description("cupboard")
    goals = (StateGoal(cupboard, words.STATE_CLOSED), PlaceGoal(MUG, 1, words.IN, cupboard))
    belief = with_mug()
    opened = (outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1")))
    assert plan(belief, *opened, goals=goals).actions[:2] == (navigate("mug_1"), PICK)
    rejects(
        judge(do("close", "cupboard_1"), belief, *opened, goals=goals), Criterion.ALIGNMENT, "does not serve"
    )


# -- critiques


def test_critic_rejects_actions_that_do_not_serve_the_goals() -> None:
    belief = with_mug().thing("cup_1", "cup", "room_1", 3.0, on="counter_1")
    near = (outcome(1, navigate("cup_1")),)
    rejects(judge(do("pick", "cup_1"), belief, *near), Criterion.ALIGNMENT, "Next: navigate(mug_1)")
    done = with_mug(inside="sink_1")
    rejects(
        judge(PICK, done, outcome(1, navigate("mug_1"))), Criterion.ALIGNMENT, "Nothing is left to be done"
    )
    rejects(judge(GIVE_UP, done), Criterion.ALIGNMENT, "finish()")
    assert judge(FINISH, done).verdict == Verdict.ACCEPTED
    rejects(judge(FINISH, belief), Criterion.ALIGNMENT, "Not everything was done")


def test_critic_accepts_finish_for_all_objects_when_everything_was_searched() -> None:
    done = with_mug(inside="sink_1").thing("mug_2", "mug", "room_1", 3.0, inside="sink_1")
    rejects(judge(FINISH, done, goals=(ALL_IN_SINK,)), Criterion.ALIGNMENT, "cupboard_1")
    assert judge(FINISH, done, *SEARCHED, goals=(ALL_IN_SINK,)).verdict == Verdict.ACCEPTED


def test_critic_rejects_finish_for_all_objects_when_a_single_one_was_found() -> None:
    done = with_mug(inside="sink_1")
    reason = "no other mug was found"
    rejects(judge(FINISH, done, *SEARCHED, goals=(ALL_IN_SINK,)), Criterion.ALIGNMENT, reason)
    unverified = judge(Action("finish_unverified"), done, *SEARCHED, goals=(ALL_IN_SINK,))
    assert unverified.verdict == Verdict.ACCEPTED


def test_critic_accepts_finish_for_all_objects_at_a_place_that_was_seen() -> None:
    done = with_mug(inside="sink_1").add("mug_1", words.TAKEN_OFF, "counter_1")
    goal = PlaceGoal(Description("mug", relation=words.ON, place=Description("counter")), ALL, words.IN, SINK)
    assert judge(FINISH, done, outcome(1, navigate("counter_1")), goals=(goal,)).verdict == Verdict.ACCEPTED


def test_critic_rejects_a_report_before_the_other_goals_are_reached() -> None:
    goals = (FindGoal(Description("counter")), IN_SINK)
    answer = judge(do("report", "counter_1"), with_mug(), goals=goals)
    rejects(answer, Criterion.ALIGNMENT, "Not everything is done yet: put the mug in the sink")


def test_critic_rejects_skills_without_reach_or_a_suitable_hand() -> None:
    rejects(judge(PICK, with_mug()), Criterion.SPATIAL, "first navigate(mug_1)")
    rejects(
        judge(INTO_SINK, with_mug(), outcome(1, navigate("sink_1"))),
        Criterion.SPATIAL,
        "Nothing is in the hand",
    )
    two = holding().thing("mug_2", "mug", "room_1", 3.0)
    full = judge(
        do("pick", "mug_2"), two, *WENT_AND_PICKED, outcome(3, navigate("mug_2")), goals=(ALL_IN_SINK,)
    )
    rejects(full, Criterion.SPATIAL, "mug_1 is in the hand")
    into = PlaceGoal(MUG, 1, words.IN, Description("cupboard"))
    shut = judge(
        do("place_in", "cupboard_1"),
        holding(),
        *WENT_AND_PICKED,
        outcome(3, navigate("cupboard_1")),
        goals=(into,),
    )
    rejects(shut, Criterion.SPATIAL, "first open(cupboard_1)")


def test_critic_rejects_actions_whose_effect_holds_already() -> None:
    lamp = kitchen().thing("lamp_1", "lamp", "room_1", 0.1, state="on")
    goals = (StateGoal(Description("lamp"), words.STATE_ON),)
    rejects(judge(do("switch_on", "lamp_1"), lamp, goals=goals), Criterion.TEMPORAL, "is on already")
    rejects(judge(do("close", "cupboard_1"), kitchen(), goals=goals), Criterion.TEMPORAL, "is closed already")
    assert plan(lamp, goals=goals).actions == (FINISH,)


def test_planner_looks_again_near_an_unreachable_container_before_it_gives_up() -> None:
    belief = kitchen().thing("wardrobe_1", "wardrobe", "room_1", math.nan, state="closed")
    belief.thing("lamp_1", "lamp", "room_1", 2.0).add("lamp_1", words.NEAR, "wardrobe_1")
    past = (outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1")))
    assert plan(belief, *past).actions == (LOOK_AROUND,)
    looked = (*past, outcome(3, LOOK_AROUND))
    assert plan(belief, *looked).actions == (navigate("lamp_1"), LOOK_AROUND)
    again = (*looked, outcome(4, navigate("lamp_1")), outcome(5, LOOK_AROUND))
    last = plan(belief, *again)
    assert last.actions == (GIVE_UP,)
    assert "Could not be searched: wardrobe_1" in last.reasoning


def test_planner_closes_an_open_leaf_that_blocks_another_container() -> None:
    belief = kitchen().thing("wardrobe_1", "wardrobe", "room_1", 0.1, state="open")
    belief.thing("cabinet_1", "cabinet", "room_1", 0.2).add("wardrobe_1", words.NEAR, "cabinet_1")
    stuck = outcome(1, open_("cabinet_1"), ErrorCode.BLOCKED)
    opened = (StateGoal(Description("cabinet"), words.STATE_OPEN),)
    shut = do("close", "wardrobe_1")
    assert plan(belief, stuck, goals=opened).actions == (shut, open_("cabinet_1"))
    assert judge(shut, belief, stuck, goals=opened).verdict == Verdict.ACCEPTED
    tried = (stuck, outcome(2, shut), outcome(3, navigate("cabinet_1")))
    assert plan(belief, *tried, goals=opened).actions == (open_("cabinet_1"),)
    search = plan(belief, stuck, outcome(2, shut), goals=(FindGoal(Description("towel")),))
    assert search.actions == (open_("cabinet_1"),)
    into = PlaceGoal(MUG, 1, words.IN, Description("cabinet"))
    belief.thing("mug_1", "mug", "room_1", 3.0).add("mug_1", words.HELD_BY, words.ROBOT)
    planned = plan(belief, stuck, goals=(into,)).actions
    assert planned == (shut, open_("cabinet_1"), do("place_in", "cabinet_1"))


def test_planner_closes_an_open_leaf_before_it_takes_an_object_out() -> None:
    belief = with_mug(inside="cabinet_1").thing("wardrobe_1", "wardrobe", "room_1", 0.1, state="open")
    belief.thing("cabinet_1", "cabinet", "room_1", 0.2, state="closed").add(
        "wardrobe_1", words.NEAR, "cabinet_1"
    )
    stuck = outcome(1, open_("cabinet_1"), ErrorCode.BLOCKED)
    assert plan(belief, stuck).actions[:3] == (do("close", "wardrobe_1"), open_("cabinet_1"), PICK)


def enclosed() -> Belief:
    """Returns the belief of a robot before an open cupboard, with a mug in its hand and no way to anywhere else."""
    belief = Belief().room("room_1", "kitchen").thing("sink_1", "sink", "room_1", math.nan)
    belief.thing("counter_1", "counter", "room_1", math.nan)
    belief.thing("cupboard_1", "cupboard", "room_1", 0.0, state="open")
    return belief.thing("mug_1", "mug", "room_1", 0.0).add("mug_1", words.HELD_BY, words.ROBOT)


def test_planner_closes_the_open_leaf_that_encloses_the_robot() -> None:
    past = (outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1")), outcome(3, PICK))
    shut = do("close", "cupboard_1")
    answer = plan(enclosed(), *past)
    assert answer.actions == (shut,)
    assert "bar" in answer.reasoning
    assert judge(shut, enclosed(), *past).verdict == Verdict.ACCEPTED
    closed = (*past, outcome(4, shut))
    assert plan(enclosed(), *closed).actions == (LOOK_AROUND,)
    free = holding().thing("table_1", "table", "room_1", 3.0)
    assert plan(free, *closed).actions == (navigate("sink_1"), INTO_SINK)


def test_planner_approaches_an_object_itself_when_it_is_too_far_from_its_container() -> None:
    belief = with_mug(inside="cupboard_1")
    past = (
        *(outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1"))),
        *(outcome(3, PICK, ErrorCode.TOO_FAR), outcome(4, navigate("counter_1"))),
    )
    assert plan(belief, *past).actions[:2] == (navigate("mug_1"), PICK)


def coloured(belief: Belief, name: str, colour: str, on: str) -> Belief:
    return belief.thing(name, "book", "room_1", 2.0, on=on).add(name, words.COLOUR, colour)


def test_planner_does_not_use_the_object_of_one_goal_for_a_similar_one() -> None:
    home = kitchen().thing("table_1", "table", "room_1", 2.0)
    purple = PlaceGoal(Description("book", ("purple",)), 1, words.ON, Description("counter"))
    blue = PlaceGoal(Description("book", ("blue",)), 1, words.ON, Description("table"))
    searched = outcome(1, open_("cupboard_1"))
    belief = coloured(home, "book_1", "purple", "counter_1")
    assert plan(belief, searched, goals=(purple, blue)).actions == (navigate("table_1"), LOOK_AROUND)
    looked = outcome(2, navigate("table_1")), outcome(3, LOOK_AROUND)
    answer = plan(belief, searched, *looked, goals=(purple, blue))
    assert answer.actions == (GIVE_UP,)
    assert "No blue book was found" in answer.reasoning
    # Without the other goal, the purple book is the best match.
    assert plan(belief, searched, goals=(blue,)).actions[-2:] == (
        navigate("table_1"),
        do("place_on", "table_1"),
    )


def test_planner_looks_once_around_each_room_for_an_overlooked_object() -> None:
    home = kitchen().room("room_2", "bedroom").thing("desk_1", "desk", "room_2", 6.0)
    past = [outcome(1, open_("cupboard_1"))]
    assert plan(home, *past, goals=(FindGoal(MUG),)).actions == (
        GIVE_UP,
    )  # a find goal is answered by giving up
    assert plan(home, *past).actions == (navigate("counter_1"), LOOK_AROUND)
    past += [outcome(2, navigate("counter_1")), outcome(3, LOOK_AROUND)]
    assert plan(home, *past).actions == (navigate("desk_1"), LOOK_AROUND)
    past += [outcome(4, navigate("desk_1")), outcome(5, LOOK_AROUND)]
    assert plan(home, *past).actions == (GIVE_UP,)


def test_planner_takes_another_object_if_the_first_cannot_be_brought_into_a_state() -> None:
    table = Description("table")
    goals = (StateGoal(MUG, words.STATE_FULL), PlaceGoal(MUG, 1, words.ON, table))
    belief = with_mug(on="table_1").thing("table_1", "table", "room_1", 2.0)
    belief.thing("mug_2", "mug", "room_1", 9.0, on="counter_1")
    first = (*WENT_AND_PICKED, outcome(3, navigate("sink_1")))
    refused = outcome(4, do("fill", "sink_1"), ErrorCode.NOT_A_VESSEL)
    put = (outcome(5, navigate("table_1")), outcome(6, do("place_on", "table_1")))
    assert plan(belief, *first, refused, *put, goals=goals).actions[:2] == (
        navigate("mug_2"),
        do("pick", "mug_2"),
    )


def test_planner_takes_the_smallest_object_for_a_small_one() -> None:
    small = PlaceGoal(Description("mug", size=SMALL), 1, words.IN, SINK)
    belief = kitchen().thing("mug_1", "mug", "room_1", 1.0, on="counter_1").add("mug_1", words.SIZE, "0.11")
    belief.thing("mug_2", "mug", "room_1", 9.0, on="counter_1").add("mug_2", words.SIZE, "0.10")
    searched = outcome(1, open_("cupboard_1"))
    assert plan(belief, searched, goals=(small,)).actions[:2] == (navigate("mug_2"), do("pick", "mug_2"))


def test_planner_prefers_the_object_at_the_given_place_over_a_nearer_one() -> None:
    on_the_table = Description("mug", size=SMALL, relation=words.ON, place=Description("table"))
    belief = kitchen().thing("table_1", "table", "room_1", 2.0)
    belief.thing("mug_1", "mug", "room_1", 9.0, on="table_1").add("mug_1", words.SIZE, "0.10")
    belief.thing("mug_2", "mug", "room_1", 1.0, on="counter_1").add("mug_2", words.SIZE, "0.11")
    taken = plan(belief, outcome(1, open_("cupboard_1")), goals=(PlaceGoal(on_the_table, 1, words.IN, SINK),))
    assert taken.actions[:2] == (navigate("mug_1"), do("pick", "mug_1"))


def test_planner_does_not_use_an_object_that_another_goal_needs_as_a_substitute() -> None:
    home = kitchen().thing("table_1", "table", "room_1", 2.0)
    belief = coloured(coloured(home, "book_1", "purple", "table_1"), "book_2", "blue", "counter_1")
    blue = PlaceGoal(Description("book", ("blue",)), 1, words.ON, Description("table"))
    lost = PlaceGoal(Description("globe"), 1, words.ON, Description("table"))
    taken = plan(belief, outcome(1, open_("cupboard_1")), goals=(lost, blue)).actions
    assert taken[:2] == (navigate("book_2"), do("pick", "book_2"))


def test_planner_prefers_a_room_of_unknown_kind_over_one_of_another_kind() -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2", "").room("room_3", "bathroom")
    belief.thing("cabinet_1", "cabinet", "room_1", 1.0, state="open")
    belief.thing("cabinet_2", "cabinet", "room_2", 9.0, state="open")
    belief.thing("mug_1", "mug", "room_1", 1.0).add("mug_1", words.HELD_BY, words.ROBOT)
    hallway = Description("cabinet", relation=words.IN_ROOM, place=Description("hallway"))
    goal = PlaceGoal(MUG, 1, words.IN, hallway)
    assert plan(belief, goals=(goal,)).actions == (navigate("cabinet_2"), do("place_in", "cabinet_2"))


def test_planner_tries_once_to_take_an_unreachable_object_from_its_support() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", math.nan, on="counter_1")
    first = plan(belief).actions
    assert first[:2] == (navigate("counter_1"), PICK)
    there = outcome(1, navigate("counter_1"))
    assert judge(PICK, belief, there).verdict == Verdict.ACCEPTED
    too_far = (there, outcome(2, PICK, ErrorCode.TOO_FAR))
    assert plan(belief, *too_far).actions == (LOOK_AROUND,)
    belief.add("mug_1", words.NEAR, "sink_1")
    looked = (*too_far, outcome(3, LOOK_AROUND))
    assert plan(belief, *looked).actions == (navigate("sink_1"), LOOK_AROUND)
    found = kitchen().thing("mug_1", "mug", "room_1", 1.0, on="counter_1")
    assert plan(found, *too_far).actions[:2] == (navigate("mug_1"), PICK)


def test_planner_ends_unverified_after_putting_a_thing_at_a_place_that_is_hardly_meant() -> None:
    """The kitchen's counter is the only one that was found, and the task names that of the garage."""
    garage = Description("counter", relation=words.IN_ROOM, place=Description("garage"))
    goal = PlaceGoal(MUG, 1, words.ON, garage)
    there = kitchen().thing("mug_1", "mug", "room_1", 2.0, on="counter_1")
    past = outcome(1, open_("cupboard_1")), outcome(2, navigate("counter_1")), outcome(3, LOOK_AROUND)
    answer = plan(there, *past, goals=(goal,))
    assert answer.actions == (Action(words.SKILL_FINISH_UNVERIFIED),)
    assert (
        "mug_1 at counter_1 in room_1 (kitchen); no counter in the garage is known for sure"
        in answer.reasoning
    )
    kitchens = replace(goal, destination=replace(garage, place=Description("kitchen")))
    assert plan(there, *past, goals=(kitchens,)).actions == (Action(words.SKILL_FINISH),)


MUG_NEAR_SINK = PlaceGoal(MUG, 1, words.NEAR, SINK)


def test_thing_on_the_same_counter_is_next_to_another_only_if_it_is_near() -> None:
    belief = with_mug(on="counter_1").thing("plate_1", "plate", "room_1", 3.0, on="counter_1")
    goal = PlaceGoal(MUG, 1, words.NEAR, Description("plate"))
    assert plan(belief, goals=(goal,)).actions != (FINISH,)
    assert plan(belief.add("mug_1", words.NEAR, "plate_1"), goals=(goal,)).actions == (FINISH,)


def test_planner_goes_to_what_a_thing_is_wanted_next_to_and_puts_it_down_there() -> None:
    belief = holding().add("sink_1", words.NEAR, "counter_1")
    taken = plan(belief, *WENT_AND_PICKED, goals=(MUG_NEAR_SINK,))
    assert taken.actions == (navigate("sink_1"), do("place_on", "counter_1"))
    there = (*WENT_AND_PICKED, outcome(3, navigate("sink_1")))
    beyond_reach = plan(belief, *there, goals=(MUG_NEAR_SINK,))
    assert beyond_reach.actions == (navigate("counter_1"), do("place_on", "counter_1"))


def test_planner_does_not_put_a_thing_at_a_place_forever_to_have_it_near_another() -> None:
    belief = with_mug(on="counter_1").add("sink_1", words.NEAR, "counter_1")
    past: tuple[Outcome, ...] = ()
    for step in (1, 3):
        past = (*past, outcome(step, PICK), outcome(step + 1, do("place_on", "counter_1")))
    assert PICK not in plan(belief, *past, goals=(MUG_NEAR_SINK,)).actions


def two_mugs(**first: str) -> Belief:
    belief = with_mug(**first).thing("table_1", "table", "room_1", 3.0)
    return belief.thing("mug_2", "mug", "room_1", 1.0, on="table_1")


def test_planner_brings_the_other_thing_to_the_one_that_is_where_it_is_wanted() -> None:
    goals = PlaceGoal(MUG, 1, words.ON, Description("counter")), PlaceGoal(MUG, 1, words.NEAR, MUG)
    answer = plan(two_mugs(on="counter_1"), goals=goals)
    assert answer.actions[:2] == (navigate("mug_2"), do("pick", "mug_2"))
    assert answer.actions[-1] == do("place_on", "counter_1")


def test_task_is_done_only_while_things_that_are_wanted_together_are_also_where_they_are_wanted() -> None:
    goals = PlaceGoal(MUG, ALL, words.ON, Description("counter")), PlaceGoal(MUG, 1, words.NEAR, MUG)
    belief = two_mugs(on="table_1").add("mug_1", words.NEAR, "mug_2")
    past = (outcome(1, PICK), outcome(2, do("place_on", "counter_1")), outcome(3, PICK))
    assert plan(belief, *past, outcome(4, do("place_on", "table_1")), goals=goals).actions != (FINISH,)


def test_different_numbers_of_things_at_different_places_are_different_things() -> None:
    goals = PlaceGoal(MUG, 1, words.ON, Description("counter")), PlaceGoal(MUG, 2, words.IN, SINK)
    belief = two_mugs(inside="sink_1").thing("mug_3", "mug", "room_1", 9.0, inside="sink_1")
    answer = plan(belief, goals=goals)
    assert answer.actions[:2] == (navigate("mug_2"), do("pick", "mug_2"))


def test_things_that_are_together_may_be_taken_to_where_they_are_wanted() -> None:
    goals = PlaceGoal(MUG, 1, words.ON, Description("counter")), PlaceGoal(MUG, 1, words.NEAR, MUG)
    belief = two_mugs(on="table_1").add("mug_1", words.NEAR, "mug_2")
    assert plan(belief, goals=goals).actions[-1] == do("place_on", "counter_1")


def test_robot_looks_again_where_it_took_one_of_several_things() -> None:
    two = PlaceGoal(MUG, 2, words.IN, SINK)
    belief = with_mug(inside="sink_1").add("mug_1", words.TAKEN_OFF, "counter_1")
    belief.frontier("frontier_1", 6.0, 2.0, "room_1")
    taken = (*WENT_AND_PICKED, outcome(3, navigate("sink_1")), outcome(4, INTO_SINK))
    assert plan(belief, *taken, goals=(two,)).actions == (navigate("counter_1"),)
    looked = (*taken, outcome(5, navigate("counter_1")))
    assert plan(belief, *looked, goals=(two,)).actions != (navigate("counter_1"),)


NEXT_TO_SOFA = do("place_next_to", "sofa_1")
MUG_NEAR_SOFA = PlaceGoal(MUG, 1, words.NEAR, Description("sofa"))
MUG_ON_KITCHEN_FLOOR = PlaceGoal(
    MUG, 1, words.ON, Description("floor", relation=words.IN_ROOM, place=Description("kitchen"))
)


def plan_with_floor(belief: Belief, *past: Outcome, goal: PlaceGoal, standing: str = "sofa_1") -> PlanAnswer:
    """Plans where the robot can also put things on the floor next to something."""
    allowed = (*actions(belief), do("place_next_to", standing))
    planner = SymbolicPlanner(household_categories())
    return planner.answer(PlanQuery("", beliefs_of((goal,), *past), belief.done(), allowed))


def test_planner_puts_a_thing_on_the_floor_next_to_what_stands_alone() -> None:
    belief = holding().thing("sofa_1", "sofa", "room_1", 2.0)
    plan = plan_with_floor(belief, *WENT_AND_PICKED, goal=MUG_NEAR_SOFA)
    assert plan.actions == (navigate("sofa_1"), NEXT_TO_SOFA)


def test_planner_puts_a_thing_onto_furniture_near_another_rather_than_on_the_floor() -> None:
    belief = holding().thing("sofa_1", "sofa", "room_1", 2.0).add("sofa_1", words.NEAR, "counter_1")
    plan = plan_with_floor(belief, *WENT_AND_PICKED, goal=MUG_NEAR_SOFA)
    assert plan.actions == (navigate("sofa_1"), do("place_on", "counter_1"))


def test_planner_turns_to_the_floor_where_it_finds_no_room_on_furniture() -> None:
    belief = holding().thing("sofa_1", "sofa", "room_1", 2.0).add("sofa_1", words.NEAR, "counter_1")
    full = [outcome(step, do("place_on", "counter_1"), ErrorCode.SPOT_TAKEN) for step in (3, 4)]
    once = plan_with_floor(belief, *WENT_AND_PICKED, *full[:1], goal=MUG_NEAR_SOFA)
    assert once.actions[-1] == do("place_on", "counter_1")
    twice = plan_with_floor(belief, *WENT_AND_PICKED, *full, goal=MUG_NEAR_SOFA)
    assert twice.actions[-1] == NEXT_TO_SOFA


@pytest.mark.parametrize(
    ("name", "kind", "room"), [("table_1", "table", "room_2"), ("bin_1", "basket", "room_1")]
)
def test_planner_does_not_put_a_thing_behind_a_wall_or_into_a_basket_to_have_it_near_another(
    name: str, kind: str, room: str
) -> None:
    belief = holding().room("room_2", "bedroom").thing(name, kind, room, 2.0)
    belief.thing("sofa_1", "sofa", "room_1", 2.0).add("sofa_1", words.NEAR, name)
    plan = plan_with_floor(belief, *WENT_AND_PICKED, goal=MUG_NEAR_SOFA)
    assert plan.actions == (navigate("sofa_1"), NEXT_TO_SOFA)


def test_thing_lies_on_the_floor_of_a_room_for_sure_only_where_the_robot_has_put_it() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0).thing("sofa_1", "sofa", "room_1", 2.0)
    found = plan_with_floor(belief, goal=MUG_ON_KITCHEN_FLOOR)
    assert found.actions == (navigate("mug_1"), PICK, navigate("sofa_1"), NEXT_TO_SOFA)
    put = (*WENT_AND_PICKED, outcome(3, navigate("sofa_1")), outcome(4, NEXT_TO_SOFA))
    moved = plan_with_floor(belief, *put, goal=MUG_ON_KITCHEN_FLOOR)
    assert moved.actions != (FINISH,)  # it is not where it was put any more
    belief.facts.append(put_next_to_sofa())
    assert plan_with_floor(belief, *put, goal=MUG_ON_KITCHEN_FLOOR).actions == (FINISH,)


def put_next_to_sofa() -> Relation:
    stamp = Time(2)
    return Relation(
        "mug_1",
        words.NEAR,
        "sofa_1",
        source=EvidenceSource.OWN_ACTION,
        confidence=1.0,
        first_seen=stamp,
        last_seen=stamp,
    )


def test_floor_next_to_a_thing_is_another_place_than_the_floor_elsewhere() -> None:
    floor = Description("floor", relation=words.NEAR, place=Description("bed"))
    goal = PlaceGoal(MUG, 1, words.ON, floor)
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0).thing("sofa_1", "sofa", "room_1", 2.0)
    belief.thing("bed_1", "bed", "room_1", 4.0)
    belief.facts.append(put_next_to_sofa())
    put = (*WENT_AND_PICKED, outcome(3, navigate("sofa_1")), outcome(4, NEXT_TO_SOFA))
    found = plan_with_floor(belief, *put, goal=goal, standing="bed_1")
    assert found.actions[-1] == do("place_next_to", "bed_1")


def test_planner_does_not_try_the_floor_for_ever() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0).thing("sofa_1", "sofa", "room_1", 2.0)
    tries = [outcome(step, action) for step, action in enumerate([PICK, NEXT_TO_SOFA] * 2, start=1)]
    found = plan_with_floor(belief, *tries, goal=MUG_ON_KITCHEN_FLOOR)
    assert NEXT_TO_SOFA not in found.actions


@pytest.mark.parametrize("kind", ["door", "rug", "person", "mug"])
def test_nothing_is_put_on_the_floor_next_to_what_is_in_the_way_or_goes_away(kind: str) -> None:
    belief = Belief().room("room_1", "kitchen").thing("mug_1", "mug", "room_1", 3.0)
    belief.thing("thing_1", kind, "room_1", 2.0)
    plan = plan_with_floor(belief, goal=MUG_ON_KITCHEN_FLOOR, standing="thing_1")
    assert do("place_next_to", "thing_1") not in plan.actions


def test_full_box_has_floor_beside_it() -> None:
    near_box = PlaceGoal(MUG, 1, words.NEAR, Description("basket"))
    belief = holding().thing("basket_1", "basket", "room_1", 2.0, state=words.STATE_FULL)
    found = plan_with_floor(belief, *WENT_AND_PICKED, goal=near_box, standing="basket_1")
    assert found.actions[-1] == do("place_next_to", "basket_1")


def test_no_free_floor_next_to_a_thing_does_not_make_the_thing_full() -> None:
    past = (*WENT_AND_PICKED, outcome(3, NEXT_TO_SOFA, ErrorCode.NO_ROOM))
    facts = SymbolicRelationRetriever(household_categories()).answer(RelationQuery(temporal(*past))).triples
    assert words.STATE_FULL not in {fact.object for fact in facts}


def test_floor_of_another_room_is_not_the_one_that_is_meant() -> None:
    belief = holding().room("room_2", "bedroom").thing("sofa_1", "sofa", "room_2", 2.0)
    plan = plan_with_floor(belief, *WENT_AND_PICKED, goal=MUG_ON_KITCHEN_FLOOR)
    assert NEXT_TO_SOFA not in plan.actions
