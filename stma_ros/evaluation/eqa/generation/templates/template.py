"""What a template of questions is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.survey import Survey

YES, NO = "yes", "no"

FEW = 2
"""Subjects of which a flat must have, or lack, one. Of many, rare things would always be lacking and common ones be
there: the subject would tell the answer."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class Aim:
    """What a question is to be like, drawn before the flat, so that no answer dominates.

    Attributes:
        answer: the answer, or the kind of answer, that is wanted; empty = any.
        subjects: what the question may be about, the most wanted first; empty = anything.
    """

    answer: str = ""
    subjects: tuple[str, ...] = ()


DrawAim: TypeAlias = Callable[[np.random.Generator, float], Aim]
"""Draws an aim. A share [0..1) decides the answer: evenly spread shares give each answer its due."""


@dataclass(frozen=True)
class Candidate:
    """A question that a flat allows.

    Attributes:
        words: fill the places of a wording.
        answers: the right answer, and others that are right.
        sights: what has to be seen.
        survey: places that have to be seen, too.
    """

    words: Mapping[str, str]
    answers: tuple[str, ...]
    sights: tuple[Sight, ...] = ()
    survey: Survey | None = None


@dataclass(frozen=True)
class Template:
    """A template.

    Attributes:
        name: its name.
        wordings: sentences with places for words, such as "{the}"; no sentence fits two templates.
        draw: draws an aim.
        candidates: returns the questions in a flat that meet an aim, in an order that depends on the flat's geometry.
    """

    name: str
    wordings: tuple[str, ...]
    draw: DrawAim
    candidates: Callable[[QuestionHome, Aim], Iterable[Candidate]]


def any_aim(rng: np.random.Generator, share: float) -> Aim:
    """Draws nothing: any question will do."""
    return Aim()


def about(subjects: Sequence[str], most: int | None = None) -> DrawAim:
    """Returns a function that draws some of the subjects."""
    return weighted_aim({"": 1.0}, subjects, most)


def even_aim(answers: Sequence[str], subjects: Sequence[str] = (), most: int | None = None) -> DrawAim:
    """Returns a function that draws one of the answers, each as often, and some of the subjects."""
    return weighted_aim(dict.fromkeys(answers, 1.0), subjects, most)


def yes_or_no(subjects: Sequence[str] = ()) -> DrawAim:
    """Returns a function that draws "yes" or "no", each as often, and a few of the subjects."""
    return even_aim((YES, NO), subjects, FEW)


def weighted_aim(
    answers: Mapping[str, float], subjects: Sequence[str] = (), most: int | None = None
) -> DrawAim:
    """Returns a function that draws one of the answers by its weight, and some of the subjects in random order.

    most: number of subjects; None = all of them.
    """

    def draw(rng: np.random.Generator, share: float) -> Aim:
        order = rng.permutation(len(subjects))[:most]
        return Aim(chosen(answers, share), tuple(subjects[k] for k in order))

    return draw


def chosen(options: Mapping[_T, float], share: float) -> _T:
    """Returns the option at a share [0..1) of the sum of all weights."""
    ends = np.cumsum(list(options.values()))
    return tuple(options)[int(np.searchsorted(ends, share * ends[-1], side="right"))]
