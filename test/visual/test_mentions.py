"""Tests of finding the categories that a question and its answer name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.library.household import household_knowledge
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.visual.mentions import mentioned

SEEN = ("sofa", "chair", "tv", "tv stand", "coffee table", "knife", "bed", "cup", "cupboard")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What colour is the sofa?", {"sofa"}),
        ("How many chairs are there?", {"chair"}),
        ("Is the television on?", {"tv"}),
        ("Is the knife on the coffee-table?", {"knife", "coffee table"}),
        ("on the bed in the bedroom", {"bed"}),
        ("Is there a piano?", set()),
        ("", set()),
    ],
)
def test_text_mentions_categories_by_name_synonym_and_plural(text: str, expected: set[str]) -> None:
    assert mentioned(text, SEEN, household_knowledge()) == expected


def test_text_mentions_categories_by_name_and_plural_without_knowledge() -> None:
    knowledge = CategoryKnowledge.of({})
    assert mentioned("Are the chairs next to the TV stand?", SEEN, knowledge) == {"chair", "tv stand"}


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=6))
def test_mentioned_categories_are_among_the_given_ones(text: str, categories: list[str]) -> None:
    found = mentioned(text, categories, household_knowledge())
    assert found <= set(categories) - {""}
