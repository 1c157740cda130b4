"""The detections of one keyframe, with the camera that made them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.detector_names import detectors_of
from stma_ros.memory.existence import Existence
from stma_ros.memory.find_scores import UNKNOWN
from stma_ros.memory.negative_evidence import USUAL_RECALL, BoxVisibility, VisibilityTest
from stma_ros.memory.registration import rotated
from stma_ros.memory.shapes import NOTHING_FREED, ShapeEvidence
from stma_ros.memory.tracked_object import UNKNOWN_POINT
from stma_ros.types.sensing import DetectedRelation, Detection
from stma_ros.types.standard import CompressedImage, Point, Point32, Polygon, Pose, Time


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
        usual_scores: mean score of the finds of each detector so far [0..1].
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
    usual_scores: Mapping[str, float] = field(default_factory=dict)

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
        detectors = detectors_of(detection)
        recall = self.recall_of(detectors) or USUAL_RECALL
        usual = max((self.usual_scores.get(name, UNKNOWN) for name in detectors), default=UNKNOWN)
        return belief.found(detection.presence, recall, self.viewpoint, usual)

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

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of its detections by category and place."""
        numbers = range(len(self.detections))
        return tuple(sorted(numbers, key=lambda number: _order(self.detections[number])))

    def in_order(self) -> KeyframeObservation:
        """Returns the keyframe with its detections by category and place, so that results do not depend on the
        detector's order, and without relations of what it has not got."""
        order = self.order
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
