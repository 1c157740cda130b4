"""Observations, and the detections of perception in a camera frame."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stma_ros.types.action_model import ActionModel
from stma_ros.types.boxes import BoundingBox3D, Boxed
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.evidence import Stated, StateEstimate
from stma_ros.types.message import Constants, Float32, Float32Array, Message, UInt16, UInt32
from stma_ros.types.planning import Outcome
from stma_ros.types.standard import (
    ColorRGBA,
    CompressedImage,
    Header,
    Image,
    Polygon,
    Pose,
    RegionOfInterest,
    Time,
)


class EpisodeState(Constants):
    """Whether an episode is over, as reported by a text world.

    UNJUDGED: it runs, and the world never says whether the task is done, so that the agent has to.
    """

    RUNNING = 0
    WON = 1
    LOST = 2
    UNJUDGED = 3

    @property
    def is_over(self) -> bool:
        return self in (EpisodeState.WON, EpisodeState.LOST)


@dataclass(frozen=True, eq=False, kw_only=True)
class Observation(Message, ros_type="stma_ros/msg/Observation"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    watermark: Time = Time()
    last_outcome: Outcome = Outcome()
    bumper: bool = False
    holding: bool = False
    feedback: str = ""
    description: str = ""
    inventory: str = ""
    admissible_commands: tuple[str, ...] = ()
    any_command: bool = False
    action_model: ActionModel = ActionModel()
    episode: EpisodeState = EpisodeState.RUNNING


@dataclass(frozen=True, eq=False, kw_only=True)
class Step(Message, ros_type="stma_ros/msg/Step"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    watermark: Time = Time()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentLabel(Message, ros_type="stma_ros/msg/SegmentLabel"):
    id: UInt16 = 0
    category: str = ""
    confidence: Float32 = 1.0
    states: tuple[StateEstimate, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentLabels(Message, ros_type="stma_ros/msg/SegmentLabels"):
    header: Header = Header()
    labels: tuple[SegmentLabel, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class ObjectHypothesis(Message, ros_type="stma_ros/msg/ObjectHypothesis"):
    category: str = ""
    score: Float32 = 0.0
    source: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class DetectorLook(Message, ros_type="stma_ros/msg/DetectorLook"):
    source: str = ""
    recall: Float32 = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class ExternalDetection(Message, ros_type="stma_ros/msg/ExternalDetection"):
    hypotheses: tuple[ObjectHypothesis, ...] = ()
    left: Float32 = float("nan")
    top: Float32 = float("nan")
    right: Float32 = float("nan")
    bottom: Float32 = float("nan")
    box: BoundingBox3D = BoundingBox3D(center=Pose.none())

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom edge in the image [px]."""
        return self.left, self.top, self.right, self.bottom


@dataclass(frozen=True, eq=False, kw_only=True)
class ExternalDetections(Message, ros_type="stma_ros/msg/ExternalDetections"):
    header: Header = Header()
    detections: tuple[ExternalDetection, ...] = ()
    class_mask: Image = field(default_factory=Image)
    labels: tuple[SegmentLabel, ...] = ()
    error: Error = Error()
    incomplete: Error = Error()


@dataclass(frozen=True, eq=False, kw_only=True)
class Detection(Boxed, Stated, Message, ros_type="stma_ros/msg/Detection"):
    hypotheses: tuple[ObjectHypothesis, ...] = ()
    box: BoundingBox3D = BoundingBox3D()
    yaw_stddev: Float32 = float("nan")
    footprint: Polygon = Polygon()
    color: ColorRGBA = ColorRGBA()
    states: tuple[StateEstimate, ...] = ()
    features: Float32Array = field(default_factory=lambda: np.zeros(0, np.float32))
    roi: RegionOfInterest = RegionOfInterest()
    pixels: UInt32 = 0
    truncated: bool = False

    @property
    def category(self) -> str:
        """Category of the hypothesis with the highest score; empty if there is none."""
        return self.hypotheses[0].category if self.hypotheses else ""

    @property
    def confidence(self) -> float:
        """Highest score of the hypotheses [0..1]."""
        return self.hypotheses[0].score if self.hypotheses else 0.0

    @property
    def presence(self) -> float:
        """Probability that it shows an object of any category [0..1]: that of the surest detector, of which the
        hypotheses exclude one another."""
        sums: dict[str, float] = {}
        for each in self.hypotheses:
            sums[each.source] = sums.get(each.source, 0.0) + each.score
        return min(max(sums.values(), default=0.0), 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class DetectedRelation(Message, ros_type="stma_ros/msg/DetectedRelation"):
    subject: UInt32 = 0
    predicate: str = ""
    object: UInt32 = 0
    confidence: Float32 = 1.0
    source: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class KeyframeDetections(Message, ros_type="stma_ros/msg/KeyframeDetections"):
    header: Header = Header()
    revision: UInt32 = 0
    processed_until: Time = Time()
    keyframe: bool = False
    awaits_answer: bool = False
    detections: tuple[Detection, ...] = ()
    relations: tuple[DetectedRelation, ...] = ()
    looks: tuple[DetectorLook, ...] = ()
    picture: CompressedImage = field(default_factory=CompressedImage)
    error: Error = Error()
    derived_from: tuple[MessageRef, ...] = ()
