"""Tests that a remark which withdraws, limits or delays a request is refused, and that a harmless one is read."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import ContradictionError, TaskNotUnderstoodError

LANGUAGE = HouseholdLanguage(household_categories())


@pytest.mark.parametrize(
    "text",
    [
        "Mum asked if you could close the window, so I closed it.",
        "Mum asked if you could close the window. I already did.",
        "The kids asked whether you might find the keys, and they found them.",
        "My wife wondered if you would open the fridge, but then she opened it.",
        "My son asked me whether you can open doors.",
        "My neighbour asked if you could open jars.",
        "My neighbour asked if you can open a fridge.",
    ],
)
def test_reported_question_that_is_settled_or_general_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Turn on the lamp when I want it to be on.",
        "Turn the heater off when I want it off.",
        "Open the windows when we want them open.",
        "Turn on the lamp when it should be on.",
        "Once we are out, I want the heater to be off.",
        "When I am out, I want the windows to be closed.",
        "When I get up, I want the lamp to be on.",
        "Until tomorrow, leave the lamp on.",
        "Until later, keep the window open.",
        "Keep the window open. Until tomorrow!",
        "If you have two left, put the mugs in the box.",
        "If you have a few, put the mugs in the box.",
        "As soon as you have ten minutes left, turn off the oven.",
    ],
)
def test_condition_or_time_is_not_lost(text: str) -> None:
    with pytest.raises((TaskNotUnderstoodError, ContradictionError)):
        LANGUAGE.goals(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Mum asked if you could close the window.", "Close the window."),
        ("Mum asked if you could close the window, please. I am cold.", "Close the window."),
        ("Grandma asked if you could bring her two cups.", "Bring me two cups."),
        ("The lamp is off when I want it on.", "Turn on the lamp."),
        ("The heater is on, when it should be off.", "Turn off the heater."),
        ("When I get home, I want the lamp to be on.", "Turn on the lamp."),
        ("By the time I get up, I want the lamp to be on.", "Turn on the lamp."),
        ("Until next time, robot! Turn on the lamp.", "Turn on the lamp."),
        ("If you have time left, turn off the oven.", "Turn off the oven."),
        ("When you have a couple of minutes, turn off the oven.", "Turn off the oven."),
        ("If you have a free hand, turn off the oven.", "Turn off the oven."),
        ("If there is any time left, turn off the oven.", "Turn off the oven."),
    ],
)
def test_wish_with_a_harmless_frame_is_read(text: str, plain: str) -> None:
    assert LANGUAGE.goals(text) == LANGUAGE.goals(plain)


@pytest.mark.parametrize(
    "remark",
    [
        "I was joking.",
        "I am only teasing.",
        "I changed plans.",
        "We have changed the plan.",
        "My wife said no.",
        "My wife refuses.",
        "My wife refused.",
        "Mum disagrees.",
        "The doctor forbade this.",
        "My wife hates this.",
        "I retract this.",
        "I withdraw.",
        "I said three.",
        "I like two.",
        "I was talking about tomorrow.",
        "I have decided against this.",
        "I am not sure.",
        "I never asked for this.",
        "Nobody asked for this.",
        "I should not have spoken.",
        "I was wrong.",
        "My husband does this.",
        "My husband will do this.",
        "I did this already.",
        "My husband will help.",
        "We have to wait.",
        "The kids opened two.",
        "The kids opened both.",
        "The kids broke two.",
        "I promised my son two.",
        "My wife is opposed.",
        "I was testing.",
        "We dropped the idea.",
        "I give up.",
        "The kids get ten minutes.",
        "My son gets an hour.",
        "The kids may watch for ten minutes.",
        "The kids are still watching.",
        "My wife has not finished.",
        "The baby must fall asleep first.",
        "The dogs go out first.",
        "The dog should go out before.",
        "My guests arrive first.",
        "We are saving energy so just two.",
        "We are saving energy, so just mine.",
        "My eyes hurt, so half.",
        "My parents come at six, so not now.",
        "My parents arrive at six, not now.",
        "I have a headache. Only one.",
    ],
)
def test_remark_that_takes_back_limits_or_delays_a_request_is_refused(remark: str) -> None:
    with pytest.raises((TaskNotUnderstoodError, ContradictionError)):
        LANGUAGE.goals(f"Turn on the lamps. {remark}")


@pytest.mark.parametrize(
    "remark",
    [
        "I am tired.",
        "My son refuses to sleep.",
        "I am lying down.",
        "My parents come at six.",
        "My mum gets home in ten minutes.",
        "I have had about four hours of sleep.",
        "I taught for forty years, and I am eighty now.",
        "My knees hurt, so I can hardly walk.",
        "I can't stand this clutter.",
        "The kids are not here yet.",
        "The doctor says that I must not climb stairs.",
        "I was ill at first.",
        "My mother turned eighty.",
        "Dad works until six.",
    ],
)
def test_remark_about_people_alone_is_passed_over(remark: str) -> None:
    assert LANGUAGE.goals(f"Turn on the lamps. {remark}") == LANGUAGE.goals("Turn on the lamps.")
