"""The settings of a simulated robot, the same in every world that has one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from stma_ros.types.settings import setting
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.detector.errors import DetectorErrors
from stma_ros.worlds.robot.map_frame import MapFrame, check_offset, offset_of
from stma_ros.worlds.robot.noise import NoiseModel

_LOCALIZATION = (0.015, math.radians(0.3))  # error of a correction [m, rad]
_MAP_YAW, _MAP_OFFSET = math.nan, ""  # of the home in the map [rad, m]; nan and "" = drawn

USUAL = {
    "drift": 0.02,
    "depth_noise": 1.0,
    "grasp_failures": 0.08,
    "drops": 0.015,
    "label_errors": 0.05,
    "missed": 0.1,
    "merged": 0.05,
    "edge_jitter": 2.0,
    "depth_holes": 0.05,
    "depth_saturation": 1.0,
}
"""The size of each error with `noise`, unless it is set."""

EXACT_DETECTOR, WEAK_DETECTOR = "exact", "weak"
"""A detector with the errors that are set, and one like a small network in a home that it was not trained for."""

WEAK = {"missed": 0.25, "label_errors": 0.05, "edge_jitter": 3.0, "inventions": 0.1}
"""The size of each error of a weak detector, unless it is set. Those of a detector of 80 classes were measured on a
thousand images of a camera that was carried through rooms: it found 75 % of the cups in view, with scores from 0.3 to
0.9, and two thirds of the things on a map of all that it saw were not there, or there twice."""


def _error(name: str, text: str, high: float, unit: str = "") -> Any:
    """Declares an error that can be set alone, or comes with `noise` or a weak detector."""
    usual = [f"{WEAK[name]:g} with detector=weak"] if name in WEAK else []
    usual += [f"{USUAL[name]:g} with noise"] if name in USUAL else []
    about = f"{text}; -1 = {', '.join(usual)}, else 0"
    return setting(-1.0, about, unit=unit, low=-1.0, high=high)


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
        False, "an imperfect robot: all errors below whose value is -1 get their usual size"
    )
    detector: str = setting(
        EXACT_DETECTOR,
        "'weak' = a detector that misses much, small things most, sees things that are not there, has scores from 0.3 "
        "to 0.9, and draws boxes",
        choices=(EXACT_DETECTOR, WEAK_DETECTOR),
    )
    drift: float = _error("drift", "error of the odometry per metre and radian", 0.2)
    depth_noise: float = _error("depth_noise", "error of the depth camera in multiples of a usual one", 10.0)
    grasp_failures: float = _error("grasp_failures", "share of grasps that fail", 1.0)
    drops: float = _error("drops", "share of drives on which what is held slips out of the hand", 1.0)
    label_errors: float = _error(
        "label_errors", "share of the segments with the label of a similar category", 1.0
    )
    missed: float = _error("missed", "share of the visible things without a segment", 1.0)
    merged: float = _error("merged", "share of the segments that are merged with a neighbour or split", 1.0)
    edge_jitter: float = _error(
        "edge_jitter", "displacement of the edges of segments, root mean square", 20.0, "px"
    )
    depth_holes: float = _error(
        "depth_holes", "share of the pixels without depth, most at edges and on shiny things", 0.9
    )
    depth_saturation: float = _error(
        "depth_saturation", "1 = depth below 0.3 m and beyond 6 m is 0 or the largest value", 1.0
    )
    boxes: bool = setting(
        False,
        "segments are boxes in the image, as of a box detector, instead of masks; so with detector=weak",
    )
    inventions: float = _error(
        "inventions",
        "mean number of things in a frame that are not there, for each square metre of visible surface",
        2.0,
        "1/m^2",
    )
    missed_by_size: bool = setting(
        False, "small things in the image are missed more often than large ones; so with detector=weak"
    )
    weak_scores: bool = setting(
        False,
        "scores are 0.3 to 0.9, lower for small things, and 0.3 to 0.7 for what is not there, instead of "
        "calibrated ones; so with detector=weak",
    )
    sensor_errors: float = setting(
        1.0,
        "factor on label_errors, missed, merged, edge_jitter, inventions, depth_holes, state_errors and state_misses",
        low=0.0,
        high=10.0,
    )
    state_reports: bool = setting(False, "labels carry states: open, closed; on, off; full, empty")
    state_errors: float = setting(
        0.05, "share of the reported states that are wrong, with state_reports", low=0.0, high=1.0
    )
    state_misses: float = setting(
        0.2, "share of the visible states that are not reported, with state_reports", low=0.0, high=1.0
    )
    identity_seed: int = setting(
        -1, "draws names and order of the things inside the world anew; -1 = as generated", low=-1
    )
    map_yaw: float = setting(
        _MAP_YAW,
        "yaw of the home in the map frame; nan = drawn, one for each home",
        unit="rad",
        low=-math.tau,
        high=math.tau,
        optional=True,
    )
    map_offset: str = setting(
        _MAP_OFFSET,
        'position X,Y of the home\'s origin in the map frame, such as "1.5,-2"; empty = drawn, one for each home',
        unit="m",
        validate=check_offset,
    )

    def map_frame(self, home: str) -> MapFrame:
        """Returns the map frame of a home. home: the home's name, from which what is not given is drawn; empty = a
        scene with a frame of its own, which it keeps unless another is given."""
        drawn = MapFrame.drawn(home).home if home else MapFrame().home
        yaw = drawn.yaw if math.isnan(self.map_yaw) else self.map_yaw
        return MapFrame.of(yaw, *(offset_of(self.map_offset) or (drawn.x, drawn.y)))

    @property
    def camera(self) -> Camera:
        return Camera(self.width, self.height, self.hfov, self.camera_height, self.camera_pitch)

    @property
    def noise_model(self) -> NoiseModel:
        drift = self._size("drift")
        return NoiseModel(
            drift,
            _LOCALIZATION if drift else (0.0, 0.0),
            self._size("depth_noise"),
            min(self._size("depth_holes") * self.sensor_errors, 1.0),
            bool(self._size("depth_saturation") * self.sensor_errors),
            self._size("grasp_failures"),
            self._size("drops"),
        )

    @property
    def detector_errors(self) -> DetectorErrors:
        factor, weak = self.sensor_errors, self.detector == WEAK_DETECTOR
        return DetectorErrors(
            wrong=min(factor * self._size("label_errors"), 1.0),
            missed=min(factor * self._size("missed"), 1.0),
            merged=min(factor * self._size("merged"), 1.0),
            jitter=factor * self._size("edge_jitter"),
            boxes=self.boxes or weak,
            states=self.state_reports,
            wrong_states=min(factor * self.state_errors, 1.0) if self.state_reports else 0.0,
            missed_states=min(factor * self.state_misses, 1.0) if self.state_reports else 0.0,
            missed_by_size=self.missed_by_size or weak,
            inventions=factor * self._size("inventions"),
            weak_scores=self.weak_scores or weak,
        )

    def _size(self, name: str) -> float:
        """Returns the size of an error: as set, or else that of a weak detector, its usual size with noise, or 0."""
        value: float = getattr(self, name)
        if value >= 0:
            return value
        if self.detector == WEAK_DETECTOR and name in WEAK:
            return WEAK[name]
        return USUAL.get(name, 0.0) if self.noise else 0.0
