"""The camera: its optics, its mount on the base, and the rays through its pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.geometry import Placement

_VIEW_MARGIN = 0.08  # margin at the edge of the image [rad]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera above the middle of the base, facing ahead.

    Attributes:
        width: [pixels].
        height: [pixels]; pixels are square.
        hfov: horizontal field of view [rad].
        mount_height: height above the floor [m].
        pitch: angle of the optical axis below the horizon [rad].
    """

    width: int = 320
    height: int = 240
    hfov: float = math.pi / 2
    mount_height: float = 1.2
    pitch: float = 0.3

    @property
    def focal(self) -> float:
        """Focal length [px]."""
        return self.width / 2 / math.tan(self.hfov / 2)

    def intrinsics(self) -> NDArray[np.float64]:
        """The camera matrix K (3, 3); the centre of the pixel in column u and row v lies at (u, v), as in
        sensor_msgs/CameraInfo."""
        return np.array(
            [[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1]]
        )

    def nearest_view(self, z: float) -> float:
        """Returns the least distance from the base at which an object at the height `z` [m] straight ahead is in view
        [m]."""
        lowest = self.pitch + math.atan2(self.height / 2, self.focal) - _VIEW_MARGIN
        if lowest <= 0 or z >= self.mount_height:
            return 0.0
        return (self.mount_height - z) / math.tan(min(lowest, math.pi / 2 - _VIEW_MARGIN))

    def optical_rays(self) -> NDArray[np.float64]:
        """Returns directions (H * W, 3) in the optical frame (x right, y down, z ahead) with z = 1, row by row."""
        k = self.intrinsics()
        u, v = np.meshgrid(np.arange(self.width), np.arange(self.height))
        x, y = (u - k[0, 2]) / self.focal, (v - k[1, 2]) / self.focal
        rays: NDArray[np.float64] = np.stack([x, y, np.ones_like(x)], axis=-1).reshape(-1, 3)
        return rays

    def pose(self, base: Placement) -> CameraPose:
        """Returns the pose of the camera on the base, in the frame of the base's pose."""
        return CameraPose(base.x, base.y, self.mount_height, base.yaw, self.pitch)

    def rotation(self, yaw: float) -> NDArray[np.float64]:
        """Returns the rotation (3, 3) from the optical frame to that of the base's pose when it has that yaw."""
        return self.pose(Placement(0.0, 0.0, yaw)).rotation()

    def origin(self, base: Placement) -> NDArray[np.float64]:
        """Returns the position of the camera in the frame of the base's pose (3,) [m]."""
        return self.pose(base).origin()


@dataclass(frozen=True)
class CameraPose:
    """Where a camera is and how it is turned.

    Attributes:
        x, y: position in the frame of the home [m].
        z: height above the floor [m].
        yaw: direction of the view, seen from above [rad].
        pitch: angle of the optical axis below the horizon [rad].
        roll: turn about the optical axis, positive = its right side is lower [rad].
    """

    x: float
    y: float
    z: float
    yaw: float
    pitch: float = 0.0
    roll: float = 0.0

    @property
    def standing(self) -> Placement:
        """The place of the floor below the camera, in the direction of its view."""
        return Placement(self.x, self.y, self.yaw)

    def rotation(self) -> NDArray[np.float64]:
        """Returns the rotation (3, 3) from the optical frame to that of the pose."""
        cy, sy, cp, sp = math.cos(self.yaw), math.sin(self.yaw), math.cos(self.pitch), math.sin(self.pitch)
        right, ahead = (sy, -cy, 0.0), (cy * cp, sy * cp, -sp)
        down = (-cy * sp, -sy * sp, -cp)
        rotation: NDArray[np.float64] = np.array([right, down, ahead]).T
        if self.roll:
            cr, sr = math.cos(self.roll), math.sin(self.roll)
            rotation = rotation @ np.array([[cr, -sr, 0.0], [sr, cr, 0.0], [0.0, 0.0, 1.0]])
        return rotation

    def origin(self) -> NDArray[np.float64]:
        """Returns the position (3,) [m]."""
        return np.array([self.x, self.y, self.z])
