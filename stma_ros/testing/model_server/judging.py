"""Stand-ins for models that judge answers: they read question and answers from the text, and score by rules."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

from stma_ros.evaluation.eqa.assessment import rule_judge
from stma_ros.evaluation.eqa.prompted_grader import GradeReply
from stma_ros.evaluation.eqa.prompted_judge import JudgeReply
from stma_ros.evaluation.eqa.scoring import RIGHT
from stma_ros.testing.model_server.sections import UnreadableQuestionError, required, sections

_Score: TypeAlias = Literal[1, 2, 3, 4, 5]

_HEADINGS = "Question: ", "Right answers:\n", "Answer:\n", "Picture:"


def judge(question: str) -> JudgeReply:
    """Returns the reply of the answer judge."""
    return JudgeReply(_score(question))


def grade(question: str) -> GradeReply:
    """Returns the reply of the answer grader, as if the picture showed what the question is about: the stand-in cannot
    see."""
    score = _score(question)
    return GradeReply("rightly" if score >= RIGHT else "wrongly", score)


def _score(question: str) -> _Score:
    parts = sections(question, _HEADINGS)
    listed = required(parts, "Right answers").split("\n")
    answers = [line.removeprefix("- ") for line in listed]
    score = rule_judge().score(required(parts, "Question"), answers, required(parts, "Answer").strip())
    if score is None:
        raise UnreadableQuestionError("the answer says nothing")
    return cast(_Score, score)
