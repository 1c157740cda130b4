"""Tests of the search of places to which no way is known."""

from __future__ import annotations

import math

import pytest

from stma_ros.types import vocabulary as words
from support.roles.scripted_home import GIVE_UP, Belief, navigate, open_, outcome
from support.roles.single_steps import do, judge, kitchen, plan

SEARCHED = (outcome(1, open_("cupboard_1")), outcome(2, navigate("counter_1")))
TOOK_A_PLATE = (*SEARCHED, outcome(3, do("pick", "plate_1")), outcome(4, do("place_on", "counter_1")))


def home(kind: str, taken: str, length: float) -> Belief:
    """Returns a kitchen with a plate, which the robot took from a piece of furniture at the end of a way."""
    belief = kitchen().thing("piece_1", kind, "room_1", length)
    belief.thing("plate_1", "plate", "room_1", on="counter_1")
    return belief.add("plate_1", taken, "piece_1")


@pytest.mark.parametrize(
    ("kind", "taken"), [("shelf", words.TAKEN_OFF), ("basket", words.TAKEN_OUT_OF)], ids=["shelf", "basket"]
)
def test_a_place_to_which_no_way_is_known_is_neither_proposed_nor_demanded(kind: str, taken: str) -> None:
    there, cut_off = home(kind, taken, 2.0), home(kind, taken, math.nan)
    assert plan(there, *TOOK_A_PLATE).actions[0] == navigate("piece_1")

    proposed = plan(cut_off, *TOOK_A_PLATE).actions[0]
    assert proposed != navigate("piece_1")
    assert judge(proposed, cut_off, *TOOK_A_PLATE).reason == ""
    assert "piece_1" not in judge(GIVE_UP, cut_off, *TOOK_A_PLATE).reason


def test_place_where_a_thing_was_first_taken_is_looked_at_once_however_often_it_is_picked_up() -> None:
    belief = home("shelf", words.TAKEN_OFF, 2.0)
    looked = (*TOOK_A_PLATE, outcome(5, navigate("piece_1")))
    again = (*looked, outcome(6, do("pick", "plate_1")), outcome(7, do("place_on", "counter_1")))
    for past in (looked, again):
        assert navigate("piece_1") not in plan(belief, *past).actions
