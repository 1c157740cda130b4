"""What old pictures can be trusted to show: what stands where it stood, and not what is moved, opened or switched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stma_ros.domains.eqa.finding import NOTHING, Finding
from stma_ros.domains.eqa.question import QuestionKind, TypedQuestion
from stma_ros.domains.eqa.seen_scene import SeenThing
from stma_ros.mapping.transforms import matrix_of
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.answerer import AnswerQuery
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection

_SAME = 0.5  # detections of a kind this close are of one thing [m]
_AROUND = 1.0  # what is this close to a place, in the plane, is seen with it [m]
_OFF_AXIS = np.cos(np.radians(35))  # a place is in the middle of a picture up to this angle
_NOT_FARTHER = 1.25  # a thing is missed in pictures from at most this many times as far as it was seen from


def is_lasting(question: TypedQuestion, finding: Finding, knowledge: CategoryKnowledge) -> bool:
    """Whether what a question asks stays as it is: furniture and its places, colours, and rooms."""
    if question.kind is QuestionKind.ATTRIBUTE:
        return True
    if question.state or question.kind in (QuestionKind.STATE, QuestionKind.SPACE):
        return False
    if finding.answer == NOTHING:
        return False  # something may have been put there
    kinds = [thing.category for thing in finding.things]
    if question.target is not None:
        kinds.append(question.target.category)
    return not any(map(knowledge.is_portable, filter(None, kinds)))


def only_seen_before(
    things: Sequence[SeenThing], question: TypedQuestion, query: AnswerQuery
) -> tuple[int, ...]:
    """Returns for each thing that old pictures alone show, or its state, the one that shows it best."""
    old = frozenset(query.old)
    shown = [_telling(thing, query.snapshots, question) for thing in things]
    return tuple(dict.fromkeys(views[0] for views in shown if old.issuperset(views)))


def recent_first(pictures: Sequence[int], query: AnswerQuery) -> Sequence[int]:
    """Returns positions of pictures with the old ones last, otherwise in their order."""
    return sorted(pictures, key=query.old.__contains__)


def _telling(thing: SeenThing, snapshots: Sequence[Snapshot], question: TypedQuestion) -> Sequence[int]:
    """Returns the pictures that show a thing, of a question for its state those that tell one, the largest first. If
    none does, a turn where the thing was seen largest may."""
    if not question.state:
        return thing.shown_in
    return [
        number
        for number in thing.shown_in
        if any(
            found.states and np.linalg.norm(_center(found) - thing.track.box.middle) <= _SAME
            for found in snapshots[number].detections
        )
    ] or thing.shown_in


def without_what_has_gone(query: AnswerQuery, knowledge: CategoryKnowledge) -> tuple[Snapshot, ...]:
    """Returns the snapshots of a question; old ones without the portable things that newer ones show to be gone: those
    show what is around their place from as near, and nothing of the kind there."""
    old = frozenset(query.old)
    if not old:
        return query.snapshots
    recent = [each for number, each in enumerate(query.snapshots) if number not in old]

    def has_gone(found: Detection, snapshot: Snapshot) -> bool:
        return knowledge.is_portable(found.category) and any(
            _misses(later, found, snapshot, knowledge) for later in recent
        )

    return tuple(
        replace(each, detections=tuple(found for found in each.detections if not has_gone(found, each)))
        if number in old
        else each
        for number, each in enumerate(query.snapshots)
    )


def _misses(later: Snapshot, found: Detection, snapshot: Snapshot, knowledge: CategoryKnowledge) -> bool:
    """Whether a newer picture shows the place of what an older one shows, and it is not there any more."""
    place = _center(found)
    distance, ahead = _seen_from(later, place)
    if ahead < _OFF_AXIS or distance > _NOT_FARTHER * _seen_from(snapshot, place)[0]:
        return False
    is_shown = False
    for other in later.detections:
        apart = _center(other) - place
        if np.linalg.norm(apart) <= _SAME and knowledge.are_related(other.category, found.category):
            return False
        is_shown |= bool(np.hypot(*apart[:2]) <= _AROUND)
    return is_shown


def _seen_from(snapshot: Snapshot, place: np.ndarray) -> tuple[float, float]:
    """Returns distance [m] of a place from a camera, and the cosine of its angle to the direction of view."""
    pose = matrix_of(snapshot.camera)
    offset = place - pose[:3, 3]
    distance = float(np.linalg.norm(offset))
    return distance, float(offset @ pose[:3, 2]) / max(distance, 1e-6)


def _center(found: Detection) -> np.ndarray:
    return np.array([found.center.x, found.center.y, found.center.z])
