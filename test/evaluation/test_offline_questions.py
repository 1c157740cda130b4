"""Files of questions with their answers, and the marking of answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.offline.questions import Expected, Question, mark, read_questions, tallies
from stma_ros.evaluation.tally import Tally
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.standard import ColorRGBA, Point

HOUSEHOLD = household_categories()
QUESTIONS = """\
format: stma_ros questions
version: 1
questions:
  - ask: where is the red mug?
    at: 30
    expect: {category: mug, colour: red, place: kitchen, position: [2, 1], tolerance: 0.3, present: true}
  - ask: the teapot
    expect: {found: false}
  - ask: my keys
"""
RED = ColorRGBA(0.8, 0.1, 0.1, 1.0)
SEEN = Sighting(
    object_id="mug_1",
    category="mug",
    color=RED,
    position=Point(2.2, 1.1, 0.9),
    place="on table_1, in room_2 (kitchen)",
    present=True,
)
NOTHING = ObjectQueryResult(text="I have not seen it.", error=Error(ErrorCode.NOT_REMEMBERED, "no"))


@pytest.fixture
def questions(tmp_path) -> tuple[Question, ...]:
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    return read_questions(tmp_path / "questions.yaml", HOUSEHOLD)


def test_a_question_file_is_read(questions):
    mug, teapot, keys = questions
    assert (mug.ask, mug.at, mug.expect.colour) == ("where is the red mug?", 30, "red")
    assert (teapot.at, teapot.expect.found) == (None, False)
    assert keys.expect == Expected()


def test_the_first_sighting_of_an_answer_is_marked(questions):
    marked = mark(
        questions[0],
        ObjectQueryResult(sightings=(SEEN, Sighting(object_id="cup_1", category="cup"))),
        HOUSEHOLD,
    )
    assert marked.is_right
    assert set(marked.aspects) == {"found", "category", "colour", "place", "position", "present"}
    assert not mark(
        questions[0],
        ObjectQueryResult(sightings=(Sighting(object_id="cup_1", category="cup"), SEEN)),
        HOUSEHOLD,
    ).is_right


@pytest.mark.parametrize(
    ("changed", "aspect"),
    [
        ({"category": "plate"}, "category"),
        ({"color": ColorRGBA(0.1, 0.1, 0.8, 1.0)}, "colour"),
        ({"place": "in room_1 (bedroom)"}, "place"),
        ({"position": Point(2.4, 1.0, 0.9)}, "position"),
        ({"position": Point(float("nan"), 0.0, 0.0)}, "position"),
        ({"present": False}, "present"),
    ],
)
def test_each_aspect_of_an_answer_can_be_wrong_by_itself(questions, changed, aspect):
    about = {
        "object_id": "mug_1",
        "category": "mug",
        "color": RED,
        "position": SEEN.position,
        "place": SEEN.place,
        "present": True,
    }
    marked = mark(questions[0], ObjectQueryResult(sightings=(Sighting(**{**about, **changed}),)), HOUSEHOLD)
    assert [name for name, right in marked.aspects.items() if not right] == [aspect]


def test_an_empty_answer_is_right_when_no_object_is_expected(questions):
    assert mark(questions[1], NOTHING, HOUSEHOLD).is_right
    assert not mark(questions[1], ObjectQueryResult(sightings=(SEEN,)), HOUSEHOLD).is_right
    assert not any(mark(questions[0], NOTHING, HOUSEHOLD).aspects.values())


def test_answers_are_counted_in_total_and_by_aspect(questions):
    marked = [
        mark(questions[0], ObjectQueryResult(sightings=(SEEN,)), HOUSEHOLD),
        mark(questions[2], NOTHING, HOUSEHOLD),
    ]
    counted = tallies(marked)
    assert counted[""] == Tally(1, 2, 2)
    assert counted["found"] == Tally(1, 2, 2)
    assert counted["colour"] == Tally(1, 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("colour: red", "colour: rde", "line 6: .*colour: 'rde' is no colour that is known"),
        (
            "found: false",
            "found: false, place: hall",
            "line 8: .*place: an object that is not found has no other aspects",
        ),
        ("at: 30", "at: -1", "line 5: questions.0..at"),
        ("position: [2, 1]", "position: [2]", "line 6: .*position"),
        (
            "ask: my keys",
            "asks: my keys",
            "line 9: questions.2..asks: there is no key 'asks'. Did you mean 'ask'",
        ),
    ],
)
def test_a_mistake_in_a_question_file_is_refused_with_key_and_line(tmp_path, old, new, message):
    (tmp_path / "questions.yaml").write_text(QUESTIONS.replace(old, new))
    with pytest.raises(ConfigurationError, match=message):
        read_questions(tmp_path / "questions.yaml", HOUSEHOLD)


def test_questions_know_the_categories_and_colours_of_their_domain(tmp_path):
    workshop = replace(HOUSEHOLD, colours={"brown": "brown", "rust": "brown"})
    file = tmp_path / "questions.yaml"
    file.write_text(QUESTIONS.replace("colour: red", "colour: rust"))
    assert read_questions(file, workshop)[0].expect.colour == "brown"
    with pytest.raises(ConfigurationError, match="'rust' is no colour that is known; write one of"):
        read_questions(file, HOUSEHOLD)


def test_words_are_compared_literally_when_the_domain_has_no_categories(tmp_path):
    file = tmp_path / "questions.yaml"
    file.write_text(QUESTIONS.replace("category: mug", "category: Mug"))
    asked = read_questions(file, None)[0]
    assert mark(asked, ObjectQueryResult(sightings=(SEEN,)), None).is_right
    cup = ObjectQueryResult(sightings=(Sighting(object_id="cup_1", category="cup"),))
    assert not mark(asked, cup, None).aspects["category"]
