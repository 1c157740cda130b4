"""Updates tracked objects by the detections of a keyframe: create, update, relocate, merge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.assignment import Appearances
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.colours import blended, colour_word
from stma_ros.memory.detector_names import detectors_of, united
from stma_ros.memory.existence import Existence
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.negative_evidence import USUAL_RECALL, BoxVisibility, VisibilityTest
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.registration import rotated
from stma_ros.memory.shapes import NOTHING_FREED, Shape, ShapeEvidence
from stma_ros.memory.states import OPENNESS, PRESENCE, state_in, with_observed, with_reported, without
from stma_ros.memory.tracked_object import UNKNOWN_POINT, ObjectStatus, TrackedObject
from stma_ros.memory.viewpoints import is_elsewhere
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.sensing import DetectedRelation, Detection
from stma_ros.types.standard import CompressedImage, Point, Point32, Polygon, Pose, Time

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


@dataclass(frozen=True)
class KeyframeObservation:
    """The detections of one keyframe, with the camera that made them.

    Attributes:
        stamp: of the camera image.
        detections: objects that a detector found, with boxes in the map frame.
        viewpoint: (3,) position of the camera in the map frame [m]; None = not known, and then the keyframe is no
            evidence of absence.
        visibility_test: compares boxes with the depth image; None = there is none.
        picture: the compressed colour image; None = there is none.
        registered_to: stamp of the keyframe whose localisation error its boxes share after registration; None = its
            own.
        camera: pose of the optical frame in the map frame; NaN = not known.
        recalls: share of the things in plain view that each detector finds [0..1], by the names of those that looked
            and of which all finds are here. For what others have found, the keyframe is no evidence of absence.
        relations: between the detections, by their numbers.
    """

    stamp: Time
    detections: Sequence[Detection]
    viewpoint: Corner | None = None
    visibility_test: VisibilityTest | None = None
    picture: CompressedImage | None = None
    registered_to: Time | None = None
    camera: Pose = Pose.none()
    recalls: Mapping[str, float] = field(default_factory=lambda: {"": USUAL_RECALL})
    relations: Sequence[DetectedRelation] = ()

    @property
    def camera_position(self) -> Point:
        """The viewpoint as a message; NaN = not known."""
        return UNKNOWN_POINT if self.viewpoint is None else Point(*self.viewpoint)

    @property
    def picture_stamp(self) -> Time:
        """The stamp of the keyframe if it has a picture, else 0."""
        return self.stamp if self.picture is not None and len(self.picture.data) else Time()

    @property
    def correction_stamp(self) -> Time:
        """The stamp whose correction applies to the boxes of this keyframe when the map is corrected."""
        return self.stamp if self.registered_to is None else self.registered_to

    def recall_of(self, detectors: Iterable[str]) -> float:
        """Returns the share of the things in plain view that some detectors find together [0..1]; 0 = none of them has
        looked."""
        return 1 - math.prod(1 - self.recalls.get(name, 0.0) for name in detectors)

    def found(self, belief: Existence, detection: Detection) -> Existence:
        """Returns the belief in an object that a detection of this keyframe shows."""
        recall = self.recall_of(detectors_of(detection)) or USUAL_RECALL
        return belief.found(detection.presence, recall, self.viewpoint)

    def aligned(self, turn: float, stamp: Time) -> KeyframeObservation:
        """Returns the keyframe rotated about the camera so that it fits the remembered objects.

        Args:
            turn: angle about the upright axis through the viewpoint [rad], counter-clockwise.
            stamp: of the keyframe whose objects it then fits.
        """
        at = self.viewpoint
        if at is None:
            return self
        detections = tuple(_rotated_detection(detection, turn, at) for detection in self.detections)
        visibility_test = (
            None if self.visibility_test is None else _rotated_test(self.visibility_test, -turn, at)
        )
        return replace(self, detections=detections, visibility_test=visibility_test, registered_to=stamp)

    def in_order(self) -> KeyframeObservation:
        """Returns the keyframe with its detections by category and place, so that results do not depend on the
        detector's order, and without relations of what it has not got."""
        order = sorted(range(len(self.detections)), key=lambda number: _order(self.detections[number]))
        place = {before: after for after, before in enumerate(order)}
        return replace(
            self,
            detections=tuple(self.detections[number] for number in order),
            relations=tuple(
                replace(each, subject=place[each.subject], object=place[each.object])
                for each in self.relations
                if each.subject in place and each.object in place
            ),
        )

    def evidence(
        self,
        detection: Detection,
        hidden: bool | None = None,
        freed: NDArray[np.bool_] = NOTHING_FREED,
    ) -> ShapeEvidence:
        """Returns a detection as evidence of a shape.

        Args:
            detection: one of this keyframe's.
            hidden: whether something stood in front of the object; None = not known.
            freed: (2, 3) see ShapeEvidence.
        """
        whole = not detection.truncated
        return ShapeEvidence(
            Box.of(detection.box),
            self.viewpoint,
            not whole or bool(hidden),
            whole and hidden is False,
            _outline(detection),
            np.inf if np.isnan(detection.yaw_stddev) else detection.yaw_stddev,
            freed,
        )


def _rotated_detection(detection: Detection, turn: float, viewpoint: Corner) -> Detection:
    """Returns a detection rotated by `turn` [rad] about the viewpoint."""
    box = Box.of(detection.box)
    outline = _outline(detection)
    middle, *corners = rotated(
        np.vstack([box.middle, np.column_stack([outline, np.zeros(len(outline))])]), turn, viewpoint
    )
    return replace(
        detection,
        box=replace(box, middle=middle, yaw=box.yaw + turn).message,
        footprint=Polygon(tuple(Point32(x, y, 0.0) for x, y, _ in corners)),
    )


def _outline(detection: Detection) -> NDArray[np.float64]:
    """Returns (K, 2) the corners of the footprint [m]."""
    return np.array([(point.x, point.y) for point in detection.footprint.points], np.float64).reshape(-1, 2)


def _rotated_test(visibility_test: VisibilityTest, turn: float, viewpoint: Corner) -> VisibilityTest:
    """Returns a visibility test of boxes that are first rotated by `turn` [rad] about the viewpoint."""

    def look(middle: ArrayLike, extent: ArrayLike, yaw: ArrayLike, /) -> BoxVisibility:
        moved = rotated(np.asarray(middle, np.float64), turn, viewpoint)
        return visibility_test(moved, extent, np.asarray(yaw, np.float64) + turn)

    return look


def _order(detection: Detection) -> tuple[str, float, float, float, float, float, float, int]:
    at, size = detection.center, detection.size
    return detection.category, at.x, at.y, at.z, size.x, size.y, size.z, detection.pixels


def detection_appearances(
    detections: Sequence[Detection], kinds: Sequence[int], small: Sequence[bool]
) -> Appearances:
    """Returns N detections as arrays for matching.

    Args:
        detections: N detections.
        kinds: a number for the category of each.
        small: whether each is of a category of small things.
    """
    return Appearances(
        np.array(kinds, np.int64),
        BoxArray.of(Box.of(detection.box) for detection in detections),
        [d.color for d in detections],
        np.array([d.truncated for d in detections], np.bool_),
        np.array(small, np.bool_),
        np.zeros(len(detections)),
    )


def object_appearances(
    things: Sequence[TrackedObject], kinds: Sequence[int], small: Sequence[bool]
) -> Appearances:
    """Returns N tracked objects, in their present shapes, as arrays for matching; arguments as in
    `detection_appearances`."""
    shapes = [item.shape for item in things]
    sides = np.array([shape.support for shape in shapes]).reshape(-1, 2, 3)[:, :, :2]
    return Appearances(
        np.array(kinds, np.int64),
        BoxArray.of(shape.box for shape in shapes),
        [item.color for item in things],
        (sides == 0).any(axis=(1, 2)),  # some side has never been shown: there may be more of it
        np.array(small, np.bool_),
        _lengths(things, small),
    )


def _lengths(things: Sequence[TrackedObject], small: Sequence[bool]) -> NDArray[np.float64]:
    """Returns (N,) the lengths of the small things that the robot has put somewhere, where only parts of them may show:
    as they were seen before, or as long as others of the category are [m]; 0 for all else."""
    lengths = np.zeros(len(things))
    placed = [index for index, item in enumerate(things) if small[index] and item.placement is not None]
    kinds = {things[index].category for index in placed}
    longest: dict[str, float] = {}
    for item in (each for each in things if each.category in kinds):
        longest[item.category] = max(longest.get(item.category, 0.0), item.shape.box.longest)
    for index in placed:
        item = things[index]
        earlier = (each.box.longest for each in item.place_history[:-1] if each.box is not None)
        lengths[index] = max((longest[item.category], *earlier))
    return lengths


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
