"""A detector that takes the detections of other nodes and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stma_ros.mapping.class_regions import class_regions
from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.categories import thing_category
from stma_ros.sensing.detectors.depth_segments import DepthLimits, depth_segments, numbered_segments
from stma_ros.sensing.detectors.port import DetectedObject, Detector, DetectorOutput, PixelBox, pixel_box
from stma_ros.sensing.detectors.space_boxes import SpaceBox, box_in_map, ids_in_boxes
from stma_ros.sensing.detectors.wide_segments import WideSegments
from stma_ros.sensing.encodings import segment_ids
from stma_ros.sensing.external.gathering import (
    Edges,
    UnusableDetectionError,
    checked_box,
    checked_edges,
    reasons_error,
)
from stma_ros.sensing.external.stamp_join import StampJoin
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.errors import BadImageError, ErrorCode
from stma_ros.types.evidence import UNSCORED
from stma_ros.types.message import Message
from stma_ros.types.sensing import ExternalDetection, ExternalDetections, ObjectHypothesis
from stma_ros.types.standard import NANOSECONDS_PER_SECOND


class ExternalDetector(Detector):
    """Takes the detections that other nodes and files give for a keyframe, and finds the surfaces of their things in
    the depth image.

    A keyframe without detections has an error: it is no evidence that anything is absent.
    """

    def __init__(
        self, knowledge: CategoryKnowledge, limits: DepthLimits, tolerance: float, wait: float
    ) -> None:
        """Makes a detector.

        Args:
            knowledge: Knowledge of categories.
            limits: Limits for depth to be used in a detection.
            tolerance: Largest difference between the stamps of a frame and of its detections [s].
            wait: Time for which a keyframe waits for detections, by stamps of later messages [s].
        """
        self._knowledge = knowledge
        self._limits = limits
        self._tolerance = tolerance
        self._join = StampJoin(
            round(tolerance * NANOSECONDS_PER_SECOND), round(wait * NANOSECONDS_PER_SECOND)
        )
        self._wide = WideSegments("use a detector that tells things of one class apart")

    def receive(self, topic: str, message: Message) -> None:
        if isinstance(message, ExternalDetections):
            self._join.add(message)

    def announce(self, frame: CameraFrame, is_keyframe: bool) -> None:
        self._join.add_frame(frame.stamp.nanoseconds)

    def is_ready(self, frame: CameraFrame) -> bool:
        return self._join.is_settled(frame.stamp.nanoseconds)

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        assert frame.view is not None
        found = self._join.nearest(frame.stamp.nanoseconds)
        if found is None:
            return DetectorOutput(error=self._missing())
        sources = (message_ref(topics.DETECTIONS, found),)
        if found.error:
            return DetectorOutput(derived_from=sources, error=found.error)
        left_out: Counter[str] = Counter()
        try:
            boxed = (
                *self._in_image(frame.view, found, left_out),
                *self._in_space(frame, found, left_out),
            )
            masked = tuple(self._in_mask(frame.view, found))
        except BadImageError as error:
            return DetectorOutput(derived_from=sources, error=Error.of(error))
        incomplete = found.incomplete or reasons_error(left_out) or self._wide.report(masked)
        return DetectorOutput((*boxed, *masked), sources, incomplete=incomplete)

    def _missing(self) -> Error:
        newest = self._join.newest
        if newest is None:
            seen = f"none has come at all: does the node run that publishes {topics.DETECTIONS}?"
        else:
            seen = (
                f"the newest are of {newest / NANOSECONDS_PER_SECOND:.3f} s: does their node run, and do its messages "
                "have the stamps of the images?"
            )
        return Error(
            ErrorCode.DETECTOR_FAILED, f"no detections within {self._tolerance:g} s of the image; {seen}"
        )

    def _hypotheses(self, item: ExternalDetection) -> tuple[ObjectHypothesis, ...]:
        """Returns the hypotheses that are things, by their canonical names; none if the likeliest is no thing."""
        named = tuple(
            replace(each, category=thing_category(each.category, self._knowledge)) for each in item.hypotheses
        )
        return tuple(each for each in named if each.category) if named and named[0].category else ()

    def _in_image(
        self, view: DepthView, found: ExternalDetections, left_out: Counter[str]
    ) -> Iterator[DetectedObject]:
        wanted: list[tuple[tuple[ObjectHypothesis, ...], PixelBox]] = []
        for item in found.detections:
            hypotheses = self._hypotheses(item)
            if not hypotheses or np.isnan(item.left):
                continue
            try:
                edges = _in_bounds(checked_edges(item.edges), view.depth_mm.shape)
            except UnusableDetectionError as error:
                left_out[str(error)] += 1
                continue
            wanted.append((hypotheses, pixel_box(edges, view.depth_mm.shape)))
        segments = ground_boxes(view, [box for _, box in wanted], self._limits)
        for (hypotheses, box), segment in zip(wanted, segments, strict=True):
            yield _object(hypotheses, box, segment)

    def _in_space(
        self, frame: CameraFrame, found: ExternalDetections, left_out: Counter[str]
    ) -> Iterator[DetectedObject]:
        assert frame.view is not None
        wanted: list[tuple[ObjectHypothesis, ...]] = []
        boxes: list[SpaceBox] = []
        for item in found.detections:
            hypotheses = self._hypotheses(item)
            if not hypotheses or not np.isnan(item.left) or not item.box.center.given:
                continue
            try:
                boxes.append(box_in_map(frame, found.header.frame_id, checked_box(item.box)))
            except UnusableDetectionError as error:
                left_out[str(error)] += 1
            else:
                wanted.append(hypotheses)
        if not wanted:
            return
        view = frame.view
        ids = ids_in_boxes(view, boxes, self._limits.max_range)
        noise = noise_level(view.depth_mm)
        segments = numbered_segments(view, ids, len(wanted), self._limits, noise)
        for hypotheses, segment in zip(wanted, segments, strict=True):
            if segment is None:
                left_out["a box in space has too few pixels with depth in it"] += 1
                continue
            yield _object(hypotheses, (segment.rows, segment.columns), segment)

    def _in_mask(self, view: DepthView, found: ExternalDetections) -> Iterator[DetectedObject]:
        if not found.class_mask.data.size:
            return
        classes = segment_ids(found.class_mask)
        if classes.shape != view.depth_mm.shape:
            (height, width), (rows, columns) = classes.shape, view.depth_mm.shape
            raise BadImageError(
                f"the class mask is {width}x{height} but depth {columns}x{rows}: publish it in the size of the depth "
                "image"
            )
        things = [
            (category, label)
            for label in found.labels
            if label.category and (category := thing_category(label.category, self._knowledge))
        ]
        numbers = np.zeros(np.iinfo(np.uint16).max + 1, np.uint16)
        for number, (_, label) in enumerate(things, start=1):
            numbers[label.id] = number
        noise = noise_level(view.depth_mm)
        regions = class_regions(numbers[classes], view.depth_mm, noise, self._limits.min_pixels)
        ids = range(1, len(regions.classes) + 1)
        for segment in depth_segments(view, regions.ids, ids, self._limits, noise):
            category, label = things[regions.classes[segment.id - 1] - 1]
            score = UNSCORED if np.isnan(label.confidence) else label.confidence
            yield DetectedObject(category, score, (segment.rows, segment.columns), segment)


def _object(
    hypotheses: tuple[ObjectHypothesis, ...], box: PixelBox, segment: Segment | None
) -> DetectedObject:
    first, *others = hypotheses
    return DetectedObject(first.category, first.score, box, segment, alternatives=tuple(others))


def _in_bounds(edges: Edges, shape: tuple[int, ...]) -> Edges:
    """Returns the edges. Raises UnusableDetectionError if they are outside of an image of that shape."""
    left, top, right, bottom = edges
    if right <= 0 or bottom <= 0 or left >= shape[1] or top >= shape[0]:
        raise UnusableDetectionError("a box is outside of the image: was it found in one of another size?")
    return edges
