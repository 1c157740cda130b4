"""Rigid poses as 4x4 float64 matrices; `T_a_b` takes points from frame b to frame a. Axes follow REP-103."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.types import standard

Pose = NDArray[np.float64]

R_BODY_OPTICAL: NDArray[np.float64] = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Rotation from optical axes (x right, y down, z forward) to body axes (x forward, y left, z up)."""
R_BODY_OPTICAL.setflags(write=False)


def pose_matrix(position: Sequence[float], quaternion: Sequence[float]) -> Pose:
    """Returns the 4x4 pose of a position (x, y, z) [m] and a quaternion (x, y, z, w), which is normalised.

    Raises:
        ValueError: a number is not finite, or the quaternion has no length.
    """
    x, y, z, w = np.asarray(quaternion, dtype=np.float64)
    norm = float(np.sqrt(x * x + y * y + z * z + w * w))
    if not np.isfinite(norm) or norm < 1e-9 or not np.all(np.isfinite(position)):
        raise ValueError(
            f"not a pose: position {tuple(position)}, quaternion {tuple(quaternion)} (x, y, z, w); "
            "check the odometry or transform that it came from"
        )
    x, y, z, w = x / norm, y / norm, z / norm, w / norm
    pose = np.eye(4)
    pose[:3, :3] = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    pose[:3, 3] = position
    return pose


def matrix_of(pose: standard.Pose) -> Pose:
    """Returns the 4x4 pose of a message. Raises ValueError if its numbers are not a pose."""
    p, q = pose.position, pose.orientation
    return pose_matrix((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))


def quaternion_of(pose: Pose) -> tuple[float, float, float, float]:
    """Returns the rotation of a rigid pose as a quaternion (x, y, z, w)."""
    (a, b, c), (d, e, f), (g, h, i) = pose[:3, :3]
    products = np.array(  # of each two of x, y, z and w, four times
        (
            (1 + a - e - i, b + d, c + g, h - f),
            (b + d, 1 - a + e - i, f + h, c - g),
            (c + g, f + h, 1 - a - e + i, d - b),
            (h - f, c - g, d - b, 1 + a + e + i),
        )
    )
    largest = products[int(np.argmax(np.diag(products)))]
    x, y, z, w = largest / np.linalg.norm(largest)
    return float(x), float(y), float(z), float(w)


def message_of(pose: Pose) -> standard.Pose:
    """Returns a rigid pose as a message."""
    return standard.Pose(standard.Point(*pose[:3, 3].tolist()), standard.Quaternion(*quaternion_of(pose)))


def camera_mount(x: float, y: float, z: float, pitch: float = 0.0) -> Pose:
    """Returns T_base_optical of a camera at (x, y, z) [m] on the base that looks forward and `pitch` [rad] downward."""
    mount = pose_matrix((x, y, z), (0.0, np.sin(pitch / 2), 0.0, np.cos(pitch / 2)))
    mount[:3, :3] = mount[:3, :3] @ R_BODY_OPTICAL
    return mount


def inverse(pose: Pose) -> Pose:
    """Returns the inverse of a rigid pose."""
    result = np.eye(4)
    result[:3, :3] = pose[:3, :3].T
    result[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return result


def apply(pose: Pose, points: ArrayLike) -> NDArray[np.float64]:
    """Returns `points` (..., 3) [m], transformed by `pose`."""
    moved = np.asarray(points, dtype=np.float64) @ pose[:3, :3].T + pose[:3, 3]
    return np.asarray(moved, dtype=np.float64)


def yaw_of(pose: Pose) -> float:
    """Returns the heading [rad] in (-pi, pi] of the pose's x axis in the horizontal plane."""
    return float(np.arctan2(pose[1, 0], pose[0, 0]))


def looking_yaw(pose: Pose) -> float:
    """Returns the direction [rad] in (-pi, pi] in the horizontal plane in which a camera looks; pose: of its optical
    frame, whose z axis points ahead."""
    return float(np.arctan2(pose[1, 2], pose[0, 2]))
