"""Synthetic camera frames of a wall two metres ahead with coloured patches, and components that receive their
parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from stma_ros.components.perception.detector_registry import (
    DetectionsChoice,
    DetectorResources,
    NetworkChoice,
)
from stma_ros.components.perception.perception import Perception, PerceptionConfig
from stma_ros.components.perception.scene_model import SceneModel
from stma_ros.components.perception.sources import make_detector, shares_of, source_names
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory
from stma_ros.models.images import MAX_PIXELS
from stma_ros.roles.scene_graph import SceneGraphRole
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import Detector
from stma_ros.types import topics
from stma_ros.types.component import Closeable, Component, Emission
from stma_ros.types.evidence import Masks, StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabel, SegmentLabels
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    Time,
    TransformStamped,
)
from support.components.household_components import HOUSEHOLD, spatial_memory

ComponentT = TypeVar("ComponentT", bound=Component)

WIDTH, HEIGHT, FOCAL = 80, 60, 40.0
FORWARD = Quaternion(-0.5, 0.5, -0.5, 0.5)
"""Turns the optical frame (z forward) into a camera that looks along +x."""


@dataclass(frozen=True)
class Patch:
    """A coloured patch.

    Attributes:
        rows, columns: pixels as (start, stop).
        states: states in its label.
    """

    category: str
    rows: tuple[int, int]
    columns: tuple[int, int]
    rgb: tuple[int, int, int] = (200, 30, 30)
    states: tuple[StateEstimate, ...] = ()


def frame(
    stamp: Time,
    patches: tuple[Patch, ...] = (),
    base: Pose = Pose(),
    depth_mm: int = 2000,
    ids: Mapping[int, int] | None = None,
) -> dict[str, Message]:
    """Returns all parts of a frame.

    Args:
        ids: segment number of each patch by its index; by default 2, 3, ... (1 is the wall).
    """
    header = Header(stamp, "odom")
    optical = Header(stamp, "camera_optical_frame")
    color = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    segments = np.ones((HEIGHT, WIDTH), np.uint16)
    labels = [SegmentLabel(id=1, category="wall")]
    for index, patch in enumerate(patches):
        number = ids[index] if ids else index + 2
        area = (slice(*patch.rows), slice(*patch.columns))
        color[area] = patch.rgb
        segments[area] = number
        labels.append(SegmentLabel(id=number, category=patch.category, states=patch.states))
    k = np.array([FOCAL, 0, (WIDTH - 1) / 2, 0, FOCAL, (HEIGHT - 1) / 2, 0, 0, 1])
    camera = Pose(Point(base.position.x, base.position.y, 1.0), FORWARD)
    return {
        topics.COLOR: Image.from_array(optical, color, "rgb8"),
        topics.DEPTH: Image.from_array(optical, np.full((HEIGHT, WIDTH), depth_mm, np.uint16), "16UC1"),
        topics.SEGMENTATION: Image.from_array(optical, segments, "16UC1"),
        topics.SEGMENTATION_LABELS: SegmentLabels(
            header=optical, labels=tuple(sorted(labels, key=lambda label: label.id))
        ),
        topics.CAMERA_INFO: CameraInfo(optical, HEIGHT, WIDTH, k=k),
        topics.CAMERA_POSE: PoseStamped(header, camera),
        topics.ODOMETRY: Odometry(header, "base_link", PoseWithCovariance(base)),
        topics.LOCALIZATION: TransformStamped(Header(stamp, "map"), header.frame_id),
    }


class HandedParts(Generic[ComponentT]):
    """Passes parts to a component as a runtime does, assembled into frames."""

    def __init__(self, component: ComponentT, parts: Iterable[str]) -> None:
        self.component = component
        self._frames = FrameAssembler(parts)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if topic not in topics.FRAME:
            return self.component.handle(topic, message)
        frame = self._frames.add(topic, message) if topic in self._frames.parts else None
        return () if frame is None else self.component.handle(topics.CAMERA_FRAME, frame)

    def close(self) -> None:
        assert isinstance(self.component, Closeable)
        self.component.close()


def perceiving(
    config: PerceptionConfig = PerceptionConfig(),
    scene_graph: SceneGraphRole | None = None,
    detector: Detector | None = None,
    network: NetworkChoice = NetworkChoice(),
) -> HandedParts[Perception]:
    """Returns a perception component.

    Args:
        detector: by default that of the config, which uses `scene_graph` or `network`.
    """
    limits = DepthLimits(config.max_range, config.min_pixels)
    model = None
    if scene_graph is not None:
        model = SceneModel(scene_graph, MAX_PIXELS, questions=config.question_limits, wait=config.answer_wait)
    resources = DetectorResources(
        config.source,
        HOUSEHOLD,
        limits,
        Masks(config.masks),
        model,
        network,
        DetectionsChoice(config.detections_tolerance, config.detections_wait),
    )
    detector = detector or make_detector(
        source_names(config.source), resources, shares_of(config.recall), shares_of(config.precision)
    )
    perception = Perception(config, HOUSEHOLD, detector)
    return HandedParts(perception, filter(config.uses, topics.FRAME))


def remembering(*args: Any, **roles: Any) -> HandedParts[SpatialMemory]:
    return HandedParts(spatial_memory(*args, **roles), topics.DEPTH_FRAME)
