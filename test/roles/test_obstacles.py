"""Tests of what the planner carries out of the way, and of its looks into what is open at the top."""

from __future__ import annotations

import math

import pytest

from stma_ros.domains.household.goals import FindGoal, PlaceGoal
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import ArgumentKind, Outcome, SkillSchema
from support.roles.scripted_home import Belief, navigate, open_, outcome
from support.roles.scripted_household import SKILLS
from support.roles.single_steps import MUG, do, judge, kitchen, plan

INTO_CUPBOARD = PlaceGoal(MUG, 1, words.IN, Description("cupboard"))
NOWHERE_TO_STAND = tuple(outcome(step, open_("cupboard_1"), ErrorCode.BAD_STANCE) for step in range(1, 7))
TAKE_BASKET = (navigate("basket_1"), do("pick", "basket_1"))


def with_basket(size: float = 0.5, room: str = "room_1", **more: str) -> Belief:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0, on="counter_1")
    return belief.thing("basket_1", "basket", room, 2.0, **more).add("basket_1", words.SIZE, f"{size:.2f}")


def test_basket_is_taken_away_where_nowhere_is_to_stand_before_a_cupboard() -> None:
    belief = with_basket()
    assert plan(belief, *NOWHERE_TO_STAND, goals=(INTO_CUPBOARD,)).actions == TAKE_BASKET
    critique = judge(TAKE_BASKET[0], belief, *NOWHERE_TO_STAND, goals=(INTO_CUPBOARD,))
    assert critique.reason == ""


@pytest.mark.parametrize(
    ("size", "room", "more"),
    [(0.1, "room_1", {}), (0.5, "room_2", {}), (0.5, "room_1", {"on": "counter_1"})],
    ids=["too small", "in another room", "not on the floor"],
)
def test_what_cannot_be_in_the_way_is_left_alone(size: float, room: str, more: dict[str, str]) -> None:
    found = plan(with_basket(size, room, **more), *NOWHERE_TO_STAND, goals=(INTO_CUPBOARD,))
    assert "basket_1" not in [item.target for item in found.actions]


def test_what_a_goal_is_about_is_no_obstacle() -> None:
    stays = PlaceGoal(Description("basket"), 1, words.IN_ROOM, Description("kitchen"))
    found = plan(with_basket(), *NOWHERE_TO_STAND, goals=(INTO_CUPBOARD, stays))
    assert "basket_1" not in [item.target for item in found.actions]


def cleared() -> tuple[Belief, tuple[Outcome, ...]]:
    belief = with_basket(on="counter_1").add("basket_1", words.TAKEN_FROM, "room_1")
    taken = outcome(7, navigate("basket_1")), outcome(8, do("pick", "basket_1"))
    return belief, (*NOWHERE_TO_STAND, *taken, outcome(9, do("place_on", "counter_1")))


def test_cupboard_is_tried_anew_after_the_way_to_its_front_was_made() -> None:
    belief, past = cleared()
    found = plan(belief, *past, goals=(INTO_CUPBOARD,))
    assert open_("cupboard_1") in found.actions
    again = (outcome(10 + number, open_("cupboard_1"), ErrorCode.BAD_STANCE) for number in range(6))
    found = plan(belief, *past, *again, goals=(INTO_CUPBOARD,))
    assert open_("cupboard_1") not in found.actions
    assert "basket_1" not in [item.target for item in found.actions]  # each thing is moved once


def test_basket_is_taken_away_where_no_way_leads_to_the_mug() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", math.nan)
    belief.thing("basket_1", "basket", "room_1", 2.0).add("basket_1", words.SIZE, "0.50")
    cupboard_is_open = outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1"))
    found = plan(belief, *cupboard_is_open, goals=(PlaceGoal(MUG, 1, words.IN, Description("sink")),))
    assert found.actions == TAKE_BASKET


def test_basket_in_the_hand_goes_onto_the_floor_elsewhere_where_no_surface_takes_it() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", 3.0, on="counter_1")
    belief.thing("basket_1", "basket").add("basket_1", words.HELD_BY, words.ROBOT)
    belief.add("basket_1", words.SIZE, "0.50").add("basket_1", words.TAKEN_FROM, "room_1")
    belief.add("basket_1", words.TAKEN_FROM_BESIDE, "cupboard_1")
    tried = (
        outcome(1, do("pick", "basket_1")),
        *(
            outcome(2 + number, do("place_on", name), ErrorCode.DOES_NOT_FIT)
            for number, name in enumerate(("counter_1", "cupboard_1"))
        ),
    )
    skills = *SKILLS, SkillSchema(name=words.SKILL_PLACE_NEXT_TO, arguments=(ArgumentKind.STANDING,))
    found = plan(belief, *tried, goals=(INTO_CUPBOARD,), skills=skills)
    assert found.actions[-1].skill == words.SKILL_PLACE_NEXT_TO
    assert found.actions[-1].target != "cupboard_1"


# -- looks into what is open at the top


def bag() -> Belief:
    belief = kitchen().thing("paper_bag_1", "paper bag", "room_1", 2.0, on="counter_1")
    return belief.add("paper_bag_1", words.SIZE, "0.35")


SEARCHED = (outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1")))


def test_bag_is_looked_into_from_three_sides_in_a_row() -> None:
    wanted = (FindGoal(MUG),)
    looks: list[Outcome] = []
    for number in range(3):
        assert plan(bag(), *SEARCHED, *looks, goals=wanted).actions == (navigate("paper_bag_1"),)
        looks.append(outcome(3 + number, navigate("paper_bag_1")))
    assert navigate("paper_bag_1") not in plan(bag(), *SEARCHED, *looks, goals=wanted).actions


def test_small_bowl_is_seen_into_in_passing() -> None:
    belief = (
        kitchen().thing("bowl_1", "bowl", "room_1", 2.0, on="counter_1").add("bowl_1", words.SIZE, "0.15")
    )
    assert navigate("bowl_1") not in plan(belief, *SEARCHED, goals=(FindGoal(MUG),)).actions
