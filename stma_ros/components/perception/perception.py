"""Perception: from camera frames to what one keyframe shows.

Things are told apart by a detector (detector_registry). Perception knows nothing of earlier keyframes but where they
were taken from: identity across views is the business of the scene graph (memory.scene_graph).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.perception.detections import detections_of
from stma_ros.components.perception.detector_registry import DETECTORS, SEGMENTATION
from stma_ros.components.perception.thumbnails import thumbnail
from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame, part
from stma_ros.sensing.detectors.port import Detector
from stma_ros.sensing.pose_jump_filter import FrameConfig, PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.message import Message
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Image, Pose, Time

CHANGE = 0.1
"""A pixel whose depth is another by more than this [m], and six sigma of noise, shows another thing."""

MAX_KEYFRAMES, MAX_FRAMES = 64, 512
"""That wait for the detector to be ready; beyond either the oldest are looked at all the same: what the detector waits
for, such as the step that a frame belongs to, will not come any more."""


@dataclass(frozen=True)
class PerceptionConfig(FrameConfig):
    keyframe_distance: float = setting(0.3, "a frame this far from the last keyframe is one", unit="m", low=0)
    keyframe_turn: float = setting(
        0.35, "a frame turned this much from the last keyframe is one", unit="rad", low=0
    )
    keyframe_change: float = setting(
        0.01, "a frame is a keyframe when this share of its depth changed since the last one", low=0, high=1
    )
    keyframe_rate: float = setting(
        0.0,
        "keyframes at most, for cameras that are faster than perception; 0 = any number",
        unit="Hz",
        low=0,
    )
    max_range: float = setting(6.0, "depth beyond this is not looked at", unit="m", low=0.5, high=60)
    min_pixels: int = setting(
        12, "seen pixels below which a segment is not taken for a thing", unit="px", low=1
    )
    source: str = setting(
        SEGMENTATION,
        "what tells things apart: the camera's segmentation, a model that sees (model.scene_graph), or both",
        choices=DETECTORS,
    )

    def uses(self, part: str) -> bool:
        return part in (topics.COLOR, *topics.DEPTH_FRAME, *DETECTORS[self.source].parts)


@dataclass(frozen=True)
class _Look:
    """What is to be said of a frame, and the frame where it is a keyframe: then its detections are to come."""

    update: KeyframeDetections
    keyframe: CameraFrame | None = None


def _failed(header: Header, error: Error, derived_from: tuple[MessageRef, ...]) -> KeyframeDetections:
    return KeyframeDetections(
        header=header, processed_until=header.stamp, error=error, derived_from=derived_from
    )


class Perception:
    """Picks keyframes and says what a detector finds in them, in the order of the frames' stamps: behind a keyframe of
    which the detector is not ready to say anything yet, all later frames wait."""

    def __init__(self, config: PerceptionConfig, knowledge: CategoryKnowledge, detector: Detector) -> None:
        """detector: made for this component alone (detector_registry)."""
        warm_up()
        self._config = config
        self._knowledge = knowledge
        self._detector = detector
        self._jumps = PoseJumpFilter(config.max_speed)
        self._keyframe_period = 1e9 / config.keyframe_rate if config.keyframe_rate else 0.0  # [ns]
        self._last_keyframe: tuple[Time, Pose, NDArray[np.uint16]] | None = None
        self._waiting: deque[_Look] = deque()
        self._waiting_keyframes = 0

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, CameraFrame):
            look = self._look(message)
            self._waiting.append(look)
            self._waiting_keyframes += look.keyframe is not None
        else:
            self._detector.receive(topic, message)
        return self._go_on()

    def _look(self, frame: CameraFrame) -> _Look:
        header, stamp, derived_from = frame.header, frame.stamp, (message_ref(topics.CAMERA_FRAME, frame),)
        try:
            if frame.pose is not None:
                self._jumps.check(frame.pose)
        except PoseJumpError as error:
            return _Look(_failed(header, Error.of(error), derived_from))
        if frame.error:
            return _Look(_failed(header, frame.error, derived_from))
        assert frame.pose is not None
        assert frame.view is not None
        assert frame.color is not None
        if not self._is_keyframe(stamp, frame.pose.base, frame.view.depth_mm):
            return _Look(KeyframeDetections(header=header, processed_until=stamp, derived_from=derived_from))
        self._last_keyframe = stamp, frame.pose.base, frame.view.depth_mm
        small = thumbnail(part(frame.parts, topics.COLOR, Image).header, frame.color)
        update = KeyframeDetections(
            header=header, processed_until=stamp, keyframe=True, picture=small, derived_from=derived_from
        )
        return _Look(update, frame)

    def _go_on(self) -> Iterator[Emission]:
        while self._waiting:
            look = self._waiting[0]
            if look.keyframe is None:
                self._waiting.popleft()
                yield topics.KEYFRAME_DETECTIONS, look.update
                continue
            full = self._waiting_keyframes > MAX_KEYFRAMES or len(self._waiting) > MAX_FRAMES
            if not self._detector.is_ready(look.keyframe) and not full:
                return
            self._waiting.popleft()
            self._waiting_keyframes -= 1
            yield from self._detect(look.update, look.keyframe)

    def _detect(self, update: KeyframeDetections, frame: CameraFrame) -> Iterator[Emission]:
        assert frame.color is not None
        output = self._detector.detect(frame)
        derived_from = (*update.derived_from, *output.derived_from)
        if output.error:
            update = _failed(update.header, output.error, derived_from)
        else:
            found = detections_of(output.objects, frame.color, self._knowledge)
            update = replace(update, detections=found, derived_from=derived_from)
        yield from output.telemetry
        yield topics.KEYFRAME_DETECTIONS, update

    def _is_keyframe(self, stamp: Time, base: Pose, depth_mm: NDArray[np.uint16]) -> bool:
        if self._last_keyframe is None or self._last_keyframe[2].shape != depth_mm.shape:
            return True
        last, last_base, last_depth = self._last_keyframe
        if stamp.nanoseconds - last.nanoseconds < self._keyframe_period:
            return False
        here, there = base.position, last_base.position
        turned = abs((base.yaw - last_base.yaw + np.pi) % (2 * np.pi) - np.pi)
        return bool(
            np.hypot(here.x - there.x, here.y - there.y) >= self._config.keyframe_distance
            or turned >= self._config.keyframe_turn
            or _changed_share(depth_mm, last_depth) >= self._config.keyframe_change
        )


def _changed_share(depth_mm: NDArray[np.uint16], before_mm: NDArray[np.uint16]) -> float:
    """Share of the pixels measured in both, every fourth each way, whose depth changed by more than noise does."""
    now, before = depth_mm[::4, ::4] * 1e-3, before_mm[::4, ::4] * 1e-3
    measured = (now > 0) & (before > 0)
    now, before = now[measured], before[measured]
    noise = noise_level(depth_mm) * depth_noise(np.maximum(now, before))
    return float(np.mean(np.abs(now - before) > CHANGE + 6 * noise)) if len(now) else 1.0
