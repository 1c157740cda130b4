"""Texts of which a rule takes a request for a remark: what is to be handled is in a goal, or the text is refused."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import FindGoal, StateGoal
from stma_ros.domains.household.language.coverage import forgotten
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words

KNOWN = household_categories()
MUG = Description("mug")


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("find the mug", ""),
        ("find the mug and open the fridge", "fridge"),
        ("find the mug . please switch on the red lamp", "lamp"),
        ("find the mug after putting both of the plates away", "plates"),
        ("find the cup", ""),
        ("find the mug . the vase came from my grandmother", ""),
        ("find the mug , the table lamp is broken", ""),
        ("clear the table and find the mug", ""),
        ("find the mug , no , open the fridge", ""),
        ("find the mug without opening the fridge", ""),
        ("find the mug and open the fridge . the lamp is not on", "fridge"),
        ("open the fridge . no wait , find the mug", ""),
        ("open the fridge . no, find the mug", ""),
    ],
)
def test_thing_that_a_verb_handles_without_a_goal_is_found(text: str, lost: str) -> None:
    things = [MUG, Description("cup")] if "cup" in text else [MUG]
    assert forgotten(text, [FindGoal(MUG)], things, KNOWN) == lost


def test_contents_that_are_poured_out_need_no_goal() -> None:
    assert not forgotten("pour the tea away from the mug", [StateGoal(MUG, words.STATE_EMPTY)], [MUG], KNOWN)


def test_text_without_goals_has_lost_no_request() -> None:
    assert not forgotten("open the fridge", [], [], KNOWN)
