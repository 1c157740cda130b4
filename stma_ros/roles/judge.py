"""Judge: scores the reasoning of a finished task, step by step and as a whole (MCoT-Memory, equation 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.reply import Checked
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types.common import Error
from stma_ros.types.experience import ReasonedStep
from stma_ros.types.planning import Action, Result

BEST = 10
"""The highest score of a reply; scores of answers are shares of it."""

AS_A_WHOLE = "as a whole, without scores of single steps"


@dataclass(frozen=True)
class JudgedStep:
    """One step of the task.

    Attributes:
        rationale: why the action was chosen.
        action: the action.
        result: how it ended; UNKNOWN = that is not shown to the judge.
        error: why it failed.
    """

    rationale: str
    action: Action
    result: Result = Result.UNKNOWN
    error: Error = Error()


def judged_steps(steps: Iterable[ReasonedStep], outcomes: bool) -> tuple[JudgedStep, ...]:
    """Returns steps of a task as a judge sees them. outcomes: whether it sees how each action ended."""
    if outcomes:
        return tuple(JudgedStep(step.rationale, step.action, step.result, step.error) for step in steps)
    return tuple(JudgedStep(step.rationale, step.action) for step in steps)


def is_kept(score: float, min_score: float) -> bool:
    """Whether a task of this score is kept as an experience. min_score: what it must exceed; 0 = all are kept."""
    return min_score == 0 or score > min_score


@dataclass(frozen=True)
class JudgeQuery:
    """A finished task.

    Attributes:
        task: text of the task.
        steps: in order, at least one.
        stepwise: whether each step is scored, too; else the plan as a whole alone (table 4 of the paper).
    """

    task: str
    steps: tuple[JudgedStep, ...]
    stepwise: bool = True


@dataclass(frozen=True)
class Score:
    """A score from 0 to 1 and its justification."""

    value: float
    justification: str


@dataclass(frozen=True)
class Judgement:
    """The judge's answer.

    Attributes:
        steps: score of each step; empty if the plan is judged as a whole.
        whole: score of all steps together, and of what the robot achieved.
    """

    steps: tuple[Score, ...]
    whole: Score


JudgeRole: TypeAlias = Role[JudgeQuery, Judgement]
"""Returns the scores of a finished task, by coherence, relevance, common sense and completion."""


def _text(query: JudgeQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("Steps", "\n".join(_lines(query))),
        headed("Judge", "" if query.stepwise else AS_A_WHOLE),
    )


def _lines(query: JudgeQuery) -> Iterator[str]:
    for number, step in enumerate(query.steps, start=1):
        yield f"{number}. {step.action}"
        yield f"Reason: {' '.join(step.rationale.split()) or 'none'}"
        if step.result == Result.FAILED:
            yield f"Failed: {' '.join(step.error.text.split()) or step.error.code.name.lower()}"
        elif step.result != Result.UNKNOWN:
            yield "Done" if step.result == Result.SUCCEEDED else "Stopped"


def _in_range(value: int) -> int:
    if not 0 <= value <= BEST:
        raise ValueError(f"a score is a whole number from 0 to {BEST}")
    return value


@dataclass(frozen=True)
class ScoreReply:
    """score: from 0, worst, to 10, best."""

    justification: str
    score: Annotated[int, Checked(_in_range)]


@dataclass(frozen=True)
class JudgementReply:
    """steps: one for each step, in order; empty where the plan is judged as a whole."""

    steps: list[ScoreReply]
    whole: ScoreReply


def _read(reply: JudgementReply, query: JudgeQuery) -> Judgement:
    expected = len(query.steps) if query.stepwise else 0
    if len(reply.steps) != expected:
        raise UnusableReplyError(f"there are {len(reply.steps)} scores of steps; give {expected}, in order")
    return Judgement(tuple(map(_score, reply.steps)), _score(reply.whole))


def _score(reply: ScoreReply) -> Score:
    return Score(reply.score / BEST, reply.justification.strip())


def _corrupt(target: CorruptionInput[JudgeQuery, Judgement]) -> Corrupted[Judgement]:
    """Turns the score of the whole around, which keeps what should be dropped."""
    whole = Score(1.0 - target.answer.whole.value, target.answer.whole.justification)
    return Corrupted(Judgement(target.answer.steps, whole), FaultKind.FLIPPED, f"{whole.value:.2f}")


JUDGE = RoleSpec(
    name="judge",
    question=JudgeQuery,
    answer=Judgement,
    reply=JudgementReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.FLIPPED,),
    corrupt=_corrupt,
)
