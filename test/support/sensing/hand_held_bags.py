"""Recordings of a camera that a person, or a robot, carries through a room."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stma_ros.mapping.transforms import inverse, message_of, pose_matrix
from stma_ros.storage.bag.reader import Recorded
from stma_ros.types import topics
from stma_ros.types.standard import CameraInfo, Header, Image, Odometry, PoseWithCovariance, Time
from support.sensing.external_bags import BEGIN, NAMES, SECOND, tf, transform

WIDTH, HEIGHT, FOCAL = 80, 60, 60.0
OPTICAL, CAMERA, WORLD = "openni_rgb_optical_frame", "kinect", "world"
EYES = 1.5
"""Height of the camera above the floor [m]."""

HALF_ROOM, CEILING = 3.0, 2.6
TABLE = (0.8, -0.6, 1.8, 0.6, 0.75)
"""x and y of two corners, and the height of the top [m]."""

K = np.array([FOCAL, 0, (WIDTH - 1) / 2, 0, FOCAL, (HEIGHT - 1) / 2, 0, 0, 1])
R_BODY_OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])


def camera_pose(seconds: float) -> np.ndarray:
    """Returns the pose (4, 4) of the optical frame in the room, z up, floor at z = 0: it goes back and forth in its
    middle, turns, and is never quite level."""
    yaw, pitch, roll = 0.4 * seconds, 0.45 + 0.1 * math.sin(seconds), 0.08 * math.cos(2 * seconds)
    pose = turn_about(2, yaw) @ turn_about(1, pitch) @ turn_about(0, roll)
    pose[:3, :3] = pose[:3, :3] @ R_BODY_OPTICAL
    pose[:3, 3] = -1.5 * math.cos(0.3 * seconds), 0.3 * math.sin(seconds), EYES + 0.05 * math.sin(3 * seconds)
    return pose


def turn_about(axis: int, angle: float) -> np.ndarray:
    """Returns the rotation (4, 4) about a coordinate axis."""
    return pose_matrix((0, 0, 0), (*(math.sin(angle / 2) * np.eye(3)[axis]), math.cos(angle / 2)))


def depth_image(pose: np.ndarray) -> np.ndarray:
    """Returns what a camera there sees of a room with a table in it (H, W) [m]."""
    v, u = np.mgrid[:HEIGHT, :WIDTH]
    rays = np.stack([(u - K[2]) / FOCAL, (v - K[5]) / FOCAL, np.ones_like(u)], axis=-1) @ pose[:3, :3].T
    origin = pose[:3, 3]
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.array([HALF_ROOM, HALF_ROOM, CEILING])
        far = np.where(rays > 0, bounds - origin, np.array([-HALF_ROOM, -HALF_ROOM, 0.0]) - origin)
        depth = np.min(np.where(rays == 0, np.inf, far / rays), axis=-1)
        x0, y0, x1, y1, top = TABLE
        to_top = (top - origin[2]) / rays[..., 2]
    x, y = (origin[axis] + to_top * rays[..., axis] for axis in (0, 1))
    on_top = (to_top > 0) & (to_top < depth) & (x > x0) & (x < x1) & (y > y0) & (y < y1)
    return np.where(on_top, to_top, depth)


def carried(
    seconds: float = 4.0,
    hz: int = 5,
    room_in_world: np.ndarray | None = None,
    odometry_of: str = "",
    roll: float = 0.0,
) -> Iterator[Recorded]:
    """Yields colour, depth, calibration and poses of a camera that is carried through the room.

    Args:
        seconds: Length of the recording [s].
        hz: Images in a second.
        room_in_world: Pose (4, 4) of the room in the world frame of the recording; by default they are the same.
        odometry_of: Frame whose pose odometry gives; empty = the poses are in transforms.
        roll: Turn of the camera about its view [rad].
    """
    room = np.eye(4) if room_in_world is None else room_in_world
    half = tuple(float(number) for number in (-0.5, 0.5, -0.5, 0.5))
    mount = pose_matrix((0, 0, 0), half)
    yield tf(transform(BEGIN - SECOND, CAMERA, OPTICAL, xyzw=half), static=True)  # type: ignore[arg-type]
    for k in range(round(seconds * hz)):
        stamp = BEGIN + k * SECOND // hz
        pose = camera_pose(k / hz) @ turn_about(2, roll)
        where = message_of(room @ pose @ inverse(mount))
        if odometry_of:
            header = Header(Time.from_nanoseconds(stamp), "odom")
            placed = PoseWithCovariance(message_of(room @ pose) if odometry_of == OPTICAL else where)
            yield Recorded(NAMES[topics.ODOMETRY], stamp, Odometry(header, odometry_of, placed))
        else:
            p, q = where.position, where.orientation
            yield tf(transform(stamp, WORLD, CAMERA, (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)))
        yield from pictures(stamp, pose)


def driven(
    mount: np.ndarray, seconds: float = 10.0, hz: int = 2, yaw_rate: float = 0.0
) -> Iterator[Recorded]:
    """Yields colour, depth, calibration and odometry of a robot that drives through the room with a camera on it.

    Args:
        mount: Pose (4, 4) of the camera's body frame on the base.
        seconds: Length of the recording [s].
        hz: Images in a second.
        yaw_rate: Turn in a second [rad].
    """
    optical = mount.copy()
    optical[:3, :3] = optical[:3, :3] @ R_BODY_OPTICAL
    p, q = message_of(optical).position, message_of(optical).orientation
    yield tf(
        transform(BEGIN - SECOND, "base_link", OPTICAL, (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)), static=True
    )
    for k in range(round(seconds * hz)):
        stamp = BEGIN + k * SECOND // hz
        base = turn_about(2, yaw_rate * k / hz)
        base[:2, 3] = 0.2 * k / hz - 2.0, 0.3
        header = Header(Time.from_nanoseconds(stamp), "odom")
        placed = PoseWithCovariance(message_of(base))
        yield Recorded(NAMES[topics.ODOMETRY], stamp, Odometry(header, "base_link", placed))
        yield from pictures(stamp, base @ optical)


def pictures(stamp: int, pose: np.ndarray) -> Iterator[Recorded]:
    """Yields colour, depth and calibration of a camera (4, 4) in the room."""
    header = Header(Time.from_nanoseconds(stamp), OPTICAL)
    color = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
    depth = np.rint(depth_image(pose) * 1000).astype(np.uint16)
    yield Recorded(NAMES[topics.COLOR], stamp, Image.from_array(header, color, "rgb8"))
    yield Recorded(NAMES[topics.DEPTH], stamp, Image.from_array(header, depth, "16UC1"))
    yield Recorded(
        NAMES[topics.CAMERA_INFO], stamp, CameraInfo(header, HEIGHT, WIDTH, "plumb_bob", np.zeros(5), K)
    )
