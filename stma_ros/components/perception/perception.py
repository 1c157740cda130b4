"""Perception: from camera frames to what one keyframe shows.

Things are told apart by a segmentation, by a model that looks at the picture (scene_expert), or by both. It knows
nothing of earlier keyframes but where they were taken from and, for the model's sake, what that said of them: identity
across views is the business of the scene graph (memory.scene_graph).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.perception.appearance import states
from stma_ros.components.perception.detections import FLOOR, STRUCTURE, detection, in_order, shown
from stma_ros.components.perception.thumbnails import thumbnail
from stma_ros.components.perception.vlm_detector import SceneExpert, Shown
from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.openness import Sight
from stma_ros.mapping.segments import find_segments
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.models.images import MOST_PIXELS, picture
from stma_ros.roles.scene_graph import SceneGraphRole
from stma_ros.sensing.camera_frame import CameraFrame, DepthView, Segmentation
from stma_ros.sensing.pose_jump_filter import FrameConfig, PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types.causality import source
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Detection, Observation, SceneGraphUpdate, Step
from stma_ros.types.settings import setting
from stma_ros.types.standard import Pose, Time

CHANGE = 0.1
"""A pixel whose depth is another by more than this [m], and six sigma of noise, shows another thing."""

SEGMENTATION, MODEL, BOTH = "segmentation", "model", "both"

_SEGMENTATION = (topics.SEGMENTATION, topics.SEGMENTATION_LABELS)


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
        choices=(SEGMENTATION, MODEL, BOTH),
    )

    def uses(self, part: str) -> bool:
        """A model alone needs no segmentation."""
        return self.source != MODEL or part not in _SEGMENTATION


class Perception:
    """With a model, frames go out when the observation after them has come, or the step of no task, and TASK,
    OBSERVATION and STEP are listened to besides frames."""

    def __init__(
        self,
        config: PerceptionConfig,
        knowledge: CategoryKnowledge,
        expert: SceneGraphRole | None = None,
        image_pixels: int = MOST_PIXELS,
    ) -> None:
        """image_pixels: most pixels of a picture that the expert gets. Raises ConfigurationError where the source wants
        an expert and there is none."""
        warm_up()
        self._config = config
        self._knowledge = knowledge
        self._image_pixels = image_pixels
        self._jumps = PoseJumpFilter(config.max_speed)
        self._expert = _expert(config, knowledge, expert)
        self._keyframe_period = 1e9 / config.keyframe_rate if config.keyframe_rate else 0.0  # [ns]
        self._last_keyframe: tuple[Time, Pose, NDArray[np.uint16]] | None = None

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, CameraFrame):
            update, keyframe = self._look(message)
            if self._expert is None:
                return ((topics.SCENE_GRAPH_UPDATE, update),)
            return self._expert.look(update, keyframe)
        if self._expert is not None and isinstance(message, Task | Observation | Step):
            return self._expert.hear(message)
        return ()

    def _look(self, frame: CameraFrame) -> tuple[SceneGraphUpdate, Shown | None]:
        """What a frame shows, as far as the segmentation tells; and what an expert is to be shown of it."""
        header, stamp, based_on = frame.header, frame.stamp, (source(topics.CAMERA_FRAME, frame),)
        keyframe = None
        try:
            if frame.pose is not None:
                self._jumps.check(frame.pose)
            if frame.error:
                return SceneGraphUpdate(
                    header=header, looked_up_to=stamp, error=frame.error, based_on=based_on
                ), None
            assert frame.pose is not None
            assert frame.view is not None
            assert frame.color is not None
            if not self._is_keyframe(stamp, frame.pose.base, frame.view.depth_mm):
                return SceneGraphUpdate(header=header, looked_up_to=stamp, based_on=based_on), None
            detections = self._detect(frame.view, frame.color, frame.segmentation)
            if self._expert is not None:
                keyframe = Shown(frame.view, frame.color, picture(frame.color, self._image_pixels))
        except StmaError as error:
            return SceneGraphUpdate(
                header=header, looked_up_to=stamp, error=Error.of(error), based_on=based_on
            ), None
        self._last_keyframe = stamp, frame.pose.base, frame.view.depth_mm
        small = thumbnail(frame.parts[topics.COLOR].header, frame.color)  # type: ignore[attr-defined]
        return SceneGraphUpdate(
            header=header,
            looked_up_to=stamp,
            keyframe=True,
            detections=detections,
            picture=small,
            based_on=based_on,
        ), keyframe

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

    def _detect(
        self, view: DepthView, color: NDArray[np.uint8], segmentation: Segmentation | None
    ) -> tuple[Detection, ...]:
        if segmentation is None:
            return ()
        ids, known = segmentation.ids, segmentation.labels
        labels = {label.id: label for label in known if label.category not in STRUCTURE}
        floor = next((label.id for label in known if label.category == FLOOR), 0)
        noise = noise_level(view.depth_mm)
        segments = find_segments(
            view.depth_mm, view.camera, view.camera_pose, ids, labels, self._config.max_range, noise
        )
        sight = Sight(view.depth_mm, ids, view.camera, view.camera_pose, noise, floor)
        found = []
        for segment in segments:
            if len(segment.points) >= self._config.min_pixels:
                label, pixels = labels[segment.id], shown(segment, color)
                trust = 1.0 if np.isnan(label.confidence) else label.confidence
                told = states(label.category, segment, sight, pixels, self._knowledge)
                found.append(detection(label.category, trust, segment, pixels, told, self._knowledge))
        return in_order(found)


def _expert(
    config: PerceptionConfig, knowledge: CategoryKnowledge, role: SceneGraphRole | None
) -> SceneExpert | None:
    if config.source == SEGMENTATION:
        return None
    if role is None:
        raise ConfigurationError(
            f"perception.source={config.source} needs a model that sees: name one with model.scene_graph, or leave "
            f"perception.source at {SEGMENTATION!r}"
        )
    return SceneExpert(role, knowledge, config.max_range, config.min_pixels, alone=config.source == MODEL)


def _changed_share(depth_mm: NDArray[np.uint16], before_mm: NDArray[np.uint16]) -> float:
    """Share of the pixels measured in both, every fourth each way, whose depth changed by more than noise does."""
    now, before = depth_mm[::4, ::4] * 1e-3, before_mm[::4, ::4] * 1e-3
    measured = (now > 0) & (before > 0)
    now, before = now[measured], before[measured]
    noise = noise_level(depth_mm) * depth_noise(np.maximum(now, before))
    return float(np.mean(np.abs(now - before) > CHANGE + 6 * noise)) if len(now) else 1.0
