"""Classes of faults that are injected into answers, to measure how a planning loop copes with them."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from stma_ros.types import vocabulary as words

QuestionT_co = TypeVar("QuestionT_co", covariant=True)
AnswerT = TypeVar("AnswerT")

_DIRECTION = re.compile(rf"\b({'|'.join(words.OPPOSITE)})\b")


class FaultKind(str, enum.Enum):
    """Class of a fault."""

    DISALLOWED = "disallowed"  # an action that is not among the allowed ones
    WRONG = "wrong"  # an allowed action that is easily confused with the right one
    OUTDATED = "outdated"  # the previous answer again
    HALLUCINATED = "hallucinated"  # a fact that was not observed
    FLIPPED = "flipped"  # the opposite relation, direction or verdict
    STALE = "stale"  # a belief of an earlier step
    CONTRADICTED = "contradicted"  # a belief against newer evidence
    MISLABELLED = "mislabelled"  # a thing under the name of another kind
    OMITTED = "omitted"  # a part of the answer is left out
    MALFORMED = "malformed"  # a reply that cannot be read


@dataclass(frozen=True)
class CorruptionInput(Generic[QuestionT_co, AnswerT]):
    """An answer to corrupt.

    Attributes:
        kind: the class of fault that was drawn, never MALFORMED.
        question: question that was answered.
        answer: the correct answer.
        before: the correct answer to the previous question; None for the first question.
        pick: draws an integer from 0 up to, but not including, its argument.
    """

    kind: FaultKind
    question: QuestionT_co
    answer: AnswerT
    before: AnswerT | None
    pick: Callable[[int], int]


@dataclass(frozen=True)
class Corrupted(Generic[AnswerT]):
    """A corrupted answer.

    Attributes:
        answer: replaces the correct answer.
        kind: class of its fault; differs from the drawn class where that one is not possible.
        detail: the change, for scorers.
    """

    answer: AnswerT
    kind: FaultKind
    detail: str


def opposite_directions(text: str) -> str:
    """Returns the text with every direction replaced by its opposite."""
    return _DIRECTION.sub(lambda match: words.OPPOSITE[match.group()], text)
