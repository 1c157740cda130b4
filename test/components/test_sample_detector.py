"""Tests of adding a detector: with a row in the registry it can be chosen by a setting and fused with others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_runtime import Binding
from stma_ros.components.perception.detector_registry import DETECTORS, DetectorSpec, detector_inputs
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.port import Detector, DetectorOutput
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.standard import Time
from stma_ros.types.stepped import StepStamp
from support.components.wall_frames import Patch, frame
from support.samples.detector import RED_BLOBS

RED = Patch("mug", (20, 28), (30, 38))
BLUE = Patch("bowl", (40, 46), (50, 62), (30, 60, 200))


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DETECTORS, "red_blobs", RED_BLOBS)


def detected(source: str, parts: Mapping[str, Message]) -> tuple[Detection, ...]:
    """Returns the emissions of the agent's perception for those parts of a frame to which it subscribes."""
    agent = configure_agent(overrides={"perception": {"source": source}})
    spec = agent.wiring.components["perception"]
    perception = spec.bind(agent.configs["perception"], agent.matched.domain)
    assert isinstance(perception.frames, FrameAssembler)
    whole = [perception.frames.add(topic, parts[topic]) for topic in perception.frames.parts]
    assert whole[-1] is not None
    ((topic, update),) = perception.component.handle(topics.CAMERA_FRAME, whole[-1])
    assert topic == topics.KEYFRAME_DETECTIONS
    assert isinstance(update, KeyframeDetections)
    assert update.keyframe
    return update.detections


def test_sample_detector_is_chosen_by_its_name_and_needs_no_segmentation() -> None:
    parts = frame(Time(1), (RED, BLUE))
    del parts[topics.SEGMENTATION], parts[topics.SEGMENTATION_LABELS]

    (apple,) = detected("red_blobs", parts)

    assert (apple.category, apple.pixels, apple.states) == ("apple", 64, ())
    assert (apple.center.x, apple.center.y, apple.center.z) == pytest.approx((2.0, 0.3, 1.3), abs=0.01)
    assert apple.color.r == np.float32(200 / 255)


def test_sample_detector_finds_nothing_when_nothing_is_red() -> None:
    assert detected("red_blobs", frame(Time(1), (BLUE,))) == ()


def test_sample_detector_adds_objects_without_a_segment_and_renames_none() -> None:
    unsegmented = frame(Time(1), (BLUE,)) | {topics.COLOR: frame(Time(1), (RED, BLUE))[topics.COLOR]}

    assert [item.category for item in detected("segmentation+red_blobs", unsegmented)] == ["apple", "bowl"]
    assert [item.category for item in detected("segmentation+red_blobs", frame(Time(1), (RED, BLUE)))] == [
        "mug",
        "bowl",
    ]


@dataclass
class BeliefReader(Detector):
    """A detector that is ready once it has received a belief, and that records what it receives."""

    heard: list[Message] = field(default_factory=list)

    def receive(self, topic: str, message: Message) -> None:
        if topic == topics.TEMPORAL_BELIEF:
            self.heard.append(message)

    def is_ready(self, frame: CameraFrame) -> bool:
        return bool(self.heard)

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        return DetectorOutput(derived_from=(message_ref(topics.TEMPORAL_BELIEF, self.heard[-1]),))


def test_detector_receives_the_topics_that_its_registry_row_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = DetectorSpec(lambda resources: BeliefReader(), recall=0.8, inputs=(topics.TEMPORAL_BELIEF,))
    monkeypatch.setitem(DETECTORS, "belief_reader", row)
    agent = configure_agent(overrides={"perception": {"source": "belief_reader"}})
    spec = agent.wiring.components["perception"]
    assert topics.TEMPORAL_BELIEF in spec.subscriptions

    binding = spec.bind(agent.configs["perception"], agent.matched.domain)
    parts = frame(Time(1), (RED,))
    belief = TemporalBelief(at=StepStamp(task_id="t"))
    waiting = [out for topic in topics.FRAME for out in deliver(binding, topic, parts[topic])]
    ((_, update),) = deliver(binding, topics.TEMPORAL_BELIEF, belief)
    assert waiting == []
    assert isinstance(update, KeyframeDetections)
    assert message_ref(topics.TEMPORAL_BELIEF, belief) in update.derived_from


def deliver(binding: Binding, topic: str, message: Message) -> list[tuple[str, Message]]:
    """Returns the emissions of a component for a message of a subscribed topic, as the runtimes deliver it."""
    taken = list(binding.inputs_from(topic, message))
    return [emission for each in taken for emission in binding.component.handle(*each)]


def test_perception_receives_the_topics_of_all_detectors(monkeypatch: pytest.MonkeyPatch) -> None:
    row = DetectorSpec(lambda resources: BeliefReader(), recall=0.8, inputs=(topics.TASK, topics.MAP))
    monkeypatch.setitem(DETECTORS, "map_reader", row)
    assert {topics.STEP, topics.TASK, topics.MAP} <= set(detector_inputs())
    assert len(set(detector_inputs())) == len(detector_inputs())


def test_unknown_detector_is_refused_with_the_names_of_all_detectors() -> None:
    with pytest.raises(ConfigurationError, match="segmentation, model, network, detections, red_blobs"):
        configure_agent(overrides={"perception": {"source": "mri"}})
