"""Tests of the detector that fuses several ones: readiness, objects, and failures of its parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.mapping.segments import Segment
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.fused import FusedDetector, SourceDetector, fuse_objects
from stma_ros.sensing.detectors.port import DetectedObject, Detector, DetectorOutput, ObjectRelation
from stma_ros.sensing.detectors.reliability import Reliability
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.errors import RoleError
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.sensing import DetectorLook, ObjectHypothesis
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import RoleCall

HOUSEHOLD = household_categories()
BLIND = Error.of(RoleError("it sees nothing"))
RECALLS = {"one": 0.9, "two": 0.6}
FRAME = CameraFrame(header=Header(), parts={})


@dataclass
class Scripted(Detector):
    """A detector that is ready after a number of messages and returns a fixed output."""

    output: DetectorOutput = DetectorOutput()
    waits_for: int = 0
    received: list[Message] = field(default_factory=list)
    announced: list[tuple[Time, bool]] = field(default_factory=list)

    def announce(self, stamp: Time, is_keyframe: bool) -> None:
        self.announced.append((stamp, is_keyframe))

    def receive(self, topic: str, message: Message) -> None:
        self.received.append(message)

    def is_ready(self, frame: CameraFrame) -> bool:
        return len(self.received) >= self.waits_for

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        return self.output


def thing(category: str, left: int, *states: str, placed: bool = True, wide: int = 10) -> DetectedObject:
    """Returns an object in a box of ten rows that begins in column `left`."""
    box = slice(0, 10), slice(left, left + wide)
    points, index, corner = np.zeros((4, 3), np.float32), np.arange(4, dtype=np.int32), np.zeros(3)
    segment = Segment(1, points, index, corner, corner, 0.0, 0.01, np.zeros((0, 2)), *box, truncated=False)
    return DetectedObject(category, 0.5, box, segment if placed else None, states=_reported(states))


def _reported(states: tuple[str, ...]) -> tuple[StateEstimate, ...]:
    return tuple(
        StateEstimate(state=state, source=EvidenceSource.DETECTOR, confidence=0.8) for state in states
    )


def fused(*detectors: Detector) -> FusedDetector:
    return FusedDetector(
        [
            SourceDetector(name, detector, Reliability(recall))
            for (name, recall), detector in zip(RECALLS.items(), detectors, strict=False)
        ],
        HOUSEHOLD,
    )


def test_fused_detector_passes_on_messages_and_is_ready_when_all_its_parts_are() -> None:
    first, second = Scripted(waits_for=1), Scripted(waits_for=2)
    detector = fused(first, second)
    readiness = []
    for _ in range(2):
        detector.receive(topics.TASK, Task())
        readiness.append(detector.is_ready(FRAME))

    assert readiness == [False, True]
    assert len(first.received) == len(second.received) == 2


def test_fused_detector_announces_frames_to_all_its_parts() -> None:
    first, second = Scripted(), Scripted()
    detector = fused(first, second)
    detector.announce(Time(1), is_keyframe=True)
    detector.announce(Time(2), is_keyframe=False)
    assert first.announced == second.announced == [(Time(1), True), (Time(2), False)]


def test_fused_detector_passes_on_sources_and_telemetry_of_all_its_parts() -> None:
    calls = [(topics.ROLE_CALLS, RoleCall(role=role)) for role in ("one", "two")]
    sources = [MessageRef(topic=topics.TASK, id="t"), MessageRef(topic=topics.OBSERVATION, id="t/0")]
    parts = [
        Scripted(DetectorOutput(derived_from=(source,), telemetry=(call,)))
        for source, call in zip(sources, calls, strict=True)
    ]
    output = fused(*parts).detect(FRAME)

    assert output.derived_from == tuple(sources)
    assert output.telemetry == tuple(calls)


@pytest.mark.parametrize("failing", [0, 1])
def test_fused_detector_has_the_answer_of_one_part_when_another_has_none(failing: int) -> None:
    mug = thing("mug", 0)
    parts = [Scripted(DetectorOutput((mug,))), Scripted(DetectorOutput((mug,)))]
    parts[failing] = Scripted(DetectorOutput(error=BLIND))
    output = fused(*parts).detect(FRAME)

    (found,) = output.objects
    (name,) = [name for index, name in enumerate(RECALLS) if index != failing]
    assert (found, output.error) == (replace(mug, source=name), Error())
    assert output.incomplete == BLIND
    assert output.looks == (DetectorLook(source=name, recall=RECALLS[name]),)


def test_fused_detector_names_who_says_what_of_states_and_relations() -> None:
    first = DetectorOutput((replace(thing("fridge", 0, "open"), names=frozenset("a")), thing("mug", 30)))
    second = DetectorOutput(
        (
            replace(thing("fridge", 0, "open"), names=frozenset("a")),
            replace(thing("mug", 30), names=frozenset("b")),
        ),
        relations=(ObjectRelation("b", words.IN, "a", 0.7),),
    )
    output = fused(Scripted(first), Scripted(second)).detect(FRAME)
    fridge, mug = output.objects
    assert [state.detectors for state in fridge.states] == [("one",), ("two",)]
    (relation,) = output.relations
    assert (relation.predicate, relation.confidence, relation.source) == (words.IN, 0.7, "two")
    assert relation.subject in mug.names
    assert relation.object in fridge.names
    assert len(fridge.names) == 2  # the same word of two detectors is two names


def test_fused_detector_is_incomplete_when_a_part_of_it_is() -> None:
    mug = thing("mug", 0)
    output = fused(
        Scripted(DetectorOutput((mug,))), Scripted(DetectorOutput((mug,), incomplete=BLIND))
    ).detect(FRAME)

    assert (output.error, output.incomplete) == (Error(), BLIND)
    assert [look.source for look in output.looks] == ["one"]


def test_fused_detector_is_complete_when_all_its_parts_have_an_answer() -> None:
    looks = tuple(DetectorLook(source=name, recall=recall) for name, recall in RECALLS.items())
    assert fused(Scripted(), Scripted()).detect(FRAME) == DetectorOutput(looks=looks)


def test_fused_detector_turns_scores_into_probabilities_by_the_precision_of_each_part() -> None:
    strict = SourceDetector("one", Scripted(DetectorOutput((thing("mug", 0),))), Reliability(0.9, 0.8))
    loose = SourceDetector("two", Scripted(DetectorOutput((thing("mug", 40),))), Reliability(0.9, 0.2))
    found = FusedDetector([strict, loose], HOUSEHOLD).detect(FRAME).objects
    assert [item.score for item in found] == [pytest.approx(0.8), pytest.approx(0.2)]


def test_fused_detector_keeps_what_each_part_takes_an_object_for_with_the_surest_first() -> None:
    unsure = replace(thing("mug", 0), score=0.4, alternatives=(ObjectHypothesis(category="cup", score=0.3),))
    sure = replace(thing("vase", 1), score=0.7)
    detector = fused(Scripted(DetectorOutput((unsure,))), Scripted(DetectorOutput((sure,))))
    (item,) = detector.detect(FRAME).objects
    told = [(each.category, round(each.score, 3), each.source) for each in item.hypotheses]
    assert told == [("vase", 0.7, "two"), ("mug", 0.4, "one"), ("cup", 0.3, "one")]


def test_fused_detector_joins_objects_of_one_kind_before_rivals() -> None:
    first = [thing("mug", 0), thing("vase", 1)]
    found = fuse_objects(first, [thing("bowl", 0), thing("vase", 1)], HOUSEHOLD)
    assert [[each.category for each in item.hypotheses] for item in found] == [
        ["mug", "bowl"],
        ["vase", "vase"],
    ]


def test_fused_detector_has_no_answer_when_no_part_has_one() -> None:
    output = fused(*[Scripted(DetectorOutput(error=BLIND))] * 2).detect(FRAME)

    assert output == DetectorOutput(error=BLIND)


def test_fused_detector_keeps_what_both_parts_report_of_states() -> None:
    first = thing("fridge", 0, words.STATE_OPEN)
    second = thing("fridge", 1, words.STATE_CLOSED, words.STATE_ON)
    (fridge,) = fuse_objects([first], [second], HOUSEHOLD)

    assert [each.state for each in fridge.states] == [words.STATE_OPEN, words.STATE_CLOSED, words.STATE_ON]
    assert fridge.box == first.box


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (thing("mug", 4), ["mug"]),
        (thing("mug", 6), ["mug", "mug"]),
        (thing("lamp", 1), ["mug"]),
        (thing("lamp", 4), ["mug", "lamp"]),
        (thing("mug", 40, placed=False), ["mug"]),
    ],
    ids=["the same", "another of its kind", "another name", "another thing next to it", "without a place"],
)
def test_fused_detector_adds_objects_of_the_second_part_in_other_places(
    second: DetectedObject, expected: list[str]
) -> None:
    found = fuse_objects([thing("mug", 0)], [second], HOUSEHOLD)
    assert [item.category for item in found] == expected


def test_fused_detector_joins_an_object_with_the_one_that_it_covers_most() -> None:
    near, far = thing("mug", 0), thing("mug", 8)
    found = fuse_objects([far, near], [thing("mug", 5, words.STATE_FULL)], HOUSEHOLD)

    told = [(item.box[1].start, [each.state for each in item.states]) for item in found]
    assert told == [(0, []), (8, [words.STATE_FULL])]


def test_fused_detector_prefers_an_object_with_a_place_over_one_without() -> None:
    placed = thing("mug", 0)
    assert fuse_objects([thing("mug", 0, placed=False)], [placed], HOUSEHOLD) == (placed,)


@pytest.mark.parametrize(
    ("colour", "spot", "is_seen"),
    [
        (0, 0, False),  # a covered lens
        (5, 200, False),  # its noise, with one bright pixel of a thousand
        (12, 0, True),  # a dark room
        (255, 0, True),
    ],
)
def test_detector_that_reads_colours_has_not_looked_at_a_black_image(
    colour: int, spot: int, is_seen: bool
) -> None:
    image = np.full((40, 60, 3), colour, np.uint8)
    image[0, :2] = np.maximum(image[0, :2], spot)
    frame = replace(FRAME, color=image)
    output = fused(Scripted(DetectorOutput((thing("mug", 0),)))).detect(frame)
    assert bool(output.objects) is is_seen
    assert bool(output.looks) is is_seen
    assert ("is the lens covered" in output.error.text) is not is_seen


def test_segmentation_is_used_in_the_dark() -> None:
    class Masks(Scripted):
        reads_colour = False

    black = replace(FRAME, color=np.zeros((40, 60, 3), np.uint8))
    output = fused(Masks(DetectorOutput((thing("mug", 0),))), Scripted()).detect(black)
    assert [each.category for each in output.objects] == ["mug"]
    assert [look.source for look in output.looks] == ["one"]
    assert "is the lens covered" in output.incomplete.text
