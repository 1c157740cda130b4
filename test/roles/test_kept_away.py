"""Things that are wanted away from something: "keep the knife away from the toy"."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL
from support.roles.common_places import FINISH, kitchen, pick, place_in, place_on, plan
from support.roles.scripted_home import Belief, outcome

KNIFE, PLATE, BOX = Description("knife"), Description("plate"), Description("cardboard box")


def away(what: Description, place: Description, count: int = 1) -> PlaceGoal:
    return PlaceGoal(what, count, words.AWAY_FROM, place)


def test_thing_to_be_kept_away_is_not_moved_if_it_is_away_already() -> None:
    belief = kitchen(1, knife_1="counter_1")
    assert plan(belief, goals=[away(KNIFE, BOX)]).actions == (FINISH,)


@pytest.mark.parametrize("place", ["cardboard_box_1", "plate_1"])
def test_thing_to_be_kept_away_is_taken_out_of_or_off_the_place(place: str) -> None:
    belief = kitchen(1, plates=1, knife_1=place)
    goal = away(KNIFE, BOX if "box" in place else PLATE)
    assert plan(belief, goals=[goal]).actions == (pick("knife_1"), place_on("counter_1"))


def test_thing_to_be_kept_away_is_moved_if_it_is_near_the_other() -> None:
    belief = kitchen(0, plates=1, knife_1="table_1").add("knife_1", words.NEAR, "plate_1")
    assert plan(belief, goals=[away(KNIFE, PLATE)]).actions == (pick("knife_1"), place_on("counter_1"))


def test_one_thing_that_is_away_does_not_count_for_another_that_is_at_the_place() -> None:
    belief = kitchen(1, knife_1="counter_1", knife_2="cardboard_box_1")
    assert plan(belief, goals=[away(KNIFE, BOX)]).actions == (pick("knife_2"), place_on("counter_1"))


def test_thing_at_no_known_place_is_not_known_to_be_away() -> None:
    assert plan(kitchen(1), goals=[away(KNIFE, BOX)]).actions != (FINISH,)
    unplaced = Belief().room("room_1", "kitchen").thing("counter_1", "counter", "room_1", 0.2)
    unplaced.thing("knife_1", "knife", "room_1", 0.2)
    assert plan(unplaced, goals=[away(KNIFE, BOX)]).actions != (FINISH,)


def test_robot_searches_for_all_of_the_things_to_be_kept_away() -> None:
    belief = kitchen(1, knife_1="counter_1", knife_2="table_1").frontier("frontier_1", 6.0, 3.0, "room_1")
    (action,) = plan(belief, goals=[away(KNIFE, BOX, ALL)]).actions
    assert action.skill == words.SKILL_EXPLORE


def test_thing_to_be_kept_away_goes_to_the_place_where_the_task_wants_it() -> None:
    goals = away(KNIFE, PLATE), PlaceGoal(KNIFE, 1, words.IN, BOX)
    belief = kitchen(1, plates=1, knife_1="plate_1")
    assert plan(belief, goals=goals).actions == (pick("knife_1"), place_in("cardboard_box_1"))
    past = outcome(2, pick("knife_1")), outcome(3, place_in("cardboard_box_1"))
    assert plan(kitchen(1, plates=1, knife_1="cardboard_box_1"), *past, goals=goals).actions == (FINISH,)


def test_things_wanted_next_to_one_another_are_gathered_where_one_of_them_is() -> None:
    mugs = PlaceGoal(Description("mug"), ALL, words.NEAR, Description("mug"))
    apart = kitchen(0, mug_1="counter_1", mug_2="table_1")
    first, then = plan(apart, goals=[mugs]).actions
    assert (first, then) in ((pick("mug_1"), place_on("table_1")), (pick("mug_2"), place_on("counter_1")))
    beside = kitchen(0, mug_1="table_1", mug_2="table_1")
    beside.add("mug_1", words.NEAR, "mug_2").add("mug_2", words.NEAR, "mug_1")
    assert plan(beside, goals=[mugs]).actions == (FINISH,)
