"""The light in the pictures, baked into the colours of the triangles: Habitat draws them as they are.

Steady, by the direction that a face looks in, and as bright in the mean as the ray-cast pictures of the `house` (white
walls: 0.88, floors and ceilings: 0.96).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.meshes import Mesh

_ALONG: Final = (0.91, 0.85)  # faces along x and y differ, so that one sees where they meet
_UP, _DOWN = 0.97, 0.95
_SPECK = 1e-10  # twice the area of what is no triangle [m^2]


def both_sides(mesh: Mesh) -> Mesh:
    """Every triangle twice, once for each side that it can be seen from: what is drawn is seen from its front only."""
    return Mesh(
        mesh.vertices,
        np.concatenate([mesh.triangles, mesh.triangles[:, ::-1]]),
        np.concatenate([mesh.colours, mesh.colours]),
    )


def facing(mesh: Mesh, *, up: bool) -> Mesh:
    """The triangles of level faces, to be seen from above or from below only."""
    wrong = (_crosses(mesh)[:, 2] > 0) != up
    triangles = np.where(wrong[:, None], mesh.triangles[:, ::-1], mesh.triangles)
    return Mesh(mesh.vertices, triangles, mesh.colours)


def whole(mesh: Mesh) -> Mesh:
    """Without the triangles that have no area, such as those in the tips of turned bodies."""
    kept = np.linalg.norm(_crosses(mesh), axis=1) > _SPECK
    return Mesh(mesh.vertices, mesh.triangles[kept], mesh.colours[kept])


def shaded(mesh: Mesh) -> Mesh:
    """In the light that falls on the fronts of its triangles, none of which is without area; hues stay."""
    crosses = _crosses(mesh)
    towards = crosses / np.linalg.norm(crosses, axis=1)[:, None]
    level = np.where(towards[:, 2] > 0, _UP, _DOWN)
    light = towards[:, 0] ** 2 * _ALONG[0] + towards[:, 1] ** 2 * _ALONG[1] + towards[:, 2] ** 2 * level
    colours = np.rint(mesh.colours * light[:, None]).astype(np.uint8)
    return Mesh(mesh.vertices, mesh.triangles, colours)


def _crosses(mesh: Mesh) -> NDArray[np.float64]:
    """(T, 3) towards the front of each triangle, as long as twice its area."""
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)
