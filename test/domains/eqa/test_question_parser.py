"""The reader of questions: what is asked, about which thing, where, and refusals that name the reason."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.eqa.question import (
    Amount,
    AnswerForm,
    Category,
    ExpressCategory,
    Quantifier,
    QuestionKind,
    QuestionNotUnderstoodError,
    Relation,
    TypedQuestion,
)
from stma_ros.domains.eqa.question_parser import MAX_CHARACTERS, QuestionParser
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode

PARSER = QuestionParser(household_categories())

_VOCABULARY = (
    "what which where is are the a how many colour of on in between and or there can i use to left right table cup "
    "kitchen red open closed not ? , . do does have"
)
_WORDS = st.sampled_from(_VOCABULARY.split())


def _landmarks(question: TypedQuestion) -> list[tuple[Relation, list[str]]]:
    return [(place.relation, [thing.category for thing in place.landmarks]) for place in question.places]


@pytest.mark.parametrize(
    ("text", "kind", "form", "target"),
    [
        ("Is there milk in the fridge?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "milk"),
        ("Do we have any milk?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "milk"),
        ("Is anyone sitting on the sofa?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "person"),
        ("How many chairs are in the kitchen?", QuestionKind.COUNT, AnswerForm.NUMBER, "chair"),
        ("How many windows does the bedroom have?", QuestionKind.COUNT, AnswerForm.NUMBER, "window"),
        ("Can you tell me how many doors there are?", QuestionKind.COUNT, AnswerForm.NUMBER, "door"),
        ("What colour is the sofa?", QuestionKind.ATTRIBUTE, AnswerForm.VALUE, "sofa"),
        ("What is the material of the table?", QuestionKind.ATTRIBUTE, AnswerForm.VALUE, "table"),
        ("What does the sign on the door say?", QuestionKind.ATTRIBUTE, AnswerForm.VALUE, "sign"),
        ("Is the sofa red?", QuestionKind.ATTRIBUTE, AnswerForm.YES_NO, "sofa"),
        ("Is the stove on?", QuestionKind.STATE, AnswerForm.YES_NO, "stove"),
        ("Is the door open or closed?", QuestionKind.STATE, AnswerForm.CHOICE, "door"),
        ("Where did I leave my keys?", QuestionKind.WHERE, AnswerForm.PLACE, "key"),
        ("Tell me where the remote is", QuestionKind.WHERE, AnswerForm.PLACE, "remote"),
        ("Which room is the piano in?", QuestionKind.ROOM_OF, AnswerForm.ROOM, "piano"),
        ("In which room is the red chair?", QuestionKind.ROOM_OF, AnswerForm.ROOM, "chair"),
        ("What is on the dining table?", QuestionKind.WHAT_IS, AnswerForm.OBJECT, None),
        ("What is the red object on the bed?", QuestionKind.WHAT_IS, AnswerForm.OBJECT, ""),
        ("Which chair is closest to the window?", QuestionKind.WHICH, AnswerForm.OBJECT, "chair"),
        ("Is the black chair on the table?", QuestionKind.RELATION, AnswerForm.YES_NO, "chair"),
        ("Can I put a couch in this room?", QuestionKind.SPACE, AnswerForm.YES_NO, "sofa"),
        ("Can I do homework in the bedroom?", QuestionKind.FUNCTION, AnswerForm.YES_NO, None),
        ("What can I use to cut bread?", QuestionKind.FUNCTION, AnswerForm.OBJECT, None),
        ("Where can I take a nap?", QuestionKind.FUNCTION, AnswerForm.PLACE, None),
        ("What room am I in?", QuestionKind.ROOM_KIND, AnswerForm.ROOM, None),
        ("Which is bigger, the sofa or the bed?", QuestionKind.WHICH, AnswerForm.CHOICE, None),
        ("Does the chair have wheels?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "wheel"),
        ("What does the drawer contain?", QuestionKind.WHAT_IS, AnswerForm.OBJECT, None),
        ("What is the lamp standing on?", QuestionKind.WHERE, AnswerForm.PLACE, "lamp"),
        ("The mug is where?", QuestionKind.WHERE, AnswerForm.PLACE, "mug"),
        ("Where should I look for my keys?", QuestionKind.WHERE, AnswerForm.PLACE, "key"),
        ("What is used to clean the floor?", QuestionKind.FUNCTION, AnswerForm.OBJECT, None),
        ("Can the window be opened?", QuestionKind.FUNCTION, AnswerForm.YES_NO, "window"),
        ("Can you count the chairs in this flat?", QuestionKind.COUNT, AnswerForm.NUMBER, "chair"),
        ("Have you seen a vase in the flat?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "vase"),
        ("Have you seen the vase? Where is it?", QuestionKind.WHERE, AnswerForm.PLACE, "vase"),
        (
            "Does a door lead from the kitchen into the hallway?",
            QuestionKind.EXISTENCE,
            AnswerForm.YES_NO,
            "door",
        ),
        ("Can you tell me which room the piano is in?", QuestionKind.ROOM_OF, AnswerForm.ROOM, "piano"),
        ("In which room can I find the piano?", QuestionKind.ROOM_OF, AnswerForm.ROOM, "piano"),
        ("In which room can I cut bread?", QuestionKind.FUNCTION, AnswerForm.ROOM, None),
        ("Did somebody leave the fridge open?", QuestionKind.STATE, AnswerForm.YES_NO, "fridge"),
        ("Does the fridge stand open?", QuestionKind.STATE, AnswerForm.YES_NO, "fridge"),
        ("Which device in the bedroom is switched on?", QuestionKind.WHAT_IS, AnswerForm.OBJECT, "device"),
        ("What is nearer to the bed: the sofa or the tv?", QuestionKind.WHICH, AnswerForm.CHOICE, None),
        ("Which room is bigger, the kitchen or the office?", QuestionKind.WHICH, AnswerForm.CHOICE, "room"),
        ("Are the sofa and the tv in the same room?", QuestionKind.RELATION, AnswerForm.YES_NO, "sofa"),
        ("I want to know the colour of the sofa.", QuestionKind.ATTRIBUTE, AnswerForm.VALUE, "sofa"),
        ("Describe the colour of the sofa.", QuestionKind.ATTRIBUTE, AnswerForm.VALUE, "sofa"),
        ("Why is the window open?", QuestionKind.KNOWLEDGE, AnswerForm.FREE, None),
        ("Have you seen a vase in the living room?", QuestionKind.EXISTENCE, AnswerForm.YES_NO, "vase"),
        (
            "Does a door lead from the kitchen into the living room?",
            QuestionKind.EXISTENCE,
            AnswerForm.YES_NO,
            "door",
        ),
        ("Does the desk have room left?", QuestionKind.SPACE, AnswerForm.YES_NO, None),
        ("Are the bench and the iron in the same room?", QuestionKind.RELATION, AnswerForm.YES_NO, "bench"),
        ("Can I hang up my coat in the hallway?", QuestionKind.FUNCTION, AnswerForm.YES_NO, "jacket"),
        ("In which room can I put shoes away?", QuestionKind.FUNCTION, AnswerForm.ROOM, "shoes away"),
    ],
)
def test_question_has_kind_answer_form_and_target(
    text: str, kind: QuestionKind, form: AnswerForm, target: str | None
) -> None:
    question = PARSER.parse(text)
    named = question.target.category if question.target is not None else None
    assert (question.kind, question.answer_form, named) == (kind, form, target)
    assert question.text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is there milk in the fridge?", {"relation": Relation.IN, "room": ""}),
        ("How many chairs are in the kitchen?", {"relation": None, "room": "kitchen"}),
        ("Can I do homework in the bedroom?", {"room": "bedroom", "purpose": "do homework in the bedroom"}),
        ("What colour is the sofa?", {"attribute": "colour"}),
        ("Is the table made of wood?", {"attribute": "material", "state": "wood"}),
        ("Is the stove on?", {"state": words.STATE_ON}),
        ("Is the lamp next to the bed switched off?", {"state": words.STATE_OFF, "relation": Relation.NEAR}),
        ("Is the door open or closed?", {"options": (words.STATE_OPEN, words.STATE_CLOSED)}),
        ("Is the door not closed?", {"state": words.STATE_CLOSED, "negated": True}),
        ("Isn't the door closed?", {"state": words.STATE_CLOSED, "negated": False}),
        ("Is there a lamp that is switched on in the bedroom?", {"state": words.STATE_ON, "room": "bedroom"}),
        ("Is the mug in the kitchen or in the office?", {"options": ("in the kitchen", "in the office")}),
        ("Are the sofa and the tv in the same room?", {"relation": Relation.SAME_ROOM}),
        (
            "What stands open in the bedroom, apart from doors?",
            {"room": "bedroom", "state": words.STATE_OPEN},
        ),
        (
            "Something in the bedroom is switched on. What is it?",
            {"room": "bedroom", "state": words.STATE_ON},
        ),
        ("What is on the bathroom shelf?", {"room": "bathroom", "relation": Relation.ON}),
        ("What is nearer to the bed: the sofa or the tv?", {"options": ("the sofa", "the tv")}),
        (
            "I want to do homework. Can I do that in the bedroom?",
            {"purpose": "do homework", "room": "bedroom"},
        ),
        ("Which room should I go to if I want to cut bread?", {"purpose": "cut bread"}),
        ("What can I use to cut bread?", {"purpose": "cut bread"}),
        ("I'm thirsty, what can I drink?", {"context": "i am thirsty", "purpose": "drink"}),
        ("Is the bedroom door open?", {"room": "bedroom"}),
        ("Which is bigger, the sofa or the bed?", {"options": ("the sofa", "the bed")}),
        ("Is the fridge bigger than the oven?", {"attribute": "size", "relation": Relation.RELATIVE_TO}),
        ("What is written on the poster in the kitchen?", {"attribute": "text", "room": "kitchen"}),
        ("Where is the sink relative to the stove?", {"relation": Relation.RELATIVE_TO}),
    ],
)
def test_question_has_relation_room_attribute_and_state(text: str, expected: dict[str, Any]) -> None:
    question = PARSER.parse(text)
    assert {name: getattr(question, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("What is to the left of the bed?", [(Relation.LEFT_OF, ["bed"])]),
        ("What is right above the printer?", [(Relation.ABOVE, ["printer"])]),
        ("What is between the sofa and the tv?", [(Relation.BETWEEN, ["sofa", "tv"])]),
        (
            "What is on the floor between the desk, the sofa and the bin?",
            [
                (Relation.ON, ["floor"]),
                (Relation.BETWEEN, ["desk", "sofa", "bin"]),
            ],
        ),
        ("What is between the door with a window and the bench?", [(Relation.BETWEEN, ["door", "bench"])]),
        ("What is on top of the fridge?", [(Relation.ON, ["fridge"])]),
        (
            "What is the thing on the shelf next to the lamp?",
            [
                (Relation.ON, ["shelf"]),
                (Relation.NEAR, ["lamp"]),
            ],
        ),
        ("What does the drawer contain?", [(Relation.IN, ["drawer"])]),
        ("What colour is the desk with the laptop on it?", [(Relation.WITH, ["laptop"])]),
    ],
)
def test_places_are_read_in_the_order_of_the_words(
    text: str, places: list[tuple[Relation, list[str]]]
) -> None:
    assert _landmarks(PARSER.parse(text)) == places


def test_living_room_is_a_landmark_with_its_whole_name() -> None:
    question = PARSER.parse("Is there a door between the living room and the kitchen?")
    assert _landmarks(question) == [("between", ["living room", "kitchen"])]


def test_noun_phrase_gives_colour_material_size_and_modifiers() -> None:
    target = PARSER.parse("Where are the two small black wooden wobbly chairs on the left?").target
    assert target is not None
    assert (target.category, target.colours, target.materials, target.size, target.plural) == (
        "chair",
        ("black",),
        ("wooden",),
        "small",
        True,
    )
    assert "wobbly" in target.modifiers
    assert "left" in target.modifiers
    assert str(target.description) == "small black chair"


def test_things_that_do_not_count_are_kept_apart() -> None:
    question = PARSER.parse("What is on the bed, apart from the pillows?")
    assert question.excluded is not None
    assert (question.excluded.category, _landmarks(question)) == ("pillow", [(Relation.ON, ["bed"])])


@pytest.mark.parametrize(
    ("text", "of_question", "of_thing"),
    [
        ("Is the stove on or is the oven on?", ("or is the oven on",), ()),
        ("Check whether the lamp is on and turn it off.", ("and turn it off",), ()),
        ("How many chairs are not red?", ("not red",), ()),
        ("Is the door to the garden closed?", (), ("to the garden",)),
        ("Is there a desk without a mug?", (), ("desk without a",)),
        ("How many mugs and plates are there?", (), ("mugs and",)),
        ("Is the door open or is it closed?", (), ()),
        ("Is there a black and white mug here?", (), ()),
        ("Can you tell me what colour the sofa is?", (), ()),
        ("Which room has more floor space, the kitchen or the office?", (), ()),
        ("Are there enough chairs?", (), ("enough",)),
        ("Are two of the lamps on?", (), ("two of the",)),
        ("Which piece of furniture in the kitchen is open?", (), ()),
        ("How many people can eat at the table if nobody brings a chair?", (), ()),
    ],
)
def test_words_that_no_rule_reads_are_told(
    text: str, of_question: tuple[str, ...], of_thing: tuple[str, ...]
) -> None:
    question = PARSER.parse(text)
    assert question.target is not None
    marks = [word for place in question.places for mark in place.landmarks for word in mark.unread]
    assert (question.unread, question.target.unread, marks) == (of_question, of_thing, [])


@pytest.mark.parametrize(
    ("text", "quantifier", "amount"),
    [
        ("Are all the lamps on?", Quantifier.ALL, None),
        ("Is every lamp on?", Quantifier.ALL, None),
        ("Are both lamps on?", Quantifier.ALL, Amount(2, 2)),
        ("Are the two lamps on?", None, Amount(2, 2)),
        ("Is one of the lamps on?", Quantifier.ANY, None),
        ("Are any of the lamps on?", Quantifier.ANY, None),
        ("Is no lamp on?", Quantifier.NO, None),
        ("Is there nothing on the table?", Quantifier.NO, None),
        ("Is there nobody in the kitchen?", Quantifier.NO, None),
        ("Are there two lamps?", None, Amount(2)),
        ("Are there exactly 3 lamps?", None, Amount(3, 3)),
        ("Are there at least two lamps?", None, Amount(2)),
        ("Is there more than one lamp?", None, Amount(2)),
        ("Are there fewer than two lamps?", None, Amount(0, 1)),
        ("Is there only one lamp?", None, Amount(1, 1)),
        ("Is there a pair of scissors?", None, None),
        ("Is there a lamp?", None, None),
    ],
)
def test_quantifier_and_number_of_things_are_read(
    text: str, quantifier: Quantifier | None, amount: Amount | None
) -> None:
    target = PARSER.parse(text).target
    assert target is not None
    assert (target.quantifier, target.amount, target.unread) == (quantifier, amount, ())


def test_pronoun_stands_for_the_thing_named_before() -> None:
    question = PARSER.parse("I'm looking for my yellow backpack. Where is it?")
    assert question.target is not None
    assert (question.target.category, question.target.colours) == ("backpack", ("yellow",))


def test_names_of_things_need_not_be_known() -> None:
    question = PARSER.parse("What colour is the zither next to the gramophone?")
    assert question.target is not None
    assert question.landmark is not None
    assert (question.target.category, question.landmark.category) == ("zither", "gramophone")


@pytest.mark.parametrize(
    ("text", "category", "express"),
    [
        ("What is the red object on the bed?", Category.OBJECT_RECOGNITION, ExpressCategory.OBJECT),
        ("What is between the beds?", Category.SPATIAL_UNDERSTANDING, ExpressCategory.OBJECT),
        ("What colour is the sofa?", Category.ATTRIBUTE_RECOGNITION, ExpressCategory.ATTRIBUTE),
        ("Is the stove on?", Category.OBJECT_STATE_RECOGNITION, ExpressCategory.STATE),
        ("Where are my keys?", Category.OBJECT_LOCALIZATION, ExpressCategory.LOCATION),
        ("Is there room on the desk to work?", Category.SPATIAL_UNDERSTANDING, ExpressCategory.STATE),
        ("What can I use to cut bread?", Category.FUNCTIONAL_REASONING, ExpressCategory.KNOWLEDGE),
        ("Which company made the laptop?", Category.WORLD_KNOWLEDGE, ExpressCategory.KNOWLEDGE),
        ("How many beds are there?", Category.WORLD_KNOWLEDGE, ExpressCategory.COUNTING),
        ("Is there paper in the printer?", Category.OBJECT_STATE_RECOGNITION, ExpressCategory.EXISTENCE),
    ],
)
def test_question_has_a_category_of_both_benchmarks(
    text: str, category: Category, express: ExpressCategory
) -> None:
    question = PARSER.parse(text)
    assert (question.category, question.express_category) == (category, express)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("The sofa is red.", "asks nothing"),
        ("Put the cup on the table.", "asks nothing"),
        ("Where is it?", "which thing"),
        ("Is it on?", "which thing"),
        ("What?", "no form"),
        ("Where is " + "the very " * 200 + "long table?", str(MAX_CHARACTERS)),
    ],
)
def test_text_that_cannot_be_typed_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(QuestionNotUnderstoodError) as refusal:
        PARSER.parse(text)
    assert reason in refusal.value.reason
    assert refusal.value.reason in str(refusal.value)
    assert refusal.value.code is ErrorCode.TASK_NOT_UNDERSTOOD


@given(st.one_of(st.text(max_size=80), st.lists(_WORDS, max_size=14).map(" ".join)))
def test_any_text_is_typed_or_refused(text: str) -> None:
    with contextlib.suppress(QuestionNotUnderstoodError):
        question = PARSER.parse(text)
        assert all(place.landmarks for place in question.places)
        assert question.kind is not QuestionKind.WHERE or question.target is not None


@given(
    st.sampled_from(["Is the stove on?", "What colour is the red sofa?", "Where is the cup in the kitchen?"])
)
def test_case_and_spaces_do_not_matter(text: str) -> None:
    plain, spaced = PARSER.parse(text), PARSER.parse("  " + text.upper().replace(" ", "  "))
    assert (plain.kind, plain.target, plain.places, plain.room, plain.state) == (
        spaced.kind,
        spaced.target,
        spaced.places,
        spaced.room,
        spaced.state,
    )
