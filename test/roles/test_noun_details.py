"""Tests that what stands around a noun is read by its parts, and refused where it limits which thing is meant."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

LANGUAGE = HouseholdLanguage(household_categories())


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Fill the extremely large jug.", "Fill the large jug."),
        ("Bring me a rather tiny spoon.", "Bring me a small spoon."),
        ("Put the great big pan in the sink.", "Put the big pan in the sink."),
        ("Fetch me the absolute biggest of the bowls.", "Fetch me the biggest of the bowls."),
        ("Bring me the ginormous towel.", "Bring me the big towel."),
        ("Put all four of our plates in the sink.", "Put all four plates in the sink."),
        ("Put all our wine glasses in the sink.", "Put all the wine glasses in the sink."),
        ("Put both our wine bottles in the fridge.", "Put both wine bottles in the fridge."),
        ("Put literally every fork in the drawer.", "Put every fork in the drawer."),
        ("Put the pair of candles on the shelf.", "Put the two candles on the shelf."),
        ("Put two of those glasses in the sink.", "Put two of the glasses in the sink."),
        ("Take one out of all the books to the bedroom.", "Take one of the books to the bedroom."),
        ("Bring me just one of the apples.", "Bring me one of the apples."),
        ("Hang the hat on just one of the chairs.", "Hang the hat on one of the chairs."),
        ("Put the cup on the kitchen's table.", "Put the cup on the table in the kitchen."),
        ("Turn off the living room's two lamps.", "Turn off the two lamps in the living room."),
        ("The hallway's lamp is on, turn it off.", "Turn off the lamp in the hallway."),
        ("Fill the pot you'll see on the stove with water.", "Fill the pot that is on the stove with water."),
        (
            "Put the jacket Dad threw on the sofa in the wardrobe.",
            "Put the jacket from the sofa in the wardrobe.",
        ),
        ("Bring me the book that somebody left lying on the bed.", "Bring me the book from the bed."),
        (
            "Put the shoe located on the rug in the wardrobe.",
            "Put the shoe that is on the rug in the wardrobe.",
        ),
    ],
)
def test_details_of_a_noun_are_read_as_the_plain_ones(said: str, plain: str) -> None:
    assert LANGUAGE.goals(said) == LANGUAGE.goals(plain)


@pytest.mark.parametrize(
    "text",
    [
        "Bring me a slightly bigger bowl.",
        "Bring me the not very big bowl.",
        "Put almost all our plates in the sink.",
        "Leave just one of the lamps on.",
        "Make sure only one of the lamps is on.",
        "I want just two of the lamps on.",
        "Put exactly two plates on the table.",
        "Put the cup on my sister's table.",
        "Put the cup on my sister's room's table.",
        "Bring me the cup I was drinking from in the kitchen.",
        "Somebody left on the lamp.",
        "I left on the table a note.",
        "I put the book on the shelf.",
        "Put the pile of books on the table.",
        "Bring me an old spoon.",
    ],
)
def test_detail_that_limits_which_thing_is_meant_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)
