"""Fuses the output of several detectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.port import DetectedObject, Detector, DetectorOutput, PixelBox
from stma_ros.types.common import Error
from stma_ros.types.message import Message
from stma_ros.types.standard import Time

SAME = 0.3
"""Smallest intersection over union of two boxes with one category to be the same object."""

SAME_PLACE = 0.6
"""Smallest intersection over union of two boxes with different categories to be the same object."""


class FusedDetector(Detector):
    """Joins the objects of several detectors.

    It is ready when all of them are. Its output has an error only if all of them fail; the first error of some is
    reported as `incomplete`.
    """

    def __init__(self, detectors: Sequence[Detector], knowledge: CategoryKnowledge) -> None:
        """Makes a detector of several.

        Args:
            detectors: At least one; earlier ones take precedence.
            knowledge: Categories that can be of one object.
        """
        self._detectors = tuple(detectors)
        self._knowledge = knowledge

    def receive(self, topic: str, message: Message) -> None:
        for detector in self._detectors:
            detector.receive(topic, message)

    def announce(self, stamp: Time, is_keyframe: bool) -> None:
        for detector in self._detectors:
            detector.announce(stamp, is_keyframe)

    def is_ready(self, frame: CameraFrame) -> bool:
        return all(detector.is_ready(frame) for detector in self._detectors)

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        outputs = [detector.detect(frame) for detector in self._detectors]
        errors = [output.error for output in outputs if output.error]
        missing = [*errors, *(output.incomplete for output in outputs if output.incomplete)]
        is_answered = len(errors) < len(outputs)
        return DetectorOutput(
            objects=reduce(self._fuse, (output.objects for output in outputs)),
            derived_from=tuple(source for output in outputs for source in output.derived_from),
            telemetry=tuple(emission for output in outputs for emission in output.telemetry),
            error=Error() if is_answered else errors[0],
            incomplete=missing[0] if is_answered and missing else Error(),
        )

    def _fuse(
        self, first: tuple[DetectedObject, ...], second: tuple[DetectedObject, ...]
    ) -> tuple[DetectedObject, ...]:
        return fuse_objects(first, second, self._knowledge)


def fuse_objects(
    first: Iterable[DetectedObject], second: Iterable[DetectedObject], knowledge: CategoryKnowledge
) -> tuple[DetectedObject, ...]:
    """Joins the objects that two detectors found in one frame.

    Args:
        first: Objects whose categories and places take precedence.
        second: Objects that add states to the first, and objects where the first has none.
        knowledge: Categories that can be of one object.

    Returns:
        The first objects, in the order of their places in the image, then those of the second that are not among them.
        Objects without a segment are left out.
    """
    found = sorted((item for item in first if item.segment is not None), key=_place)
    free = set(range(len(found)))
    added = []
    for item in second:
        shares = {index: _overlap(found[index].box, item.box) for index in sorted(free)}
        same = [
            index
            for index, share in shares.items()
            if share >= SAME and _may_be_one(found[index].category, item.category, knowledge)
        ]
        if same:
            index = max(same, key=shares.__getitem__)
            free.remove(index)
            found[index] = replace(found[index], states=(*found[index].states, *item.states))
        elif item.segment is not None and not any(share >= SAME_PLACE for share in shares.values()):
            added.append(item)
    return (*found, *added)


def _place(item: DetectedObject) -> tuple[int, int, str, int]:
    rows, columns = item.box
    return rows.start, columns.start, item.category, 0 if item.segment is None else len(item.segment.index)


def _may_be_one(one: str, other: str, knowledge: CategoryKnowledge) -> bool:
    return knowledge.are_related(one, other) or knowledge.is_alike(one, other)


def _overlap(one: PixelBox, other: PixelBox) -> float:
    """Intersection over union."""
    common = 1
    for a, b in zip(one, other, strict=True):
        common *= max(min(a.stop, b.stop) - max(a.start, b.start), 0)
    return common / (_area(one) + _area(other) - common)


def _area(box: PixelBox) -> int:
    rows, columns = box
    return int((rows.stop - rows.start) * (columns.stop - columns.start))
