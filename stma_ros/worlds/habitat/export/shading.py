"""Bakes light into the colours of meshes, as Habitat draws colours unchanged.

The light is that of the ray-cast images of the `house`, ambient and the lamp of the room, without shadows and without
the part that depends on the camera's pose.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from stma_ros.worlds.house import finish
from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.meshes import Mesh

FloatArray = NDArray[np.float64]

_HEADLIGHT: Final = 0.1  # mean over the directions of view
_SHADOWS: Final = 0.95  # mean share of the lamps' light that shadows leave
_NARROW = 0.25  # triangles with a long edge and a smaller area are narrow [m^2]
_SPECK = 1e-10  # twice the area below which a triangle is degenerate [m^2]


class Lamps:
    """The lamps of a flat: one in the middle of each room."""

    def __init__(self, layout: Layout) -> None:
        self._floors = [room.floor for room in layout.rooms]
        self._places = np.array([(*floor.centre, finish.LAMP_HEIGHT) for floor in self._floors])

    def nearest_room(self, points: FloatArray) -> NDArray[np.intp]:
        """Returns the index (N,) of the room that holds, or is nearest to, each point (N, 3)."""
        x, y = points[:, 0], points[:, 1]
        away = [floor.outside(x, y) for floor in self._floors]
        nearest: NDArray[np.intp] = np.argmin(np.stack(away), axis=0)
        return nearest

    def light(self, points: FloatArray, towards: FloatArray, rooms: NDArray[np.intp]) -> FloatArray:
        """Returns the light (N,) on faces at `points` (N, 3) of the map with the normals `towards` (N, 3)."""
        to_lamp = self._places[rooms] - points
        facing_it = np.maximum((towards * to_lamp).sum(axis=1), 0) / np.linalg.norm(to_lamp, axis=1)
        steady = finish.AMBIENT + finish.SKY * towards[:, 2] + finish.BOUNCE * np.maximum(-towards[:, 2], 0)
        light: FloatArray = np.minimum(steady + finish.LAMP * _SHADOWS * facing_it + _HEADLIGHT, 1.0)
        return light


def both_sides(mesh: Mesh) -> Mesh:
    """Returns a mesh that is visible from both sides, although only fronts are drawn: closed bodies face outwards, and
    each triangle of other bodies is doubled."""
    body_of, closed, inwards = _bodies(mesh)
    triangles = np.where(inwards[body_of][:, None], mesh.triangles[:, ::-1], mesh.triangles)
    double = ~closed[body_of]
    return Mesh(
        mesh.vertices,
        np.concatenate([triangles, triangles[double, ::-1]]),
        np.concatenate([mesh.colours, mesh.colours[double]]),
    )


def _bodies(mesh: Mesh) -> tuple[NDArray[np.intp], NDArray[np.bool_], NDArray[np.bool_]]:
    """Finds the connected bodies of a mesh.

    Returns:
        The body (T,) of each triangle, by shared vertices; whether each body (B,) is closed (each edge belongs to two
        triangles that run along it in opposite directions); whether it is closed and faces inwards.
    """
    count = len(mesh.vertices)
    start, end = mesh.triangles.ravel(), np.roll(mesh.triangles, -1, axis=1).ravel()
    links = coo_matrix((np.ones(len(start), bool), (start, end)), shape=(count, count))
    bodies, body_of_vertex = connected_components(links, directed=False)
    body_of: NDArray[np.intp] = body_of_vertex[mesh.triangles[:, 0]].astype(np.intp)
    edges, there = np.unique(start * count + end, return_counts=True)
    paired = np.isin(end * count + start, edges[there == 1]) & np.isin(start * count + end, edges[there == 1])
    closed = np.bincount(body_of, ~paired.reshape(-1, 3).all(axis=1), bodies) == 0
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    volumes = np.bincount(body_of, (a * np.cross(b, c)).sum(axis=1), bodies)
    return body_of, closed, closed & (volumes < 0)


def facing(mesh: Mesh, *, up: bool) -> Mesh:
    """Returns the triangles of horizontal faces, turned to be visible from above or from below only."""
    wrong = (_crosses(mesh)[:, 2] > 0) != up
    triangles = np.where(wrong[:, None], mesh.triangles[:, ::-1], mesh.triangles)
    return Mesh(mesh.vertices, triangles, mesh.colours)


def whole(mesh: Mesh) -> Mesh:
    """Returns the mesh without triangles of zero area, such as those at the tips of turned bodies."""
    valid = np.linalg.norm(_crosses(mesh), axis=1) > _SPECK
    return Mesh(mesh.vertices, mesh.triangles[valid], mesh.colours[valid])


def refined(mesh: Mesh, longest: float) -> Mesh:
    """Returns the same surface with no edge longer than `longest` [m], except in narrow triangles such as those of
    skirting boards; triangles that share an edge share its parts."""
    corners, colours = mesh.vertices[mesh.triangles], mesh.colours
    while True:
        lengths = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        split = (lengths.max(axis=1) > longest) & (_areas(corners) > _NARROW)
        if not split.any():
            break
        first = lengths[split].argmax(axis=1)
        a, b, c = (corners[split][np.arange(len(first)), (first + k) % 3] for k in range(3))
        middle = (a + b) / 2
        halves = [np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)]
        corners = np.concatenate([corners[~split], *halves])
        colours = np.concatenate([colours[~split], colours[split], colours[split]])
    vertices, indices = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return Mesh(vertices, indices.reshape(-1, 3), colours)


def _areas(corners: FloatArray) -> FloatArray:
    """Returns the areas (T,) of triangles with these corners (T, 3, 3) [m^2]."""
    a, b, c = (corners[:, k] for k in range(3))
    areas: FloatArray = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return areas


def light_at_corners(mesh: Mesh, lamps: Lamps, room: int) -> FloatArray:
    """Returns the light (T, 3) at the corners of triangles of non-zero area in the map that belong to one room."""
    crosses = _crosses(mesh)
    towards = crosses / np.linalg.norm(crosses, axis=1)[:, None]
    points = mesh.vertices[mesh.triangles].reshape(-1, 3)
    rooms = np.full(len(points), room, np.intp)
    return lamps.light(points, np.repeat(towards, 3, axis=0), rooms).reshape(-1, 3)


def light_on(mesh: Mesh, lamps: Lamps) -> FloatArray:
    """Returns the light (T,) on the fronts of triangles of non-zero area in the map. Both halves of a rectangle get the
    same value, as it is computed at the middle of the longest edge."""
    crosses = _crosses(mesh)
    towards = crosses / np.linalg.norm(crosses, axis=1)[:, None]
    corners = mesh.vertices[mesh.triangles]
    edges = (corners + np.roll(corners, -1, axis=1)) / 2
    longest = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2).argmax(axis=1)
    middles = edges[np.arange(len(edges)), longest]
    return lamps.light(middles, towards, lamps.nearest_room(middles))


def _crosses(mesh: Mesh) -> FloatArray:
    """Returns normals (T, 3) of the triangles' fronts, with twice the area as length."""
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    return np.asarray(np.cross(b - a, c - a), np.float64)
