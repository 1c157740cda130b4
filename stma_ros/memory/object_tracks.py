"""What a keyframe shows, and what one detection in it makes of what is remembered of the thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from stma_ros.memory.assignment import Appearances
from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.colours import blended
from stma_ros.memory.negative_evidence import BoxVisibility, VisibilityTest
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.registration import rotated
from stma_ros.memory.shapes import Shape, ShapeEvidence
from stma_ros.memory.states import PRESENCE, with_observed, with_reported, without
from stma_ros.memory.tracked_object import UNKNOWN_POINT, ObjectStatus, TrackedObject
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import CompressedImage, Point, Pose, Time

COLOR_VIEWS = 10
"""The colour of a thing is its mean over about the last so many views."""


@dataclass(frozen=True)
class KeyframeObservation:
    """What one keyframe shows. viewpoint: (3,) of the camera in the map frame [m]; None = not known, and then the
    keyframe is no evidence of what is not there. glimpse: compares boxes with its depth image. registered_to: the
    stamp whose error of localisation its places share; None = its own.
    """

    stamp: Time
    detections: Sequence[Detection]
    viewpoint: Corner | None = None
    visibility_test: VisibilityTest | None = None
    picture: CompressedImage | None = None
    registered_to: Time | None = None

    @property
    def camera_position(self) -> Point:
        return UNKNOWN_POINT if self.viewpoint is None else Point(*self.viewpoint)

    @property
    def picture_stamp(self) -> Time:
        """Its stamp when it has a picture, else 0."""
        return self.stamp if self.picture is not None and len(self.picture.data) else Time()

    @property
    def correction_stamp(self) -> Time:
        """When the map is corrected, what this keyframe shows moves as things of this stamp do."""
        return self.stamp if self.registered_to is None else self.registered_to

    def aligned(self, turn: float, stamp: Time) -> KeyframeObservation:
        """As if it had been taken `turn` [rad] farther to the left, so that it fits what is remembered of `stamp`."""
        at = self.viewpoint
        if at is None:
            return self
        middles = np.array([(d.center.x, d.center.y, d.center.z) for d in self.detections]).reshape(-1, 3)
        detections = tuple(
            replace(detection, box=replace(detection.box, center=Pose(Point(*middle))))
            for detection, middle in zip(self.detections, rotated(middles, turn, at).tolist(), strict=True)
        )
        visibility_test = (
            None if self.visibility_test is None else _rotated_test(self.visibility_test, -turn, at)
        )
        return replace(self, detections=detections, visibility_test=visibility_test, registered_to=stamp)

    def sorted_detections(self) -> list[Detection]:
        """The detections by category and place: what becomes of them must not depend on the detector's order."""
        return sorted(self.detections, key=_order)

    def evidence(self, detection: Detection, hidden: bool | None = None) -> ShapeEvidence:
        """hidden: whether something stood before the thing; None = not known."""
        whole = not detection.truncated
        return ShapeEvidence(
            box_of(detection), self.viewpoint, not whole or bool(hidden), whole and hidden is False
        )


def _rotated_test(visibility_test: VisibilityTest, turn: float, viewpoint: Corner) -> VisibilityTest:
    """Takes the boxes that it is asked for `turn` [rad] farther to the left."""

    def look(low: ArrayLike, high: ArrayLike, /) -> BoxVisibility:
        lows, highs = np.asarray(low, np.float64), np.asarray(high, np.float64)
        middle, half = rotated((lows + highs) / 2, turn, viewpoint), (highs - lows) / 2
        return visibility_test(middle - half, middle + half)

    return look


def _order(detection: Detection) -> tuple[str, float, float, float, float, float, float, int]:
    at, size = detection.center, detection.size
    return detection.category, at.x, at.y, at.z, size.x, size.y, size.z, detection.pixels


def box_of(detection: Detection) -> Box:
    return Box.of(detection.center, detection.size)


def detection_appearances(
    detections: Sequence[Detection], kinds: Sequence[int], small: Sequence[bool]
) -> Appearances:
    """kinds: a number for the category of each; small: whether it is a small thing."""
    middle = np.array([(d.center.x, d.center.y, d.center.z) for d in detections]).reshape(-1, 3)
    half = np.array([(d.size.x, d.size.y, d.size.z) for d in detections]).reshape(-1, 3) / 2
    return Appearances(
        np.array(kinds, np.int64),
        np.stack([middle - half, middle + half], axis=1),
        [d.color for d in detections],
        np.array([d.truncated for d in detections], np.bool_),
        np.array(small, np.bool_),
    )


def object_appearances(
    things: Sequence[TrackedObject], kinds: Sequence[int], small: Sequence[bool]
) -> Appearances:
    """Likewise, of remembered things as they stand now."""
    shapes = [item.shape for item in things]
    sides = np.array([shape.support for shape in shapes]).reshape(-1, 2, 3)[:, :, :2]
    return Appearances(
        np.array(kinds, np.int64),
        np.array([shape.faces for shape in shapes]).reshape(-1, 2, 3),
        [item.color for item in things],
        (sides == 0).any(axis=(1, 2)),  # some side has never been shown: there may be more of it
        np.array(small, np.bool_),
    )


def create(name: str, detection: Detection, keyframe: KeyframeObservation) -> TrackedObject:
    """A new thing."""
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection)
    item = TrackedObject(
        name,
        detection.category,
        detection.color,
        detection.confidence,
        1,
        stamp,
        stamp,
        None,
        states=with_observed((), name, detection.states, stamp),
        camera_position=keyframe.camera_position,
        place_history=(PlaceInterval("", "", "", evidence.box, stamp, stamp, keyframe.picture_stamp),),
    )
    return item.with_evidence(evidence, keyframe.correction_stamp)


def relocate(item: TrackedObject, detection: Detection, keyframe: KeyframeObservation) -> TrackedObject:
    """A thing that was not where it had been, at another place."""
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection)
    interval = PlaceInterval("", "", "", evidence.box, stamp, stamp, keyframe.picture_stamp)
    return update(
        item.moved_to(Shape.from_evidence(evidence, keyframe.correction_stamp), ObjectStatus.SEEN, interval),
        detection,
        keyframe,
        None,
    )


def update(
    item: TrackedObject, detection: Detection, keyframe: KeyframeObservation, hidden: bool | None
) -> TrackedObject:
    """A thing where it is known or expected to be. hidden: as in KeyframeObservation.evidence."""
    stamp, evidence = keyframe.stamp, keyframe.evidence(detection, hidden)
    status = item.status
    if item.has_guessed_box:
        item = replace(item, closed_shape=None)
    if status is ObjectStatus.ASSUMED:
        status = ObjectStatus.SEEN
    states = with_observed(item.states, item.id, detection.states, stamp)
    if status is ObjectStatus.MISSING and item.placement_stamp != stamp:  # told and seen at once: told wins
        status = ObjectStatus.SEEN
        states = without(states, PRESENCE)
    item = item.with_states(states).with_evidence(evidence, keyframe.correction_stamp)
    here = item.place_history[-1]
    # A picture with all of the thing is not given up for one with a part of it.
    picture = here.picture if detection.truncated and here.picture.nanoseconds else keyframe.picture_stamp
    return replace(
        item,
        status=status,
        confidence=1 - (1 - item.confidence) * (1 - detection.confidence),
        color=blended(item.color, detection.color, 1 / min(item.keyframes + 1, COLOR_VIEWS)),
        keyframes=item.keyframes + 1,
        last_seen=stamp,
        camera_position=keyframe.camera_position,
        doubt=0.0,
        place_history=(
            *item.place_history[:-1],
            replace(here, box=item.box, last_seen=stamp, picture=picture),
        ),
    )


def merge(one: TrackedObject, other: TrackedObject) -> TrackedObject:
    """Two parts of one thing; the first one's id and history stay."""
    keyframes = one.keyframes + other.keyframes
    states = one.states
    for fact in other.states:
        states = with_reported(states, replace(fact, subject=one.id))
    newer = one if other.last_seen < one.last_seen else other
    return replace(
        one,
        closed_shape=one.closed_shape.joined(other.closed_shape)
        if one.closed_shape and other.closed_shape
        else one.closed_shape or other.closed_shape,
        open_shape=one.open_shape.joined(other.open_shape)
        if one.open_shape and other.open_shape
        else one.open_shape or other.open_shape,
        states=states,
        placement=one.placement or (replace(other.placement, subject=one.id) if other.placement else None),
        confidence=1 - (1 - one.confidence) * (1 - other.confidence),
        color=blended(one.color, other.color, other.keyframes / keyframes),
        keyframes=keyframes,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=newer.last_seen,
        camera_position=newer.camera_position,
        place_history=(
            *one.place_history[:-1],
            replace(newer.place_history[-1], first_seen=one.place_history[-1].first_seen),
        ),
    )
