"""Words of questions and answers: colours, nouns, names that fit several categories."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.evaluation.eqa.generation.colours import colour_names
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import a, called, none_there, number, the, the_or_a
from stma_ros.evaluation.household_tasks.main_colour import item_colour
from stma_ros.evaluation.household_tasks.subtasks import Place, Things
from stma_ros.memory.nouns import listed
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.robot.geometry import Placement


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("mug", "a mug"),
        ("apple", "an apple"),
        ("bread", "some bread"),
        ("headphones", "headphones"),
        ("tv", "a TV"),
    ],
)
def test_nouns_take_the_article_that_people_use(category: str, expected: str) -> None:
    assert a(category) == expected


def test_a_definite_description_names_size_colour_and_place() -> None:
    things = Things("mug", ("mug_1",), colour="red", size="large", place=Place("tv stand", "on"))
    assert the(things) == "the large red mug on the TV stand"
    assert the(replace(things, size="", colour="", place=None)) == "the mug"


def test_an_absence_agrees_with_its_noun_in_number() -> None:
    assert none_there("piano")[0] == "there is no piano"
    assert none_there("headphones")[0] == "there are no headphones"
    assert "there isn't a piano" in none_there("piano")
    assert not any("a headphones" in text for text in none_there("headphones"))


def test_a_name_fits_the_categories_that_end_with_it_and_its_synonyms() -> None:
    categories = {"office chair", "armchair", "chair", "washbasin", "mug"}
    assert called("chair", categories) == {"office chair", "armchair", "chair"}
    assert called("sink", categories) == {"washbasin"}
    assert called("piano", categories) == frozenset()


def test_answers_list_and_count_in_words() -> None:
    assert listed(["a mug"]) == "a mug"
    assert listed(["a mug", "a bowl", "a tomato"]) == "a mug, a bowl and a tomato"
    assert (number(0), number(3)) == ("none", "three")
    assert the_or_a("tv") == ("the TV", "a TV")


def test_furniture_has_a_colour_word_where_people_would_agree_on_one() -> None:
    def piece(category: str, index: int) -> Furniture:
        kind = FURNITURE[category]
        return Furniture("", category, 0, Placement(0.0, 0.0, 0.0), kind.least, kind.colours[index])

    assert colour_names(piece("sofa", 0))[0] == "blue"
    assert colour_names(piece("rug", 0))[0] == "red"
    assert colour_names(piece("fridge", 1))[0] == "white"
    assert colour_names(piece("table", 0)) == ()


def test_the_colour_of_a_small_thing_in_an_answer_is_that_of_tasks() -> None:
    items = QuestionHome(1000).items
    named = [item for item in items if item_colour(item)]
    assert named
    assert len(named) < len(items)
    for item in items:
        assert colour_names(item)[:1] == ((item_colour(item),) if item_colour(item) else ())
