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
        ("Put the bottle of lotion in the paper bag.", "Put the lotion bottle in the paper bag."),
        ("Put the jar of honey in the big cardboard box.", "Put the honey jar in the large cardboard box."),
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
        ("I need just two of the cups taken to the sink.", "Take two of the cups to the sink."),
        ("Take exactly two of the cups to the sink.", "Take two of the cups to the sink."),
        ("Bring me exactly two spoons.", "Bring me two spoons."),
        ("Put any and every cup in the sink.", "Put every cup in the sink."),
        ("Put any old cup in the sink.", "Put any cup in the sink."),
        ("Put either of the cups in the sink.", "Put one of the cups in the sink."),
        ("Put all the cups there are in the sink.", "Put all the cups in the sink."),
        ("Put the biggest cup of the lot in the sink.", "Put the biggest cup in the sink."),
        ("Put the cup, which is red, in the sink.", "Put the red cup in the sink."),
        ("Put the red cup, the small one, in the sink.", "Put the small red cup in the sink."),
        ("Put the two red cups, the small ones, in the sink.", "Put the two small red cups in the sink."),
        ("Open the window belonging to the kitchen.", "Open the kitchen window."),
        ("I need the cup that stands on the shelf, bring it here.", "Bring me the cup from the shelf."),
        ("Put the biggest bowl of all in the sink.", "Put the biggest bowl in the sink."),
        ("Put the cup which happens to be on the bed in the sink.", "Put the cup from the bed in the sink."),
        ("Put the whopping great bowl in the sink.", "Put the big bowl in the sink."),
        ("I'm hungry, my cup belongs on one of the tables.", "Put the cup on one of the tables."),
        (
            "Put the ball, my doll, and my computer on the desk.",
            "Put the ball, the doll and the computer on the desk.",
        ),
        ("Put the cup on the kitchen's table.", "Put the cup on the table in the kitchen."),
        ("Turn off the living room's two lamps.", "Turn off the two lamps in the living room."),
        ("The hallway's lamp is on, turn it off.", "Turn off the lamp in the hallway."),
        ("Fill the pot you'll see on the stove with water.", "Fill the pot that is on the stove with water."),
        (
            "Put the jacket Dad threw on the sofa in the wardrobe.",
            "Put the jacket from the sofa in the wardrobe.",
        ),
        ("Bring me the book that somebody left lying on the bed.", "Bring me the book from the bed."),
        ("Put each and every cup in the sink.", "Put every cup in the sink."),
        ("Put every last one of our cups in the sink.", "Put all the cups in the sink."),
        ("Put the whole bunch of spoons in the drawer.", "Put all the spoons in the drawer."),
        ("Hang the hat on whichever of the chairs you like.", "Hang the hat on one of the chairs."),
        ("Bring me a random spoon.", "Bring me a spoon."),
        ("Put the cup on the table that belongs to the kitchen.", "Put the cup on the table in the kitchen."),
        ("Put the cup on the table over in the kitchen.", "Put the cup on the table in the kitchen."),
        ("Turn on the kettle that's been left on the counter.", "Turn on the kettle that is on the counter."),
        (
            "I want the tray and the cup put on the table we have in the kitchen.",
            "Put the tray and the cup on the table in the kitchen.",
        ),
        ("See the juice in the fridge? Put it on the table.", "Put the juice from the fridge on the table."),
        (
            "Put the cup that's still sitting on the bed in the sink.",
            "Put the cup that is on the bed in the sink.",
        ),
        (
            "Put the cup which I think is on the bed in the sink.",
            "Put the cup that is on the bed in the sink.",
        ),
        ("Put the cup that ended up on the bed in the sink.", "Put the cup that is on the bed in the sink."),
        ("Put the cup, the one on the bed, in the sink.", "Put the cup that is on the bed in the sink."),
        ("The cup, the one on the bed, is what I want.", "Bring me the cup that is on the bed."),
        ("I'd like the cup that's on the table.", "Bring me the cup that is on the table."),
        ("I want the cup Dad left on the table.", "Bring me the cup that is on the table."),
        ("Hang the hat on any chair at all.", "Hang the hat on any chair."),
        ("Hang the hat on one of the chairs, no matter which.", "Hang the hat on one of the chairs."),
        ("Put two random cups in the sink.", "Put two cups in the sink."),
        ("Put all available cups in the sink.", "Put all the cups in the sink."),
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
        "I want only two of the lamps left on.",
        "I need just two of the cups to be on the table.",
        "Put exactly two plates on the table.",
        "Put the cup on my sister's table.",
        "Put the cup on my sister's room's table.",
        "Bring me the cup I was drinking from in the kitchen.",
        "Somebody left on the lamp.",
        "I left on the table a note.",
        "I put the book on the shelf.",
        "Put the pile of books on the table.",
        "I don't want either of the lamps on.",
        "Put the cup, which is dirty, in the sink.",
        "Bring me an old spoon.",
    ],
)
def test_detail_that_limits_which_thing_is_meant_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)
