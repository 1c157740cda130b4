"""Meshes of the map as GLB files in the form that habitat-sim draws and collides with."""

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
    """What can be seen from everywhere, in the light that falls on it when its frame is there, `height` [m] above the
    floor; hues stay."""
    seen = both_sides(whole(mesh))
    light = light_on(seen.placed(place.x, place.y, height, place.yaw), lamps)
    return Mesh(seen.vertices, seen.triangles, _lit(seen.colours, light[:, None]))


def glowing(mesh: Mesh) -> Mesh:
    """What shines: in its full colours."""
    return both_sides(whole(mesh))


def drawn_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """A node for each mesh, with the colours as they are to be shown.

    habitat-sim shows the colours of corners unchanged when it draws without lights. They are sRGB, then, although glTF
    would have them linear: other viewers show them too bright.
    """
    return _unlit_glb({name: (mesh, np.repeat(mesh.colours, 3, axis=0)) for name, mesh in meshes.items()})


def lit_glb(meshes: Mapping[str, tuple[Mesh, FloatArray]]) -> bytes:
    """As drawn_glb, each mesh in the light (T, 3) at its corners, which goes over from one to the next."""
    return _unlit_glb(
        {
            name: (mesh, _lit(np.repeat(mesh.colours, 3, axis=0), light.reshape(-1, 1)))
            for name, (mesh, light) in meshes.items()
        }
    )


def _lit(colours: NDArray[np.uint8], light: FloatArray) -> NDArray[np.uint8]:
    return np.rint(colours * light).astype(np.uint8)


def _unlit_glb(meshes: Mapping[str, tuple[Mesh, NDArray[np.uint8]]]) -> bytes:
    """With the colours (3 T, 3) of the corners."""
    writer = GlbWriter()
    material = writer.material(_UNLIT)
    nodes = []
    for name, (mesh, of_corners) in meshes.items():
        opaque = np.full((len(of_corners), 1), _OPAQUE, np.uint8)
        points, colours, indices = _corners(mesh, np.hstack([of_corners, opaque]))
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
        points, colours, indices = _corners(mesh, np.tile(light.astype(np.float32), (mesh.triangles.size, 1)))
        nodes.append(writer.node(name, [writer.primitive(points, colours, indices)]))
    return writer.packed(nodes)


def solid_glb(meshes: Mapping[str, Mesh]) -> bytes:
    """A node for each mesh, without colours, for collisions. The hull of each node is solid."""
    writer = GlbWriter()
    nodes = []
    for name, mesh in meshes.items():
        points = points_to_habitat(mesh.vertices)
        nodes.append(writer.node(name, [writer.primitive(points, indices=mesh.triangles)]))
    return writer.packed(nodes)


def _corners(
    mesh: Mesh, of_corners: NDArray[np.generic]
) -> tuple[NDArray[np.float64], NDArray[np.generic], NDArray[np.int64]]:
    """Points (N, 3) and their colours, each pair once, and the triangles' corners among them (T, 3); `of_corners`
    (3 T, ...) are the colours, corner by corner."""
    colours = _numbered(of_corners)
    keys = mesh.triangles.ravel() * (colours.max(initial=0) + 1) + colours
    _, first, indices = np.unique(keys, return_index=True, return_inverse=True)
    points = points_to_habitat(mesh.vertices[mesh.triangles.ravel()[first]])
    return points, of_corners[first], indices.reshape(-1, 3)


def _numbered(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """(N,) numbers, the same for the same row; a row fills whole words of four bytes."""
    numbers = np.zeros(len(rows), np.int64)
    for word in np.ascontiguousarray(rows).view(np.uint32).T:
        found, of_rows = np.unique(word, return_inverse=True)
        numbers = numbers * len(found) + of_rows
    return numbers
