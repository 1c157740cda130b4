"""Finds the pixels that lie in boxes in space."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import point_image
from stma_ros.mapping.transforms import Pose, apply, inverse, matrix_of
from stma_ros.sensing.camera_frame import CameraFrame, DepthView, part
from stma_ros.sensing.detectors.port import PixelBox, pixel_box
from stma_ros.sensing.external.gathering import UnusableDetectionError
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Image, Odometry

SLACK = 0.02
"""Distance outside of a box at which a pixel still belongs to it: error of depth and of the box's sides [m]."""

NEAR = 0.05
"""Depth below which a corner of a box is not projected into the image [m]."""

_CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


@dataclass(frozen=True)
class SpaceBox:
    """A box in the map.

    Attributes:
        pose: 4x4 pose of the box in the map.
        size: (3,) side lengths along its own axes [m].
    """

    pose: Pose
    size: NDArray[np.float64]


def box_in_map(frame: CameraFrame, frame_id: str, box: BoundingBox3D) -> SpaceBox:
    """Returns a box in the map.

    Args:
        frame: The frame that gives the poses of its camera, of the odometry frame and of the base.
        frame_id: Name of the coordinate frame of the box; empty = that of the camera.
        box: A box with sides greater than 0 and finite numbers.

    Raises:
        UnusableDetectionError: The frame does not give the pose of that coordinate frame.
    """
    known = _frames(frame)
    name = frame_id.lstrip("/") or next(iter(known))
    if name not in known:
        raise UnusableDetectionError(
            f"boxes are in the frame {frame_id!r}, which is none of {', '.join(map(repr, known))}: publish them in the "
            "camera's"
        )
    size = np.array((box.size.x, box.size.y, box.size.z))
    return SpaceBox(known[name] @ matrix_of(box.center), size)


def ids_in_boxes(view: DepthView, boxes: Sequence[SpaceBox], max_range: float) -> NDArray[np.uint16]:
    """Returns (H, W) the number of the box in which the point of each pixel lies, counted from 1; 0 = none.

    Where boxes overlap, pixels belong to the smaller box.

    Args:
        view: The depth image.
        boxes: The boxes.
        max_range: Depth from which on pixels are not used [m].
    """
    points = point_image(view.depth_mm, view.camera, max_range=max_range)
    ids = np.zeros(view.depth_mm.shape, np.uint16)
    for index in sorted(range(len(boxes)), key=lambda each: -float(boxes[each].size.prod())):
        box = boxes[index]
        half = box.size / 2 + SLACK
        seen = _bounds(box.pose, half, view)
        in_box = apply(inverse(box.pose) @ view.camera_pose, points[seen])
        with np.errstate(invalid="ignore"):  # NaN where nothing was measured
            ids[seen][(np.abs(in_box) <= half).all(axis=-1)] = index + 1
    return ids


def _bounds(pose: Pose, half: NDArray[np.float64], view: DepthView) -> PixelBox:
    """Returns the rows and columns of the image in which a box appears; all of them if a part of it is behind the
    camera."""
    camera = view.camera
    x, y, z = apply(inverse(view.camera_pose) @ pose, _CORNERS * half).T
    if z.min() < NEAR:
        return slice(0, camera.height), slice(0, camera.width)
    columns, rows = camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy
    edges = columns.min() - 1, rows.min() - 1, columns.max() + 2, rows.max() + 2
    return pixel_box(edges, view.depth_mm.shape)


def _frames(frame: CameraFrame) -> dict[str, Pose]:
    """Returns the poses in the map of the coordinate frames that a frame knows, the camera's first."""
    assert frame.view is not None
    odometry = part(frame.parts, topics.ODOMETRY, Odometry)
    in_map = frame.view.localization
    known = {
        frame.header.frame_id: np.eye(4),
        odometry.header.frame_id: in_map,
        odometry.child_frame_id: in_map @ matrix_of(odometry.pose.pose),
    }
    camera = part(frame.parts, topics.DEPTH, Image).header.frame_id
    return {camera.lstrip("/"): frame.view.camera_pose} | {
        name.lstrip("/"): pose for name, pose in known.items()
    }
