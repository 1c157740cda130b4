"""A generated scene data set as others make them: two rooms with objects that turn, slide, can be carried or block.

Positions are in the map of a storey whose floor is at FLOOR in Habitat; meshes are written in the axes of the map.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.drawn import drawn_glb
from stma_ros.worlds.house.meshes import Colour, Mesh, box, merge, slab

FLOOR = 0.7
"""Height of the floor in Habitat [m]."""

WHITE, BROWN, RED, GREEN, GREY = (230, 230, 225), (130, 90, 50), (210, 40, 40), (60, 160, 60), (120, 120, 125)
TABLE, TABLE_SIZE = (2.5, 3.3), (1.2, 0.7, 0.75)
CUP, CUP_SIZE = (2.3, 3.2), (0.08, 0.08, 0.1)
CABINET, CABINET_SIZE = (0.28, 1.2), (0.5, 0.8, 1.0)
APPLE, APPLE_HEIGHT = (0.3, 1.2), 0.52
NIGHTSTAND, NIGHTSTAND_SIZE = (8.6, 3.6), (0.5, 0.5, 0.6)
CHAIR = (3.6, 1.0)
DOOR = (5.05, 2.0)

_CABINET = """<?xml version="1.0"?>
<robot name="cabinet">
  <link name="body"><visual><geometry><mesh filename="cabinet_body.glb"/></geometry></visual>
    <collision><geometry><box size="0.5 1.0 0.8"/></geometry></collision></link>
  <link name="leaf"><visual><geometry><mesh filename="cabinet_leaf.glb"/></geometry></visual>
    <collision><origin xyz="0.01 0.5 0.4"/><geometry><box size="0.02 1.0 0.8"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="body"/><child link="leaf"/>
    <origin xyz="0.25 0 -0.4"/><axis xyz="0 1 0"/><limit lower="0" upper="1.5708" effort="10" velocity="1"/></joint>
</robot>"""
_NIGHTSTAND = """<?xml version="1.0"?>
<robot name="nightstand">
  <link name="body"><visual><geometry><mesh filename="nightstand_body.glb"/></geometry></visual>
    <collision><geometry><box size="0.5 0.6 0.5"/></geometry></collision></link>
  <link name="drawer"><visual><geometry><mesh filename="nightstand_drawer.glb"/></geometry></visual>
    <collision><geometry><box size="0.4 0.2 0.4"/></geometry></collision></link>
  <joint name="rail" type="prismatic"><parent link="body"/><child link="drawer"/>
    <origin xyz="0 0.3 0"/><axis xyz="-1 0 0"/><limit lower="0" upper="0.4" effort="10" velocity="1"/></joint>
</robot>"""
_DOOR = """<?xml version="1.0"?>
<robot name="door">
  <link name="frame"/>
  <link name="leaf"><visual><geometry><mesh filename="door_leaf.glb"/></geometry></visual>
    <collision><origin xyz="0 1.0 0.48"/><geometry><box size="0.04 2.0 0.96"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="frame"/><child link="leaf"/>
    <origin xyz="0 0 -0.48"/><axis xyz="0 1 0"/><limit lower="0" upper="1.5708" effort="10" velocity="1"/></joint>
</robot>"""


def write_foreign_dataset(folder: Path) -> Path:
    """Writes the data set and returns the path of its configuration.

    Its scenes: "home"; "tower", of two storeys; "pit", without a floor; "tray", whose floor is too small.
    """
    _write(folder / "stages" / "home.glb", drawn_glb({"home": merge(_home())}))
    _write(folder / "stages" / "tower.glb", drawn_glb({"tower": merge(_tower())}))
    _write(folder / "stages" / "pit.glb", drawn_glb({"pit": merge(_walls(0.0, 0.0, 4.0, 4.0, 0.0))}))
    _write(folder / "stages" / "tray.glb", drawn_glb({"tray": merge(_shell(0.0, 0.0, 1.2, 1.2, 0.0))}))
    for stage in ("home", "tower", "pit", "tray"):
        _json(folder / "stages" / f"{stage}.stage_config.json", {"render_asset": f"{stage}.glb"})
    objects: Mapping[str, tuple[Mesh, dict[str, Any]]] = {
        "big_table_03": (_standing(TABLE_SIZE, BROWN), {"semantic_category": "Dining_Table"}),
        "cup": (_standing(CUP_SIZE, RED), {"vessel": True}),
        "apple": (_standing((0.08, 0.08, 0.08), GREEN), {}),
        "spoon": (_standing((0.15, 0.03, 0.02), GREY), {}),
        "chair": (_standing((0.45, 0.45, 0.9), BROWN), {}),
        "rug": (_standing((1.0, 1.0, 0.01), RED), {}),
    }
    for name, (mesh, user) in objects.items():
        _write(folder / "objects" / f"{name}.glb", drawn_glb({name: mesh}))
        _json(
            folder / "objects" / f"{name}.object_config.json",
            {"render_asset": f"{name}.glb", "force_flat_shading": True, "user_defined": user},
        )
    for name, urdf, meshes, user in _articulated():
        for part, mesh in meshes.items():
            _write(folder / "urdf" / f"{name}_{part}.glb", drawn_glb({part: mesh}))
        _write(folder / "urdf" / f"{name}.urdf", urdf.encode())
        _json(
            folder / "urdf" / f"{name}.ao_config.json",
            {"urdf_filepath": f"{name}.urdf", "user_defined": user},
        )
    home = {
        "stage_instance": {"template_name": "home"},
        "translation_origin": "asset_local",
        "semantic_scene_instance": "home",
        "object_instances": [
            _instance("big_table_03", (*TABLE, 0.0), "static"),
            _instance("cup", (*CUP, TABLE_SIZE[2]), "dynamic"),
            _instance("apple", (*APPLE, APPLE_HEIGHT), "dynamic"),
            _instance("spoon", (*NIGHTSTAND, 0.24), "dynamic"),
            _instance("chair", (*CHAIR, 0.0), "dynamic"),
            _instance("rug", (7.0, 1.5, 0.0), "static"),
        ],
        "articulated_object_instances": [
            {**_instance(name, (*at, height), "static"), "fixed_base": True}
            for name, at, height in (("cabinet", CABINET, 0.5), ("nightstand", NIGHTSTAND, 0.0), ("door", DOOR, 0.0))
        ],
    }  # fmt: skip
    _json(folder / "scenes" / "home.scene_instance.json", home)
    lamp = _instance("apple", (1.0, 1.0, -FLOOR), "dynamic")
    for scene in ("tower", "pit", "tray"):
        _json(
            folder / "scenes" / f"{scene}.scene_instance.json",
            {"stage_instance": {"template_name": scene}, "object_instances": [lamp]},
        )
    _json(folder / "semantics" / "home.semantic_config.json", {"region_annotations": _regions()})
    path = folder / "foreign.scene_dataset_config.json"
    _json(
        path,
        {
            "stages": {"paths": {".json": ["stages"]}},
            "objects": {"paths": {".json": ["objects"]}},
            "articulated_objects": {"paths": {".json": ["urdf"], ".urdf": ["urdf"]}},
            "scene_instances": {"paths": {".json": ["scenes"]}},
            "semantic_scene_descriptor_instances": {"paths": {".json": ["semantics"]}},
        },
    )
    return path


def write_plain_room(folder: Path, *, declared: bool) -> Path:
    """Writes a GLB with y up, as glTF defines it, and returns its path.

    habitat-sim takes z for up unless the up axis is `declared` in a stage configuration.
    """
    path = folder / "room.glb"
    _write(path, drawn_glb({"room": merge(_shell(0.0, 0.0, 5.0, 4.0, 0.0))}))
    if declared:
        _json(
            folder / "room.stage_config.json",
            {"render_asset": "room.glb", "up": [0.0, 1.0, 0.0], "front": [0.0, 0.0, -1.0]},
        )
    return path


def write_plain_floor(folder: Path) -> Path:
    """Writes an undeclared floor without walls: habitat-sim loads it standing on its edge."""
    path = folder / "floor.glb"
    _write(path, drawn_glb({"floor": slab((0.0, 0.0, 0.0), (5.0, 4.0, 0.05), GREY)}))
    return path


def _home() -> list[Mesh]:
    return [
        *_shell(0.0, 0.0, 9.1, 4.2, FLOOR),
        _raised(slab((5.0, 0.0, 0.0), (5.1, 1.5, 2.5), WHITE)),
        _raised(slab((5.0, 2.5, 0.0), (5.1, 4.2, 2.5), WHITE)),
        _raised(slab((5.0, 1.5, 2.05), (5.1, 2.5, 2.5), WHITE)),
    ]


def _tower() -> list[Mesh]:
    return [*_shell(0.0, 0.0, 5.0, 4.0, 0.0), *_shell(0.0, 0.0, 5.0, 4.0, 3.0)]


def _shell(x0: float, y0: float, x1: float, y1: float, floor: float) -> list[Mesh]:
    ground = slab((x0 - 0.1, y0 - 0.1, floor - 0.1), (x1 + 0.1, y1 + 0.1, floor), GREY)
    return [ground, *_walls(x0, y0, x1, y1, floor)]


def _walls(x0: float, y0: float, x1: float, y1: float, floor: float) -> list[Mesh]:
    """Returns walls around a rectangle, 2.5 m high."""
    t, low, high = 0.1, floor, floor + 2.5
    return [
        slab((x0 - t, y0 - t, low), (x0, y1 + t, high), WHITE),
        slab((x1, y0 - t, low), (x1 + t, y1 + t, high), WHITE),
        slab((x0, y0 - t, low), (x1, y0, high), WHITE),
        slab((x0, y1, low), (x1, y1 + t, high), WHITE),
    ]


def _articulated() -> Sequence[tuple[str, str, Mapping[str, Mesh], dict[str, Any]]]:
    depth, width, height = CABINET_SIZE
    hollow = [
        box((-depth / 2 + 0.01, 0.0, 0.0), (0.02, width, height), BROWN),
        *(box((0.0, side * (width / 2 - 0.01), 0.0), (depth, 0.02, height), BROWN) for side in (-1, 1)),
        *(box((0.0, 0.0, level), (depth, width, 0.02), BROWN) for level in (-0.49, 0.0, 0.49)),
    ]
    cabinet = {"body": merge(hollow), "leaf": slab((0.0, -0.8, -0.5), (0.02, 0.0, 0.5), WHITE)}
    inside = {"parent_link": "body", "position": [0.0, 0.02, 0.0], "scale": [0.2, 0.01, 0.35]}
    nightstand = {
        "body": merge(
            [
                box((0.0, 0.0, 0.59), (0.5, 0.5, 0.02), BROWN),
                box((0.0, 0.0, 0.08), (0.5, 0.5, 0.16), BROWN),
                *(box((0.0, side * 0.24, 0.3), (0.5, 0.02, 0.6), BROWN) for side in (-1, 1)),
            ]
        ),
        "drawer": box((0.0, 0.0, -0.08), (0.44, 0.44, 0.04), WHITE),
    }
    tray = {"parent_link": "drawer", "position": [0.0, -0.05, 0.0], "scale": [0.2, 0.01, 0.2]}
    door = {"leaf": slab((-0.02, -0.96, 0.02), (0.02, 0.0, 2.02), BROWN)}
    return (
        ("cabinet", _CABINET, cabinet, {"receptacle_aabb_middle": {"name": "middle", **inside}}),
        ("nightstand", _NIGHTSTAND, nightstand, {"receptacle_aabb_tray": {"name": "tray", **tray}}),
        ("door", _DOOR, door, {"category": "door"}),
    )


def _regions() -> list[Mapping[str, Any]]:
    return [
        {
            "name": f"{label} {number}",
            "label": label,
            "floor_height": FLOOR,
            "extrusion_height": 2.5,
            "min_bounds": [x0, FLOOR, -4.2],
            "max_bounds": [x1, FLOOR + 2.5, 0.0],
            "poly_loop": [[x0, FLOOR, 0.0], [x1, FLOOR, 0.0], [x1, FLOOR, -4.2], [x0, FLOOR, -4.2]],
        }
        for number, (label, x0, x1) in enumerate((("kitchen", 0.0, 5.0), ("bedroom", 5.1, 9.1)))
    ]


def _instance(template: str, at: tuple[float, float, float], motion: str) -> dict[str, Any]:
    x, y, z = points_to_habitat(np.array([at]))[0].tolist()
    return {"template_name": template, "translation": [x, y + FLOOR, z], "motion_type": motion}


def _standing(size: tuple[float, float, float], colour: Colour) -> Mesh:
    return box((0.0, 0.0, size[2] / 2), size, colour)


def _raised(mesh: Mesh) -> Mesh:
    return mesh.placed(0.0, 0.0, FLOOR, 0.0)


def _json(path: Path, fields: Mapping[str, Any]) -> None:
    _write(path, json.dumps(fields).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
