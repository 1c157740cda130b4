"""Corrections of the map after a jump of the localisation: what was mapped with a wrong pose is moved.

Odometry drifts with the distance driven, and a corrected localisation removes the drift since its last correction at
once. So each place on the way gets a share of the correction, in proportion to the distance driven to it. What was
mapped before the last correction stays.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.transforms import Pose, apply, inverse, yaw_of

MIN_SHIFT, MIN_TURN = 0.02, float(np.deg2rad(0.5))
"""A localisation that moves the robot by less [m, rad] has no effect on the cells of the map."""

MAX_DRIFT, MAX_DRIFT_SHARE = 0.3, 0.2
"""Odometry drifts by at most this [m] and this share of the way."""

MAX_DRIFT_TURN = float(np.deg2rad(20))
"""Odometry turns by at most this [rad] between two corrections. After a larger jump of either kind, the map before it
has another frame, or the robot was carried: nothing says which."""

TURN_WEIGHT = 0.3
"""A rotation of one radian causes as much drift as this way [m]."""

MAX_STEP = 1.0
"""A robot moves at most this far from one frame to the next [m]."""

COMPACT_WIDTH = 160
"""Stored depth images are subsampled to at most this width [px]: 38 kB each."""

MAX_KEYFRAMES = 200
"""Keyframes that are stored at a time: 8 MB. Integrating them again takes half a second."""

SAME_VIEW = 0.2
"""A newer view from within this distance [m, plus TURN_WEIGHT per rad] replaces an older one."""

_MAX_STOPS = 2048


@dataclass(frozen=True)
class DepthKeyframe:
    """A depth image that can be integrated again.

    Attributes:
        stamp: of the image [ns].
        depth_mm: (H, W) uint16 [mm].
        camera: intrinsics of the subsampled image.
        camera_pose: 4x4 pose of the optical frame in the map frame.
        base: (x, y) of the robot's base in the map frame [m]; None = it stood on stairs, above the floor.
    """

    stamp: int
    depth_mm: DepthImage
    camera: PinholeCamera
    camera_pose: Pose
    base: tuple[float, float] | None

    @classmethod
    def compact(
        cls,
        stamp: int,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
    ) -> DepthKeyframe:
        """Returns a keyframe with every n-th row and column of a depth image."""
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
        """Returns the keyframe at its corrected pose."""
        shift = correction.at(self.stamp)
        return replace(self, camera_pose=shift @ self.camera_pose, base=_moved_base(self.base, shift))


class UprightBox(NamedTuple):
    """An upright box: centre (x, y, z) in the map frame and sides along its own axes [m], heading of these [rad]."""

    center: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float


@dataclass(frozen=True)
class MapEdit:
    """A change of the map that no depth image shows, and that a correction moves as well.

    Attributes:
        stamp: of the last frame before it [ns].
        base: (x, y) where the robot stood in the map frame [m]; None = above the floor, or there is no robot.
        forgotten: box that was made unknown again; None = none was.
    """

    stamp: int
    base: tuple[float, float] | None
    forgotten: UprightBox | None = None

    def repeats(self, last: MapEdit) -> bool:
        """Whether all that it says is that the robot stands where the last edit has it."""
        if self.forgotten or last.forgotten or self.base is None or last.base is None:
            return False
        return bool(np.hypot(self.base[0] - last.base[0], self.base[1] - last.base[1]) <= SAME_VIEW)

    def moved(self, correction: MapCorrection) -> MapEdit:
        """Returns the edit at its corrected place."""
        shift = correction.at(self.stamp)
        forgotten = self.forgotten
        if forgotten is not None:
            x, y, z = apply(shift, forgotten.center).tolist()
            forgotten = UprightBox((x, y, z), forgotten.size, forgotten.yaw + yaw_of(shift))
        return replace(self, base=_moved_base(self.base, shift), forgotten=forgotten)


@dataclass(frozen=True)
class MapCorrection:
    """Displacement of observations since the last correction of the localisation.

    Attributes:
        stamps: stamps of N stops on the way [ns], ascending.
        positions: (N, 3) positions of the camera in the uncorrected map [m].
        shifts: (N, 3) translations [m].
        turns: (N, 3) rotation vectors [rad].
        end: stamp of the first frame with the new localisation [ns].
    """

    stamps: tuple[int, ...]
    positions: NDArray[np.float64]
    shifts: NDArray[np.float64]
    turns: NDArray[np.float64]
    end: int

    def farthest(self, max_range: float) -> float:
        """Returns by how much it moves anything at most that was seen from within a range [m]."""
        shift, turn = (np.linalg.norm(part, axis=1).max() for part in (self.shifts, self.turns))
        return float(shift + turn * max_range)

    def at(self, stamp: int) -> Pose:
        """Returns the rigid 4x4 pose that moves what was seen at `stamp` to its corrected place.

        It is the identity for stamps before the first stop, and from `end` on.
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
    """The way since the last correction, and the keyframes and edits that a correction moves.

    Attributes:
        jumped: whether the localisation of the last frame moved the robot by more than drift.
    """

    def __init__(self) -> None:
        self._keyframes: list[DepthKeyframe] = []
        # By keyframe, how far the newer view is that is most like it [m].
        self._covered: NDArray[np.float64] = np.empty(0)
        self._edits: list[MapEdit] = []
        self._localization: Pose | None = None
        self._in_odometry: Pose | None = None  # the last camera pose
        self._last_pose: Pose = np.eye(4)  # the same in the map
        self._stops: list[_Stop] = []  # since the last correction
        self.jumped = False

    @property
    def keyframes(self) -> tuple[DepthKeyframe, ...]:
        """The stored keyframes, oldest first."""
        return tuple(self._keyframes)

    @property
    def edits(self) -> tuple[MapEdit, ...]:
        """The stored edits, oldest first."""
        return tuple(self._edits)

    @property
    def stamp(self) -> int:
        """Stamp of the last frame [ns]; -1 before the first one."""
        return self._stops[-1].stamp if self._stops else -1

    def update(self, stamp: int, camera_pose: Pose, localization: Pose) -> MapCorrection | None:
        """Takes the poses of the next frame.

        Args:
            stamp: of the frame [ns].
            camera_pose: 4x4 pose of the optical frame in the map frame, by the new localisation.
            localization: 4x4 pose of the odometry's frame in the map frame.

        Returns:
            The correction of what was seen before, if the localisation jumped; else None.
        """
        in_odometry = inverse(localization) @ camera_pose
        driven = self._stops[-1].driven if self._stops else 0.0
        step = 0.0
        if self._in_odometry is not None:
            step = float(_apart(self._in_odometry[None], in_odometry)[0])
            driven += step
        correction, self.jumped = None, False
        if self._localization is not None and not np.array_equal(self._localization, localization):
            uncorrected = self._localization @ in_odometry
            shift = camera_pose[:3, 3] - uncorrected[:3, 3]
            turn = Rotation.from_matrix(camera_pose[:3, :3] @ uncorrected[:3, :3].T).as_rotvec()
            moved = float(np.linalg.norm(shift))
            if moved > MIN_SHIFT or np.linalg.norm(turn) > MIN_TURN:
                drift = MAX_DRIFT + MAX_DRIFT_SHARE * (driven - self._stops[0].driven)
                is_turned = bool(np.linalg.norm(turn) > MAX_DRIFT_TURN)
                is_drift = moved <= drift and not is_turned
                # Where odometry was reset, the pose in the map is the one that goes on.
                leap = float(_apart(self._last_pose[None], camera_pose)[0])
                self.jumped = not is_drift and leap > step and (is_turned or leap > MAX_STEP)
                if is_drift:
                    correction = self._spread(shift, turn, _Stop(stamp, driven, uncorrected[:3, 3]))
                self._stops = []
        self._localization, self._in_odometry, self._last_pose = localization, in_odometry, camera_pose
        self._stops.append(_Stop(stamp, driven, camera_pose[:3, 3]))
        if len(self._stops) > _MAX_STOPS:
            self._stops = self._stops[::2]
        return correction

    def add_keyframe(self, keyframe: DepthKeyframe) -> None:
        """Stores a keyframe, and drops older ones with the same view; beyond MAX_KEYFRAMES the one that is covered
        most."""
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

    def add_edit(self, edit: MapEdit) -> None:
        """Stores an edit; one that only says that the robot stands where it stood at the last one is dropped."""
        if not self._edits or not edit.repeats(self._edits[-1]):
            self._edits.append(edit)

    def clear(self) -> None:
        """Drops keyframes and edits: what they show is in the map for good."""
        self._keyframes, self._covered, self._edits = [], np.empty(0), []

    def _spread(self, shift: NDArray[np.float64], turn: NDArray[np.float64], here: _Stop) -> MapCorrection:
        """Distributes a correction over the way.

        Each part gets its share of the rotation and is driven again with it; the remaining offset at the end is
        distributed as well.
        """
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


def _moved_base(base: tuple[float, float] | None, shift: Pose) -> tuple[float, float] | None:
    if base is None:
        return None
    x, y, _ = apply(shift, (*base, 0.0)).tolist()
    return x, y


def _apart(poses: NDArray[np.float64], pose: Pose) -> NDArray[np.float64]:
    """Returns the distances from each of `poses` (N, 4, 4) to `pose` [m], rotations included."""
    cosine = (np.einsum("nij,ij->n", poses[:, :3, :3], pose[:3, :3]) - 1) / 2
    turned = np.arccos(np.clip(cosine, -1, 1))
    way: NDArray[np.float64] = np.linalg.norm(poses[:, :3, 3] - pose[:3, 3], axis=1) + TURN_WEIGHT * turned
    return way
