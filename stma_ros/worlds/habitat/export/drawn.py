"""Meshes of the map as GLB files in the form that habitat-sim draws and collides with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.gltf import GlbWriter
from stma_ros.worlds.habitat.export.shading import both_sides, shaded, whole
from stma_ros.worlds.house.meshes import Mesh

_UNLIT: Final = {
    "name": "unlit",
    "extensions": {"KHR_materials_unlit": {}},
    "pbrMetallicRoughness": {"baseColorFactor": [1.0, 1.0, 1.0, 1.0], "metallicFactor": 0.0},
}
_OPAQUE = 255


def lit_both_sides(mesh: Mesh) -> Mesh:
    """What can be seen from everywhere, in the light."""
    return shaded(both_sides(whole(mesh)))


def glowing(mesh: Mesh) -> Mesh:
    """What shines: in its full colours."""
    return both_sides(whole(mesh))


def drawn_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """A node for each mesh, with the colours as they are to be shown.

    habitat-sim shows the colours of corners unchanged when it draws without lights. They are sRGB, then, although glTF
    would have them linear: other viewers show them too bright.
    """
    writer = GlbWriter()
    material = writer.material(_UNLIT)
    nodes = []
    for name, mesh in meshes.items():
        opaque = np.full((len(mesh.colours), 1), _OPAQUE, np.uint8)
        points, colours, indices = _corners(mesh, np.hstack([mesh.colours, opaque]))
        nodes.append(writer.node(name, [writer.primitive(points, colours, indices, material)]))
    return writer.packed(nodes)


def annotated_glb(meshes: Mapping[str, tuple[Mesh, int]]) -> bytes:
    """A node for each mesh, all of it in one colour 0xRRGGBB, which stands for an id.

    habitat-sim takes these colours back from linear light to sRGB bytes and looks for those: they are float32, which
    bears that.
    """
    writer = GlbWriter()
    nodes = []
    for name, (mesh, colour) in meshes.items():
        share = np.array([colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF]) / 255.0
        light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
        points, colours, indices = _corners(mesh, np.tile(light.astype(np.float32), (len(mesh.triangles), 1)))
        nodes.append(writer.node(name, [writer.primitive(points, colours, indices)]))
    return writer.packed(nodes)


def solid_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """A node for each mesh, without colours: what is collided with. The hull of each node is solid."""
    writer = GlbWriter()
    nodes = []
    for name, mesh in meshes.items():
        points = points_to_habitat(mesh.vertices)
        nodes.append(writer.node(name, [writer.primitive(points, indices=mesh.triangles)]))
    return writer.packed(nodes)


def _corners(
    mesh: Mesh, colours: NDArray[np.generic]
) -> tuple[NDArray[np.float64], NDArray[np.generic], NDArray[np.int64]]:
    """Points (N, 3) and their colours, each pair once, and the triangles' corners among them (T, 3); `colours` are
    those of the triangles."""
    of_corners = np.repeat(colours, 3, axis=0)
    keys = np.stack([mesh.triangles.ravel(), _numbered(of_corners)], axis=1)
    _, first, indices = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    points = points_to_habitat(mesh.vertices[mesh.triangles.ravel()[first]])
    return points, of_corners[first], indices.reshape(-1, 3)


def _numbered(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """(N,) numbers, the same for the same row."""
    numbers: NDArray[np.int64] = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    return numbers
