"""How the camera sees a thing: from where, and how much of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.scene import Thing
from stma_ros.worlds.robot.state import SceneState


@dataclass(frozen=True)
class Sight:
    """A thing as the camera sees it.

    Attributes:
        bearing: direction from the thing to the camera in the thing's axes, 0 = straight in front of it [rad].
        distance: from the thing to the camera on the floor [m].
        elevation: angle at which the camera looks down onto its top [rad].
        visible: number of its visible pixels, as a share of those that a solid of its size would fill.
        pixels: number of its visible pixels as a share of the image.
    """

    bearing: float
    distance: float
    elevation: float
    visible: float
    pixels: float


def standing(thing: Thing, state: SceneState) -> Placement:
    """Returns the pose of a thing that is not in the gripper."""
    if thing.portable:
        spot = state.spots[thing.name]
        return Placement(spot.x, spot.y, spot.yaw)
    return thing.placement


def sight_of(thing: Thing, box: Box, place: Placement, base: Placement, camera: Camera, pixels: int) -> Sight:
    """Describes the view of a thing.

    Args:
        thing: the thing.
        box: its box along its own axes.
        place: its pose.
        base: pose of the robot.
        camera: the camera.
        pixels: number of its visible pixels.
    """
    bearing, distance = seen_from(place, base)
    width, depth, height = box.size
    elevation = math.atan2(camera.mount_height - box.high, max(distance, 1e-3))
    away = math.hypot(distance, camera.mount_height - box.centre[2])
    side = height * math.sqrt(width * depth) * math.cos(elevation)
    face = side + width * depth * max(math.sin(elevation), 0.0)
    whole = face * (camera.focal / max(away, 0.1)) ** 2
    return Sight(
        bearing, distance, elevation, pixels / max(whole, 1.0), pixels / (camera.width * camera.height)
    )


def seen_from(place: Placement, base: Placement) -> tuple[float, float]:
    """Returns the direction to the robot in the axes of a place [rad], and the distance [m]."""
    x, y = base.x - place.x, base.y - place.y
    return wrap_angle(math.atan2(y, x) - place.yaw), math.hypot(x, y)
