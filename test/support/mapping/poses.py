"""Poses of a base on the floor."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.transforms import Pose, pose_matrix


def planar_pose(x: float, y: float, yaw: float, z: float = 0.0) -> Pose:
    """Returns the pose at (x, y, z) [m], rotated by `yaw` [rad] about z."""
    return pose_matrix((x, y, z), (0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2)))
