"""Compares the floor that a camera shows with the map's, and puts a recording level on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from stma_ros.mapping.camera import point_image
from stma_ros.mapping.floor_plane import MAX_TILT, FloorPlane, find_floor
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.mapping_file import Vector
from stma_ros.sensing.transforms import Rigid
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

Vectors = NDArray[np.float64]

DOWN = (0.0, 0.0, -1.0)
"""Direction of gravity in a map frame."""

PERIOD = NANOSECONDS_PER_SECOND // 2
"""Time between two frames that are looked at, at first [ns]."""

FRAMES = 64
"""Largest number of frames whose points are stored; beyond it every second one is dropped, and the period doubled."""

HEIGHT_ERROR = 0.05
"""A floor that is farther than this from z = 0 [m] is not where the map takes it to be; obstacles begin at 0.1 m."""

TILT_ERROR = math.radians(1.0)
"""A floor that is tilted by more than this [rad] leaves that height within a room."""

_COLUMNS = 80  # of the points of a frame
_RANGE = 5.0  # [m] beyond which depth is too noisy
_POINTS = 20_000  # in which the floor is searched
_ROUGH_TILT = 0.7  # [rad] of the upper edges of a camera that is held, from the vertical
_NORMAL_ERROR = 0.3  # [rad] of the normal at a noisy point
_SEED = 0


class FloorSurvey:
    """Collects points of surfaces from the frames of a recording, and finds the floor among them."""

    def __init__(self) -> None:
        self._points: list[Vectors] = []  # (N, 6) points and normals in the map
        self._ups: list[Vectors] = []  # (3,) directions of the upper edges in the map, without a robot
        self._period = PERIOD
        self._last: int | None = None

    @property
    def frames(self) -> int:
        """Number of stored frames."""
        return len(self._points)

    def take(self, frame: CameraFrame) -> None:
        """Takes a frame; one that is too close in time to the last one is passed over."""
        stamp = frame.stamp.nanoseconds
        if frame.view is None or (self._last is not None and 0 <= stamp - self._last < self._period):
            return
        self._last = stamp
        view = frame.view
        points = point_image(view.depth_mm, view.camera, max(1, view.camera.width // _COLUMNS), _RANGE)
        turn, place = view.camera_pose[:3, :3], view.camera_pose[:3, 3]
        found = _with_normals(points.astype(np.float64))
        self._points.append(np.hstack([found[:, :3] @ turn.T + place, found[:, 3:] @ turn.T]))
        if frame.pose is not None and not frame.pose.has_base:
            self._ups.append(-turn[:, 1])
        if len(self._points) > FRAMES:
            del self._points[1::2], self._ups[1::2]
            self._period *= 2

    def floor(self, up_is_z: bool = False) -> FloorPlane | None:
        """Returns the floor in the map; None if none was seen.

        A robot's map has z up, however the camera is mounted on it. Where a person holds the camera, up may also be the
        mean direction of the images' upper edges: of two planes the larger one is the floor.

        Args:
            up_is_z: Whether z is known to point up, also without a robot.
        """
        if not self._points:
            return None
        points = np.concatenate(self._points)
        ways = [(np.array([0.0, 0.0, 1.0]), MAX_TILT)]
        held = self._held_up()
        if held is not None and not up_is_z and held[2] < math.cos(_ROUGH_TILT):
            ways.append((held, _ROUGH_TILT))
        floors = [floor for way in ways if (floor := _facing_floor(points, *way)) is not None]
        return max(floors, key=lambda floor: floor.share, default=None)

    def _held_up(self) -> Vectors | None:
        """Returns the mean direction (3,) of the images' upper edges; None for a robot, or if they have none."""
        mean = np.mean(self._ups, axis=0) if self._ups else np.zeros(3)
        length = float(np.linalg.norm(mean))
        return mean / length if length > 0.5 else None


def is_level(floor: FloorPlane) -> bool:
    """Returns whether a floor in the map is where the map takes it to be."""
    return abs(float(floor.center[2])) <= HEIGHT_ERROR and floor.tilt <= TILT_ERROR


def where(floor: FloorPlane) -> str:
    """Returns height and tilt of a floor for people."""
    return f"at z = {floor.center[2]:.2f} m, tilted by {math.degrees(floor.tilt):.1f} degrees"


def floor_notes(floor: FloorPlane) -> Iterator[str]:
    """Says what follows from a floor that is not level at z = 0, or in which things are mirrored, and the remedy."""
    if not is_level(floor):
        yield (
            f"the floor was seen {where(floor)}. A map has it level at z = 0, and all that is higher stands in the "
            "way: write `floor: auto` in a mapping file, or say where it is (`floor`, `gravity`; upper floors: "
            "`--set spatial_memory.floors`)"
        )
    if floor.mirrored:
        yield (
            f"a level surface {floor.mirrored:.2f} m below the floor was taken for a reflection in it; if that is the "
            "floor, write its height as `floor` in a mapping file"
        )


def level_of(frames: Iterable[CameraFrame], gravity: Vector | None) -> tuple[Rigid | None, str]:
    """Finds the floor in the first frames of a recording.

    Args:
        frames: They are turned by gravity, if it is known.
        gravity: Direction of gravity in the recording; None = not known.

    Returns:
        The transform into a frame with z up and the floor at z = 0, None for the recording's own, and a remark for
        people.
    """
    survey = FloorSurvey()
    for frame in frames:
        survey.take(frame)
        if survey.frames == FRAMES:
            break
    floor = survey.floor(up_is_z=gravity is not None)
    if floor is None:
        note = "`floor: auto` found no floor in the depth images: nothing says at which height it is"
        return None if gravity is None else upright(gravity), note
    note = f"the floor was found {where(floor)}: it is z = 0 of the map, which is level"
    if gravity is not None:
        return upright(gravity, float(floor.center[2])), note
    return (None, "") if is_level(floor) else (upright(-floor.normal, floor.offset), note)


def upright(gravity: ArrayLike, height: float = 0.0) -> Rigid:
    """Returns the transform into a frame with z up and the floor at z = 0.

    Args:
        gravity: (3,) direction of gravity in the frame of the recording, of any length.
        height: Height of the floor above the origin of that frame, against gravity [m].
    """
    up = -np.asarray(gravity, np.float64) / np.linalg.norm(gravity)
    axis = np.array([up[1], -up[0], 0.0])  # the product of up and z
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        axis, sine = np.array([1.0, 0.0, 0.0]), 0.0  # level already, or upside down
    turn = Rotation.from_rotvec(axis / np.linalg.norm(axis) * math.atan2(sine, up[2]))
    x, y, z, w = (float(number) for number in turn.as_quat())
    return Rigid((0.0, 0.0, -height), (x, y, z, w))


def _facing_floor(points: Vectors, up: Vectors, max_tilt: float) -> FloorPlane | None:
    """Returns the floor among points (N, 6) with normals, of those that face upwards, with its share of all points."""
    facing = points[points[:, 3:] @ up > math.cos(max_tilt + _NORMAL_ERROR), :3]
    part = len(facing) / max(1, len(points))
    rng = np.random.default_rng(_SEED)
    if len(facing) > _POINTS:
        facing = facing[rng.choice(len(facing), _POINTS, replace=False)]
    floor = find_floor(facing, rng, up, max_tilt)
    return None if floor is None else replace(floor, share=floor.share * part)


def _with_normals(points: Vectors) -> Vectors:
    """Returns points (N, 6) of an image of points (H, W, 3) with their normals, which point towards the camera."""
    here, right, below = points[:-1, :-1], points[:-1, 1:], points[1:, :-1]
    normals = np.cross(below - here, right - here)
    lengths = np.linalg.norm(normals, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        normals /= lengths[..., None]
        normals *= -np.sign(np.sum(normals * here, axis=-1))[..., None]
    found = np.concatenate([here, normals], axis=-1).reshape(-1, 6)
    kept: Vectors = found[np.isfinite(found).all(axis=1)]
    return kept
