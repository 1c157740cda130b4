"""Draws a second question about a home, about something that was seen while the first one was answered."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.oracle import Oracle
from stma_ros.evaluation.eqa.generation.templates import (
    attributes,
    existence,
    knowledge,
    localization,
    spatial,
    states,
)
from stma_ros.evaluation.eqa.generation.templates.template import Candidate, Template, chosen
from stma_ros.evaluation.household_tasks.english import pick, sentence
from stma_ros.worlds.robot.geometry import FloatArray
from stma_ros.worlds.robot.state import SceneState

_DRAWS = 40  # templates with an aim that are tried


class Subject(str, enum.Enum):
    """What a second question is about."""

    LASTING = "lasting"  # furniture, its colour and its room
    PORTABLE = "portable"  # where a small thing is
    STATE = "state"  # open or closed, on or off


_TEMPLATES: Final[Mapping[Subject, Mapping[Template, float]]] = {
    Subject.LASTING: {
        attributes.COLOUR_OF: 0.3,
        existence.EXISTS: 0.2,
        existence.EXISTS_IN_ROOM: 0.1,
        localization.ROOM_OF: 0.2,
        spatial.NEXT_TO: 0.1,
        knowledge.BEST_ROOM: 0.1,
    },
    Subject.PORTABLE: {localization.WHERE_IS: 0.6, localization.ROOM_OF: 0.4},
    Subject.STATE: {
        states.IS_OPEN: 0.3,
        states.IS_CLOSED: 0.2,
        states.OPEN_OR_CLOSED: 0.2,
        states.IS_ON: 0.2,
        states.ON_OR_OFF: 0.1,
    },
}


@dataclass(frozen=True)
class FollowUp:
    """A second question, with its truth.

    Attributes:
        text: the question.
        subject: what it is about.
        answers: the right answer, and others that are right.
        has_changed: whether someone else has moved what it is about, or changed its state, since the first question.
    """

    text: str
    subject: Subject
    answers: tuple[str, ...]
    has_changed: bool


def follow_up(
    before: Oracle,
    left: SceneState,
    now: QuestionHome,
    seen_from: FloatArray,
    subject: Subject,
    changed: bool,
    rng: np.random.Generator,
    *,
    first: str,
) -> FollowUp | None:
    """Draws a question of which the evidence was seen before; None if there is none.

    Args:
        before: sees the home as it was when the first question was asked.
        left: the state in which the robot left it.
        now: the home at the second question.
        seen_from: places (N, 2) where the robot has looked around before, in the frame of the home [m].
        subject: what the question is to be about.
        changed: whether what it is about should have changed since; it may not be so if nothing fits.
        rng: random numbers.
        first: the first question, which is not asked again.
    """
    other: FollowUp | None = None
    for template, candidate in _drawn(now, subject, rng):
        sights = _seen_before(candidate, now, subject)
        if sights is None:
            continue
        has_changed = _has_changed(sights, left, now.state)
        if has_changed != changed and other is not None:
            continue
        text = sentence(pick(rng, template.wordings).format(**candidate.words))
        if text == first or not _were_seen(sights, before, seen_from):
            continue
        found = FollowUp(text, subject, candidate.answers, has_changed)
        if has_changed == changed:
            return found
        other = found
    return other


def _drawn(
    home: QuestionHome, subject: Subject, rng: np.random.Generator
) -> Iterator[tuple[Template, Candidate]]:
    """Yields questions that the home allows, with their templates, in random order."""
    for _ in range(_DRAWS):
        template = chosen(_TEMPLATES[subject], float(rng.random()))
        candidates = list(template.candidates(home, template.draw(rng, float(rng.random()))))
        for number in rng.permutation(len(candidates)).tolist():
            yield template, candidates[number]


def _seen_before(candidate: Candidate, home: QuestionHome, subject: Subject) -> tuple[Sight, ...] | None:
    """Returns what must have been seen to answer before; None for a question about something else.

    Of a small thing it is the thing alone: it may have been elsewhere.
    """
    if not candidate.sights or candidate.survey is not None:
        return None
    named = [name for sight in candidate.sights for names in sight.alternatives for name in names]
    items = home.flat.items_by_name
    if subject is Subject.LASTING:
        return None if any(name in items for name in named) else candidate.sights
    if subject is Subject.PORTABLE:
        return (Sight.of(named[0]),) if named[0] in items else None
    return candidate.sights


def _were_seen(sights: tuple[Sight, ...], oracle: Oracle, seen_from: FloatArray) -> bool:
    """Whether each of the sights was in view from one of the places; what something closed hides was not."""
    in_sight = frozenset(oracle.scene.names)
    return all(
        any(
            in_sight.issuperset(names) and oracle.views(names, seen_from, sight.from_front).any()
            for names in sight.alternatives
        )
        for sight in sights
    )


def _has_changed(sights: tuple[Sight, ...], one: SceneState, other: SceneState) -> bool:
    names = {name for sight in sights for alternative in sight.alternatives for name in alternative}
    return any(
        one.spots.get(name) != other.spots.get(name)
        or (name in one.open_names) != (name in other.open_names)
        or (name in one.on_names) != (name in other.on_names)
        for name in names
    )
