"""Places what a snapshot shows: boxes in its picture, and its field of view and points of the map."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import apply, inverse
from stma_ros.types.exploration import Snapshot
from stma_ros.types.planning import Evidence
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point, Pose, RegionOfInterest
from stma_ros.visual.drawing_context import is_somewhere, pose_matrix_of

_USUAL_FIELD = math.radians(90)
"""Horizontal field of view of a camera whose intrinsics are not known."""


def detections_in_picture(
    snapshot: Snapshot, width: int, camera: PinholeCamera | None
) -> tuple[Detection, ...]:
    """Returns the detections with their boxes in pixels of the snapshot's picture, which may be smaller than the
    camera's image.

    Args:
        snapshot: the snapshot.
        width: of its picture [px].
        camera: the camera that took it; None = the picture has the size of its image.
    """
    scale = 1.0 if camera is None else width / camera.width
    return tuple(replace(detection, roi=_scaled(detection.roi, scale)) for detection in snapshot.detections)


def _scaled(roi: RegionOfInterest, scale: float) -> RegionOfInterest:
    return replace(
        roi,
        x_offset=round(roi.x_offset * scale),
        y_offset=round(roi.y_offset * scale),
        width=round(roi.width * scale),
        height=round(roi.height * scale),
    )


def snapshot_of(evidence: Evidence, snapshots: Iterable[Snapshot]) -> Snapshot:
    """Returns the snapshot that a piece of evidence names; one without detections if it is not among these, as that of
    an earlier task."""
    return next(
        (snapshot for snapshot in snapshots if snapshot.id == evidence.snapshot),
        Snapshot(
            id=evidence.snapshot, stamp=evidence.stamp, camera=evidence.camera, picture=evidence.picture
        ),
    )


def place_across(point: Point, pose: Pose, camera: PinholeCamera) -> float | None:
    """Returns where a picture shows a point of the map: 0 at its left edge, 1 at its right edge; None if it is outside
    or behind the camera.

    Args:
        point: in the map.
        pose: of the camera's optical frame in the map.
        camera: the camera.
    """
    matrix = pose_matrix_of(pose)
    if matrix is None or not is_somewhere(point):
        return None
    x, _, z = apply(inverse(matrix), (point.x, point.y, point.z)).tolist()
    if z <= 0:
        return None
    share = (camera.cx + camera.fx * x / z + 0.5) / camera.width
    return float(share) if 0 <= share <= 1 else None


def field_of_view(
    pose: Pose, camera: PinholeCamera | None
) -> tuple[tuple[float, float], float, float] | None:
    """Returns what a camera sees of the map's plane: its place (x, y) [m], and the directions of the right and left
    edges of its image [rad]; None for a pose that is none, or that looks straight up or down."""
    matrix = pose_matrix_of(pose)
    if matrix is None:
        return None
    x, y = matrix[:2, 2].tolist()
    if math.hypot(x, y) < 1e-3:
        return None
    heading = math.atan2(y, x)
    if camera is None:
        return (matrix[0, 3], matrix[1, 3]), heading - _USUAL_FIELD / 2, heading + _USUAL_FIELD / 2
    left = math.atan2(camera.cx + 0.5, camera.fx)
    right = math.atan2(camera.width - camera.cx - 0.5, camera.fx)
    return (float(matrix[0, 3]), float(matrix[1, 3])), heading - right, heading + left


def view_corners(pose: NDArray[np.float64], camera: PinholeCamera, distance: float) -> NDArray[np.float64]:
    """Returns the corners (4, 3) of a camera's image in the map [m], at a distance along its axis [m]; in a circle from
    the upper left one. pose: 4x4, of the optical frame in the map."""
    across, down = (-0.5, camera.width - 0.5), (-0.5, camera.height - 0.5)
    pixels = np.array(
        [(across[0], down[0]), (across[1], down[0]), (across[1], down[1]), (across[0], down[1])]
    )
    rays = (pixels - (camera.cx, camera.cy)) / (camera.fx, camera.fy)
    return apply(pose, distance * np.column_stack((rays, np.ones(4))))
