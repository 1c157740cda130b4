"""Tests that an action is not done because a sentence names it, without asking for it now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

LANGUAGE = HouseholdLanguage(household_categories())
ACTIONS = ("close the window", "put the mug in the sink", "turn off the lamp")


@pytest.mark.parametrize(
    "frame",
    [
        "Is it okay to {}?",
        "Is it necessary to {}?",
        "Would it be wise to {}?",
        "I wonder whether to {}.",
        "Why would you {}?",
        "Did you remember to {}?",
        "Remind me to {}.",
        "Make a note to {}.",
        "Write down: {}.",
        "Repeat after me: {}.",
        "Ask me before you {}.",
        "Ask me whether to {}.",
        "Suppose I asked you to {}.",
        "Imagine you had to {}.",
        "Later, {}.",
        "Next time, {}.",
        "From now on, {}.",
        "Every time I leave, {}.",
        "At night, {}.",
        "On my signal, {}.",
        "If not, {}.",
        "In that case, {}.",
        "If you can't find the book, {}.",
        "Do the opposite: {}.",
        "Disregard the following: {}.",
        "Example: {}.",
        "Tomorrow's list: {}.",
        "For tomorrow: {}.",
        "It is my turn to {}.",
        "My job is to {}.",
        "The last thing I want is for you to {}.",
        "The last thing you should do is {}.",
        "The worst you could do is {}.",
        "When you {}, be careful.",
        "Before you {}, tell me.",
    ],
)
@given(action=st.sampled_from(ACTIONS))
def test_action_that_is_named_and_not_asked_for_is_refused(frame: str, action: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(frame.format(action))


@pytest.mark.parametrize(
    "text",
    [
        "Should the mug be in the sink?",
        "Will the window be closed?",
        "Where should I put the mug?",
        "Close the window. Or not.",
        "My boss put the book on the table.",
        "My friend shut the window.",
        "We used to keep the milk in the fridge; now it lives in the cabinet.",
        "My wife prefers the window closed, I don't.",
        "Might the mug be in the sink?",
        "Can mugs go in the microwave?",
        "Would you say the mug should be in the sink?",
        "Could you tell me if you closed the window?",
        "Somebody other than you should close the window.",
        "Have you put the book on the shelf?",
        "You've put the mug in the sink.",
        "What would happen if you closed the window?",
        "It would have been great if you closed the window.",
        "I like it when the window is open.",
        "While the window is open, turn off the heater.",
        "Start the dishwasher once it is full.",
        "All lamps should not be off.",
        "Last, close the window; first, turn off the lamp.",
        "Window closed?",
        "Fridge open again!",
        "Mug in the sink?",
        "To avoid: opening the window.",
        "In addition to the mug, put the plate in the sink.",
    ],
)
def test_question_report_or_unclear_statement_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("When you find the mug, put it in the sink.", "Put the mug in the sink."),
        ("Have you put the mug in the sink? If not, do it.", "Put the mug in the sink."),
        ("Would it be possible to close the window?", "Close the window."),
        ("It is important to close the window.", "Close the window."),
        ("Your next job is to close the window.", "Close the window."),
        ("Close window + door.", "Close the window and the door."),
        ("My friend, shut the window.", "Close the window."),
        ("Finish by closing the window.", "Close the window."),
        ("Before closing the window, turn off the lamp.", "Turn off the lamp, then close the window."),
        ("The fridge is open again!", "Close the fridge."),
        ("Rule number one: close the fridge.", "Close the fridge."),
    ],
)
def test_request_in_nearly_the_same_words_is_read(text: str, same: str) -> None:
    assert LANGUAGE.goals(text) == LANGUAGE.goals(same)


def test_refusal_of_an_action_that_is_not_asked_for_says_why() -> None:
    with pytest.raises(TaskNotUnderstoodError, match="'every time' is a time at which I cannot act"):
        LANGUAGE.goals("Every time I leave, close the window.")
    with pytest.raises(TaskNotUnderstoodError, match="Say what is wanted; I can answer where a thing is"):
        LANGUAGE.goals("Is it necessary to close the window?")


@pytest.mark.parametrize(
    "text",
    [
        "Take the mug and the plate, and put it in the sink.",
        "Take the book. Take the mug and the plate and put it in the sink.",
        "Open the fridge and the oven, then close it.",
        "Put the mug on the tray and bring it to the bedroom.",
        "Put the milk in the bag and take it to the kitchen.",
        "One of the mugs is red, put it in the sink.",
        "One mug is dirty, put that one in the sink.",
        "My mug is dirty, bring me another.",
    ],
)
def test_pronoun_with_two_antecedents_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            "Put the milk and the butter in the fridge and close it.",
            "Put the milk and the butter in the fridge.",
        ),
        ("Put the ball in the box, so put it in there.", "Put the ball in the box."),
        ("Put the towels in the basket and bring it to me.", "Put the towels in the basket."),
    ],
)
def test_pronoun_with_one_possible_antecedent_is_read(text: str, same: str) -> None:
    assert set(LANGUAGE.goals(same)) <= set(LANGUAGE.goals(text))


@pytest.mark.parametrize(
    "text",
    [
        "Bring me a cup of tea.",
        "Put the mug of coffee on the table.",
        "Put each apple in its own bowl.",
        "Bring the mug near the sink.",
        "There are three mugs; one goes in the sink, the others stay.",
    ],
)
def test_words_that_tell_things_apart_are_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)
