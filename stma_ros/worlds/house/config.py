"""The settings of the world `house`; importable without its engine."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.types.settings import setting


@dataclass(frozen=True)
class HouseConfig:
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
    rooms: int = setting(0, "rooms of a flat, 3 to 10; 0 = drawn from the flat's seed", low=0, high=10)
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
    changes: int = setting(
        0, "things that someone else moves, opens or closes in the middle of an episode", low=0, high=20
    )
    identity_seed: int = setting(
        -1, "draws names and order of the things inside the world anew; -1 = as generated", low=-1
    )
