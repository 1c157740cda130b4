"""Draws the coloured surfaces of the keyframes: one point per voxel, at its first observation."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import point_image
from stma_ros.mapping.transforms import apply
from stma_ros.mapping.voxel_grid import VoxelGridConfig
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Image, Point
from stma_ros.visual import paths
from stma_ros.visual.drawables import Drawn, Level, Points, Remark
from stma_ros.visual.drawing_context import DrawingContext, is_somewhere
from stma_ros.visual.keyframe_join import KeyframeJoin

_PARTS = (topics.COLOR, *topics.DEPTH_FRAME)
_VOXEL = VoxelGridConfig.resolution  # [m]
_MAX_RANGE = VoxelGridConfig.max_range  # [m]
_HEIGHTS = (VoxelGridConfig.min_height, 2.1)  # above the floor; a ceiling would hide the rooms below it [m]
_MOST_VOXELS = 600_000  # about 1500 m2 of surfaces, which a viewer still shows smoothly
_COLUMNS = 160  # sampled columns of a frame: as dense as the voxels at 4 m, and seen from several poses
_ENOUGH = 256  # number of new voxels for a drawing; fewer wait for later keyframes


class ColouredCloud:
    """Draws the coloured voxels. Each drawing adds the new voxels on a path of its own: earlier drawings stay.

    Without keyframes there is no cloud.
    """

    def __init__(self, context: DrawingContext, keyframes: Collection[int] | None = None) -> None:
        """keyframes: as in KeyframeJoin."""
        self._context = context
        self._parts = FrameAssembler(_PARTS)
        self._join: KeyframeJoin[CameraFrame] = KeyframeJoin(keyframes)
        self._known: NDArray[np.int64] = np.zeros(0, np.int64)
        self._fresh: list[tuple[NDArray[np.float32], NDArray[np.uint8]]] = []
        self._drawings = 0

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if topic in _PARTS:
            frame = self._parts.add(topic, message)
            if frame is not None:
                size = sum(part.data.nbytes for part in frame.parts.values() if isinstance(part, Image))
                for whole, _ in self._join.add_image(frame.stamp.nanoseconds, frame, size):
                    yield from self._add(whole)
        elif isinstance(message, KeyframeDetections):
            for frame, _ in self._join.add_detections(message):
                yield from self._add(frame)

    def _add(self, frame: CameraFrame) -> Iterator[Drawn]:
        if len(self._known) >= _MOST_VOXELS:
            return
        try:
            points, pixels = _surface(frame)
        except ValueError:
            return  # perception reports the fault of that frame
        keys, first = np.unique(_keys(points), return_index=True)
        new = ~_contains(self._known, keys)
        self._known = np.sort(np.concatenate([self._known, keys[new]]), kind="stable")
        self._fresh.append((points[first[new]], pixels[first[new]]))
        if sum(len(some) for some, _ in self._fresh) >= _ENOUGH:
            positions = np.concatenate([some for some, _ in self._fresh])
            seen = np.concatenate([some for _, some in self._fresh])
            opaque = np.full((len(seen), 1), 255, np.uint8)
            thing = Points(positions, np.concatenate([seen, opaque], axis=1), _VOXEL / 2)
            yield Drawn(
                f"{paths.CLOUD}/{self._drawings}", frame.stamp.nanoseconds, self._context.frame_id, thing
            )
            self._fresh.clear()
            self._drawings += 1
        if len(self._known) >= _MOST_VOXELS:
            full = f"the cloud is full with {_MOST_VOXELS} voxels; what is seen from now on is not added"
            yield self._context.unplaced(paths.VIEW_LOG, Remark(full, Level.WARNING))


def _surface(frame: CameraFrame) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Returns points (N, 3) in the map [m] and their colours (N, 3). Raises ValueError for an unusable frame."""
    view, color = frame.view, frame.color
    if view is None or color is None:
        raise ValueError(frame.error.text)
    if not is_somewhere(Point(*view.camera_pose[:3, 3])):
        raise ValueError("the camera is nowhere")
    stride = max(1, view.camera.width // _COLUMNS)
    points = point_image(view.depth_mm, view.camera, stride, _MAX_RANGE).reshape(-1, 3)
    pixels = color[::stride, ::stride].reshape(-1, 3)
    measured = np.isfinite(points[:, 2])
    placed = apply(view.camera_pose, points[measured])
    heights = placed[:, 2] - _floor(frame)
    visible = (heights > _HEIGHTS[0]) & (heights < _HEIGHTS[1])
    return placed[visible].astype(np.float32), pixels[measured][visible]


def _floor(frame: CameraFrame) -> float:
    """Returns the height on which the robot stands [m]; 0 where there is no robot."""
    return frame.pose.base.position.z if frame.pose is not None and frame.pose.has_base else 0.0


def _keys(points: NDArray[np.float32]) -> NDArray[np.int64]:
    """Returns one number for each voxel, with 21 bits along each axis: 80 km."""
    cells = np.floor(points / _VOXEL).astype(np.int64) & 0x1FFFFF
    keys: NDArray[np.int64] = cells[:, 0] << 42 | cells[:, 1] << 21 | cells[:, 2]
    return keys


def _contains(ordered: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which of the keys are in an ascending array."""
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    places = np.searchsorted(ordered, keys).clip(max=len(ordered) - 1)
    found: NDArray[np.bool_] = ordered[places] == keys
    return found
