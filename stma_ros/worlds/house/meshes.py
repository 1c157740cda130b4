"""Triangle meshes of boxes and bodies of revolution, one colour per triangle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Point = tuple[float, float, float]

_BOX_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_BOX_TRIANGLES = np.array(
    [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (V, 3) float64 [m], triangles (T, 3) vertex indices, colours (T, 3) uint8 sRGB."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    colours: NDArray[np.uint8]

    def placed(self, x: float, y: float, z: float = 0.0, yaw: float = 0.0) -> Mesh:
        """Returns the mesh rotated by `yaw` about its own z axis [rad] and then moved [m]."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return Mesh(self.vertices @ turn + (x, y, z), self.triangles, self.colours)

    def scaled(self, factor: float) -> Mesh:
        return Mesh(self.vertices * factor, self.triangles, self.colours)

    def rolled(self, angle: float) -> Mesh:
        """Returns the mesh rotated about the x axis [rad]."""
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, cosine, sine], [0.0, -sine, cosine]])
        return Mesh(self.vertices @ turn, self.triangles, self.colours)

    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the lower and upper corner, each (3,) [m]."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)


EMPTY = Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros((0, 3), np.uint8))


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """Joins meshes into one, in the order given."""
    parts = [mesh for mesh in meshes if len(mesh.triangles)]
    if not parts:
        return EMPTY
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in parts[:-1]])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in parts]),
        np.concatenate([mesh.triangles + start for mesh, start in zip(parts, starts, strict=True)]),
        np.concatenate([mesh.colours for mesh in parts]),
    )


def _painted(vertices: NDArray[np.float64], triangles: NDArray[np.int64], colour: Colour) -> Mesh:
    return Mesh(vertices, triangles, np.tile(np.array(colour, np.uint8), (len(triangles), 1)))


def box(centre: Point, size: Point, colour: Colour) -> Mesh:
    """Returns a box with edges along the axes."""
    return _painted(_BOX_CORNERS * size + centre, _BOX_TRIANGLES, colour)


def slab(lower: Point, upper: Point, colour: Colour) -> Mesh:
    """Returns a box between two opposite corners."""
    low, high = np.array(lower), np.array(upper)
    return _painted(_BOX_CORNERS * (high - low) + (low + high) / 2, _BOX_TRIANGLES, colour)


def quad(corners: Sequence[Point], colour: Colour) -> Mesh:
    """Returns a flat four-sided face."""
    return _painted(np.array(corners), np.array([(0, 1, 2), (0, 2, 3)]), colour)


def lathe(profile: Sequence[tuple[float, float]], colour: Colour, segments: int = 14) -> Mesh:
    """Returns a body of revolution about the z axis; the profile lists (radius, height) from one end to the other [m].

    Ends with a radius above 0 stay open, so a profile that comes back down inside makes a cup.
    """
    angles = np.arange(segments) * (2 * math.pi / segments)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    vertices = np.concatenate(
        [
            np.concatenate([circle * radius, np.full((segments, 1), height)], axis=1)
            for radius, height in profile
        ]
    )
    k = np.arange(segments)
    start = np.arange(len(profile) - 1)[:, None] * segments
    a, b = start + k, start + (k + 1) % segments
    c, d = a + segments, b + segments
    triangles = np.stack([a, b, d, a, d, c], axis=-1).reshape(-1, 3)
    return _painted(vertices, triangles, colour)


def ball(centre: Point, radius: float, colour: Colour, segments: int = 14) -> Mesh:
    """Returns a sphere as a body of revolution."""
    angles = np.linspace(-math.pi / 2, math.pi / 2, segments // 2 + 1)
    profile = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    return lathe(profile, colour, segments).placed(*centre)


def rod(
    x: float, y: float, bottom: float, top: float, radius: float, colour: Colour, segments: int = 10
) -> Mesh:
    """Returns an upright closed cylinder."""
    return lathe([(0, bottom), (radius, bottom), (radius, top), (0, top)], colour, segments).placed(x, y)


def disc(centre: Point, radius: float, thickness: float, colour: Colour, segments: int = 20) -> Mesh:
    """Returns a round plate that faces along x, its back at the given centre."""
    flat = lathe([(0, 0), (radius, 0), (radius, thickness), (0, thickness)], colour, segments)
    standing = np.stack([flat.vertices[:, 2], flat.vertices[:, 1], -flat.vertices[:, 0]], axis=1)
    return Mesh(standing + centre, flat.triangles, flat.colours)
