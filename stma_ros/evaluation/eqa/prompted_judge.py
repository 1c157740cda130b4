"""Judges answers by a chat model, with the settings of OpenEQA's protocol (temperature 0.2, seed 1234, 32 tokens)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from stma_ros.evaluation.eqa.judge_client import JudgeClient
from stma_ros.models.chat import ChatModel
from stma_ros.models.sampling import Sampling
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.runner import PromptedRole
from stma_ros.roles.spec import RoleSpec, Wait
from stma_ros.types.component import CancelToken

PUBLISHED: Final = Sampling(temperature=0.2, seed=1234)
"""How OpenEQA samples the judge's reply."""

_SENTENCE_END = re.compile(r"[.!?](?=\s)")


@dataclass(frozen=True)
class JudgeQuestion:
    """question: as it was asked. answers: right ones, at least one. prediction: the answer to score; data."""

    question: str
    answers: tuple[str, ...]
    prediction: str


@dataclass(frozen=True)
class JudgeReply:
    """score: 1 (wrong) to 5 (the same)."""

    score: Literal[1, 2, 3, 4, 5]


def question_text(question: JudgeQuestion) -> str:
    """Returns a question as plain text."""
    return sections(
        f"Question: {question.question}",
        headed("Right answers", "\n".join(f"- {answer}" for answer in question.answers)),
        headed("Answer", question.prediction),
    )


ANSWER_JUDGE: Final = RoleSpec(
    name="answer_judge",
    question=JudgeQuestion,
    answer=int,
    reply=JudgeReply,
    text=question_text,
    read=lambda reply, _: reply.score,
    wait=Wait.CRITIQUE,  # scorers ask after the episode; no executor waits
)
"""The judge as a role; it is a scorer's and therefore not among the roles of agents."""


class PromptedJudge:
    """A `scoring.Judge` that asks a chat model; the caller owns the model."""

    def __init__(
        self, model: ChatModel, sampling: Sampling = PUBLISHED, token: CancelToken | None = None
    ) -> None:
        """Creates a judge.

        Args:
            model: the model to ask.
            sampling: how its replies are sampled.
            token: cancels its calls.
        """
        client = JudgeClient(ANSWER_JUDGE.name, model, sampling, token)
        self._role = PromptedRole(ANSWER_JUDGE, client, find_prompt(ANSWER_JUDGE.name, __package__))

    def score(self, question: str, answers: Sequence[str], prediction: str) -> int | None:
        """See `scoring.Judge.score`. What a truncated answer says after its last sentence is left out.

        Raises:
            ModelError: there is no reply.
            UnusableReplyError: the second reply is no score either.
        """
        if not answers:
            raise ValueError("there is no right answer to compare with")
        said = whole_sentences(prediction)
        return self._role.answer(JudgeQuestion(question, tuple(answers), said)) if said else None


def whole_sentences(text: str) -> str:
    """Returns a text up to the end of its last sentence; all of it if no sentence ends."""
    text = text.strip()
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text if not ends or text[-1] in ".!?" else text[: ends[-1]]
