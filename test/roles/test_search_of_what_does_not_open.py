"""Tests of the end of a search in which something could not be opened."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.goals import FindGoal, PlaceGoal
from stma_ros.memory.descriptions import SMALL, Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome
from support.roles.scripted_home import Belief, navigate, open_, outcome
from support.roles.single_steps import do, kitchen, plan

FINISH, UNVERIFIED = Action(words.SKILL_FINISH), Action(words.SKILL_FINISH_UNVERIFIED)


def jammed(name: str) -> tuple[Outcome, ...]:
    """Returns attempts after which something does not open."""
    return tuple(outcome(step, open_(name), ErrorCode.BLOCKED) for step in (1, 2, 3))


@pytest.mark.parametrize(
    "tried",
    [
        jammed("cupboard_1"),
        (outcome(1, open_("cupboard_1"), ErrorCode.NOT_OPENABLE),),
        tuple(outcome(step, open_("cupboard_1"), ErrorCode.BAD_STANCE) for step in range(1, 7)),
    ],
    ids=["jammed", "not openable", "nowhere to stand"],
)
def test_report_names_the_container_that_could_not_be_opened(tried: tuple[Outcome, ...]) -> None:
    answer = plan(kitchen(), *tried, goals=(FindGoal(Description("mug")),))
    assert answer.actions == (Action(words.SKILL_GIVE_UP),)
    assert "Could not be searched: cupboard_1." in answer.reasoning


@pytest.mark.parametrize(("door_opens", "ending"), [(True, FINISH), (False, UNVERIFIED)])
def test_likeliest_room_is_meant_for_sure_only_if_no_door_hides_another_one(
    door_opens: bool, ending: Action
) -> None:
    belief = Belief().room("room_1", "hallway").add("room_2", words.IS_A, "bedroom", 0.45)
    belief.thing("shelf_1", "shelf", "room_2").thing("mug_1", "mug", "room_2", on="shelf_1")
    belief.thing("door_1", "door", "room_1", 2.0, state="open" if door_opens else "closed")
    shelf = Description("shelf", relation=words.IN_ROOM, place=Description("bedroom"))
    put = (outcome(4, do("pick", "mug_1")), outcome(5, do("place_on", "shelf_1")))
    tried = () if door_opens else jammed("door_1")
    answer = plan(belief, *tried, *put, goals=(PlaceGoal(Description("mug"), 1, "", shelf),))
    assert answer.actions == (ending,)


@pytest.mark.parametrize(("cupboard_opens", "ending"), [(True, FINISH), (False, UNVERIFIED)])
def test_only_thing_that_was_found_is_the_small_one_only_if_nothing_hides_another_one(
    cupboard_opens: bool, ending: Action
) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="counter_1").add("mug_1", words.SIZE, "0.1")
    tried = (outcome(3, open_("cupboard_1")),) if cupboard_opens else jammed("cupboard_1")
    put = (navigate("counter_1"), do("pick", "mug_1"), do("place_on", "counter_1"))
    past = (*tried, *(outcome(step, action) for step, action in enumerate(put, start=4)))
    goal = PlaceGoal(Description("mug", size=SMALL), 1, words.ON, Description("counter"))
    assert plan(belief, *past, goals=(goal,)).actions == (ending,)
