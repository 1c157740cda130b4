"""Tests that why something is asked, and where there is a spot for a thing, is read as a plain request."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Fill the vase. So that we all know where the hat is, hang it in the wardrobe.",
         "Fill the vase. Put the hat in the wardrobe."),
        ("So that the hat and the scarf don't get lost, put them in the wardrobe.",
         "Put the hat and the scarf in the wardrobe."),
        ("My sister needn't see the hat on the bed, so put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("Fill the vase. I keep stumbling over the bucket, so put it in the wardrobe.",
         "Fill the vase. Put the bucket in the wardrobe."),
        ("The baby can't sleep with the radio on. Turn it off, please.", "Turn off the radio."),
        ("Nobody's going to drink what's in the vase, so please pour it out.", "Empty the vase."),
        ("I can't get at the switch, so would you turn on the lamp?", "Turn on the lamp."),
        ("We shall need one of the hats later, so please put it on the bed.", "Put one hat on the bed."),
        ("We shall need every hat later, so please put them on the bed.", "Put all hats on the bed."),
        ("As for every hat, I'd like them put on the bed.", "Put all hats on the bed."),
    ],
)  # fmt: skip
def test_motive_names_the_thing_of_its_request(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    "text",
    [
        "So that we all know where the hat is, I hung it in the wardrobe.",
        "My sister needn't see the hat on the bed.",
        "The baby can't sleep with the radio on.",
        "I can't get at the switch.",
        "Nobody's going to drink what's in the vase.",
    ],
)
def test_motive_without_a_request_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("In the wardrobe: that's where I want the hat, the scarf and the coat to go.",
         "Put the hat, the scarf and the coat in the wardrobe."),
        ("Where I'd like both hats is in one of the wardrobes.", "Put both hats in a wardrobe."),
        ("Where the hat belongs is in the wardrobe.", "Put the hat in the wardrobe."),
        ("Find a spot in a wardrobe for all three hats.", "Put three hats in a wardrobe."),
        ("The hat shouldn't be on the bed but in the wardrobe.", "Put the hat from the bed in the wardrobe."),
        ("The hat shouldn't be anywhere but in the wardrobe.", "Put the hat in the wardrobe."),
        ("It's to the office that the hat should be taken.", "Take the hat to the office."),
        ("What's the hat doing on the bed? Put it in the wardrobe, where it belongs.",
         "Put the hat from the bed in the wardrobe."),
        ("The hat is on the bed. Take it from there and put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("The hat is still on the bed, although I'd like it to be in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("Could we have the hat put on the shelf that's in the office?", "Put the hat on the shelf in the office."),
        ("May I ask for the hat and the scarf to be brought to the office?",
         "Take the hat and the scarf to the office."),
        ("Carrying the hat to the office is too much for me, could you do it?", "Take the hat to the office."),
        ("I find it hard to open the fridge. Would you do it?", "Open the fridge."),
        ("Would you mind seeing that the hat goes on the shelf?", "Put the hat on the shelf."),
        ("Once you're done seeing that the hat goes on the shelf, open the fridge.",
         "Put the hat on the shelf. Then open the fridge."),
        ("Fill the vase before you have it moved to the office.", "Fill the vase. Then take it to the office."),
        ("Instead of being left on, the lamp should be switched off.", "Turn off the lamp."),
        ("Make sure I get the hat.", "Bring me the hat."),
    ],
)  # fmt: skip
def test_place_that_is_said_in_another_way_is_read(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    "text",
    [
        "That's where I want the hat to go.",
        "Where I want the hat is a secret.",
        "The hat shouldn't be on the bed.",
        "It was to the office that the hat was taken.",
        "Closing the fridge is too much for me.",
        "Make sure I get some rest.",
        "I made sure I got the hat.",
        "Instead of being empty, the vase was full.",
    ],
)
def test_statement_that_asks_for_no_place_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did I leave my hat somewhere? Please find out where.",
        "What I'd like to know is where my hat is.",
        "I've forgotten where my hat is, so please tell me.",
        "My eyes aren't good enough to spot my hat, so find it.",
        "I could use another pair of eyes to help me find my hat.",
        "I've looked for my hat in every drawer.",
        "Would you mind going in search of my hat?",
    ],
)
def test_lost_thing_is_found(text: str) -> None:
    assert read_goals(text) == read_goals("Find my hat.")
