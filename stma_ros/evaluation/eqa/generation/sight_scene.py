"""Computes with full knowledge which things a camera of the robot sees from many poses at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import open3d as o3d
from numpy.typing import NDArray

from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import Mesh, merge
from stma_ros.worlds.house.rendering.owned_meshes import owned_meshes
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import FloatArray, Placement
from stma_ros.worlds.robot.state import SceneState

SAMPLES: Final = 64
"""Points on the surface of a thing for which its visibility is computed."""

EDGE: Final = 0.95
"""Share of the image, from its centre, in which things are looked for: at the edge they are cut off."""

_OFF = 2e-3  # from a sampled point to the nearest hit in front of it [m]


@dataclass(frozen=True, eq=False)
class _Surface:
    """Sampled points of a thing: positions (S, 3), normals (S, 3) and areas (S,)."""

    points: FloatArray
    normals: FloatArray
    areas: FloatArray


class SightScene:
    """The surfaces of a flat in one state, and the camera that looks at them.

    Poses are those of the base, in the frame of the home.
    """

    def __init__(self, flat: Flat, state: SceneState, camera: Camera) -> None:
        self.camera = camera
        things = owned_meshes(flat, state)
        self.names: tuple[str, ...] = tuple(thing.name for thing in things)
        meshes = [merge([thing.mesh, thing.glow]) for thing in things]
        self._meshes = dict(zip(self.names, meshes, strict=True))
        self._owner = np.repeat(np.arange(len(meshes)), [len(mesh.triangles) for mesh in meshes])
        whole = merge(meshes)
        self._scene = o3d.t.geometry.RaycastingScene(nthreads=1)
        tensor = o3d.core.Tensor.from_numpy
        self._scene.add_triangles(
            tensor(whole.vertices.astype(np.float32)), tensor(whole.triangles.astype(np.uint32))
        )
        self._rays = camera.optical_rays()
        self._surfaces: dict[str, _Surface] = {}

    def pixels(self, base: Placement) -> dict[str, int]:
        """Returns the number of pixels of each thing in the image from a pose."""
        directions = self._rays @ self.camera.rotation(base.yaw).T
        origins = np.broadcast_to(self.camera.origin(base), directions.shape)
        _, triangles = self._cast(origins, directions)
        shown = triangles < len(self._owner)
        counts = np.bincount(self._owner[triangles[shown]], minlength=len(self.names))
        return {self.names[k]: int(counts[k]) for k in np.flatnonzero(counts).tolist()}

    def centre(self, name: str) -> FloatArray:
        """Returns the middle (3,) of a thing [m]."""
        low, high = self._meshes[name].bounds()
        middle: FloatArray = (low + high) / 2
        return middle

    def estimates(self, places: FloatArray, yaws: FloatArray, name: str) -> tuple[FloatArray, FloatArray]:
        """Estimates how much of a thing is visible from many poses.

        Args:
            places: (V, 2) positions of the base [m].
            yaws: (V,) [rad].
            name: of the thing.

        Returns:
            Number of its pixels (V,), and their share (V,) of those that it would have if nothing hid it and the image
            were large enough.
        """
        surface = self._surface(name)
        origins, rays = self._rays_to(places, surface.points)
        lengths = np.linalg.norm(rays, axis=2)
        # Of a closed surface half is turned away, and hidden; some meshes are sheets with two sides.
        facing = np.abs(np.einsum("vsk,sk->vs", rays, surface.normals)) / np.maximum(lengths, 1e-6)
        size = self.camera.focal**2 * surface.areas * facing / np.maximum(lengths, 0.1) ** 2
        wanted = self.in_image(rays, yaws)
        seen = np.zeros(wanted.shape, bool)
        if wanted.any():
            hits, _ = self._cast(origins[wanted], rays[wanted])
            seen[wanted] = hits >= 1 - _OFF / np.maximum(lengths[wanted], _OFF)
        pixels: FloatArray = (size * seen).sum(axis=1)
        whole = size.sum(axis=1) / 2
        return pixels, pixels / np.maximum(whole, 1e-9)

    def reaches(self, places: FloatArray, points: FloatArray, slack: float) -> NDArray[np.bool_]:
        """Returns whether the camera, above each place (V, 2) and turned to each point (P, 3), has it in view: (V, P).

        slack: distance before a point at which something else may hide it [m].
        """
        origins, rays = self._rays_to(places, points)
        yaws = np.arctan2(rays[..., 1], rays[..., 0])
        ahead = np.hypot(rays[..., 0], rays[..., 1])
        below = np.arctan2(-rays[..., 2], ahead) - self.camera.pitch
        half = math.atan2(self.camera.height / 2, self.camera.focal) * EDGE
        wanted = np.abs(below) <= half
        lengths = np.linalg.norm(rays, axis=2)
        seen = np.zeros(yaws.shape, bool)
        if wanted.any():
            hits, _ = self._cast(origins[wanted], rays[wanted])
            seen[wanted] = hits * lengths[wanted] >= lengths[wanted] - slack
        return seen

    def in_image(self, rays: FloatArray, yaws: FloatArray) -> NDArray[np.bool_]:
        """Returns whether directions (V, S, 3) lie in the image of a camera with the yaw (V,) of each row."""
        camera = self.camera
        rotations = np.stack([camera.rotation(float(yaw)) for yaw in yaws])
        optical = np.einsum("vsk,vkj->vsj", rays, rotations)
        ahead = optical[..., 2]
        across, down = camera.width / 2 / camera.focal * EDGE, camera.height / 2 / camera.focal * EDGE
        inside: NDArray[np.bool_] = (
            (ahead > 0.05)
            & (np.abs(optical[..., 0]) <= across * ahead)
            & (np.abs(optical[..., 1]) <= down * ahead)
        )
        return inside

    def _rays_to(self, places: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        origins = np.column_stack([places, np.full(len(places), self.camera.mount_height)])
        rays = points[None, :, :] - origins[:, None, :]
        return np.broadcast_to(origins[:, None, :], rays.shape), rays

    def _cast(self, origins: FloatArray, directions: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
        """Returns for rays (N, 3) the first hit in multiples of their directions, and the triangle that it hits."""
        rays = np.concatenate([origins, directions], axis=1).astype(np.float32)
        hits = self._scene.cast_rays(o3d.core.Tensor.from_numpy(rays))
        return hits["t_hit"].numpy().astype(np.float64), hits["primitive_ids"].numpy().astype(np.int64)

    def _surface(self, name: str) -> _Surface:
        if name not in self._surfaces:
            self._surfaces[name] = _sampled(self._meshes[name])
        return self._surfaces[name]


def _sampled(mesh: Mesh) -> _Surface:
    """Samples points on a mesh, the same ones each time: equal steps of the area, spread within each triangle."""
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(across, axis=1)
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES * doubled.sum()
    triangle = np.searchsorted(np.cumsum(doubled), steps).clip(max=len(doubled) - 1)
    # The sequence of the plastic number covers the unit square evenly.
    u = (0.5 + 0.7548776662466927 * np.arange(SAMPLES)) % 1
    v = (0.5 + 0.5698402909980532 * np.arange(SAMPLES)) % 1
    flip = u + v > 1
    u, v = np.where(flip, 1 - u, u), np.where(flip, 1 - v, v)
    a, b, c = (corners[triangle, k] for k in range(3))
    points = a + u[:, None] * (b - a) + v[:, None] * (c - a)
    normals = across[triangle] / np.maximum(doubled[triangle], 1e-12)[:, None]
    return _Surface(points, normals, np.full(SAMPLES, doubled.sum() / 2 / SAMPLES))
