"""Grades answers by a chat model with vision, as EXPRESS-Bench does: by the right answers, and by what the robot saw.

The published judge gives delta, whether the picture shows what the answer says, and sigma, whether the answer is right,
in one reply. From these follow C, C* and E_path (`metrics`). A question without an answer has no grade: what the
published code fills in for it, by a blind model, is never used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from stma_ros.evaluation.eqa.judge_client import JudgeClient
from stma_ros.evaluation.eqa.metrics import Grade
from stma_ros.evaluation.eqa.prompted_judge import JudgeQuestion, question_text, whole_sentences
from stma_ros.models.chat import ChatModel
from stma_ros.models.images import Picture
from stma_ros.models.sampling import Sampling
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.runner import PromptedRole
from stma_ros.roles.spec import Rendering, RoleSpec, Wait
from stma_ros.types.component import CancelToken

PUBLISHED: Final = Sampling(temperature=1.0)
"""How EXPRESS-Bench samples: by the defaults of its server."""

Shown = Literal["rightly", "wrongly", "not"]

_GROUNDING: Mapping[Shown, float] = {"rightly": 1.0, "wrongly": 0.5, "not": 0.0}


@dataclass(frozen=True)
class GradeQuestion(JudgeQuestion):
    """picture: what the robot saw at its end, or what its answer rests on."""

    picture: Picture


@dataclass(frozen=True)
class GradeReply:
    """shown: how the answer describes what the picture shows of the matter. score: 1 (wrong) to 5 (right)."""

    shown: Shown
    score: Literal[1, 2, 3, 4, 5]


def _rendering(question: GradeQuestion) -> Rendering:
    return f"{question_text(question)}\n\nPicture:", question.picture


ANSWER_GRADER: Final = RoleSpec(
    name="answer_grader",
    question=GradeQuestion,
    answer=Grade,
    reply=GradeReply,
    text=question_text,
    render=_rendering,
    read=lambda reply, _: Grade(float(reply.score), _GROUNDING[reply.shown]),
    wait=Wait.CRITIQUE,  # scorers ask after the episode; no executor waits
    has_images=True,
)
"""The grader as a role; it is a scorer's and therefore not among the roles of agents."""


class PromptedGrader:
    """Grades answers by asking a chat model; the caller owns the model."""

    def __init__(
        self, model: ChatModel, sampling: Sampling = PUBLISHED, token: CancelToken | None = None
    ) -> None:
        """Creates a grader; arguments as of `PromptedJudge`."""
        client = JudgeClient(ANSWER_GRADER.name, model, sampling, token)
        self._role = PromptedRole(ANSWER_GRADER, client, find_prompt(ANSWER_GRADER.name, __package__))

    def grade(self, question: str, answers: Sequence[str], prediction: str, picture: Picture) -> Grade | None:
        """Returns the grade of a prediction; None if it is empty, that is, there is no answer.

        Args:
            question: the question as it was asked.
            answers: right answers, at least one; EXPRESS-Bench has one.
            prediction: the answer to grade. What a truncated answer says after its last sentence is left out.
            picture: the robot's last view in EXPRESS-Bench, or a picture that the answer cites.

        Raises:
            ModelError: there is no reply.
            UnusableReplyError: the second reply is no grade either.
        """
        if not answers:
            raise ValueError("there is no right answer to compare with")
        said = whole_sentences(prediction)
        return self._role.answer(GradeQuestion(question, tuple(answers), said, picture)) if said else None
