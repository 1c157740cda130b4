"""The export as glTF, read by the specification of the format, contains the flat."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.glb import glb_bytes
from stma_ros.worlds.robot.state import HAND, SceneState

FLAT = make_flat(1004, 5)
COMPONENTS = {5126: "<f4", 5123: "<u2"}
WIDTHS = {"VEC3": 3, "VEC4": 4}


@dataclass(frozen=True)
class Gltf:
    document: dict[str, Any]
    binary: bytes

    def array(self, accessor: int) -> NDArray[Any]:
        described = self.document["accessors"][accessor]
        view = self.document["bufferViews"][described["bufferView"]]
        content = self.binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        rows = np.frombuffer(content, COMPONENTS[described["componentType"]]).reshape(
            -1, WIDTHS[described["type"]]
        )
        assert len(rows) == described["count"]
        return rows

    def node(self, name: str) -> dict[str, Any]:
        return next(node for node in self.document["nodes"] if node["name"] == name)

    def primitives(self, name: str) -> list[dict[str, Any]]:
        node = self.node(name)
        return self.document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []

    def bounds(self, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Returns the bounds of an object in the axes of the file."""
        corners = [self.array(primitive["attributes"]["POSITION"]) for primitive in self.primitives(name)]
        points = np.concatenate(corners) + self.node(name)["translation"]
        return points.min(axis=0), points.max(axis=0)


def exported(flat: Flat, state: SceneState | None = None) -> Gltf:
    content = glb_bytes(flat, state)
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    chunks, at = {}, 12
    while at < length:
        size, kind = struct.unpack_from("<I4s", content, at)
        assert size % 4 == 0
        chunks[kind] = content[at + 8 : at + 8 + size]
        at += 8 + size
    document = json.loads(chunks[b"JSON"])
    assert document["asset"]["version"] == "2.0"
    assert document["buffers"] == [{"byteLength": len(chunks[b"BIN\0"])}]
    return Gltf(document, chunks[b"BIN\0"])


@pytest.fixture(scope="module")
def gltf() -> Gltf:
    return exported(FLAT)


def test_every_object_is_a_gltf_node_at_its_position_with_y_up(gltf: Gltf) -> None:
    things = {thing.name: thing.box for thing in (*FLAT.items, *FLAT.doors)}
    things |= {piece.name: piece.box for piece in FLAT.furniture}
    moved = FLAT.initial.open_names
    for name, box in things.items():
        if name in moved:
            continue
        low, high = gltf.bounds(name)
        place, area = box.centre, box.footprint.bounds
        assert (low[1], high[1]) == pytest.approx((box.low, box.high), abs=0.02)
        np.testing.assert_allclose((low + high)[[0, 2]] / 2, (place[0], -place[1]), atol=0.05)
        # What is round fills less than the bounds of its turned box.
        assert np.all((high - low)[[0, 2]] <= (area.width + 0.02, area.depth + 0.02))
        assert np.all((high - low)[[0, 2]] >= min(box.size[:2]) - 0.02)


def test_gltf_nodes_form_one_tree(gltf: Gltf) -> None:
    nodes = gltf.document["nodes"]
    children = [child for node in nodes for child in node.get("children", [])]
    assert len(children) == len(set(children)) == len(nodes) - 1
    assert gltf.document["scenes"] == [{"nodes": [len(nodes) - 1]}]
    kinds = [node["extras"]["kind"] for node in nodes if node["extras"].get("category") == "room"]
    assert kinds == [room.kind for room in FLAT.layout.rooms]


def test_gltf_accessors_state_their_bounds_and_colours_are_linear(gltf: Gltf) -> None:
    for mesh in gltf.document["meshes"]:
        for primitive in mesh["primitives"]:
            described = gltf.document["accessors"][primitive["attributes"]["POSITION"]]
            points = gltf.array(primitive["attributes"]["POSITION"])
            assert len(points) % 3 == 0
            np.testing.assert_array_equal(points.min(axis=0), np.float32(described["min"]))
            np.testing.assert_array_equal(points.max(axis=0), np.float32(described["max"]))
            if "COLOR_0" in primitive["attributes"]:
                colours = gltf.array(primitive["attributes"]["COLOR_0"])
                assert len(colours) == len(points)
                assert (colours[:, 3] == 65535).all()


def test_gltf_extras_hold_the_properties_of_objects(gltf: Gltf) -> None:
    for item in FLAT.items:
        extras = gltf.node(item.name)["extras"]
        room = FLAT.layout.rooms[FLAT.furniture_by_name[item.support].room].kind
        assert (extras["category"], extras["material"]) == (item.category, item.kind.material)
        assert (extras["support"], extras["inside"], extras["room"]) == (item.support, item.inside, room)
        assert len(extras["states"]) == item.is_device + item.is_vessel
    for piece in FLAT.furniture:
        assert len(gltf.node(piece.name)["extras"]["states"]) == piece.opens + piece.is_device


def test_gltf_export_shows_the_state_of_devices_containers_and_vessels(gltf: Gltf) -> None:
    lamp = next(piece for piece in FLAT.furniture if piece.is_device and piece.look.standby is None)
    box = next(piece for piece in FLAT.containers if not piece.is_device)
    vessel = next(item for item in FLAT.items if item.is_vessel)
    held = next(item for item in FLAT.items if item is not vessel)
    plain = SceneState(spots=FLAT.initial.spots)
    changed = (
        plain.opened(box.name)
        .switched(lamp.name, on=True)
        .filled(vessel.name, full=True)
        .moved(held.name, HAND)
    )
    (before, after) = (exported(FLAT, state) for state in (plain, changed))
    for name, was, now in (
        (lamp.name, "off", "on"),
        (box.name, "closed", "open"),
        (vessel.name, "empty", "full"),
    ):
        assert was in before.node(name)["extras"]["states"]
        assert now in after.node(name)["extras"]["states"]
    materials = after.document["materials"]
    shining = [materials[part["material"]] for part in after.primitives(lamp.name) if part["material"]]
    assert max(shining[0]["emissiveFactor"]) > 0
    assert not any(part["material"] for part in before.primitives(lamp.name))
    assert not np.array_equal(before.bounds(box.name), after.bounds(box.name))
    assert after.node(held.name)["extras"]["support"] == "robot"
    assert after.primitives(held.name) == []
