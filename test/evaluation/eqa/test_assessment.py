"""How the suite `eqa` assesses answers: by rules and ground truth, or by a model."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from stma_ros.evaluation.eqa.assessment import Assessment, ModelAssessor, assessor_of
from stma_ros.evaluation.eqa.metrics import Grade
from stma_ros.evaluation.registry import make_suite
from stma_ros.models.chat import ChatReply, ChatRequest
from stma_ros.models.errors import FinalModelError
from stma_ros.models.images import Picture
from stma_ros.models.scripted import ScriptedModel
from stma_ros.testing.model_server.role_answers import Answering
from stma_ros.types.errors import BadImageError, ConfigurationError
from stma_ros.types.planning import Evidence
from stma_ros.types.standard import CompressedImage

QUESTION, ANSWERS = "Where is the mug?", ["on the table"]


def cited(colour: int) -> Evidence:
    file = io.BytesIO()
    Image.fromarray(np.full((24, 32, 3), colour, np.uint8)).save(file, "JPEG")
    return Evidence(picture=CompressedImage(format="jpeg", data=np.frombuffer(file.getvalue(), np.uint8)))


def stand_in(request: ChatRequest) -> ChatReply | FinalModelError:
    """Replies as `stma serve-model` does."""
    reply = Answering().answer(request.messages)
    if reply is None:
        return FinalModelError("stand-in", request.role, "not understood")
    return ChatReply(json.dumps(vars(reply)))


def test_rules_score_the_answer_and_ground_truth_grounds_it() -> None:
    rules = assessor_of("")
    assert rules.assess(QUESTION, ANSWERS, "on the table", (), True) == Assessment(5, Grade(5.0, 1.0))
    assert rules.assess(QUESTION, ANSWERS, "in the fridge", (), False) == Assessment(1, Grade(1.0, 0.0))
    assert rules.assess(QUESTION, ANSWERS, "on the table", (), None) == Assessment(5, Grade(5.0, 0.0))
    assert rules.assess(QUESTION, ANSWERS, "", (), None) == Assessment(None, None)


def test_model_scores_the_answer_and_grades_it_by_the_first_cited_picture_alone() -> None:
    model = ScriptedModel(['{"score": 4}', '{"shown": "wrongly", "score": 3}'])
    evidence = Evidence(), cited(10), cited(200)
    found = ModelAssessor(model).assess(QUESTION, ANSWERS, "on a table", evidence, True)
    assert found == Assessment(4, Grade(3.0, 0.5))
    pictures = [
        part
        for request in model.requests
        for message in request.messages
        for part in message.parts
        if isinstance(part, Picture)
    ]
    assert [int(picture.pixels.mean()) for picture in pictures] == [10]


def test_answer_that_cites_no_picture_is_grounded_on_nothing_and_not_graded() -> None:
    model = ScriptedModel(['{"score": 5}'])
    found = ModelAssessor(model).assess(QUESTION, ANSWERS, "on a table", (Evidence(),), True)
    assert found == Assessment(5, Grade(5.0, 0.0))


def test_model_is_not_asked_about_a_missing_answer() -> None:
    assert ModelAssessor(ScriptedModel([])).assess(QUESTION, ANSWERS, " ", (), None) == Assessment(None, None)


def test_damaged_picture_is_an_error_and_no_grade() -> None:
    damaged = Evidence(picture=CompressedImage(format="jpeg", data=np.zeros(9, np.uint8)))
    with pytest.raises(BadImageError):
        ModelAssessor(ScriptedModel(['{"score": 5}'])).assess(QUESTION, ANSWERS, "here", (damaged,), None)


@pytest.mark.parametrize(("answer", "score"), [("It is on the table.", 5), ("in the fridge", 1)])
def test_stand_in_judges_by_the_text_of_the_prompts_as_the_rules_do(answer: str, score: int) -> None:
    found = ModelAssessor(ScriptedModel(stand_in)).assess(QUESTION, ANSWERS, answer, (cited(10),), None)
    assert found == Assessment(score, Grade(float(score), 1.0 if score >= 4 else 0.5))


def test_suite_names_its_judge_and_gives_it_to_its_episodes(tmp_path: Path) -> None:
    script = f"scripted:{tmp_path / 'replies.jsonl'}"
    suite = make_suite("eqa", {"judge": script})
    assert f"judged by {script}" in suite.notes[0]
    assert suite.episode(1000, 0).judge == script
    assert "judged by rules" in make_suite("eqa", {}).notes[0]


@pytest.mark.parametrize(
    "judge", ["gpt", "recorded:runs/1", "openai:NAME@http://user:pass@localhost:8000/v1"]
)
def test_judge_that_cannot_be_asked_is_refused(judge: str) -> None:
    with pytest.raises(ConfigurationError, match=r"eqa\.judge"):
        make_suite("eqa", {"judge": judge})
