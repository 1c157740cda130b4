"""The way of a person through all rooms of a flat, and the camera in the person's hands.

The person goes from room to room, to the nearest one next, stops where most of a room's floor is around, and looks once
around. The camera sways with the steps, is never quite level, and glances to the sides.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, gaussian_filter1d

from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.clearance import RESOLUTION
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.motion import Ground, Waypoint, way_length
from stma_ros.worlds.robot.state import SceneState

WALKING: Final = 0.7
"""Speed between two stops [m/s]; people who film go slower than others."""

TURNING: Final = 0.9
"""Speed of a look around [rad/s]."""

BIG_ROOM: Final = 14.0
"""Floor area from which a room has two stops [m2]."""

_STREAM = 71  # number of the random stream
_SMOOTH = 0.35  # standard deviation of the smoothing of the way and its direction [s]
_CLOSE = 1.2  # least distance between the stops of a room [m]
_STEPS = 1.7  # [Hz]
_BOB, _SWAY = 0.02, 0.015  # of each step, up and to the sides [m]
_SLOW = (0.07, 0.16, 0.29)  # frequencies of what the hands do [Hz]
_HEIGHT, _GLANCE, _NOD, _ROLL = 0.05, 0.3, 0.14, 0.06  # its root mean squares [m, rad, rad, rad]


@dataclass(frozen=True)
class Route:
    """The true poses of the camera.

    Attributes:
        poses: one for each image.
        rooms: numbers of the rooms in which the person looked around, in order.
    """

    poses: tuple[CameraPose, ...]
    rooms: tuple[int, ...]


def opened(flat: Flat) -> SceneState:
    """Returns the state of a flat in which the person walks: every door stands open."""
    return flat.initial.opened(*(door.name for door in flat.doors))


def route_of(flat: Flat, camera: Camera, rate: float, seed: int) -> Route:
    """Returns the way through all rooms that can be reached.

    Args:
        flat: the flat.
        camera: its mount gives the usual height and pitch.
        rate: of the images [Hz].
        seed: draws the place of the beginning and all that hands do.
    """
    rng = np.random.default_rng((seed, _STREAM))
    ground = flat.ground(opened(flat))
    start = start_pose(flat, rng)
    stops = _stops(flat, ground, start)
    samples: list[tuple[float, float, float]] = [(start.x, start.y, start.yaw)]
    rooms: list[int] = []
    while stops:
        here = Placement(*samples[-1])
        room, way = _nearest(ground, here, stops)
        stops.remove((room, way[-1]))
        rooms.append(room)
        samples.extend(_walked(here, way, rate))
        samples.extend(_turned(Placement(*samples[-1]), 2 * math.pi * rng.choice((-1, 1)), rate))
    return Route(tuple(_held(np.array(samples), camera, rate, rng)), tuple(dict.fromkeys(rooms)))


def _stops(flat: Flat, ground: Ground, start: Placement) -> list[tuple[int, Waypoint]]:
    """Returns the stops, each with the number of its room: where the nearest obstacle is farthest."""
    clearance, reachable = ground.reachable_from(start)
    xs, ys = clearance.centres
    space = distance_transform_edt(np.pad(reachable, 1))[1:-1, 1:-1] * RESOLUTION
    stops: list[tuple[int, Waypoint]] = []
    for number, room in enumerate(flat.layout.rooms):
        x, y = np.broadcast_arrays(xs, ys)
        left = reachable & (room.floor.outside(x.ravel(), y.ravel()).reshape(x.shape) == 0)
        for _ in range(2 if room.floor.area >= BIG_ROOM else 1):
            if not left.any():
                break
            row, column = np.unravel_index(int(np.argmax(np.where(left, space, -1))), left.shape)
            stop = clearance.point((int(row), int(column)))
            stops.append((number, stop))
            left = left & (np.hypot(x - stop[0], y - stop[1]) > max(_CLOSE, math.sqrt(room.floor.area) / 2))
    return stops


def _nearest(
    ground: Ground, here: Placement, stops: list[tuple[int, Waypoint]]
) -> tuple[int, tuple[Waypoint, ...]]:
    """Returns the room of the stop with the shortest way, and the way, which ends at the stop."""
    ways = []
    for room, stop in stops:
        found = ground.way(here, *stop) or ()
        way = (*found[:-1], stop) if found else (stop,)  # a stop is free; one at hand needs no way
        ways.append((way_length(here, way), room, way))
    _, room, way = min(ways)
    return room, way


def _walked(here: Placement, way: tuple[Waypoint, ...], rate: float) -> Iterator[tuple[float, float, float]]:
    """Yields places on a way at the rate, each turned to where the way leads; before it, the turn towards it."""
    yaw = here.yaw
    for (x0, y0), (x1, y1) in itertools.pairwise([(here.x, here.y), *way]):
        length = math.hypot(x1 - x0, y1 - y0)
        if length < RESOLUTION:
            continue
        heading = math.atan2(y1 - y0, x1 - x0)
        yield from _turned(Placement(x0, y0, yaw), wrap_angle(heading - yaw), rate)
        yaw = heading
        count = max(1, round(length / WALKING * rate))
        for k in range(1, count + 1):
            yield x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count, yaw


def _turned(at: Placement, angle: float, rate: float) -> Iterator[tuple[float, float, float]]:
    count = max(1, round(abs(angle) / TURNING * rate))
    for k in range(1, count + 1):
        yield at.x, at.y, at.yaw + angle * k / count


def _held(
    samples: NDArray[np.float64], camera: Camera, rate: float, rng: np.random.Generator
) -> Iterator[CameraPose]:
    """Yields the poses of the camera of a person who is at these places (N, 3: x, y, yaw)."""
    count = len(samples)
    samples[:, 2] = np.unwrap(samples[:, 2])
    smooth = gaussian_filter1d(samples, _SMOOTH * rate, axis=0, mode="nearest")
    seconds = np.arange(count) / rate
    speed = np.hypot(*np.gradient(smooth[:, :2], 1 / rate, axis=0).T) if count > 1 else np.zeros(count)
    step = np.minimum(speed / WALKING, 1.0)
    phase = 2 * math.pi * _STEPS * seconds
    height, glance, nod, roll = (_slow(seconds, size, rng) for size in (_HEIGHT, _GLANCE, _NOD, _ROLL))
    side = _SWAY * step * np.sin(phase / 2)
    x = smooth[:, 0] - side * np.sin(smooth[:, 2])
    y = smooth[:, 1] + side * np.cos(smooth[:, 2])
    z = camera.mount_height + height + _BOB * step * np.sin(phase)
    yaw, pitch = smooth[:, 2] + glance, camera.pitch + nod
    for row in np.stack([x, y, z, yaw, pitch, roll], axis=1).tolist():
        yield CameraPose(*row)


def _slow(seconds: NDArray[np.float64], size: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Returns a slow motion to and fro. size: its root mean square."""
    phases = rng.uniform(0, 2 * math.pi, len(_SLOW))
    waves = sum(np.sin(2 * math.pi * hz * seconds + at) for hz, at in zip(_SLOW, phases, strict=True))
    return np.asarray(size * math.sqrt(2 / len(_SLOW)) * waves, np.float64)
