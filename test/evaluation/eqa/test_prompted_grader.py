"""The grader that asks a chat model with vision: what the model is shown, its grades, and its refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stma_ros.evaluation.eqa.metrics import (
    Grade,
    correctness,
    grounded_correctness,
    path_weighted_correctness,
)
from stma_ros.evaluation.eqa.prompted_grader import ANSWER_GRADER, PUBLISHED, PromptedGrader
from stma_ros.models.errors import FinalModelError
from stma_ros.models.images import picture
from stma_ros.models.scripted import ScriptedModel
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.prompt_length import count_tokens

QUESTION = "What color is the sofa?"
ANSWERS = ["light beige"]
VIEW = picture(np.full((24, 32, 3), 90, np.uint8))


def _grade(*replies: str, prediction: str = "White.") -> Grade | None:
    return PromptedGrader(ScriptedModel(replies)).grade(QUESTION, ANSWERS, prediction, VIEW)


def test_model_sees_question_right_answers_prediction_and_picture() -> None:
    model = ScriptedModel(['{"shown": "rightly", "score": 4}'])
    assert PromptedGrader(model).grade(QUESTION, ANSWERS, "White. It", VIEW) == Grade(4.0, 1.0)
    (request,) = model.requests
    shown = request.messages[-1]
    assert all(text in shown.text for text in (QUESTION, *ANSWERS, "White."))
    assert "It" not in shown.text.split()
    assert shown.parts[-1] == VIEW
    assert (request.role, request.sampling) == ("answer_grader", PUBLISHED)


@pytest.mark.parametrize(
    ("shown", "score", "c", "c_star", "e_path"),
    [
        ("rightly", 5, 100, 100, 25),
        ("wrongly", 2, 20, 40, 5),
        ("not", 5, 0, 100, 0),
        ("rightly", 1, 20, 20, 5),
    ],
)
def test_measures_follow_from_both_parts_of_a_reply(
    shown: str, score: int, c: float, c_star: float, e_path: float
) -> None:
    grade = _grade(json.dumps({"shown": shown, "score": score}))
    assert grounded_correctness(grade) == pytest.approx(c)
    assert correctness(grade) == pytest.approx(c_star)
    assert path_weighted_correctness(grade, shortest=2.0, driven=8.0) == pytest.approx(e_path)


def test_empty_prediction_is_no_answer_counts_0_and_asks_no_model() -> None:
    assert _grade(prediction="  ") is None
    assert grounded_correctness(_grade(prediction="")) == 0


def test_unusable_grade_is_sent_back_once() -> None:
    assert _grade("1, 5", '{"shown": "not", "score": 5}') == Grade(5.0, 0.0)


@pytest.mark.parametrize(
    "reply",
    ['{"shown": "rightly"}', '{"shown": 0.5, "score": 3}', '{"shown": "not", "score": 0}', "0.5, 3"],
)
def test_second_unusable_grade_is_an_error(reply: str) -> None:
    with pytest.raises(UnusableReplyError):
        _grade(reply, reply)


def test_failure_of_the_graders_model_is_passed_on() -> None:
    failed = FinalModelError("script", ANSWER_GRADER.name, "it cannot see")
    model = ScriptedModel([failed])
    with pytest.raises(FinalModelError, match="it cannot see"):
        PromptedGrader(model).grade(QUESTION, ANSWERS, "White.", VIEW)


def test_question_without_right_answers_is_not_graded() -> None:
    with pytest.raises(ValueError, match="right answer"):
        PromptedGrader(ScriptedModel([])).grade(QUESTION, [], "White.", VIEW)


def test_prompt_of_the_grader_is_within_its_budget_and_its_example_is_usable() -> None:
    prompt = find_prompt(ANSWER_GRADER.name, "stma_ros.evaluation.eqa")
    assert count_tokens(prompt.text) <= prompt.instructions
    assert _grade(prompt.text.strip().splitlines()[-1]) == Grade(4.0, 1.0)
