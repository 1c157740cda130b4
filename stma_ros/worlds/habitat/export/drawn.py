"""Writes meshes of the map as GLB files in the form that habitat-sim renders and collides with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.gltf import GlbWriter
from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.shading import FloatArray, Lamps, both_sides, light_on, whole
from stma_ros.worlds.house.meshes import Mesh
from stma_ros.worlds.robot.geometry import Placement

_UNLIT: Final = {
    "name": "unlit",
    "extensions": {"KHR_materials_unlit": {}},
    "pbrMetallicRoughness": {"baseColorFactor": [1.0, 1.0, 1.0, 1.0], "metallicFactor": 0.0},
}
_OPAQUE = 255


def lit_both_sides(mesh: Mesh, lamps: Lamps, place: Placement, height: float = 0.0) -> Mesh:
    """Returns a mesh that is visible from both sides, its colours scaled by the light that falls on it; hues stay.

    Args:
        mesh: in the frame of `place`.
        lamps: lamps of the flat.
        place: pose of the mesh's frame in the map.
        height: height of the frame above the floor [m].
    """
    seen = both_sides(whole(mesh))
    light = light_on(seen.placed(place.x, place.y, height, place.yaw), lamps)
    return Mesh(seen.vertices, seen.triangles, _lit(seen.colours, light[:, None]))


def glowing(mesh: Mesh) -> Mesh:
    """Returns a mesh that is visible from both sides in its full colours, for things that shine."""
    return both_sides(whole(mesh))


def drawn_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """Returns a GLB file with a node for each mesh, coloured as shown.

    habitat-sim shows the colours of corners unchanged when it draws without lights. They are therefore sRGB, although
    glTF specifies linear colours: other viewers show them too bright.
    """
    return _unlit_glb({name: (mesh, np.repeat(mesh.colours, 3, axis=0)) for name, mesh in meshes.items()})


def lit_glb(meshes: Mapping[str, tuple[Mesh, FloatArray]]) -> bytes:
    """Returns a GLB file as drawn_glb, each mesh in the light (T, 3) at its corners, interpolated between them."""
    return _unlit_glb(
        {
            name: (mesh, _lit(np.repeat(mesh.colours, 3, axis=0), light.reshape(-1, 1)))
            for name, (mesh, light) in meshes.items()
        }
    )


def _lit(colours: NDArray[np.uint8], light: FloatArray) -> NDArray[np.uint8]:
    return np.rint(colours * light).astype(np.uint8)


def _unlit_glb(meshes: Mapping[str, tuple[Mesh, NDArray[np.uint8]]]) -> bytes:
    """Returns a GLB file of unlit meshes with the colours (3 T, 3) of their corners."""
    writer = GlbWriter()
    material = writer.material(_UNLIT)
    nodes = []
    for name, (mesh, of_corners) in meshes.items():
        opaque = np.full((len(of_corners), 1), _OPAQUE, np.uint8)
        points, colours, indices = _corners(mesh, np.hstack([of_corners, opaque]))
        nodes.append(writer.node(name, [writer.primitive(points, colours, indices, material)]))
    return writer.packed(nodes)


def annotated_glb(meshes: Mapping[str, tuple[Mesh, int]]) -> bytes:
    """Returns a GLB file with a node for each mesh, in one colour 0xRRGGBB that encodes an id.

    habitat-sim converts these colours from linear light back to sRGB bytes and looks up those; float32 is exact enough.
    """
    writer = GlbWriter()
    nodes = []
    for name, (mesh, colour) in meshes.items():
        share = np.array([colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF]) / 255.0
        light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
        points, colours, indices = _corners(mesh, np.tile(light.astype(np.float32), (mesh.triangles.size, 1)))
        nodes.append(writer.node(name, [writer.primitive(points, colours, indices)]))
    return writer.packed(nodes)


def solid_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """Returns a GLB file with an uncoloured node for each mesh, for collisions. The convex hull of each node
    is solid."""
    writer = GlbWriter()
    nodes = []
    for name, mesh in meshes.items():
        points = points_to_habitat(mesh.vertices)
        nodes.append(writer.node(name, [writer.primitive(points, indices=mesh.triangles)]))
    return writer.packed(nodes)


def _corners(
    mesh: Mesh, of_corners: NDArray[np.generic]
) -> tuple[NDArray[np.float64], NDArray[np.generic], NDArray[np.int64]]:
    """Merges equal corners: returns the distinct pairs of a point (N, 3) and its value, and the triangles' corners as
    rows of those (T, 3). of_corners: values (3 T, ...), corner by corner."""
    colours = _numbered(of_corners)
    keys = mesh.triangles.ravel() * (colours.max(initial=0) + 1) + colours
    _, first, indices = np.unique(keys, return_index=True, return_inverse=True)
    points = points_to_habitat(mesh.vertices[mesh.triangles.ravel()[first]])
    return points, of_corners[first], indices.reshape(-1, 3)


def _numbered(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """Returns a number (N,) for each row, equal for equal rows; a row fills a multiple of four bytes."""
    numbers = np.zeros(len(rows), np.int64)
    for word in np.ascontiguousarray(rows).view(np.uint32).T:
        found, of_rows = np.unique(word, return_inverse=True)
        numbers = numbers * len(found) + of_rows
    return numbers
