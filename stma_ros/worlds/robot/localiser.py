"""Simulates the robot's estimate of its pose: drifting odometry with occasional corrections."""

from __future__ import annotations

import math

import numpy as np

from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.map_frame import MapFrame
from stma_ros.worlds.robot.motion import Increment
from stma_ros.worlds.robot.noise import NoiseModel

_STREAM = 23  # number of the random stream
_EVERY, _EVERY_TURN = 2.0, math.pi / 2  # distance and angle between two corrections [m], [rad]
_JITTER = 0.1  # variation of the error from metre to metre, as a share of the drift


class Localiser:
    """Follows the base.

    `odometry` is the pose by the wheels, without jumps, and begins at the origin, so that it tells nothing of the home.
    `map_from_odometry` is the correction of a particle filter with a laser scanner: renewed after every 2 m or quarter
    turn, constant in between. Without drift the robot is where it believes to be.
    """

    def __init__(
        self, model: NoiseModel, seed: int, base: Placement, map_frame: MapFrame = MapFrame()
    ) -> None:
        self._start = base
        self._wheels = base  # the pose by the wheels in the home, as if they had begun with the true one
        self._correction = map_frame.home  # of that pose
        self._model = model
        self._map_frame = map_frame
        self._rng = np.random.default_rng((seed, _STREAM))
        # Wrong wheel diameters or a wrong track: most of the error is systematic.
        self._longer, self._wider = (1 + model.drift * self._rng.standard_normal(2)).tolist()
        self._driven = self._turned = 0.0

    @property
    def odometry(self) -> Placement:
        """The base's pose in the frame of the odometry."""
        return self._start.inverse().times(self._wheels)

    @property
    def map_from_odometry(self) -> Placement:
        """The pose of the odometry's frame in the map."""
        return self._correction.times(self._start)

    @property
    def believed(self) -> Placement:
        """The base's pose in the map frame, as the robot believes."""
        if not self._model.drift:
            return self._map_frame.placed(self._wheels)
        return self._correction.times(self._wheels)

    def moved(self, before: Placement, increment: Increment) -> None:
        """Follows a motion of the base that began at a true pose in the home."""
        if not self._model.drift:
            self._wheels = increment.pose
            return
        driven, turned = increment.driven, wrap_angle(increment.pose.yaw - before.yaw)
        jitter = self._model.drift * _JITTER * self._rng.standard_normal(2)
        along = driven * self._longer + math.sqrt(driven) * float(jitter[0])
        angle = turned * self._wider + math.sqrt(driven + abs(turned)) * float(jitter[1])
        self._wheels = self._wheels.times(Placement(along, 0.0, angle))
        self._driven += driven
        self._turned += abs(turned)
        if self._driven >= _EVERY or self._turned >= _EVERY_TURN:
            self._driven = self._turned = 0.0
            self._correct(increment.pose)

    def _correct(self, base: Placement) -> None:
        metres, radians = self._model.localization
        dx, dy, dyaw = self._rng.standard_normal(3).tolist()
        found = Placement(base.x + metres * dx, base.y + metres * dy, base.yaw + radians * dyaw)
        self._correction = self._map_frame.placed(found).times(self._wheels.inverse())

    def true_pose(self, base: Placement, place: Placement) -> Placement:
        """Returns the true place in the home of what the robot believes to be at `place` in the map, relative to the
        robot's true pose `base` in the home."""
        return base.times(self.believed.inverse()).times(place)
