"""How an answer can be wrong on purpose, to measure what a planning loop makes of it: the classes of fault."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from stma_ros.types import vocabulary as words

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")

_DIRECTION = re.compile(rf"\b({'|'.join(words.OPPOSITE)})\b")


class FaultKind(str, enum.Enum):
    """Class of a fault."""

    DISALLOWED = "disallowed"  # an action that is not among the allowed ones
    WRONG = "wrong"  # an allowed action that is easily taken for the right one
    OUTDATED = "outdated"  # the answer before this one again
    HALLUCINATED = "hallucinated"  # a fact that nobody has seen
    FLIPPED = "flipped"  # a relation, a direction or a verdict turned around
    OMITTED = "omitted"  # something that was there is left out
    MALFORMED = "malformed"  # nothing that can be read


@dataclass(frozen=True)
class CorruptionInput(Generic[QuestionT, AnswerT]):
    """An answer that is to be corrupted.

    Attributes:
        kind: the class of fault that was drawn, never MALFORMED.
        question: of the answer.
        answer: the sound answer.
        before: the sound answer to the previous question; None = this is the first.
        pick: draws a number below its argument.
    """

    kind: FaultKind
    question: QuestionT
    answer: AnswerT
    before: AnswerT | None
    pick: Callable[[int], int]


@dataclass(frozen=True)
class Corrupted(Generic[AnswerT]):
    """A corrupted answer.

    Attributes:
        answer: given instead of the sound one.
        kind: class of its fault, which may be another than was drawn if that one is not possible.
        detail: the change, for scorers.
    """

    answer: AnswerT
    kind: FaultKind
    detail: str


def turned(text: str) -> str:
    """Returns the text with the opposite of every direction."""
    return _DIRECTION.sub(lambda match: words.OPPOSITE[match.group()], text)
