"""Updates tracked objects by the detections of a keyframe: create, update, relocate, merge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.colours import blended, colour_word
from stma_ros.memory.detector_names import detectors_of, united
from stma_ros.memory.existence import Existence
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.shapes import NOTHING_FREED, Shape
from stma_ros.memory.states import OPENNESS, PRESENCE, state_in, with_observed, with_reported, without
from stma_ros.memory.tracked_object import UNKNOWN_POINT, ObjectStatus, TrackedObject
from stma_ros.memory.viewpoints import is_elsewhere
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point

SEVERAL, LARGER, LARGER_BY = 3, 1.3, 0.1
"""An object of which this many views exist is not enlarged by one view alone beyond these limits [share, m]."""

LEAF = 0.3
"""A view that reaches this far beyond an object as it is when closed shows a leaf that stands open [m]."""

NAME_PIXELS = 1000
"""Pixels of a view that counts in full for the category of an object: what shows less is mistaken more often."""

COLOR_PIXELS = 400
"""Pixels of a view that counts in full for the colour word of an object: few show as much of what is beside it."""

COLOR_VIEWS = 10
"""Length of the running mean of an object's colour [views]."""


def create(name: str, detection: Detection, keyframe: KeyframeObservation) -> TrackedObject:
    """Returns a new object for a detection that matches none."""
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection)
    item = TrackedObject(
        name,
        detection.category,
        detection.color,
        1,
        stamp,
        stamp,
        None,
        states=with_observed((), name, detection.states, stamp),
        color_votes=LabelVotes().with_view(_colours(detection), keyframe.viewpoint),
        votes=LabelVotes().with_view(_categories(detection), keyframe.viewpoint),
        camera_position=keyframe.camera_position,
        first_seen_from=keyframe.camera_position,
        existence=keyframe.found(Existence(), detection),
        detectors=detectors_of(detection),
        place_history=(PlaceInterval("", "", "", evidence.box, stamp, stamp, keyframe.picture_stamp),),
    )
    return item.with_evidence(evidence, keyframe.correction_stamp)


def relocate(item: TrackedObject, detection: Detection, keyframe: KeyframeObservation) -> TrackedObject:
    """Returns an object that a detection shows at another place than before."""
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection)
    interval = PlaceInterval("", "", "", evidence.box, stamp, stamp, keyframe.picture_stamp)
    there = Shape.from_guess(evidence.box, keyframe.correction_stamp)  # which the view then supports
    return update(item.moved_to(there, ObjectStatus.SEEN, interval), detection, keyframe, None)


def update(
    item: TrackedObject,
    detection: Detection,
    keyframe: KeyframeObservation,
    hidden: bool | None,
    freed: NDArray[np.bool_] = NOTHING_FREED,
) -> TrackedObject:
    """Returns an object that a detection shows where it is known or expected to be.

    Args:
        item: the object.
        detection: the view of it.
        keyframe: the keyframe with that detection.
        hidden: whether something stood in front of it; None = not known.
        freed: (2, 3) see ShapeEvidence.
    """
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection, hidden, freed)
    status = item.status
    if item.has_guessed_box:
        item = replace(item, closed_shape=None)
    if status in (ObjectStatus.ASSUMED, ObjectStatus.SUSPECT):
        status = ObjectStatus.SEEN
    states = with_observed(item.states, item.id, _credible(detection.states, item, evidence.box), stamp)
    if (
        status is ObjectStatus.MISSING and item.placement_stamp != stamp
    ):  # an action's result counts before a view of the same moment
        status = ObjectStatus.SEEN
        states = without(states, PRESENCE)
    item = item.with_states(states)
    if _exceeds(item, evidence.box) and not _is_elsewhere(item.exceeded_from, keyframe.viewpoint):
        item = replace(item, exceeded_from=keyframe.camera_position)
    else:
        item = replace(item.with_evidence(evidence, keyframe.correction_stamp), exceeded_from=UNKNOWN_POINT)
    here = item.place_history[-1]
    # A picture of the whole object is not replaced by one of a part.
    picture = here.picture if detection.truncated and here.picture.nanoseconds else keyframe.picture_stamp
    votes = item.votes.with_view(_categories(detection), keyframe.viewpoint)
    return replace(
        item,
        category=votes.first or item.category,
        votes=votes,
        color_votes=item.color_votes.with_view(_colours(detection), keyframe.viewpoint),
        status=status,
        existence=keyframe.found(item.existence, detection),
        detectors=united(item.detectors, detectors_of(detection)),
        color=blended(item.color, detection.color, 1 / min(item.keyframes + 1, COLOR_VIEWS)),
        keyframes=item.keyframes + 1,
        last_seen=stamp,
        camera_position=keyframe.camera_position,
        first_seen_from=keyframe.camera_position
        if np.isnan(item.first_seen_from.x)
        else item.first_seen_from,
        seen_from_elsewhere=item.seen_from_elsewhere
        or _is_elsewhere(item.first_seen_from, keyframe.viewpoint),
        doubt=0.0,
        doubted_from=UNKNOWN_POINT,
        place_history=(
            *item.place_history[:-1],
            replace(here, box=item.box, last_seen=stamp, picture=picture),
        ),
    )


def _credible(states: Sequence[StateEstimate], item: TrackedObject, box: Box) -> tuple[StateEstimate, ...]:
    """Returns the states that a view of an object may show: what reaches far beyond it as it is when closed is a leaf
    that stands open, and looks like a front where it is in line with a side."""
    closed = item.closed_shape
    if closed is None:
        return tuple(states)
    along = box.faces_along(closed.yaw)
    beyond = np.array([closed.faces[0] - along[0], along[1] - closed.faces[1]])
    # Where no view has shown how far it reaches, it may be larger; unless the robot itself has just opened it.
    openness = state_in(item.states, OPENNESS)
    was_opened = openness is not None and openness.source == EvidenceSource.OWN_ACTION and item.is_open
    told = beyond if was_opened else np.where(closed.support > 0, beyond, 0.0)
    if told[:, :2].max() <= LEAF:
        return tuple(states)
    return tuple(each for each in states if each.state != words.STATE_CLOSED)


def _categories(detection: Detection) -> Iterator[tuple[str, float]]:
    weight = _weight(detection, NAME_PIXELS)
    return ((each.category, weight * each.score) for each in detection.hypotheses)


def _colours(detection: Detection) -> Iterator[tuple[str, float]]:
    word = colour_word(detection.color)
    if word:
        yield word, _weight(detection, COLOR_PIXELS)


def _weight(detection: Detection, enough: int) -> float:
    """Returns what a view counts [0..1], by its pixels and those that are enough; where they are not known, in full."""
    return min(detection.pixels / enough, 1.0) if detection.pixels else 1.0


def _exceeds(item: TrackedObject, box: Box) -> bool:
    """Whether a view is much larger than the object was in several views: a detector may have joined neighbours."""
    known = item.open_shape if item.is_open else item.closed_shape
    if known is None or item.keyframes < SEVERAL:
        return False
    return box.longest > LARGER * known.box.longest + LARGER_BY


def _is_elsewhere(place: Point, viewpoint: Corner | None) -> bool:
    """Whether a viewpoint is well away from another, known one, or neither is known."""
    if viewpoint is None or np.isnan(place.x):
        return viewpoint is None
    return is_elsewhere((place.x, place.y, place.z), viewpoint.tolist())


def merge(one: TrackedObject, other: TrackedObject) -> TrackedObject:
    """Returns two tracks of one object as one; id and place history of the first one are preserved."""
    keyframes = one.keyframes + other.keyframes
    states = one.states
    for fact in other.states:
        states = with_reported(states, replace(fact, subject=one.id))
    newer = one if other.last_seen < one.last_seen else other
    surer = one if one.doubt <= other.doubt else other
    votes = one.votes.joined(other.votes)
    return replace(
        one,
        category=votes.first or one.category,
        votes=votes,
        closed_shape=one.closed_shape.joined(other.closed_shape)
        if one.closed_shape and other.closed_shape
        else one.closed_shape or other.closed_shape,
        open_shape=one.open_shape.joined(other.open_shape)
        if one.open_shape and other.open_shape
        else one.open_shape or other.open_shape,
        color_votes=one.color_votes.joined(other.color_votes),
        states=states,
        placement=one.placement or (replace(other.placement, subject=one.id) if other.placement else None),
        existence=one.existence.joined(other.existence),
        detectors=united(one.detectors, other.detectors),
        color=blended(one.color, other.color, other.keyframes / keyframes),
        keyframes=keyframes,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=newer.last_seen,
        camera_position=newer.camera_position,
        seen_from_elsewhere=one.seen_from_elsewhere or other.seen_from_elsewhere,
        doubt=surer.doubt,
        doubted_from=surer.doubted_from,
        place_history=(
            *one.place_history[:-1],
            replace(newer.place_history[-1], first_seen=one.place_history[-1].first_seen),
        ),
    )
