"""The room of a script, for the base and for the camera."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.picture import RANGE, Picture
from stma_ros.worlds.robot.scene import Fixture, Portable
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.scripted.script import Script

FLOOR, WALL, CEILING = "floor", "wall", "ceiling"
_HEIGHT = 2.6  # of the room [m]
_WALL = 0.1  # thickness [m]
_SURFACES = ((118, 104, 90), (205, 202, 190), (235, 235, 235))  # colours of floor, walls and ceiling
_LIGHT = (0.85, 0.7, 1.0)  # brightness of faces across x, y and z
_TILE = 0.5  # side of a floor tile, which makes motion visible [m]


class Room:
    """A Scene without objects to handle: the script states the outcomes."""

    def __init__(self, script: Script) -> None:
        width, depth = script.room
        self.bounds = Rect(0.0, 0.0, width, depth)
        self.centers = np.array([box.center for box in script.boxes]).reshape(-1, 3)
        self.sizes = np.array([box.size for box in script.boxes]).reshape(-1, 3)
        self.colours = np.array([*_SURFACES, *(box.color for box in script.boxes)], np.float64)
        named = {f"box_{k}": box.category for k, box in enumerate(script.boxes)}
        self.categories: Mapping[str, str] = {FLOOR: FLOOR, WALL: WALL, CEILING: CEILING} | named
        self.initial = SceneState()
        self.fixed: tuple[Fixture, ...] = ()
        self.items: tuple[Portable, ...] = ()
        self.fixed_by_name: Mapping[str, Fixture] = {}
        self.items_by_name: Mapping[str, Portable] = {}
        standing = [
            Rect(x - sx / 2, y - sy / 2, x + sx / 2, y + sy / 2)
            for (x, y, _), (sx, sy, _) in zip(self.centers, self.sizes, strict=True)
        ]
        walls = [
            Rect(-_WALL, -_WALL, 0.0, depth + _WALL),
            Rect(width, -_WALL, width + _WALL, depth + _WALL),
            Rect(0.0, -_WALL, width, 0.0),
            Rect(0.0, depth, width, depth + _WALL),
        ]
        self._ground = Ground.among(self.bounds, [OrientedRect.of(rect) for rect in (*walls, *standing)])

    def ground(self, state: SceneState) -> Ground:
        return self._ground

    def barriers(self, state: SceneState, within: Rect) -> tuple[OrientedRect, ...]:
        return ()

    def same_room(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        return self.bounds.contains(*a) and self.bounds.contains(*b)

    def is_clear(self, state: SceneState, x: float, y: float, radius: float) -> bool:
        return not self._ground.collides(x, y)

    def floor_height(self, x: float, y: float) -> float:
        return 0.0


class RoomRenderer:
    """Implements CameraRenderer: each pixel's ray hits a box, or the room from inside."""

    def __init__(self, room: Room, camera: Camera) -> None:
        self._room, self._camera = room, camera
        self._rays = camera.optical_rays()
        self.owners = tuple(room.categories)

    def render(self, base: Placement, state: SceneState) -> Picture:
        room, shape = self._room, (self._camera.height, self._camera.width)
        origin = self._camera.origin(base)
        rays = self._rays @ self._camera.rotation(base.yaw).T
        rays = np.where(np.abs(rays) < 1e-9, 1e-9, rays)
        upper = np.array([room.bounds.x1, room.bounds.y1, _HEIGHT])
        far = np.maximum(-origin / rays, (upper - origin) / rays)  # along rays with z = 1: the planar depth
        axis = far.argmin(axis=1)
        distance = np.take_along_axis(far, axis[:, None], 1)[:, 0]
        owner = np.where(axis < 2, 1, np.where(rays[:, 2] > 0, 2, 0))
        for k, (center, size) in enumerate(zip(room.centers, room.sizes, strict=True)):
            near, out = np.sort(
                [(center - size / 2 - origin) / rays, (center + size / 2 - origin) / rays], axis=0
            )
            entry = near.max(axis=1)
            hit = (entry < out.min(axis=1)) & (entry > 0.0) & (entry < distance)
            distance[hit], owner[hit], axis[hit] = entry[hit], len(_SURFACES) + k, near.argmax(axis=1)[hit]
        places = origin + rays * distance[:, None]
        colour = self._colour(owner, axis, places)
        depth = np.where(distance <= RANGE, np.rint(distance * 1000.0), 0.0)
        return Picture(
            colour.reshape(*shape, 3),
            depth.astype(np.uint16).reshape(shape),
            owner.astype(np.int32).reshape(shape),
        )

    def _colour(
        self, owner: NDArray[np.intp], axis: NDArray[np.intp], places: NDArray[np.float64]
    ) -> NDArray[np.uint8]:
        light = np.array(_LIGHT)[axis]
        tiles = np.floor(places[:, :2] / _TILE).sum(axis=1) % 2
        light = np.where((owner == 0) & (tiles == 1), 0.85 * light, light)
        colour: NDArray[np.uint8] = np.rint(self._room.colours[owner] * light[:, None]).astype(np.uint8)
        return colour
