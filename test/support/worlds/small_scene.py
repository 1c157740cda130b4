"""A room of 6 x 5 m as a scene data set of habitat_sim: a table and a box, a cabinet with a door, annotated walls."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Relation = tuple[float, float, float]

WIDTH, DEPTH, HEIGHT, THICKNESS = 6.0, 5.0, 2.5, 0.1
"""Inside the walls [m]; the floor is at y = 0."""

OUTLINE = [(-3.0, -2.5), (3.0, -2.5), (3.0, 2.5), (-3.0, 2.5)]

TABLE: Relation = (1.5, 0.0, -1.0)
TABLE_SIZE: Relation = (1.0, 0.8, 0.8)
BOX: Relation = (-1.0, 1.0, -2.0)
BOX_SIDE = 0.4
CABINET: Relation = (-2.5, 0.0, 1.0)

FLOOR_ID, WALL_ID = 1, 2
_FLOOR_COLOUR, _WALL_COLOUR = (200, 30, 40), (20, 60, 220)

_FACES = [(axis, sign) for axis in range(3) for sign in (-1, 1)]

Solid = tuple[Relation, Relation, tuple[int, int, int]]


def write_little_scene(folder: Path) -> Path:
    """Writes the data set and returns the path of its configuration.

    Its scenes: "room"; "room_of_blocks", where the cabinet is made of primitives; "bare", where nothing has a
    category.
    """
    stage = _stage()
    _write_glb(folder / "stages" / "room.glb", stage)
    _write_glb(folder / "stages" / "room.semantic.glb", stage)
    _write_glb(folder / "stages" / "bare.glb", stage)
    annotation = [f'{FLOOR_ID},C81E28,"floor",0', f'{WALL_ID},143CDC,"wall_painted",0']
    (folder / "stages" / "room.semantic.txt").write_text(
        "\n".join(["HM3D Semantic Annotations", *annotation]) + "\n"
    )
    for name in ("room", "bare"):
        _write_json(folder / "stages" / f"{name}.stage_config.json", {"render_asset": f"{name}.glb"})
    _write_json(
        folder / "semantics" / "room.semantic_config.json",
        {
            "semantic_asset": "../stages/room.semantic.glb",
            "semantic_descriptor_filename": "../stages/room.semantic.txt",
            "has_semantic_textures": False,
            "region_annotations": [
                {
                    "name": "0",
                    "label": "Living_Room",
                    "floor_height": 0.0,
                    "extrusion_height": HEIGHT,
                    "min_bounds": [-WIDTH / 2, 0.0, -DEPTH / 2],
                    "max_bounds": [WIDTH / 2, HEIGHT, DEPTH / 2],
                    "poly_loop": [[x, 0.0, z] for x, z in OUTLINE],
                }
            ],
        },
    )
    half = TABLE_SIZE[1] / 2
    _write_object(
        folder, "table", [((0.0, half, 0.0), TABLE_SIZE, (120, 80, 30))], {"category": "Dining_Table"}
    )
    _write_object(
        folder, "003_cardboard_box", [((0.0, 0.0, 0.0), (BOX_SIDE,) * 3, (250, 0, 0))], {"weight": 1.5}
    )
    urdf = folder / "urdf"
    _write_glb(urdf / "body.glb", [((0.0, 0.0, 0.0), (0.5, 1.0, 0.8), (90, 90, 90))])
    _write_glb(urdf / "door.glb", [((0.0, 0.0, 0.0), (0.04, 1.0, 0.8), (230, 230, 0))])
    body, door = '<mesh filename="body.glb"/>', '<mesh filename="door.glb"/>'
    (urdf / "cabinet.urdf").write_text(_CABINET.format(body=body, door=door))
    body, door = '<box size="0.5 1.0 0.8"/>', '<box size="0.04 1.0 0.8"/>'
    (urdf / "blocks.urdf").write_text(_CABINET.format(body=body, door=door))
    for scene, cabinet in (("room", "cabinet"), ("room_of_blocks", "blocks")):
        _write_room(folder / "scenes" / f"{scene}.scene_instance.json", cabinet)
    _write_json(folder / "scenes" / "bare.scene_instance.json", {"stage_instance": {"template_name": "bare"}})
    path = folder / "little.scene_dataset_config.json"
    _write_json(
        path,
        {
            "stages": {"paths": {".json": ["stages"]}},
            "objects": {"paths": {".json": ["objects"]}},
            "articulated_objects": {"paths": {".urdf": ["urdf"]}},
            "scene_instances": {"paths": {".json": ["scenes"]}},
            "semantic_scene_descriptor_instances": {"paths": {".json": ["semantics"]}},
        },
    )
    return path


def _write_room(path: Path, cabinet: str) -> None:
    _write_json(
        path,
        {
            "translation_origin": "asset_local",
            "semantic_scene_instance": "room",
            "stage_instance": {"template_name": "room"},
            "object_instances": [
                {"template_name": "table", "translation": TABLE, "motion_type": "STATIC"},
                {"template_name": "003_cardboard_box", "translation": BOX, "motion_type": "DYNAMIC"},
            ],
            "articulated_object_instances": [
                {
                    "template_name": cabinet,
                    "translation": CABINET,
                    "fixed_base": True,
                    "motion_type": "STATIC",
                    "user_defined": {"category": "cabinet"},
                }
            ],
        },
    )


def _stage() -> list[Solid]:
    """Returns the floor and the four walls around it."""
    x, z, t = WIDTH / 2 + THICKNESS / 2, DEPTH / 2 + THICKNESS / 2, THICKNESS
    outside = (WIDTH + 2 * t, HEIGHT, DEPTH + 2 * t)
    solids: list[Solid] = [((0.0, -t / 2, 0.0), (outside[0], t, outside[2]), _FLOOR_COLOUR)]
    for sign in (-1, 1):
        solids.append(((sign * x, HEIGHT / 2, 0.0), (t, HEIGHT, outside[2]), _WALL_COLOUR))
        solids.append(((0.0, HEIGHT / 2, sign * z), (outside[0], HEIGHT, t), _WALL_COLOUR))
    return solids


def _write_object(folder: Path, name: str, solids: Sequence[Solid], user: dict[str, Any]) -> None:
    _write_glb(folder / "objects" / f"{name}.glb", solids)
    fields = {"render_asset": f"{name}.glb", "user_defined": user}
    _write_json(folder / "objects" / f"{name}.object_config.json", fields)


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(fields))


def _write_glb(path: Path, solids: Sequence[Solid]) -> None:
    """Writes boxes of one colour each, which is the colour of their vertices as well."""
    path.parent.mkdir(exist_ok=True)
    parts = [_box(center, size) for center, size, _ in solids]
    points = np.concatenate([part[0] for part in parts]).astype("<f4")
    normals = np.concatenate([part[1] for part in parts]).astype("<f4")
    colours = np.concatenate([np.tile(_linear(colour), (36, 1)) for _, _, colour in solids]).astype("<f4")
    blobs = [points.tobytes(), normals.tobytes(), colours.tobytes()]
    offsets = np.concatenate(([0], np.cumsum([len(blob) for blob in blobs])))
    count = len(points)
    accessors: list[dict[str, Any]] = [
        {"bufferView": view, "componentType": 5126, "count": count, "type": kind}
        for view, kind in enumerate(("VEC3", "VEC3", "VEC3"))
    ]
    accessors[0] |= {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2}, "material": 0}]}
        ],
        "materials": [{"pbrMetallicRoughness": {"metallicFactor": 0.0}}],
        "accessors": accessors,
        "bufferViews": [
            {"buffer": 0, "byteOffset": int(offset), "byteLength": len(blob)}
            for offset, blob in zip(offsets, blobs, strict=False)
        ],
        "buffers": [{"byteLength": int(offsets[-1])}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", int(offsets[-1]), 0x004E4942) + b"".join(blobs)
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)


def _box(center: Relation, size: Relation) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Returns the corners (36, 3) of a box's triangles, counter-clockwise from outside, and their normals."""
    points, normals = [], []
    for axis, sign in _FACES:
        u, v = (axis + 1) % 3, (axis + 2) % 3
        quad = np.zeros((4, 3))
        quad[:, axis] = sign
        quad[:, u] = [-1, 1, 1, -1] if sign > 0 else [-1, -1, 1, 1]
        quad[:, v] = [-1, -1, 1, 1] if sign > 0 else [-1, 1, 1, -1]
        points.append(quad[[0, 1, 2, 0, 2, 3]])
        normal = np.zeros(3)
        normal[axis] = sign
        normals.append(np.tile(normal, (6, 1)))
    return np.concatenate(points) * np.array(size) / 2 + np.array(center), np.concatenate(normals)


def _linear(colour: tuple[int, int, int]) -> npt.NDArray[np.float64]:
    """Returns the linear colour, which glTF requires of vertices, of an sRGB colour."""
    share = np.array(colour) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


_CABINET = """<?xml version="1.0"?>
<robot name="cabinet">
  <link name="body">
    <inertial><mass value="10"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><origin xyz="0 0.5 0"/><geometry>{body}</geometry></visual>
    <collision><origin xyz="0 0.5 0"/><geometry><box size="0.5 1.0 0.8"/></geometry></collision>
  </link>
  <link name="door">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><origin xyz="0.02 0.5 0.4"/><geometry>{door}</geometry></visual>
    <collision><origin xyz="0.02 0.5 0.4"/><geometry><box size="0.04 1.0 0.8"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="body"/><child link="door"/>
    <origin xyz="0.25 0 -0.4"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1.6" effort="10" velocity="1"/>
  </joint>
</robot>
"""
