"""The settings of a simulated robot, the same in every world that has one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.types.settings import setting
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.noise import QUIET, NoiseModel

_LOCALIZATION = (0.015, math.radians(0.3))  # error of a correction [m, rad]


@dataclass(frozen=True)
class RobotConfig:
    width: int = setting(320, "width of the camera's images", unit="px", low=16, high=4096)
    height: int = setting(240, "height of the camera's images", unit="px", low=12, high=4096)
    hfov: float = setting(
        math.pi / 2, "horizontal field of view of the camera", unit="rad", low=0.3, high=2.8
    )
    camera_height: float = setting(1.2, "height of the camera above the floor", unit="m", low=0.2, high=2.0)
    camera_pitch: float = setting(0.3, "how far the camera looks down", unit="rad", low=-1.0, high=1.2)
    frame_rate: float = setting(
        0.0, "frames while the robot moves; 0 = one every 0.75 m or 60 degrees", unit="Hz", low=0.0, high=30.0
    )
    noise: bool = setting(
        False, "an imperfect robot: drifting odometry, rough depth, failed grasps, dropped things"
    )
    drift: float = setting(0.02, "error of the odometry per metre and radian, with noise", low=0.0, high=0.2)
    depth_noise: float = setting(
        1.0, "error of the depth camera in multiples of a usual one, with noise", low=0.0, high=10.0
    )
    grasp_failures: float = setting(0.08, "share of grasps that fail, with noise", low=0.0, high=1.0)
    drops: float = setting(
        0.015, "share of drives on which what is held slips out of the hand, with noise", low=0.0, high=1.0
    )
    identity_seed: int = setting(
        -1, "draws names and order of the things inside the world anew; -1 = as generated", low=-1
    )

    @property
    def camera(self) -> Camera:
        return Camera(self.width, self.height, self.hfov, self.camera_height, self.camera_pitch)

    @property
    def noise_model(self) -> NoiseModel:
        if not self.noise:
            return QUIET
        return NoiseModel(self.drift, _LOCALIZATION, self.depth_noise, self.grasp_failures, self.drops)
