"""The pose at which a held object is drawn."""

from __future__ import annotations

from typing import Final

from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import ROBOT, Spot

_HEIGHT: Final = 0.75  # height of the gripper while the robot drives: below the camera's field of view [m]


def carried_spot(base: Placement) -> Spot:
    """The pose of a held object, which moves with the robot."""
    return Spot(ROBOT, False, base.x, base.y, _HEIGHT, base.yaw)
