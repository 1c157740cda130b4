"""Assesses the answers of episodes: by rules and ground truth, or by a model, with the prompts of the benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.eqa.judge import RuleJudge
from stma_ros.evaluation.eqa.metrics import Grade
from stma_ros.models.chat import ChatModel
from stma_ros.models.settings import RECORDED, read_spec, refuse_secrets
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Evidence


@dataclass(frozen=True)
class Assessment:
    """What an answer is worth.

    Attributes:
        score: OpenEQA's, 1 to 5; None = there is no answer.
        grade: EXPRESS-Bench's; None = there is no answer.
    """

    score: int | None
    grade: Grade | None


class Assessor(Protocol):
    """Assesses answers."""

    def assess(
        self,
        question: str,
        answers: Sequence[str],
        prediction: str,
        cited: Sequence[Evidence],
        shows: bool | None,
    ) -> Assessment:
        """Returns the assessment of an answer.

        Args:
            question: the question as it was asked.
            answers: right answers, at least one.
            prediction: the answer; empty = there is none.
            cited: what the answer rests on.
            shows: whether a cited picture shows the evidence, by ground truth; None = none is cited.
        """
        ...


class RuleAssessor:
    """Assesses by the RuleJudge; the grounding is that of ground truth."""

    def assess(
        self,
        question: str,
        answers: Sequence[str],
        prediction: str,
        cited: Sequence[Evidence],
        shows: bool | None,
    ) -> Assessment:
        score = rule_judge().score(question, answers, prediction)
        return Assessment(score, None if score is None else Grade(float(score), float(bool(shows))))


class ModelAssessor:
    """Assesses by a model, which knows no ground truth but the right answers. It grades by the first cited picture; an
    answer that cites none is grounded on nothing."""

    def __init__(self, model: ChatModel) -> None:
        """model: with vision; the caller owns it."""
        from stma_ros.evaluation.eqa.prompted_grader import (
            PromptedGrader,  # slow imports, for runs with models only
        )
        from stma_ros.evaluation.eqa.prompted_judge import PromptedJudge

        self._judge, self._grader = PromptedJudge(model), PromptedGrader(model)

    def assess(
        self,
        question: str,
        answers: Sequence[str],
        prediction: str,
        cited: Sequence[Evidence],
        shows: bool | None,
    ) -> Assessment:
        """See `Assessor.assess`.

        Raises:
            ModelError: there is no reply.
            UnusableReplyError: a second reply is no assessment either.
            BadImageError: the cited picture cannot be read.
        """
        from stma_ros.models.images import read_picture

        score = self._judge.score(question, answers, prediction)
        if score is None:
            return Assessment(None, None)
        data = next((each.picture.data for each in cited if each.picture.data.size), None)
        if data is None:
            return Assessment(score, Grade(float(score), 0.0))
        picture = read_picture(data.tobytes())
        return Assessment(score, self._grader.grade(question, answers, prediction, picture))


@cache
def rule_judge() -> RuleJudge:
    """Returns the judge of answers by rules."""
    return RuleJudge(household_categories())


@cache
def assessor_of(judge: str) -> Assessor:
    """Returns the assessor that a setting names: a model's specification, or empty for rules. Its model stays open
    until the process ends.

    Raises:
        StmaError: the model cannot be made.
    """
    if not judge:
        return RuleAssessor()
    from stma_ros.models.back_ends import make_model
    from stma_ros.models.limited_model import Budget
    from stma_ros.models.settings import ModelConfig

    return ModelAssessor(make_model(judge, ModelConfig(), Budget()))


def check_judge(judge: str) -> None:
    """Raises ConfigurationError for a setting that names neither rules nor a model that can be asked."""
    if judge:
        refuse_secrets(judge)
        if read_spec(judge).kind == RECORDED:
            raise ConfigurationError("the replies of a judge are not recorded; name its model")
