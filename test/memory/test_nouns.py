"""Tests of category names in sentences."""

from __future__ import annotations

import pytest

from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import plural, with_article
from stma_ros.types import vocabulary as words


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("cup", "cups"),
        ("mug", "mugs"),
        ("coffee table", "coffee tables"),
        ("wine bottle", "wine bottles"),
        ("toothbrush", "toothbrushes"),
        ("storage box", "storage boxes"),
        ("teddy", "teddies"),
        ("tomato", "tomatoes"),
        ("glass", "glasses"),
        ("box", "boxes"),
        ("toy", "toys"),
        ("pastry", "pastries"),
        ("knife", "knives"),
        ("cactus", "cactuses"),
        ("scissors", "scissors"),
        ("cutlery", "cutlery"),
        ("fruit", "fruits"),
        ("glasses", "glasses"),
    ],
)
def test_plural_returns_the_plural_of_a_category(noun: str, expected: str) -> None:
    assert plural(noun) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("cup", "a cup"),
        ("oven", "an oven"),
        ("orange mug", "an orange mug"),
        ("utility room", "a utility room"),
        ("umbrella", "an umbrella"),
        ("scissors", "scissors"),
        ("glass", "a glass"),
    ],
)
def test_with_article_adds_the_indefinite_article_to_a_category(noun: str, expected: str) -> None:
    assert with_article(noun) == expected


def test_description_of_several_objects_has_its_noun_in_the_plural() -> None:
    table = Description("coffee table", relation=words.IN_ROOM, place=Description("living room"))
    mugs = Description("mug", ("red",), "small", words.ON, table)
    assert mugs.many == "small red mugs on the coffee table in the living room"
    assert str(mugs) == "small red mug on the coffee table in the living room"
