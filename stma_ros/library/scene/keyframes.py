"""Picks keyframes by pose, depth and odometry, and makes messages of their detections."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.scene.detections import detections_of
from stma_ros.library.scene.thumbnails import thumbnail
from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame, part
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import DetectorOutput
from stma_ros.sensing.pose_jump_filter import FrameConfig, PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.evidence import Guesses, Masks
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import setting
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Image, Pose, Time

CHANGE = 0.1
"""Difference of a pixel's depth, beyond six sigma of noise, from which on it shows another surface [m]."""


@dataclass(frozen=True)
class KeyframeConfig(FrameConfig):
    """Settings of keyframes and of the detections in them."""

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
    masks: str = setting(
        Masks.OUTLINES.value,
        "what segments are: outlines of things, or boxes around them, in which depth finds the thing",
        choices=tuple(each.value for each in Masks),
    )
    guess_states: str = setting(
        Guesses.NONE.value,
        "states that are inferred besides those that labels and detectors report: none, or geometry (open and closed "
        "from the shape, where segments have the true outlines of things)",
        choices=tuple(each.value for each in Guesses),
    )

    @property
    def guesses(self) -> Guesses:
        """The states that are inferred."""
        return Guesses(self.guess_states)

    @property
    def limits(self) -> DepthLimits:
        """The limits for depth to be used in a detection."""
        return DepthLimits(self.max_range, self.min_pixels)


RETRY = 1.0
"""Time after a keyframe that nobody could look at from which on a frame of the same view is one [s]."""


class KeyframeSelector:
    """Picks the keyframes of one camera."""

    def __init__(self, config: KeyframeConfig, jumps: PoseJumpFilter | None = None) -> None:
        """Makes a selector.

        Args:
            config: The settings.
            jumps: Filter of poses, which all cameras of a robot share; None = there is only this camera.
        """
        self._config = config
        self._jumps = jumps or PoseJumpFilter(config.max_speed)
        self._period = 1e9 / config.keyframe_rate if config.keyframe_rate else 0.0  # [ns]
        self._last: tuple[Time, Pose, NDArray[np.uint16]] | None = None
        self._failed = False  # whether nobody could look at the last keyframe

    def problem(self, frame: CameraFrame) -> Error:
        """Returns why a frame cannot be used, if so; called once for each frame, in the order of stamps."""
        try:
            if frame.pose is not None:
                self._jumps.check(frame.pose)
        except PoseJumpError as error:
            return Error.of(error)
        return frame.error

    def look(self, frame: CameraFrame) -> KeyframeDetections:
        """Returns whether a frame with colour is a keyframe; called once for each frame, in the order of stamps."""
        header, stamp = frame.header, frame.stamp
        error = self.problem(frame)
        if error:
            return KeyframeDetections(header=header, processed_until=stamp, error=error)
        assert frame.pose is not None
        assert frame.view is not None
        assert frame.color is not None
        if not self._is_keyframe(stamp, frame.pose.base, frame.view.depth_mm):
            return KeyframeDetections(header=header, processed_until=stamp)
        self._last, self._failed = (stamp, frame.pose.base, frame.view.depth_mm), False
        picture = thumbnail(part(frame.parts, topics.COLOR, Image).header, frame.color)
        return KeyframeDetections(header=header, processed_until=stamp, keyframe=True, picture=picture)

    def failed(self, stamp: Time) -> None:
        """Takes note that nobody could look at the keyframe with this stamp."""
        self._failed |= self._last is not None and self._last[0] == stamp

    def _is_keyframe(self, stamp: Time, base: Pose, depth_mm: NDArray[np.uint16]) -> bool:
        if self._last is None or self._last[2].shape != depth_mm.shape:
            return True
        last, last_base, last_depth = self._last
        if stamp.nanoseconds - last.nanoseconds < self._period:
            return False
        if self._failed and stamp.nanoseconds - last.nanoseconds >= RETRY * NANOSECONDS_PER_SECOND:
            return True
        here, there = base.position, last_base.position
        rotated = abs((base.yaw - last_base.yaw + np.pi) % (2 * np.pi) - np.pi)
        moved = np.hypot(np.hypot(here.x - there.x, here.y - there.y), here.z - there.z)
        return bool(
            moved >= self._config.keyframe_distance
            or rotated >= self._config.keyframe_turn
            or _changed_share(depth_mm, last_depth) >= self._config.keyframe_change
        )


def with_detections(
    update: KeyframeDetections,
    frame: CameraFrame,
    output: DetectorOutput,
    guesses: Guesses,
    knowledge: CategoryKnowledge,
) -> KeyframeDetections:
    """Returns the update of a keyframe with its detections.

    Args:
        update: Result of KeyframeSelector.look.
        frame: The keyframe.
        output: Output of the detector. If it has an error, the frame is not a keyframe; if it is incomplete, the update
            has the reason; those that looked are named in any case.
        guesses: States that are inferred from the view.
        knowledge: Knowledge of categories.
    """
    if output.error:
        stamp = update.header.stamp
        return KeyframeDetections(header=update.header, processed_until=stamp, error=output.error)
    assert frame.color is not None
    detections, relations = detections_of(output.objects, output.relations, frame.color, guesses, knowledge)
    return replace(
        update, detections=detections, relations=relations, looks=output.looks, error=output.incomplete
    )


def _changed_share(depth_mm: NDArray[np.uint16], before_mm: NDArray[np.uint16]) -> float:
    """Returns the share of the pixels measured in both, every fourth each way, whose depth changed by more than noise
    does."""
    now, before = depth_mm[::4, ::4] * 1e-3, before_mm[::4, ::4] * 1e-3
    measured = (now > 0) & (before > 0)
    now, before = now[measured], before[measured]
    noise = noise_level(depth_mm) * depth_noise(np.maximum(now, before))
    return float(np.mean(np.abs(now - before) > CHANGE + 6 * noise)) if len(now) else 1.0
