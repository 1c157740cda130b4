"""Draws the poses of robot and camera, and the robot's path."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.standard import CameraInfo, Odometry, PoseStamped, TransformStamped
from stma_ros.visual import colours, paths
from stma_ros.visual.drawables import Drawn, Lines, PoseOf
from stma_ros.visual.drawing_context import DrawingContext, pinhole_of, pose_matrix_of

_STEP = 0.05  # between two points of the path [m]
_PIECE = 64  # points: only the newest piece of the path is drawn again, so that a long path costs no more per metre
_WIDTH = 0.03  # [m]
_HEIGHT = 0.04  # above the floor, which would hide it [m]
_COLOUR: colours.RGB = (235, 80, 70)


class RobotMotion:
    """Draws odometry, localisation and the camera's pose; a pose that is not finite is left out.

    Poses of the first frame may come before its localisation and wait for it, as the odometry's frame may be far from
    the map's. Without one for that frame, both frames count as the same.
    """

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._localization: NDArray[np.float64] | None = None
        self._waiting: list[Odometry | PoseStamped] = []
        self._camera: PinholeCamera | None = None
        self._piece: list[tuple[float, float, float]] = []
        self._pieces = 0

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if topic == topics.LOCALIZATION and isinstance(message, TransformStamped):
            pose = pose_matrix_of(message.pose)
            if pose is not None:
                self._localization = pose
                self._context.frame_id = message.header.frame_id or self._context.frame_id
                yield from self._draw_waiting(pose)
        elif isinstance(message, CameraInfo):
            self._camera = pinhole_of(message)
        elif isinstance(message, Odometry) or (
            topic == topics.CAMERA_POSE and isinstance(message, PoseStamped)
        ):
            if self._localization is None and any(
                earlier.header.stamp != message.header.stamp for earlier in self._waiting
            ):
                self._localization = np.eye(4)
                yield from self._draw_waiting(self._localization)
            if self._localization is None:
                self._waiting.append(message)
            else:
                yield from self._moved(message, self._localization)

    def _draw_waiting(self, localization: NDArray[np.float64]) -> Iterator[Drawn]:
        for message in self._waiting:
            yield from self._moved(message, localization)
        self._waiting.clear()

    def _moved(self, message: Odometry | PoseStamped, localization: NDArray[np.float64]) -> Iterator[Drawn]:
        if isinstance(message, PoseStamped):
            pose = pose_matrix_of(message.pose)
            if pose is not None:
                yield self._context.placed(paths.CAMERA, PoseOf(localization @ pose, self._camera))
            return
        pose = pose_matrix_of(message.pose.pose)
        if pose is not None:
            base = localization @ pose
            self._context.robot = base
            yield self._context.placed(paths.ROBOT, PoseOf(base))
            yield from self._went(base)

    def _went(self, base: NDArray[np.float64]) -> Iterator[Drawn]:
        here = (float(base[0, 3]), float(base[1, 3]), float(base[2, 3]) + _HEIGHT)
        if self._piece and np.hypot(here[0] - self._piece[-1][0], here[1] - self._piece[-1][1]) < _STEP:
            return
        self._piece.append(here)
        if len(self._piece) > 1:
            strip = np.array(self._piece, np.float32)
            yield self._context.placed(
                f"{paths.PATH}/{self._pieces}", Lines((strip,), colours.rows([_COLOUR]), ("",), _WIDTH)
            )
        if len(self._piece) == _PIECE:
            self._piece = [here]
            self._pieces += 1
