"""Things that are wanted at one and the same place, and apart from others: "not in the same box as the cans"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from support.roles.common_places import FINISH, kitchen, pick, place_in, plan

BOX = Description("cardboard box")
CAN = PlaceGoal(Description("can"), 1, words.IN, BOX, together=1)
JAR = PlaceGoal(Description("jar"), 1, words.IN, BOX, together=1)
BOTTLE = PlaceGoal(Description("bottle"), 1, words.IN, BOX, together=2)
MUG = PlaceGoal(Description("mug"), 1, words.IN, BOX, together=2)
GOALS = CAN, JAR, BOTTLE, MUG
APART = tuple(replace(goal, apart=(3 - goal.together,)) for goal in GOALS)


@pytest.mark.parametrize("goals", [GOALS, APART])
def test_another_group_of_things_goes_to_another_place(goals: tuple[PlaceGoal, ...]) -> None:
    begun = kitchen(2, can_1="cardboard_box_1", jar_1="counter_1", bottle_1="counter_1", mug_1="counter_1")
    assert plan(begun, goals=goals[1:2] + goals[:1]).actions == (pick("jar_1"), place_in("cardboard_box_1"))
    half = kitchen(
        2, can_1="cardboard_box_1", jar_1="cardboard_box_1", bottle_1="counter_1", mug_1="counter_1"
    )
    assert plan(half, goals=goals).actions[-1] == place_in("cardboard_box_2")
    done = kitchen(
        2,
        can_1="cardboard_box_1",
        jar_1="cardboard_box_1",
        bottle_1="cardboard_box_2",
        mug_1="cardboard_box_2",
    )
    assert plan(done, goals=goals).actions == (FINISH,)


def test_groups_share_a_place_where_there_is_one_unless_they_must_be_apart() -> None:
    shared = kitchen(
        1,
        can_1="cardboard_box_1",
        jar_1="cardboard_box_1",
        bottle_1="cardboard_box_1",
        mug_1="cardboard_box_1",
    )
    assert plan(shared, goals=GOALS).actions == (FINISH,)
    assert plan(shared, goals=APART).actions != (FINISH,)


def test_what_must_be_apart_leaves_the_place_of_what_is_named_before() -> None:
    mixed = kitchen(
        2,
        can_1="cardboard_box_1",
        jar_1="cardboard_box_1",
        bottle_1="cardboard_box_1",
        mug_1="cardboard_box_1",
    )
    (first, then) = plan(mixed, goals=APART).actions
    assert first in (pick("bottle_1"), pick("mug_1"))
    assert then == place_in("cardboard_box_2")


def test_box_is_filled_before_it_is_put_into_something() -> None:
    belief = kitchen(1, can_1="counter_1").thing("fridge_1", "fridge", "room_1", 0.2, 1.0, state="open")
    goals = PlaceGoal(BOX, 1, words.IN, Description("fridge")), replace(CAN, together=0)
    assert plan(belief, goals=goals).actions == (pick("can_1"), place_in("cardboard_box_1"))


def test_task_with_too_few_places_is_not_done() -> None:
    lone = kitchen(
        1, can_1="cardboard_box_1", jar_1="cardboard_box_1", bottle_1="counter_1", mug_1="counter_1"
    )
    assert not {FINISH, place_in("cardboard_box_1")} & {*plan(lone, goals=APART).actions}
