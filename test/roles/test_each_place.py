"""Things that are wanted at each of several places: "one cupcake on each plate"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.memory.descriptions import Description
from stma_ros.roles.planner import PlanAnswer
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Outcome
from support.roles import common_places
from support.roles.common_places import FINISH, UNVERIFIED, kitchen, pick, place_on
from support.roles.scripted_home import Belief, navigate, outcome

CUPCAKE, PLATE = Description("cupcake"), Description("plate")
EACH = PlaceGoal(CUPCAKE, 1, words.ON, PLATE, each=True)


def home(plates: int, **cupcakes: str) -> Belief:
    return kitchen(0, plates=plates, **cupcakes)


def plan(belief: Belief, *past: Outcome, goals: tuple[PlaceGoal, ...] = (EACH,)) -> PlanAnswer:
    return common_places.plan(belief, *past, goals=goals)


def test_each_plate_gets_one() -> None:
    start = home(2, cupcake_1="counter_1", cupcake_2="counter_1")
    assert plan(start).actions == (pick("cupcake_1"), place_on("plate_1"))
    one = outcome(2, pick("cupcake_1")), outcome(3, place_on("plate_1"))
    half = plan(home(2, cupcake_1="plate_1", cupcake_2="counter_1"), *one)
    assert half.actions == (pick("cupcake_2"), place_on("plate_2"))
    other = outcome(4, pick("cupcake_2")), outcome(5, place_on("plate_2"))
    end = plan(home(2, cupcake_1="plate_1", cupcake_2="plate_2"), *one, *other)
    assert end.actions == (FINISH,)


def test_things_for_each_of_several_boxes_do_not_wait_for_one_another() -> None:
    boxes = Description("cardboard box")
    goals = tuple(
        PlaceGoal(Description(kind), 1, words.IN, boxes, each=True) for kind in ("doll", "teddy bear")
    )
    belief = kitchen(2, doll_1="counter_1", doll_2="counter_1", teddy_bear_1="counter_1")
    belief.frontier("frontier_1", 6.0, 3.0, "room_1")
    assert plan(belief, goals=goals).actions[0].skill == words.SKILL_PICK


def test_two_on_one_plate_are_not_one_on_each() -> None:
    belief = home(2, cupcake_1="plate_1", cupcake_2="plate_1")
    (first, then) = plan(belief).actions
    assert first.skill == words.SKILL_PICK
    assert then == place_on("plate_2")


def test_plates_that_were_not_seen_yet_are_searched() -> None:
    belief = home(1, cupcake_1="plate_1").frontier("frontier_1", 6.0, 3.0, "room_1")
    assert plan(belief).actions == (Action(words.SKILL_EXPLORE, ("frontier_1",)),)


def test_each_of_what_turns_out_to_be_a_single_plate_ends_unverified() -> None:
    end = plan(home(1, cupcake_1="plate_1"))
    assert end.actions == (UNVERIFIED,)
    assert "no other plate was found" in end.reasoning


def test_task_is_not_done_while_there_are_too_few_things() -> None:
    end = plan(home(3, cupcake_1="plate_1", cupcake_2="plate_2"))
    assert end.actions[-1] not in (FINISH, UNVERIFIED)


@pytest.mark.parametrize("count", [1, 2])
def test_so_many_as_the_task_says_are_on_each(count: int) -> None:
    here = {f"cupcake_{number}": "plate_1" for number in range(1, count + 1)}
    there = {f"cupcake_{number}": "plate_2" for number in range(3, 3 + count)}
    goals = (replace(EACH, count=count),)
    assert plan(home(2, **here, **there), goals=goals).actions == (FINISH,)
    fewer = dict(list(there.items())[1:])
    spare = {"cupcake_9": "counter_1"}
    assert plan(home(2, **here, **fewer, **spare), goals=goals).actions[-1] == place_on("plate_2")


def test_plates_of_the_place_that_is_named_count_alone() -> None:
    there = PlaceGoal(
        CUPCAKE, 1, words.ON, replace(PLATE, relation=words.ON, place=Description("table")), each=True
    )
    belief = home(2, cupcake_1="plate_1", cupcake_2="plate_2").thing(
        "plate_9", "plate", "room_1", 0.2, 1.0, on="counter_1"
    )
    assert plan(belief, goals=(there,)).actions == (FINISH,)
    assert plan(belief).actions != (FINISH,)


@pytest.mark.parametrize("confidence", [0.3, 0.45])
def test_each_plate_counts_though_the_room_is_in_doubt(confidence: float) -> None:
    plates = replace(PLATE, relation=words.IN_ROOM, place=Description("dining room"))
    goal = replace(EACH, destination=plates)
    belief = Belief()
    belief.room_id = "room_1"
    belief.add("room_1", words.IS_A, "dining room", confidence)
    belief.thing("table_1", "table", "room_1", 0.2)
    for number in (1, 2, 3):
        belief.thing(f"plate_{number}", "plate", "room_1", 0.2, 1.0, on="table_1")
        place = "plate_1" if number == 1 else "table_1"
        belief.thing(f"cupcake_{number}", "cupcake", "room_1", 0.2, 1.0, on=place)
    assert not {FINISH, UNVERIFIED} & {*plan(belief, goals=(goal,)).actions}


def test_each_ends_unverified_and_says_so_if_the_places_may_be_none_of_those_meant() -> None:
    belief = Belief().room("room_1", "kitchen").thing("table_1", "table", "room_1", 0.2)
    for number in (1, 2):
        belief.thing(f"plate_{number}", "plate", "room_1", 0.2, 0.25, on="table_1")
        belief.thing(f"cupcake_{number}", "cupcake", "room_1", 0.2, 1.0, on=f"plate_{number}")
    end = plan(belief)
    assert end.actions == (UNVERIFIED,)
    assert "Done" not in end.reasoning
    assert "cupcake_1, perhaps at none of the plates meant" in end.reasoning


def test_each_ends_unverified_while_another_thing_may_be_one_of_the_places() -> None:
    belief = home(2, cupcake_1="plate_1", cupcake_2="plate_2")
    belief.thing("bowl_1", "bowl", "room_1", 0.2, 0.6, on="table_1").add("bowl_1", words.MAY_BE, "plate", 0.4)
    went = outcome(2, navigate("bowl_1"))
    assert plan(belief, went).actions == (UNVERIFIED,)


def test_things_that_are_somewhere_else_are_fetched_first() -> None:
    belief = home(1, cupcake_1="plate_1").thing("plate_2", "plate", "room_1", 0.2, 1.0, on="counter_1")
    belief.thing("shelf_1", "shelf", "room_1", 5.0).thing(
        "cupcake_2", "cupcake", "room_1", 5.0, 1.0, on="shelf_1"
    )
    assert plan(belief).actions[:2] == (navigate("cupcake_2"), pick("cupcake_2"))
