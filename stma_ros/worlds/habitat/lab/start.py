"""Encodes the start of an episode in a scene's name.

"apartment_1@1.2000,-3.4000,0.1000,1.5708" is the scene apartment_1 with the robot at x = 1.2 m, y = -3.4 m, on the
floor at z = 0.1 m, with a yaw of 1.5708 rad, in the frame of the data set. World.reset takes only a scene and a seed: a
start that is given, not drawn from the seed, is a property of the scene, and its name is complete without a file.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import CameraRenderer
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.simulated_world import Place
from stma_ros.worlds.robot.state import SceneState

_NUMBER = r"(-?\d+\.\d+)"
_NAMED = re.compile(rf"(?P<scene>.+)@{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")


@dataclass(frozen=True)
class Start:
    """The robot's start in the frame of the data set [m, rad]; `z`: height of the floor."""

    x: float
    y: float
    z: float
    yaw: float

    @property
    def placement(self) -> Placement:
        return Placement(self.x, self.y, self.yaw)


def scene_from(scene: str, start: Start) -> str:
    """Returns the name of a scene in which every episode has that start."""
    return f"{scene}@{start.x:.4f},{start.y:.4f},{start.z:.4f},{start.yaw:.4f}"


def split_scene(name: str) -> tuple[str, Start | None]:
    """Splits a name into the scene's own name and the start; None = the seed draws the start."""
    match = _NAMED.fullmatch(name)
    if match is None:
        return name, None
    x, y, z, yaw = map(float, match.groups()[1:])
    return match["scene"], Start(x, y, z, math.remainder(yaw, math.tau))


class PlaceFrom:
    """A Place (see robot.simulated_world) in which every episode has the same start, even where the robot collides
    there; it then has to move free by itself."""

    def __init__(self, place: Place, start: Start) -> None:
        self._place = place
        self._start = start

    @property
    def home(self) -> str:
        return self._place.home

    @property
    def scene(self) -> Scene:
        return self._place.scene

    @property
    def camera_renderer(self) -> CameraRenderer:
        return self._place.camera_renderer

    def begin(self, seed: int) -> Placement:
        self._place.begin(seed)
        return self._start.placement

    def before_skill(self, number: int, body: Body) -> None:
        self._place.before_skill(number, body)

    def between_tasks(self, body: Body) -> None:
        self._place.between_tasks(body)

    def truth(self, name: str, robot: Placement, state: SceneState, stamp: Time) -> GroundTruth:
        return self._place.truth(name, robot, state, stamp)
