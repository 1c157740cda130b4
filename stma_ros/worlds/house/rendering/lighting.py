"""Computes the light in the images: ambient, the lamp of each room with its shadows, a headlight at the camera, and
the sun.

Triangles are flat: only the distances to the lamp and the camera vary over a triangle, so that the rest is computed
once per triangle and not per pixel.
"""

from __future__ import annotations

import numpy as np
import open3d as o3d
from numpy.typing import NDArray

from stma_ros.worlds.house import finish
from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.building.shell import windows
from stma_ros.worlds.house.meshes import Mesh
from stma_ros.worlds.house.rendering.pixel_kernels import FloatImage, add_light, paint, shadow_rays
from stma_ros.worlds.house.rendering.sunlight import Sunlight

_PLANKS, _TILES = 1, 2  # patterns of floors; 0 = none
_AMBIENT, _SKY, _BOUNCE, _LAMP = map(np.float32, (finish.AMBIENT, finish.SKY, finish.BOUNCE, finish.LAMP))
_HEADLIGHT = np.float32(0.12)  # share of the light that comes from the camera
_OFF_SURFACE = np.float32(0.004)  # start of shadow rays, as a share of the distance to the lamp
_SHADOW = np.float32(0.55)  # share of the lamp's light that a shadow removes


class Lighting:
    """Lights one mesh.

    Args:
        layout: layout of the flat. The mesh begins with the floors of its rooms, two triangles each.
        mesh: T triangles. Index T stands for no triangle, and is black.
        shines: (T) bool, the luminous triangles.
        scene: the mesh for shadow rays.
        sun: direction to the sun (3,); None = it does not shine.
    """

    def __init__(
        self,
        layout: Layout,
        mesh: Mesh,
        shines: NDArray[np.bool_],
        scene: o3d.t.geometry.RaycastingScene,
        sun: NDArray[np.float64] | None = None,
    ) -> None:
        self._scene = scene
        corners = mesh.vertices[mesh.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normals, axis=1)
        normals /= np.where(length > 0, length, 1.0)[:, None]
        lamp = _lamps_of(layout, corners.mean(axis=1))
        self._lamp = np.vstack([lamp, lamp[:1]]).astype(np.float32)
        self._normal = np.vstack([normals, np.zeros((1, 3))]).astype(np.float32)
        self._offset = np.append((normals * corners[:, 0]).sum(axis=1), 0.0).astype(np.float32)
        self._to_lamp = np.append((normals * (lamp - corners[:, 0])).sum(axis=1), 0.0).astype(np.float32)
        self._colour = np.vstack([mesh.colours, np.zeros((1, 3))]).astype(np.float32)
        self._dark = ~np.append(shines, False)
        self._sunlight = (
            None if sun is None else Sunlight(windows(layout), sun, self._normal, self._dark, scene)
        )
        self._pattern = np.zeros(len(self._colour), np.uint8)
        for k, room in enumerate(layout.rooms):
            planks = ROOM_TEMPLATES[room.kind].pattern == "planks"
            self._pattern[2 * k : 2 * k + 2] = _PLANKS if planks else _TILES

    def shade(self, rays: FloatImage, distance: FloatImage, triangle: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Returns the colours (H, W, 3) at the hits of rays.

        Args:
            rays: (H, W, 6), origin (the same for all) and direction.
            distance: (H, W), in lengths of the directions.
            triangle: (H, W), index of the triangle at the hit.
        """
        offset = self._offset - (self._normal * rays[0, 0, :3]).sum(axis=1, dtype=np.float32)
        side = -np.sign(offset)  # the visible side is the lit side
        upward = side * self._normal[:, 2]
        steady = np.where(self._dark, _AMBIENT + _SKY * upward + _BOUNCE * np.maximum(-upward, 0), 1)
        by_lamp = np.where(self._dark, _LAMP * np.maximum(side * self._to_lamp, 0), 0)
        by_headlight = np.where(self._dark, _HEADLIGHT * np.abs(offset), 0)
        to_lamp, light, share = (np.empty(triangle.shape, np.float32) for _ in range(3))
        asked = np.empty((triangle.size, 6), np.float32)
        count = shadow_rays(rays, distance, triangle, self._lamp, by_lamp, _OFF_SURFACE, to_lamp, asked)
        blocked = self._scene.test_occlusions(o3d.core.Tensor.from_numpy(asked[:count]), 0.0, 0.98).numpy()
        add_light(
            rays,
            distance,
            triangle,
            by_lamp,
            by_headlight,
            steady,
            to_lamp,
            blocked,
            _SHADOW,
            share,
            light,
        )
        if self._sunlight is not None:
            self._sunlight.add(rays, distance, triangle, side, light)
        self._add_grain(light, rays, distance, triangle)
        picture = np.empty((*triangle.shape, 3), np.uint8)
        paint(self._colour, triangle, light, picture)
        return picture

    def _add_grain(
        self, light: FloatImage, rays: FloatImage, distance: FloatImage, triangle: NDArray[np.int32]
    ) -> None:
        """Adds the brightness of floor boards and tiles to `light`."""
        pattern = self._pattern.take(triangle)
        planks = pattern == _PLANKS
        x, y = _points(rays, distance, planks)
        length, width = finish.PLANK
        row = np.floor(y / width)
        board = np.floor(x / length + row * (finish.PLANK_SHIFT / length))
        joint = np.mod(y, width) < finish.PLANK_JOINT
        joint |= np.mod(x + row * finish.PLANK_SHIFT, length) < finish.PLANK_JOINT
        light[planks] *= np.where(joint, finish.DARK_PLANK_JOINT, finish.plank_shade(row, board))
        tiles = pattern == _TILES
        x, y = _points(rays, distance, tiles)
        joint = (np.mod(x, finish.TILE) < finish.TILE_JOINT) | (np.mod(y, finish.TILE) < finish.TILE_JOINT)
        checker = np.mod(np.floor(x / finish.TILE) + np.floor(y / finish.TILE), 2)
        light[tiles] *= np.where(joint, finish.DARK_TILE_JOINT, finish.tile_shade(checker))


def _lamps_of(layout: Layout, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the lamp (T, 3) of each place: that of its room, or of the nearest room."""
    x, y = places[:, 0], places[:, 1]
    away = [room.floor.outside(x, y) for room in layout.rooms]
    lamps = np.array([(*room.floor.centre, finish.LAMP_HEIGHT) for room in layout.rooms])
    nearest: NDArray[np.float64] = lamps[np.argmin(np.stack(away), axis=0)]
    return nearest


def _points(
    rays: FloatImage, distance: FloatImage, where: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Returns x and y of the hits of the rays of those pixels."""
    far = distance[where]
    x, y = (rays[0, 0, axis] + rays[..., 3 + axis][where] * far for axis in range(2))
    return x, y
