"""Tests that texts that resemble a request in another way are read as what they say, or refused."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals


@pytest.mark.parametrize(
    "text",
    [
        "Bring all the mugs on the table, which are red.",
        "Turn on the lamp on the table, which is white.",
        "Bring me the towels in the bathroom, which are green.",
        "Throw away any old shoes.",
        "Throw away any old shoe.",
        "Turn off any old computer.",
        "Bring me any old socks.",
        "Bring me any odd socks.",
        "Bring me any odd sock.",
        "Bring me the mug that usually sits on the table.",
        "Bring me the mug that always stands on the table.",
        "Bring me the mug I usually keep on the table.",
    ],
)
def test_detail_of_another_thing_or_time_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Nobody should be told where the keys are.",
        "Nobody is to be told where the keys are.",
        "You told me where the mug was.",
        "You have already shown me where the mug is.",
        "I am told where the mug is.",
        "I had to be told where the keys are.",
        "I don't want to be told where the keys are.",
        "Everybody was told where the keys are.",
        "Instead of looking for the mug, look for the plate.",
        "Rather than hunting for the remote, tell me where the radio is.",
        "Instead of looking for the mug, find out where to look for the plate.",
        "My wife has borrowed the umbrella, so find my coat.",
        "My wife has borrowed the umbrella, so find my coat and put it on the bed.",
        "No one could find the mug, so turn on the lamp.",
        "None of us can find the mugs, bring plates and put them on the table.",
        "Nobody has found the keys yet, don't look for them.",
        "Nobody can find the mug. We looked for it.",
        "I refuse to cook until I know where the pan is, look for the lid.",
    ],
)
def test_thing_that_is_not_to_be_found_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "The sink is the mug's current place.",
        "The drawer is the spoon's former home.",
        "The drawer is the spoon's last home.",
        "The sofa is the last spot I want the bag on.",
        "The sofa is the worst place I want the bag on.",
        "The kitchen is the wrong room I want the mug in.",
        "Find a different spot for the mug on the shelf.",
        "With my glass empty, bring me the bottle.",
    ],
)
def test_place_or_state_that_is_not_wanted_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Bring me the mug, which is red.", "Bring me the red mug."),
        ("Put the mug, which is red, on the table.", "Put the red mug on the table."),
        ("Bring me any old glass.", "Bring me any glass."),
        ("Bring me the mug that sits on the table.", "Bring me the mug that is on the table."),
        ("With the bin full, close it.", "Close the bin."),
        ("With the dishwasher full, turn it on.", "Turn on the dishwasher."),
        ("Turn the lamp on the table off at the wall.", "Turn off the lamp on the table."),
        ("Switch off the kettle at the mains.", "Turn off the kettle."),
        ("Nobody has told us where the mug is.", "Find the mug."),
        ("I haven't been told where the mug is.", "Find the mug."),
        ("I want to be told where the mug is.", "Find the mug."),
        (
            "Before looking for the remote, find out where the radio is.",
            "Find the radio. Then find the remote.",
        ),
        ("Instead of me searching all day for the mug, can you tell me where it is?", "Find the mug."),
        ("Somebody has taken the mug, so look for it.", "Find the mug."),
        ("Nobody can find the mug. Where is it?", "Find the mug."),
        ("I can't leave until I know where the mug is, so tell me where it is.", "Find the mug."),
        ("The drawer is the spoon's proper home.", "Put the spoon in the drawer."),
        ("The sofa is the only spot I want the bag on.", "Put the bag on the sofa."),
        ("Find a good spot for the mug on the shelf.", "Put the mug on the shelf."),
    ],
)
def test_text_is_read_as_the_plain_one(text: str, same: str) -> None:
    assert read_goals(text) == read_goals(same)


def test_wall_of_a_place_is_not_a_switch() -> None:
    """A chair on the rug at the wall stands at the wall, while a lamp is switched off at the wall."""
    assert read_goals("Put the chair on the rug at the wall.") != read_goals("Put the chair on the rug.")
    assert read_goals("Find the mug on the shelf at the wall.") != read_goals("Find the mug on the shelf.")
