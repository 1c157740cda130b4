"""Tests that what people tell of themselves is passed over, and that what may be about a request is not."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import ContradictionError, TaskNotUnderstoodError

LANGUAGE = HouseholdLanguage(household_categories())
OPEN = LANGUAGE.goals("Open the fridge.")


@pytest.mark.parametrize(
    "told",
    [
        "My physio has told me not to lift anything heavy.",
        "Our guests won't be here before eight.",
        "I haven't been able to sit down since Tuesday.",
        "Dad has only just gone to sleep, so I'd rather not leave his side.",
        "The nurse says that I must not climb stairs before Easter.",
        "It's almost time for his pills, and there's so much to do.",
        "I drove a bus for thirty years, and I still get up early.",
        "My eyes aren't what they were.",
        "I'm not allowed to get up.",
        "In my youth we did all of this by hand, but I'm eighty now.",
        "I hardly slept because the twins were crying.",
        "Mr Brown is at the office until six.",
        "The band rehearses here on Fridays.",
        "My night shift ends at seven.",
        "The rehearsal begins in an hour and the singers are early.",
        "Visitors are expected at four.",
    ],
)
def test_sentence_about_people_is_passed_over(told: str) -> None:
    assert LANGUAGE.goals(f"{told} Open the fridge.") == OPEN
    assert LANGUAGE.goals(f"Open the fridge. {told}") == OPEN


@pytest.mark.parametrize(
    "told",
    [
        "I changed my mind.",
        "I'd rather wait until tomorrow.",
        "I don't want anything moved before Monday.",
        "You must not do it before Monday.",
        "I mean the other one.",
        "We never open the fridge before noon.",
    ],
)
def test_sentence_that_may_be_about_the_request_is_not_passed_over(told: str) -> None:
    with pytest.raises((TaskNotUnderstoodError, ContradictionError)):
        LANGUAGE.goals(f"Open the fridge. {told}")


def test_sentence_is_not_passed_over_if_the_next_one_is_about_a_thing_in_it() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(
            "Open the fridge. My doctor has not sent me a gizmo before Monday. Put it in the sink."
        )


@pytest.mark.parametrize(
    "request_after_it",
    [
        "Would it be too much trouble to put the cup in the sink?",
        "I'll leave it to you to put the cup in the sink.",
        "The cup belongs in the sink, please put it there.",
    ],
)
def test_sentence_is_passed_over_if_the_next_one_names_its_things(request_after_it: str) -> None:
    told = "My mother has not slept before six, so I'd rather not wake her."
    assert LANGUAGE.goals(f"{told} {request_after_it}") == LANGUAGE.goals("Put the cup in the sink.")


def test_thing_needed_somewhere_may_be_there_or_wanted_there() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals("I'm stuck here and need the mug over on the coffee table.")
