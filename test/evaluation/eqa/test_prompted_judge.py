"""The judge that asks a chat model: what the model is shown, how often it is asked, and its refusals."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.eqa.prompted_judge import ANSWER_JUDGE, PUBLISHED, PromptedJudge, whole_sentences
from stma_ros.models.errors import CallCanceledError, FinalModelError
from stma_ros.models.scripted import ScriptedModel
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.component import CancelToken
from stma_ros.types.prompt_length import count_tokens

QUESTION = "Where is the mug?"
ANSWERS = ["on the table", "next to the lamp"]


def test_model_sees_question_all_right_answers_and_prediction() -> None:
    model = ScriptedModel(['{"score": 4}'])
    assert PromptedJudge(model).score(QUESTION, ANSWERS, "On a table. It is") == 4
    (request,) = model.requests
    shown = request.messages[-1].text
    assert all(text in shown for text in (QUESTION, *ANSWERS, "On a table."))
    assert "It is" not in shown
    assert request.sampling == PUBLISHED
    assert (request.sampling.temperature, request.sampling.seed, request.max_tokens) == (0.2, 1234, 32)


def test_unusable_reply_is_sent_back_once() -> None:
    model = ScriptedModel(["The score is high", '```json\n{"score": 2}\n```'])
    assert PromptedJudge(model).score(QUESTION, ANSWERS, "somewhere") == 2
    assert len(model.requests) == 2


@pytest.mark.parametrize("reply", ['{"score": 6}', '{"score": "5"}', '{"score": 0}', '{"mark": 3}', "five"])
def test_second_unusable_reply_is_an_error(reply: str) -> None:
    model = ScriptedModel([reply, reply])
    with pytest.raises(UnusableReplyError):
        PromptedJudge(model).score(QUESTION, ANSWERS, "somewhere")
    assert len(model.requests) == 2


def test_empty_prediction_is_no_answer_and_asks_no_model() -> None:
    model = ScriptedModel([])
    assert PromptedJudge(model).score(QUESTION, ANSWERS, "  ") is None
    assert not model.requests


def test_question_without_right_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="right answer"):
        PromptedJudge(ScriptedModel([])).score(QUESTION, [], "somewhere")


def test_failure_and_cancel_of_the_model_are_passed_on() -> None:
    failed = FinalModelError("script", ANSWER_JUDGE.name, "no such model")
    with pytest.raises(FinalModelError, match="no such model"):
        PromptedJudge(ScriptedModel([failed])).score(QUESTION, ANSWERS, "somewhere")
    token = CancelToken()
    token.cancel("the bench was stopped")
    with pytest.raises(CallCanceledError):
        PromptedJudge(ScriptedModel(['{"score": 4}']), token=token).score(QUESTION, ANSWERS, "somewhere")


def test_prompt_is_within_its_budget() -> None:
    prompt = find_prompt(ANSWER_JUDGE.name, "stma_ros.evaluation.eqa")
    assert count_tokens(prompt.text) <= prompt.instructions


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("It is red. The sofa", "It is red."),
        ("It is red. Or is it", "It is red."),
        ("red", "red"),
        ("3.5 metres", "3.5 metres"),
        ("It is red.", "It is red."),
        (" ", ""),
    ],
)
def test_truncated_answer_is_cut_after_its_last_sentence(text: str, whole: str) -> None:
    assert whole_sentences(text) == whole
