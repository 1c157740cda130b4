"""The map follows its localisation: what was mapped under a localisation that turned out wrong is moved.

Odometry drifts with the way driven, and a localisation that is corrected takes the drift of the whole way since its
last correction back at once. So each place on that way gets its share of the correction, in proportion to how far
it was driven to. What was mapped before the last correction is settled.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.transforms import Pose, apply, inverse

MIN_SHIFT, MIN_TURN = 0.02, float(np.deg2rad(0.5))
"""A localisation that moves the robot by less [m, rad] changes nothing that the map's cells could show."""

MAX_DRIFT, MAX_DRIFT_SHARE = 0.3, 0.2
"""Odometry drifts by no more than this [m] and this share of the way. A localisation that jumps farther was given to
a robot that was carried, or to an odometry that was set to zero: what it had mapped stays where it is."""

TURN_WEIGHT = 0.3
"""A turn of one radian wears odometry as much as this way [m]."""

COMPACT_WIDTH = 160
"""[px] Kept depth images are thinned to this width at most: 38 kB each."""

MAX_KEYFRAMES = 200
"""Kept at a time: 8 MB. Integrating them again takes half a second; between two corrections there are a few."""

SAME_VIEW = 0.2
"""A newer view from within this distance [m, plus TURN_WEIGHT per rad] covers an older one, which is let go."""

_MAX_STOPS = 2048


@dataclass(frozen=True)
class DepthKeyframe:
    """A frame that can be integrated again. camera_pose: 4x4, optical frame to map; base: (x, y) in the map [m]."""

    stamp: int
    depth_mm: DepthImage
    camera: PinholeCamera
    camera_pose: Pose
    base: tuple[float, float]

    @classmethod
    def compact(
        cls,
        stamp: int,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float],
    ) -> DepthKeyframe:
        """With every n-th row and column only."""
        step = -(-camera.width // COMPACT_WIDTH)
        depth = depth_mm[::step, ::step].copy()
        thinned = PinholeCamera(
            depth.shape[1],
            depth.shape[0],
            camera.fx / step,
            camera.fy / step,
            camera.cx / step,
            camera.cy / step,
        )
        return cls(stamp, depth, thinned, camera_pose, base)

    def moved(self, correction: MapCorrection) -> DepthKeyframe:
        shift = correction.at(self.stamp)
        x, y, _ = apply(shift, (*self.base, 0.0))
        return replace(self, camera_pose=shift @ self.camera_pose, base=(float(x), float(y)))


@dataclass(frozen=True)
class MapCorrection:
    """What a corrected localisation does to things seen since the one before.

    stamps [ns], ascending: where the camera was then, positions (N, 3) [m] in the uncorrected map; shifts (N, 3) [m]
    and turns (N, 3) [rad], rotation vectors: how it moves. end [ns]: the first frame with the new localisation.
    """

    stamps: tuple[int, ...]
    positions: NDArray[np.float64]
    shifts: NDArray[np.float64]
    turns: NDArray[np.float64]
    end: int

    def at(self, stamp: int) -> Pose:
        """4x4: takes what was seen at `stamp` from where the map had it to where it is.

        The identity for stamps before the way began, for that was settled, and from its end on.
        """
        index = bisect_right(self.stamps, stamp) - 1
        moved = np.eye(4)
        if index >= 0 and stamp < self.end:
            pivot = self.positions[index]
            turned = Rotation.from_rotvec(self.turns[index]).as_matrix()
            moved[:3, :3], moved[:3, 3] = turned, pivot + self.shifts[index] - turned @ pivot
        return moved


@dataclass(frozen=True)
class _Stop:
    stamp: int
    driven: float  # [m] on the whole way
    position: NDArray[np.float64]  # of the camera in the map


class LocalizationTracker:
    """The way since the last correction, and the keyframes taken since the map was settled."""

    def __init__(self) -> None:
        self._keyframes: list[DepthKeyframe] = []
        self._covered = np.empty(0)  # by keyframe, how far the newer view is that is most like it [m]
        self._localization: Pose | None = None
        self._in_odometry: Pose | None = None  # the last camera pose
        self._stops: list[_Stop] = []  # since the last correction

    @property
    def keyframes(self) -> tuple[DepthKeyframe, ...]:
        return tuple(self._keyframes)

    def update(self, stamp: int, camera_pose: Pose, localization: Pose) -> MapCorrection | None:
        """Take the next frame's poses; returns how what was seen before it moves, if it does.

        camera_pose: 4x4, optical frame to map, by the new localisation. localization: 4x4, odometry's frame to map.
        """
        in_odometry = inverse(localization) @ camera_pose
        driven = self._stops[-1].driven if self._stops else 0.0
        if self._in_odometry is not None:
            driven += float(_apart(self._in_odometry[None], in_odometry)[0])
        correction = None
        if self._localization is not None and not np.array_equal(self._localization, localization):
            uncorrected = self._localization @ in_odometry
            shift = camera_pose[:3, 3] - uncorrected[:3, 3]
            turn = Rotation.from_matrix(camera_pose[:3, :3] @ uncorrected[:3, :3].T).as_rotvec()
            moved = float(np.linalg.norm(shift))
            if moved > MIN_SHIFT or np.linalg.norm(turn) > MIN_TURN:
                if moved <= MAX_DRIFT + MAX_DRIFT_SHARE * (driven - self._stops[0].driven):
                    correction = self._spread(shift, turn, _Stop(stamp, driven, uncorrected[:3, 3]))
                self._stops = []
        self._localization, self._in_odometry = localization, in_odometry
        self._stops.append(_Stop(stamp, driven, camera_pose[:3, 3]))
        if len(self._stops) > _MAX_STOPS:
            self._stops = self._stops[::2]
        return correction

    def add_keyframe(self, keyframe: DepthKeyframe) -> None:
        """Take a keyframe, and drop older views that it covers; the most covered one when there are too many."""
        if self._keyframes:
            poses = np.array([old.camera_pose for old in self._keyframes])
            covered = np.minimum(self._covered, _apart(poses, keyframe.camera_pose))
            dropped = covered <= SAME_VIEW
            if len(covered) - dropped.sum() >= MAX_KEYFRAMES:
                dropped[covered.argmin()] = True
            self._keyframes = [old for old, drop in zip(self._keyframes, dropped, strict=True) if not drop]
            self._covered = covered[~dropped]
        self._keyframes.append(keyframe)
        self._covered = np.append(self._covered, np.inf)

    def clear_keyframes(self) -> None:
        """What was kept so far is in the map for good."""
        self._keyframes, self._covered = [], np.empty(0)

    def _spread(self, shift: NDArray[np.float64], turn: NDArray[np.float64], here: _Stop) -> MapCorrection:
        """Each part of the way gets its share of the turn, and is driven again with it; what then is missing at the
        end is shared out as well."""
        ways = np.array([stop.driven for stop in (*self._stops, here)])
        positions = np.array([stop.position for stop in (*self._stops, here)])
        way = ways[-1] - ways[0]
        # Without a way there was no drift: all was seen from the wrong place.
        shares = (ways - ways[0]) / way if way > 0 else np.ones(len(ways))
        turns = shares[:, None] * turn
        middle = Rotation.from_rotvec((turns[1:] + turns[:-1]) / 2)
        driven = np.cumsum(middle.apply(np.diff(positions, axis=0)), axis=0)
        again = positions[0] + np.concatenate((np.zeros((1, 3)), driven))
        missing = positions[-1] + shift - again[-1]
        shifts = again + shares[:, None] * missing - positions
        stamps = tuple(stop.stamp for stop in self._stops)
        return MapCorrection(stamps, positions[:-1], shifts[:-1], turns[:-1], here.stamp)


def _apart(poses: NDArray[np.float64], pose: Pose) -> NDArray[np.float64]:
    """The way from each of `poses` (N, 4, 4) to `pose` [m], turns included."""
    cosine = (np.einsum("nij,ij->n", poses[:, :3, :3], pose[:3, :3]) - 1) / 2
    turned = np.arccos(np.clip(cosine, -1, 1))
    way: NDArray[np.float64] = np.linalg.norm(poses[:, :3, 3] - pose[:3, 3], axis=1) + TURN_WEIGHT * turned
    return way
