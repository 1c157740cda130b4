"""Reads an exported data set by the specification of its formats."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMPONENTS = {5126: "<f4", 5125: "<u4", 5121: "<u1"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


@dataclass(frozen=True, eq=False)
class Drawn:
    """The triangles of a node: corners (T, 3, 3) and their colours (T, 3, 3 or 4); without colours: (0, 0)."""

    corners: NDArray[np.float64]
    colours: NDArray[Any]

    @property
    def crosses(self) -> NDArray[np.float64]:
        """Returns the normals towards the front, of twice the area's length."""
        a, b, c = self.corners.transpose(1, 0, 2)
        return np.cross(b - a, c - a)


def read_glb(path: Path) -> dict[str, Drawn]:
    """Returns the triangles by the names of the nodes."""
    content = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    chunks, at = {}, 12
    while at < length:
        size, kind = struct.unpack_from("<I4s", content, at)
        assert size % 4 == 0
        chunks[kind] = content[at + 8 : at + 8 + size]
        at += 8 + size
    document, binary = json.loads(chunks[b"JSON"]), chunks[b"BIN\0"]
    assert document["asset"]["version"] == "2.0"
    assert document["buffers"] == [{"byteLength": len(binary)}]

    def rows(accessor: int) -> NDArray[Any]:
        described = document["accessors"][accessor]
        view = document["bufferViews"][described["bufferView"]]
        assert view["byteOffset"] % 4 == 0
        part = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        found = np.frombuffer(part, COMPONENTS[described["componentType"]])
        found = found.reshape(-1, WIDTHS[described["type"]])
        assert len(found) == described["count"]
        if "min" in described:
            np.testing.assert_array_equal(found.min(axis=0), np.float32(described["min"]))
            np.testing.assert_array_equal(found.max(axis=0), np.float32(described["max"]))
        return found

    nodes = {}
    assert document["scenes"][0]["nodes"] == list(range(len(document["nodes"])))
    for node in document["nodes"]:
        (primitive,) = document["meshes"][node["mesh"]]["primitives"]
        indices = rows(primitive["indices"]).reshape(-1, 3)
        colours = np.zeros((0, 0))
        if "COLOR_0" in primitive["attributes"]:
            colours = rows(primitive["attributes"]["COLOR_0"])[indices]
        corners = rows(primitive["attributes"]["POSITION"])[indices].astype(float)
        nodes[node["name"]] = Drawn(corners, colours)
    return nodes


@dataclass(frozen=True)
class DataSet:
    """A data set in a folder, with one stage and one scene."""

    folder: Path

    def one(self, pattern: str) -> Path:
        (found,) = self.folder.glob(pattern)
        return found

    def document(self, pattern: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.one(pattern).read_text())
        return loaded

    @cached_property
    def instances(self) -> dict[str, dict[str, Any]]:
        """Returns the instances of the scene by the names of their objects."""
        scene = self.document("scenes/*.scene_instance.json")
        named = {Path(found["template_name"]).name: found for found in scene["object_instances"]}
        assert len(named) == len(scene["object_instances"])
        return named

    def config(self, name: str) -> dict[str, Any]:
        return self.document(f"objects/{name}.object_config.json")

    def drawn(self, name: str) -> Drawn:
        """Returns the triangles of an object in its own frame."""
        (found,) = read_glb(self.folder / "objects" / self.config(name)["render_asset"]).values()
        return found

    def solids(self, name: str) -> list[Drawn]:
        config = self.config(name)
        if "collision_asset" not in config:
            return []
        return list(read_glb(self.folder / "objects" / config["collision_asset"]).values())

    def in_scene(self, name: str, corners: NDArray[np.float64], sunk: float = 0.0) -> NDArray[np.float64]:
        """Returns points (..., 3) of an object in the axes of the map at its place in the scene; `sunk` [m] of it
        is hidden."""
        instance = self.instances[name]
        w, x, y, z = instance["rotation"]
        assert (x, z) == (0, 0)
        cosine, sine = w * w - y * y, 2 * w * y
        turned = corners @ np.array([[cosine, 0, -sine], [0, 1, 0], [sine, 0, cosine]])
        at = turned + instance["translation"] + (0, sunk, 0)
        return np.stack([at[..., 0], -at[..., 2], at[..., 1]], axis=-1)
