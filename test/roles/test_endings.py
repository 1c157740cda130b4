"""How a task ends by the rules of planner and critic: as done, unverified, or given up."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace

import pytest

from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Criterion, Verdict
from stma_ros.types.scene_graph import Relation
from support.roles.scripted_home import (
    GIVE_UP,
    HOUSEHOLD,
    LOOK_AROUND,
    NOW,
    Belief,
    allowed,
    at,
    explore,
    navigate,
    open_,
    outcome,
    report,
    temporal,
    with_goals,
)

FINISH, UNVERIFIED = Action("finish"), Action("finish_unverified")
FILL = Action(words.SKILL_FILL, ("sink_1",))
LOOKED = outcome(1, LOOK_AROUND)


def pick(thing: str) -> Action:
    return Action(words.SKILL_PICK, (thing,))


def place_on(place: str) -> Action:
    return Action(words.SKILL_PLACE_ON, (place,))


def possible(belief: Belief, more: Iterable[Action] = ()) -> tuple[Action, ...]:
    """Returns what a robot with a hand may do: go to, take and report each thing, put things in and on each."""
    names = [fact.subject for fact in belief.facts if fact.predicate == words.IS_A]
    names = [name for name in names if not name.startswith(("room_", "frontier_"))]
    skills = (words.SKILL_PICK, *words.PLACINGS)
    handled = (Action(skill, (name,)) for skill in skills for name in names)
    return (*allowed(names), *handled, *more, FINISH, UNVERIFIED)


def plan(
    task: str,
    belief: Belief,
    more: Iterable[Action] = (),
    past: TemporalBelief | None = None,
    rejected: tuple[Action, ...] = (),
) -> PlanAnswer:
    """Returns the plan for a task; the critic accepts its first action."""
    known, actions = with_goals(past or temporal(LOOKED), task), possible(belief, more)
    answer = SymbolicPlanner(HOUSEHOLD).answer(PlanQuery(task, known, belief.done(), actions, "", rejected))
    query = CritiqueQuery(task, answer.subgoal, answer.actions[0], actions, known, belief.done())
    if not rejected:
        assert SymbolicCritic(HOUSEHOLD).answer(query).verdict == Verdict.ACCEPTED
    return answer


def ends(belief: Belief, tasks: Collection[str], more: Iterable[Action] = ()) -> dict[str, Action]:
    """Returns the first action of the plan for each task."""
    return {task: plan(task, belief, more).actions[0] for task in tasks}


def kitchen() -> Belief:
    belief = Belief().room("room_1", "kitchen")
    return belief.thing("table_1", "table", "room_1").thing("sink_1", "sink", "room_1")


def mugs_in_the_sink() -> Belief:
    belief = kitchen()
    for name in ("mug_1", "mug_2"):
        belief.thing(name, "mug", "room_1", inside="sink_1")
    return belief


def lamps_in_two_rooms(kind: str = "living room") -> Belief:
    """Returns a home with a mug on a table and a box on the floor, both next to the lamp of the first room."""
    belief = Belief().room("room_1", kind).room("room_2", "bedroom")
    belief.thing("table_1", "table", "room_1").thing("table_2", "table", "room_2")
    belief.thing("lamp_1", "floor lamp", "room_1").thing("lamp_2", "floor lamp", "room_2")
    belief.thing("mug_1", "mug", "room_1", on="table_1").add("mug_1", words.NEAR, "lamp_1")
    own = EvidenceSource.OWN_ACTION
    belief.thing("box_1", "box", "room_1")
    belief.facts.append(Relation("box_1", words.NEAR, "lamp_1", source=own, last_seen=at(2)))
    return belief.add("lamp_2", words.NEAR, "table_2")


@pytest.mark.parametrize("task", ["Put all the mugs in the sink.", "Find all the mugs."])
def test_task_about_all_of_a_kind_is_given_up_while_a_place_is_left_that_the_critic_refuses(
    task: str,
) -> None:
    belief = mugs_in_the_sink().frontier("frontier_1", 9.0, 3.0, "room_1")
    answer = plan(task, belief, (explore("frontier_1"),), rejected=(explore("frontier_1"), LOOK_AROUND))
    assert answer.actions == (GIVE_UP,)
    assert "(done with mug_1 and mug_2; not everything was searched)" in answer.reasoning


def test_critic_rejects_a_report_of_one_of_all_while_a_place_is_left() -> None:
    belief = mugs_in_the_sink().frontier("frontier_1", 9.0, 3.0, "room_1")
    task, actions = "Find all the mugs.", possible(belief, (explore("frontier_1"),))
    known = with_goals(temporal(LOOKED), task)
    query = CritiqueQuery(task, "", report("mug_1"), actions, known, belief.done())
    verdict = SymbolicCritic(HOUSEHOLD).answer(query)
    assert (verdict.verdict, verdict.criterion) == (Verdict.REJECTED, Criterion.ALIGNMENT)


def test_planner_plans_although_the_duration_of_the_first_action_was_not_measured() -> None:
    first = replace(LOOKED, duration=math.nan)
    assert plan("Put all the mugs in the sink.", mugs_in_the_sink(), past=temporal(first)).actions == (
        FINISH,
    )


@pytest.mark.parametrize("held", [False, True])
def test_thing_whose_colour_did_not_show_from_nearby_is_not_the_red_one_for_sure(held: bool) -> None:
    task = "Bring me the red mug." if held else "Put the red mug in the sink."
    belief = kitchen().thing("mug_1", "mug", "room_1", 0.2, inside="sink_1")
    if held:
        belief.add("mug_1", words.HELD_BY, words.ROBOT, 1.0)
    answer = plan(task, belief)
    assert answer.actions == (UNVERIFIED,)
    assert "(done with mug_1, which may not be the red mug meant)" in answer.reasoning
    assert plan(task.replace("red ", ""), belief).actions == (FINISH,)


def test_red_thing_is_meant_rather_than_one_whose_colour_did_not_show() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 0.2, inside="sink_1")
    belief.thing("mug_2", "mug", "room_1", on="table_1", colour="red")
    assert plan("Put the red mug in the sink.", belief).actions[:2] == (navigate("mug_2"), pick("mug_2"))


@pytest.mark.parametrize(
    ("colours", "perhaps", "end"),
    [
        (("black",), (), UNVERIFIED),
        (("black",), ("white",), FINISH),
        (("black", "white"), (), FINISH),
        (("red",), (), GIVE_UP),
    ],
)
def test_thing_of_two_colours_has_both(
    colours: tuple[str, ...], perhaps: tuple[str, ...], end: Action
) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 0.2, inside="sink_1")
    for predicate, named in ((words.COLOUR, colours), (words.MAY_HAVE_COLOUR, perhaps)):
        for colour in named:
            belief.add("mug_1", predicate, colour, 0.5)
    past = temporal(LOOKED, outcome(2, navigate("mug_1")), outcome(3, LOOK_AROUND))
    assert plan("Put the black and white mug in the sink.", belief, past=past).actions == (end,)


@pytest.mark.parametrize(
    ("others", "end"),
    [({"bowl": 0.3, "vase": 0.29}, UNVERIFIED), ({"bowl": 0.3, "coffee mug": 0.3}, FINISH), ({}, UNVERIFIED)],
)
def test_thing_is_meant_for_sure_only_if_it_is_of_the_kind_rather_than_not(
    others: dict[str, float], end: Action
) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 0.2, 0.31, inside="sink_1")
    for kind, confidence in others.items():
        belief.add("mug_1", words.MAY_BE, kind, confidence)
    assert plan("Put the mug in the sink.", belief).actions == (end,)


def test_critic_rejects_a_report_of_a_thing_at_which_a_look_is_left() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", confidence=0.4, on="table_1")
    task, actions = "Find the mug.", possible(belief)
    query = CritiqueQuery(
        task, "", report("mug_1"), actions, with_goals(temporal(LOOKED), task), belief.done()
    )
    verdict = SymbolicCritic(HOUSEHOLD).answer(query)
    assert verdict.verdict == Verdict.REJECTED
    assert verdict.reason == "mug_1 is not known for sure to be the mug; first navigate(mug_1)."


def bowl_and_apple(**more: str) -> Belief:
    belief = kitchen().thing("bowl_1", "bowl", "room_1", on="table_1")
    return belief.thing("apple_1", "apple", "room_1", **more)


def test_thing_is_put_into_a_bowl_that_is_full_of_water() -> None:
    task = "Fill the bowl with water and put the apple in the bowl."
    belief = bowl_and_apple(on="table_1").add("bowl_1", words.STATE, words.STATE_FULL, 1.0, last=NOW)
    past = temporal(LOOKED, outcome(2, pick("bowl_1")), outcome(3, FILL), outcome(4, place_on("table_1")))
    assert plan(task, belief, (FILL,), past).actions[-1] == Action(words.SKILL_PLACE_IN, ("bowl_1",))


def test_bowl_without_room_for_a_thing_is_not_full_of_water() -> None:
    refused = outcome(3, Action(words.SKILL_PLACE_IN, ("bowl_1",)), ErrorCode.NO_ROOM)
    past = temporal(LOOKED, outcome(2, pick("apple_1")), refused, outcome(4, place_on("table_1")))
    belief = bowl_and_apple(on="table_1")
    belief.facts.extend(SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(past)).triples)
    assert plan("Fill the bowl with water.", belief, (FILL,), past).actions[-1] == FILL
    assert plan("Put the apple in the bowl.", belief, (), past).actions == (GIVE_UP,)


def test_red_mug_is_free_for_its_own_goal_although_two_mugs_are_wanted_where_it_is() -> None:
    task = "Put two mugs on the table and the red mug in the sink."
    belief = kitchen().thing("shelf_1", "shelf", "room_1")
    for name, place, colour in (
        ("mug_1", "table_1", "red"),
        ("mug_2", "table_1", "blue"),
        ("mug_3", "shelf_1", "green"),
    ):
        belief.thing(name, "mug", "room_1", on=place, colour=colour)
    assert plan(task, belief).actions[-1] == Action(words.SKILL_PLACE_IN, ("sink_1",))

    facts = [fact for fact in belief.facts if (fact.subject, fact.predicate) != ("mug_1", words.ON)]
    belief.facts = facts
    belief.add("mug_1", words.IN, "sink_1")
    assert plan(task, belief).actions[-3:] == (pick("mug_3"), navigate("table_1"), place_on("table_1"))


def test_two_goals_do_not_take_the_only_mug_from_each_other_for_ever() -> None:
    task = "Put a mug on the table and the red mug in the sink."
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    assert pick("mug_1") in plan(task, belief).actions
    moves = (pick("mug_1"), place_on("table_1")) * 2
    past = temporal(LOOKED, *(outcome(step, move) for step, move in enumerate(moves, 2)))
    assert pick("mug_1") not in plan(task, belief, past=past).actions


STUCK = temporal(
    LOOKED,
    outcome(2, navigate("cupboard_1")),
    *(outcome(step, open_("cupboard_1"), ErrorCode.NOT_OPENABLE) for step in (3, 4)),
    outcome(5, LOOK_AROUND),
)


def test_all_of_a_kind_are_not_known_to_be_done_while_some_may_be_in_what_does_not_open() -> None:
    belief = mugs_in_the_sink().thing("cupboard_1", "cupboard", "room_1", state=words.STATE_CLOSED)
    more = (open_("cupboard_1"),)
    moved = plan("Put all the mugs in the sink.", belief, more, STUCK)
    assert moved.actions == (UNVERIFIED,)
    assert "(mug_1 and mug_2; cupboard_1 could not be searched)" in moved.reasoning
    found = plan("Find all the mugs.", belief, more, STUCK)
    assert found.actions == (UNVERIFIED,)
    assert found.reasoning.endswith("cupboard_1 could not be searched.")
    assert plan("Put two mugs in the sink.", belief, more, STUCK).actions == (FINISH,)


def test_all_of_a_room_are_known_to_be_done_whatever_does_not_open_in_another_one() -> None:
    belief = mugs_in_the_sink().room("room_2", "bedroom")
    belief.thing("cupboard_1", "cupboard", "room_2", state=words.STATE_CLOSED)
    task, more = "Put all the mugs in the kitchen in the sink.", (open_("cupboard_1"),)
    assert plan(task, belief, more, STUCK).actions == (FINISH,)


@pytest.mark.parametrize(("area", "end"), [(9.0, UNVERIFIED), (1.0, FINISH)])
def test_all_of_a_kind_are_not_known_to_be_done_while_no_way_leads_on(area: float, end: Action) -> None:
    belief = mugs_in_the_sink().frontier("frontier_1", area, math.nan, "room_1")
    assert plan("Put all the mugs in the sink.", belief, (explore("frontier_1"),)).actions == (end,)


@pytest.mark.parametrize(
    ("kinds", "end"),
    [
        ({}, UNVERIFIED),
        ({"kitchen": 0.3, "bedroom": 0.35}, UNVERIFIED),
        ({"kitchen": 0.1, "bedroom": 0.4}, FINISH),
        ({"bedroom": 0.9}, FINISH),
    ],
)
def test_lamp_in_what_may_be_the_kitchen_may_be_of_all_the_lamps_there(
    kinds: dict[str, float], end: Action
) -> None:
    belief = kitchen().thing("lamp_1", "lamp", "room_1").thing("lamp_2", "lamp", "room_1")
    belief.thing("lamp_3", "lamp", "room_2").room("room_2")
    for name, state in (("lamp_1", "off"), ("lamp_2", "off"), ("lamp_3", "on")):
        belief.add(name, words.STATE, state, 1.0, last=NOW)
    likeliest = max(kinds, key=lambda kind: kinds[kind], default="")
    for kind, confidence in kinds.items():
        belief.add("room_2", words.IS_A if kind == likeliest else words.MAY_BE, kind, confidence)
    answer = plan("Turn off all the lamps in the kitchen.", belief)
    assert answer.actions == (end,)
    assert ("lamp_3 in room_2" in answer.reasoning) == (end == UNVERIFIED)


def test_lamp_in_no_known_room_may_be_of_all_the_lamps_of_a_room() -> None:
    belief = kitchen().thing("lamp_1", "lamp", "room_1", state="off").thing("lamp_2", "lamp", state="on")
    belief.thing("lamp_3", "lamp", "room_1", state="off")
    belief.facts = [replace(fact, last_seen=at(NOW)) for fact in belief.facts]
    assert plan("Turn off all the lamps in the kitchen.", belief).actions == (UNVERIFIED,)


@pytest.mark.parametrize(
    ("colour", "confidence", "end"),
    [("", 0.9, UNVERIFIED), ("red", 0.4, UNVERIFIED), ("pink", 0.9, FINISH), ("blue", 0.9, FINISH)],
)
def test_thing_that_may_be_red_may_be_of_all_the_red_ones(
    colour: str, confidence: float, end: Action
) -> None:
    belief = mugs_in_the_sink().add("mug_1", words.COLOUR, "red").add("mug_2", words.COLOUR, "red")
    belief.thing(
        "mug_3", "mug", "room_1", 0.2, confidence, on="table_1", **({"colour": colour} if colour else {})
    )
    assert plan("Put all the red mugs in the sink.", belief).actions == (end,)


NEXT_TO_A_LAMP = ("Put the mug next to the lamp{}.", "Put the box on the floor next to the lamp{}.")


@pytest.mark.parametrize("task", NEXT_TO_A_LAMP)
def test_thing_next_to_a_lamp_is_not_next_to_the_lamp_of_another_room(task: str) -> None:
    belief = lamps_in_two_rooms()
    here, anywhere, there = (
        plan(task.format(room), belief).actions[-1] for room in (" in the living room", "", " in the bedroom")
    )
    assert (here, anywhere) == (FINISH, FINISH)
    assert there.skill in words.PLACINGS
    assert there.target in ("table_2", "lamp_2")


@pytest.mark.parametrize("task", NEXT_TO_A_LAMP)
def test_task_ends_unverified_if_the_only_lamp_to_be_next_to_may_not_be_the_one_meant(task: str) -> None:
    belief = lamps_in_two_rooms()
    belief.facts = [fact for fact in belief.facts if "lamp_2" not in (fact.subject, fact.object)]
    answer = plan(task.format(" in the bedroom"), belief)
    assert answer.actions == (UNVERIFIED,)
    assert "at lamp_1 in room_1 (living room); no lamp in the bedroom is known for sure" in answer.reasoning


@pytest.mark.parametrize(("plant", "end"), [("plant_1", "place_on"), ("plant_2", "finish_unverified")])
def test_thing_next_to_the_smaller_of_two_plants_is_not_next_to_the_large_one(plant: str, end: str) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1").add("mug_1", words.NEAR, plant)
    for name, size in (("plant_1", "1.00"), ("plant_2", "1.05")):
        belief.thing(name, "plant", "room_1").add(name, words.SIZE, size).add(name, words.NEAR, "sink_1")
    answer = plan("Put the mug next to the large plant.", belief.add("plant_2", words.NEAR, "table_1"))
    assert answer.actions[-1].skill == end
