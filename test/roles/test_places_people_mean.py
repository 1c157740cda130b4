"""Tests of which place, thing and time people mean, where the words alone could mean another one."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Go to the shelf, please, and take the mug with you.", "Take the mug to the shelf."),
        ("Head over to the desk. Take both books along.", "Take both books to the desk."),
        ("Go to one of those shelves and take the mug with you.", "Take the mug to one of the shelves."),
        ("No one has put the mug on the shelf yet, so I'm asking you to.", "Put the mug on the shelf."),
        ("I need the use of the desk, so put the mug on the shelf.", "Put the mug on the shelf."),
        ("Before going to bed, turn off the lamp.", "Turn off the lamp."),
        ("Turn off the lamp before leaving for work.", "Turn off the lamp."),
        ("Put the mug on the shelf before bedtime, and close the fridge.",
         "Put the mug on the shelf and close the fridge."),
        ("I can't turn on the radio from my chair, so please do it for me.", "Turn on the radio."),
        ("The mug belongs on the shelf. Please move it.", "Put the mug on the shelf."),
        ("The mug has to get to the shelf, and I'd be glad if you carried it.", "Take the mug to the shelf."),
        ("There isn't a drop in the kettle and the vase. Please fill them.", "Fill the kettle and the vase."),
        ("The fridge is no place for the mug, so put it on the shelf.", "Put the mug from the fridge on the shelf."),
        ("The lamp should come off the desk in the office.", "Take the lamp off the desk in the office."),
        ("Bring me my pair of glasses.", "Bring me my glasses."),
    ],
)  # fmt: skip
def test_place_thing_and_time_are_those_that_people_mean(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    "text",
    [
        "Go to the shelf, fill the kettle and take the mug with you.",
        "Go to bed.",
        "Turn off the lamp, but not before going to bed.",
        "Turn off the lamp right before going to bed.",
        "Fix this: the lamp on the desk.",
        "Bring me a pair of glasses.",
        "Put the pair of glasses on the shelf.",
        "I need the use of the desk.",
        "The fridge is no place for the mug.",
    ],
)
def test_text_that_may_mean_another_place_thing_or_time_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)
