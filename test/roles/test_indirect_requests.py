"""Tests that requests are read in whatever frame people put them, and that other statements are not."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals

FRAMES_OF_AN_ACTION = (
    "I'd be grateful if you would {}.",
    "You'd be doing me a favour if you could {}.",
    "What I need you to do is {}.",
    "Your next job is to {}.",
    "It's important that you {}.",
    "Would it be possible for you to {}?",
    "Is there any chance you could {}?",
    "I'm counting on you to {}.",
    "Couldn't you {}?",
    "I still have to {}, could you do that for me?",
    "I wish someone would {}.",
)
FRAMES_OF_AN_OUTCOME = (
    "It would be lovely if the lamp was {}.",
    "I'd love for the lamp to be {}.",
    "What I want is for the lamp to be {}.",
    "My wish is that the lamp is {}.",
    "The idea is to have the lamp {}.",
    "Would it be possible to have the lamp {}?",
    "Please arrange for the lamp to be {}.",
    "I think the lamp should be {}.",
    "If only the lamp were {}!",
    "The lamp is supposed to be {}.",
)


@pytest.mark.parametrize("frame", FRAMES_OF_AN_ACTION)
@pytest.mark.parametrize("action", ["put the mug on the table", "switch off the lamp"])
def test_request_is_read_in_a_frame_around_its_action(frame: str, action: str) -> None:
    assert read_goals(frame.format(action)) == read_goals(action)


@pytest.mark.parametrize("frame", FRAMES_OF_AN_OUTCOME)
@pytest.mark.parametrize("state", ["on", "off"])
def test_request_is_read_in_a_frame_around_its_outcome(frame: str, state: str) -> None:
    assert read_goals(frame.format(state)) == read_goals(f"switch {state} the lamp")


@pytest.mark.parametrize(
    "text",
    [
        "I'd hate for the lamp to be on.",
        "It would be bad if the lamp was on.",
        "It would be great if the mug was not on the table.",
        "I don't think the lamp should be on the table.",
        "The lamp might be on.",
        "Do you think the mug is in the kitchen?",
        "Is it possible that the lamp is on?",
        "I like the mug on the table.",
        "The plan was to put the mug on the table.",
        "I'd love to turn off the lamp.",
        "The thing is that the lamp is on.",
        "Mum said the lamp was on.",
        "Turn on the lamp when I get home.",
        "I'd rather you didn't close the window.",
        "Put the mug in the sink. I would suggest washing the plate.",
        "Put the mug in the sink. You could do the other thing with the plate.",
    ],
)
def test_text_that_does_not_clearly_request_anything_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Somebody left the fridge open again!", "Close the fridge."),
        ("The lamp is still on and nobody's in there.", "Turn off the lamp."),
        (
            "Somebody left the fridge open again! Bring me the letter.",
            "Close the fridge. Bring me the letter.",
        ),
        ("Why is the oven still on?", "Switch off the oven."),
        ("I forgot to turn off the oven, could you do that?", "Switch off the oven."),
    ],
)
def test_complaint_is_read_as_the_request_to_end_its_cause(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Find the mug. I think it should be in the kitchen.", "Find the mug in the kitchen."),
        ("Put the jug on the table. I've left the cup on the desk and it should be on the shelf.",
         "Put the jug on the table. Put the cup from the desk on the shelf."),
        ("Go to the kitchen, open the microwave and put the bowl in.",
         "Open the microwave in the kitchen. Put the bowl in the microwave in the kitchen."),
        ("Go to the desk, take the mug and put it in the cupboard.", "Put the mug from the desk in the cupboard."),
        ("There's water in the jug, get rid of it.", "Empty the jug."),
        ("Put the pan in the sink. Same for the plate.", "Put the pan and the plate in the sink."),
        ("Neither the oven nor the TV should be on.", "Switch off the oven and the TV."),
        ("Of the bowls, bring me the smallest.", "Bring me the smallest bowl."),
        ("Robbie, close the fridge.", "Close the fridge."),
        ("A pillow, please. The lamp should be on.", "Bring me a pillow and turn on the lamp."),
    ],
)  # fmt: skip
def test_wording_is_read_as_its_plain_form(text: str, same: str) -> None:
    assert read_goals(text) == read_goals(same)
