"""The judge by rules: scores of answers in other words, and answers that are wrong, empty or beside the point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.eqa.judge import RuleJudge
from stma_ros.evaluation.eqa.scoring import PARTLY, RIGHT, SAME, WRONG

JUDGE = RuleJudge(household_categories())

_ANSWERS = st.sampled_from(
    [
        "yes",
        "no",
        "a mug",
        "on the table next to the lamp",
        "red",
        "four",
        "in the kitchen",
        "open",
        "the knife in the drawer",
        "nothing",
    ]
)
_QUESTIONS = st.sampled_from(
    [
        "Is there a mug on the table?",
        "Where is the mug?",
        "What colour is the mug?",
        "How many mugs are there?",
        "Is the door open or closed?",
        "What can I use to cut bread?",
        "no question at all",
    ]
)


@pytest.mark.parametrize(
    ("question", "answer", "prediction"),
    [
        ("Is there milk in the fridge?", "Yes", "Yes, there is milk in the fridge."),
        ("Is there milk in the fridge?", "No", "There is no milk in the fridge"),
        ("Is the stove on?", "No", "It's off."),
        ("Is the stove on?", "Yes", "The stove is on"),
        ("Can I do homework in the bedroom?", "Yes, at the desk", "yes"),
        ("How many chairs are in the kitchen?", "4", "There are four chairs."),
        ("How many chairs are there?", "none", "There are no chairs."),
        ("How many chairs are there?", "one", "just one"),
        ("Is there a piano?", "no", "there is no piano"),
        ("What colour is the bathtub?", "there is no bathtub", "I found no bathtub"),
        ("What is on the table?", "nothing", "There is nothing on the table."),
        ("What colour is the sofa?", "grey", "The sofa is gray."),
        ("Is the door open or closed?", "closed", "It is shut."),
        ("Is the lamp on or off?", "on", "It is turned on."),
        ("Are the blinds up or down?", "down", "not up"),
        ("Where are my keys?", "on the couch", "They are on the sofa"),
        ("Where are my keys?", "on the kitchen table", "on the table in the kitchen"),
        ("Where is the lamp?", "next to the television", "near the TV"),
        ("Where is the plate?", "on the dresser", "on the right part of the dresser"),
        ("Which room is the piano in?", "living room", "the lounge"),
        ("What is in the corner?", "a trash can", "A garbage bin."),
        ("What is on the table?", "nothing", "The table is empty"),
        ("What is on the bed?", "a pillow or a cushion", "a cushion"),
    ],
)
def test_answer_in_other_words_is_the_same(question: str, answer: str, prediction: str) -> None:
    assert JUDGE.score(question, [answer], prediction) == SAME


@pytest.mark.parametrize(
    ("question", "answer", "prediction", "score"),
    [
        ("What is on the table?", "a mug", "a red mug", RIGHT),
        ("What can I use to cut bread?", "the knife in the kitchen", "a knife", RIGHT),
        ("Where is the mug?", "on the table next to the lamp", "on the table", RIGHT),
        ("What colour is the towel?", "dark grey", "grey", RIGHT),
        ("What colour is the piano?", "There is no piano", "no piano here", RIGHT),
        ("What is on the table?", "a mug and a plate", "a mug", PARTLY),
        ("What is on the table?", "a mug", "a mug and a plate", PARTLY),
        ("What is open?", "the filing cabinet", "the cabinet", RIGHT),
        ("What is on the table?", "a mug", "a cup", PARTLY),
        ("What colours has the rug?", "blue and white", "white and black", PARTLY),
    ],
)
def test_answer_that_says_less_more_or_a_part_is_scored_between(
    question: str, answer: str, prediction: str, score: int
) -> None:
    assert JUDGE.score(question, [answer], prediction) == score


@pytest.mark.parametrize(
    ("question", "answer", "prediction"),
    [
        ("Is there milk in the fridge?", "yes", "no"),
        ("Is there milk in the fridge?", "yes", "in the kitchen"),
        ("Is the stove on?", "Yes", "off"),
        ("How many chairs are in the kitchen?", "4", "5"),
        ("How many chairs are in the kitchen?", "4", "some chairs"),
        ("What colour is the sofa?", "grey", "red"),
        ("Is the door open or closed?", "open", "closed"),
        ("Is the lamp on or off?", "on", "off"),
        ("Where are my keys?", "on the table", "under the table"),
        ("Where is the mug?", "to the left of the sink", "to the right of the sink"),
        ("Where is the mug?", "in the kitchen", "in the bedroom"),
        ("What is on the table?", "a mug", "I do not know"),
        ("What is on the table?", "nothing", "a mug"),
        ("What colour is the piano?", "There is no piano", "black"),
        ("What colour is the piano?", "There is no piano", "There is a piano"),
        ("What can I use to cut bread?", "a knife", "a spoon"),
        ("What is on the wall?", "a whiteboard", "a whiteboard marker"),
        ("Where can I take a nap?", "on the bed", "in the sink"),
        ("Where is the mug?", "in the cabinet", "on the cabinet"),
        ("Where is the mug?", "in the cabinet in the kitchen", "in the cabinet in the bathroom"),
        ("Is the piano open?", "there is no piano", "no"),
        ("Is the piano open?", "no", "there is no piano"),
        ("How many chairs are there?", "none", "one"),
    ],
)
def test_wrong_answer_is_scored_1(question: str, answer: str, prediction: str) -> None:
    assert JUDGE.score(question, [answer], prediction) == WRONG


@pytest.mark.parametrize(
    "prediction",
    [
        "I do not know",
        "I don't know.",
        "I am not sure",
        "It is not visible",
        "I cannot tell",
        "I can't see it",
        "I could not find out",
        "I have not seen the kitchen",
        "There is no way to know",
        "unknown",
        "No idea",
        "I do not know, but",
    ],
)
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the fridge open?", "no"),
        ("Is there a piano in this flat?", "no"),
        ("Are the red mug and the book in the same room?", "no"),
        ("How many mugs are there in this flat?", "none"),
        ("What is on the table?", "nothing"),
    ],
)
def test_an_answer_that_professes_ignorance_is_wrong(question: str, answer: str, prediction: str) -> None:
    assert JUDGE.score(question, [answer], prediction) == WRONG


@pytest.mark.parametrize(
    ("question", "answer", "prediction"),
    [
        ("Is the fridge open?", "no", "I am not sure, but no"),
        ("Is the fridge open?", "open", "I don't know for sure, but I think it is open"),
        ("Can I take a bath in the bathroom?", "no", "No, a bathtub is not visible"),
        ("Is there a piano?", "no", "I cannot see a piano"),
        ("Is there a piano?", "no", "It is not there"),
    ],
)
def test_an_answer_with_a_doubt_or_a_negation_is_an_answer(
    question: str, answer: str, prediction: str
) -> None:
    assert JUDGE.score(question, [answer], prediction) == SAME


@pytest.mark.parametrize(
    ("question", "answer", "prediction"),
    [
        ("Is the fridge open?", "yes", "yes or no"),
        ("Is the fridge open?", "no", "It could be yes and no"),
        ("Is the fridge open?", "no", "it is open or closed"),
        ("Is the fridge open or closed?", "closed", "open or closed"),
        ("Is the fridge open or closed?", "open", "closed or open"),
        ("Is the lamp on or off?", "off", "The lamp is on or off"),
        ("Which is closer to the sofa, the tv or the piano?", "the tv", "the tv or the piano"),
        ("Which room is bigger, the kitchen or the office?", "the kitchen", "the kitchen and the office"),
    ],
)
def test_an_answer_with_both_options_is_wrong(question: str, answer: str, prediction: str) -> None:
    assert JUDGE.score(question, [answer], prediction) == WRONG


def test_a_choice_that_compares_both_options_is_an_answer() -> None:
    question = "Which is closer to the sofa, the tv or the piano?"
    prediction = "The tv is closer than the piano"
    assert (JUDGE.score(question, ["the tv"], prediction) or 0) >= RIGHT


@pytest.mark.parametrize(
    ("question", "answer", "prediction"),
    [
        ("What colour is the mug?", "red", "red, blue, green, yellow, black or white"),
        ("What colour is the mug?", "red", "blue and red"),
        (
            "Which room should I go to if I want to play the piano?",
            "in the living room",
            "the kitchen or the living room",
        ),
        (
            "Which room should I go to if I want to play the piano?",
            "in the living room",
            "the kitchen, the living room",
        ),
        ("Which room is the mug in?", "in the kitchen", "in the bedroom or in the kitchen"),
        ("Where is the mug?", "on the desk", "on the desk or on the sofa"),
    ],
)
def test_an_answer_that_also_names_other_values_or_places_is_at_most_partly_right(
    question: str, answer: str, prediction: str
) -> None:
    assert (JUDGE.score(question, [answer], prediction) or 0) <= PARTLY


def test_a_room_is_no_further_place_where_it_only_tells_the_right_one() -> None:
    question = "Which room should I go to if I want to play the piano?"
    assert JUDGE.score(question, ["the bedroom"], "the bedroom next to the kitchen") == RIGHT


def test_a_place_in_another_room_is_wrong_although_the_place_alone_is_a_right_answer() -> None:
    answers = ["on the desk in the office", "on the desk", "in the office, on the desk"]
    assert JUDGE.score("Where is the mug?", answers, "on the desk in the kitchen") == WRONG
    assert JUDGE.score("Where is the mug?", answers, "on the desk") == SAME
    assert JUDGE.score("Where is the mug?", answers, "on the white desk in the office") == SAME
    assert JUDGE.score("Where is the mug?", answers, "in the office") == RIGHT


@pytest.mark.parametrize("prediction", ["", "   ", ".", "?!"])
def test_empty_prediction_is_no_answer(prediction: str) -> None:
    assert JUDGE.score("Where is the mug?", ["on the table"], prediction) is None


def test_question_without_right_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="right answer"):
        JUDGE.score("Where is the mug?", [], "on the table")


def test_best_of_the_right_answers_counts() -> None:
    answers = ["behind the curtain", "on the window sill"]
    assert JUDGE.score("Where is the mug?", answers, "on the window sill") == SAME
    assert JUDGE.score("Where is the mug?", answers[:1], "on the window sill") == WRONG


@pytest.mark.parametrize(
    ("answer", "prediction", "exact"),
    [
        ("On the table.", "on a table", True),
        ("gray", "Grey", True),
        ("4", "four", True),
        ("There is no piano", "There is a piano", False),
        ("on the table", "on the table in the kitchen", False),
        ("yes", "no", False),
        ("yes", "", False),
    ],
)
def test_exact_match_ignores_spelling_and_articles_only(answer: str, prediction: str, exact: bool) -> None:
    assert JUDGE.is_exact([answer], prediction) is exact


@given(_QUESTIONS, _ANSWERS)
def test_right_answer_word_for_word_scores_5(question: str, answer: str) -> None:
    assert JUDGE.score(question, [answer], answer.upper() + ".") == SAME
    assert JUDGE.is_exact([answer], answer)


@given(_QUESTIONS, st.lists(_ANSWERS, min_size=1, max_size=4), _ANSWERS)
def test_a_further_right_answer_of_another_place_never_lowers_the_score(
    question: str, answers: list[str], prediction: str
) -> None:
    all_of_them = JUDGE.score(question, answers, prediction)
    first = JUDGE.score(question, answers[:1], prediction)
    assert first is not None
    assert all_of_them is not None
    assert WRONG <= first <= all_of_them <= SAME


@given(st.text(max_size=60), st.text(min_size=1, max_size=40), st.text(max_size=40))
def test_any_text_is_scored(question: str, answer: str, prediction: str) -> None:
    score = JUDGE.score(question, [answer], prediction)
    assert score is None or WRONG <= score <= SAME
