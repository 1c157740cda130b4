"""Fuses the output of several detectors: what they say of one thing, by place, kind and score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.port import (
    DetectedObject,
    Detector,
    DetectorOutput,
    ObjectRelation,
    PixelBox,
)
from stma_ros.sensing.detectors.reliability import Reliability
from stma_ros.sensing.light import is_black
from stma_ros.types.common import Error
from stma_ros.types.component import OpenQuestion
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.sensing import DetectorLook

SAME = 0.3
"""Smallest intersection over union of two boxes with one category to be the same object."""

SAME_PLACE = 0.6
"""Smallest intersection over union of two boxes with different categories to be the same object."""


_BLACK = DetectorOutput(
    error=Error(ErrorCode.BAD_IMAGE, "the colour image is black; is the lens covered, or the light off?")
)


@dataclass(frozen=True)
class SourceDetector:
    """A detector with its name and with what is known of it.

    Attributes:
        name: As in `perception.source`; empty = it has none.
        detector: A detector that is not shared.
        reliability: How far it can be trusted.
    """

    name: str
    detector: Detector
    reliability: Reliability


class FusedDetector(Detector):
    """Joins the objects of one or several detectors, and says which of them found what.

    It is ready when all of them are. Scores become probabilities by the reliability of each detector. The output has an
    error only if all of them fail; the first error of some is reported as `incomplete`.
    """

    def __init__(self, sources: Sequence[SourceDetector], knowledge: CategoryKnowledge) -> None:
        """Makes a detector of several.

        Args:
            sources: At least one; the places of objects are those of earlier ones.
            knowledge: Categories that can be of one object.
        """
        self._sources = tuple(sources)
        self._reads_colour = any(source.detector.reads_colour for source in self._sources)
        self._knowledge = knowledge
        self._awaited: dict[int, list[DetectorOutput]] = {}  # what each says of a keyframe, by its stamp [ns]

    def receive(self, topic: str, message: Message) -> None:
        for source in self._sources:
            source.detector.receive(topic, message)

    def announce(self, frame: CameraFrame, is_keyframe: bool) -> None:
        for source in self._sources:
            source.detector.announce(frame, is_keyframe)

    def is_ready(self, frame: CameraFrame) -> bool:
        return all(source.detector.is_ready(frame) for source in self._sources)

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        is_dark = self._reads_colour and frame.color is not None and is_black(frame.color)
        outputs = [
            _BLACK if is_dark and source.detector.reads_colour else source.detector.detect(frame)
            for source in self._sources
        ]
        if any(output.awaits_answer for output in outputs):
            self._awaited[frame.stamp.nanoseconds] = outputs
        return self._fused(outputs)

    def take_questions(self) -> tuple[OpenQuestion, ...]:
        return tuple(question for source in self._sources for question in source.detector.take_questions())

    def take_revisions(self) -> tuple[tuple[CameraFrame, DetectorOutput], ...]:
        return tuple(self._revisions())

    def _revisions(self) -> Iterator[tuple[CameraFrame, DetectorOutput]]:
        for number, source in enumerate(self._sources):
            for frame, output in source.detector.take_revisions():
                # What the others were derived from was said before.
                outputs = [
                    replace(each, derived_from=(), telemetry=())
                    for each in self._awaited.pop(frame.stamp.nanoseconds)
                ]
                outputs[number] = output
                yield frame, self._fused(outputs)

    def _fused(self, said: Sequence[DetectorOutput]) -> DetectorOutput:
        outputs = list(zip(self._sources, said, strict=True))
        errors = [output.error for output in said if output.error]
        missing = [*errors, *(output.incomplete for output in said if output.incomplete)]
        is_answered = len(errors) < len(outputs)
        return DetectorOutput(
            objects=reduce(self._fuse, (_from_source(source, output.objects) for source, output in outputs)),
            derived_from=tuple(each for output in said for each in output.derived_from),
            telemetry=tuple(emission for output in said for emission in output.telemetry),
            error=Error() if is_answered else errors[0],
            incomplete=missing[0] if is_answered and missing else Error(),
            looks=tuple(
                DetectorLook(source=source.name, recall=source.reliability.recall)
                for source, output in outputs
                if not (output.error or output.incomplete or output.awaits_answer)
            ),
            relations=tuple(
                _relation_from(source, each) for source, output in outputs for each in output.relations
            ),
            awaits_answer=any(output.awaits_answer for output in said),
        )

    def _fuse(
        self, first: tuple[DetectedObject, ...], second: tuple[DetectedObject, ...]
    ) -> tuple[DetectedObject, ...]:
        return fuse_objects(first, second, self._knowledge)


def _from_source(source: SourceDetector, objects: Iterable[DetectedObject]) -> tuple[DetectedObject, ...]:
    """Returns the objects with the detector's name, and with probabilities as scores."""
    probability = source.reliability.probability
    names = (source.name,) if source.name else ()
    return tuple(
        replace(
            item,
            score=probability(item.score),
            source=source.name,
            alternatives=tuple(
                replace(each, score=probability(each.score), source=source.name) for each in item.alternatives
            ),
            states=tuple(replace(each, detectors=names) for each in item.states),
            names=frozenset(_own_name(source, name) for name in item.names),
        )
        for item in objects
    )


def _relation_from(source: SourceDetector, relation: ObjectRelation) -> ObjectRelation:
    """Returns a relation with the detector's name, by names that no other detector uses."""
    subject, object_ = (_own_name(source, name) for name in (relation.subject, relation.object))
    return replace(relation, subject=subject, object=object_, source=source.name)


def _own_name(source: SourceDetector, name: str) -> str:
    return f"{source.name}:{name}"


def fuse_objects(
    first: Iterable[DetectedObject], second: Iterable[DetectedObject], knowledge: CategoryKnowledge
) -> tuple[DetectedObject, ...]:
    """Joins the objects that two detectors found in one frame.

    An object of both has the categories of both, and the states that the second reports of what it is to the first.
    Which category it has is decided by their scores, over all views.

    Args:
        first: Objects whose places take precedence.
        second: Objects that add to the first, and objects where the first has none.
        knowledge: Categories that can be of one object.

    Returns:
        The first objects, in the order of their places in the image, then those of the second that are not among them.
        Objects without a segment are left out.
    """
    found = sorted((item for item in first if item.segment is not None), key=_place)
    free = set(range(len(found)))
    left = []
    for item in second:
        same = {
            index: _overlap(found[index].box, item.box)
            for index in sorted(free)
            if _may_be_one(found[index].category, item.category, knowledge)
        }
        best = _largest(same, SAME)
        if best is None:
            left.append(item)
        else:
            free.remove(best)
            states = (*found[best].states, *item.states)
            found[best] = replace(_joined(found[best], item), states=states)
    added = []
    for item in left:
        rival = _largest({index: _overlap(found[index].box, item.box) for index in sorted(free)}, SAME_PLACE)
        if rival is not None:
            free.remove(rival)
            found[rival] = _joined(found[rival], item)
        elif item.segment is not None:
            added.append(item)
    return (*found, *added)


def _largest(shares: Mapping[int, float], least: float) -> int | None:
    """Returns the first index with the largest share, if that is `least` or more."""
    best = max(shares, key=shares.__getitem__, default=None)
    return None if best is None or shares[best] < least else best


def _joined(item: DetectedObject, other: DetectedObject) -> DetectedObject:
    """Returns an object with all that another detector takes it for and calls it."""
    return replace(item, alternatives=(*item.alternatives, *other.hypotheses), names=item.names | other.names)


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
