"""What the judges by rules of all domains score alike: how a task ended, and the whole from its steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from stma_ros.roles.judge import BEST, Judgement, JudgeQuery, Score
from stma_ros.types import vocabulary as words

DOUBTFUL: Final = 0.5
"""The score of a step of which one criterion is in doubt."""

TRIES: Final = 3
"""Number of times that the same action may be done in a row: the grip may have slipped before."""

_WORST_COUNTS = 0.3  # share of the score of the whole that the worst step alone decides
_INCOMPLETE = 0.5  # completion at most where a part is missing
_GUESSED = 0.7  # completion of a task whose end nobody verified
_UNFINISHED = 0.5  # of one that ends without a word
_ROUNDING = 1e-9  # of products of shares


def not_understood(query: JudgeQuery, why: str) -> Judgement:
    """Returns the scores of a task whose text is not understood: 0."""
    nothing = Score(0.0, why)
    return Judgement((nothing,) * (len(query.steps) if query.stepwise else 0), nothing)


def at_the_end(query: JudgeQuery, share: float, text: str) -> tuple[float, str]:
    """Returns the completion of a task by how it ended, with the reason.

    Args:
        query: the task.
        share: of the task that its actions achieve.
        text: says so.
    """
    last = query.steps[-1].action.skill
    share = share if share >= 1 else min(share, _INCOMPLETE)
    if last == words.SKILL_GIVE_UP:
        return 0.0, "the robot gave up"
    if last == words.SKILL_FINISH_UNVERIFIED:
        return share * _GUESSED, f"{text}, and nobody made sure"
    if last not in words.ENDINGS:
        return share * _UNFINISHED, f"{text}, and the task was not ended"
    return share, text


def judgement(query: JudgeQuery, steps: Sequence[Score], completion: float, why: str) -> Judgement:
    """Returns the scores of a task, of which the worst step counts most.

    Args:
        query: the task.
        steps: score of each step.
        completion: of the task, from 0 to 1.
        why: the reason for it.
    """
    if not query.stepwise:
        return Judgement((), Score(_in_marks(completion), why))
    values = [step.value for step in steps]
    mean, worst = sum(values) / len(values), min(values)
    reasoned = mean * (1 - _WORST_COUNTS + _WORST_COUNTS * worst)
    text = f"{why}; the steps score {mean:.2f} on average, the worst one {worst:.2f}"
    return Judgement(tuple(steps), Score(_in_marks(completion * reasoned), text))


def _in_marks(value: float) -> float:
    """Returns a score as a model gives it, in whole marks, rounded down."""
    return math.floor(value * BEST + _ROUNDING) / BEST
