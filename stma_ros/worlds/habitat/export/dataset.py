"""Writes a flat as a scene data set of habitat-sim into a folder of its own.

    <name>.scene_dataset_config.json    the folders below
    scenes/                             the objects of the scene and their poses
    stages/                             the building
    objects/                            an object for each part of each thing, for each of its states
    semantics/                          the labels of the building's surfaces, and the rooms

All objects are in the scene all the time. Objects of a state that their thing is not in, and objects inside something
closed, are `HIDDEN` metres below their place; an engine shows and hides objects by moving them.

A navmesh has to be made with `includeStaticObjects`. Solid things that never move are static; fronts, leaves of doors,
small things, and things that the robot drives over are kinematic, and no part of the navmesh.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from stma_ros.worlds.habitat.axes import Rotation, points_to_habitat, yaw_to_habitat
from stma_ros.worlds.habitat.export.drawn import annotated_glb, drawn_glb, lit_glb, solid_glb
from stma_ros.worlds.habitat.export.folder import store
from stma_ros.worlds.habitat.export.stage import (
    Surface,
    annotation_text,
    drawn_surfaces,
    regions,
    surfaces_of,
)
from stma_ros.worlds.habitat.export.things import Part, Thing, states_now, things_of
from stma_ros.worlds.house.flat import Flat

VERSION: Final = 3
"""Version of the data set's form."""

MARK: Final = "stma_ros_flat.json"
"""The file by which an export is known."""

HIDDEN: Final = 100.0
"""Distance of hidden objects below their place [m]."""

_UPRIGHT: Final = {"up": [0.0, 1.0, 0.0], "front": [0.0, 0.0, -1.0]}
_SEMANTICS_UPRIGHT: Final = {f"semantic_{key}": axis for key, axis in _UPRIGHT.items()}
_DATASET: Final = {
    "stages": {"paths": {".json": ["stages"]}},
    "objects": {"paths": {".json": ["objects"]}},
    "scene_instances": {"paths": {".json": ["scenes"]}},
    "semantic_scene_descriptor_instances": {"paths": {".json": ["semantics"]}},
}


@dataclass(frozen=True)
class ExportedObject:
    """An object of the scene.

    Attributes:
        name: its name in its `user_defined` fields.
        owner: the thing of the flat that it is a part of.
        category: of the thing.
        state: the state in which it is shown (STATE_ON ...); empty = in all.
        shown: whether it is shown at first.
        position: position of the thing at first, in Habitat's axes [m].
        rotation: rotation of the thing at first, in Habitat's axes.
    """

    name: str
    owner: str
    category: str
    state: str
    shown: bool
    position: tuple[float, float, float]
    rotation: Rotation


@dataclass(frozen=True)
class ExportedFlat:
    """An exported data set: its file, the name of its scene, and its objects. `surfaces`: the categories of the
    building's annotated ids."""

    dataset: Path
    scene: str
    objects: tuple[ExportedObject, ...]
    surfaces: Mapping[int, str]


def export_flat(flat: Flat, folder: Path) -> ExportedFlat:
    """Writes the data set into `folder`, which then holds no other file. The same flat gives the same bytes.

    A folder that holds the data set already is left as it is, one of another flat is replaced. Readers find the whole
    data set or none, even when the export is interrupted.

    Raises:
        StorageError: the folder holds something else, or cannot be written.
    """
    name = f"flat_{flat.seed}"
    surfaces = surfaces_of(flat)
    files = _building_files(name, flat, surfaces)
    objects, instances = [], []
    for number, thing in enumerate(things_of(flat)):
        now = states_now(thing.name, flat.initial)
        for part in thing.parts:
            exported = _exported(thing, part, number, thing.visible and (not part.state or part.state in now))
            files |= _object_files(thing, part, exported.name)
            instances.append(_instance(part, exported))
            objects.append(exported)
    files[f"scenes/{name}.scene_instance.json"] = _json(
        {
            "stage_instance": {"template_name": f"stages/{name}"},
            "default_lighting": "no_lights",
            "semantic_scene_instance": f"semantics/{name}",
            "object_instances": instances,
        }
    )
    files[f"{name}.scene_dataset_config.json"] = _json(_DATASET)
    files[MARK] = _json({"version": VERSION, "seed": flat.seed})
    store(files, folder, MARK)
    dataset = folder.absolute() / f"{name}.scene_dataset_config.json"
    return ExportedFlat(dataset, name, tuple(objects), {surface.id: surface.category for surface in surfaces})


def _building_files(name: str, flat: Flat, surfaces: Sequence[Surface]) -> dict[str, bytes]:
    stage = {
        **_UPRIGHT,
        "render_asset": f"{name}.glb",
        "collision_asset": f"{name}.glb",
        "semantic_asset": f"../semantics/{name}.glb",
        "semantic_descriptor_filename": f"../semantics/{name}.txt",
        **_SEMANTICS_UPRIGHT,
        "force_flat_shading": True,
    }
    semantics = {
        "semantic_asset": f"{name}.glb",
        "semantic_descriptor_filename": f"{name}.txt",
        **_SEMANTICS_UPRIGHT,
        "region_annotations": regions(flat.layout.rooms),
    }
    colours = {f"{s.category} {s.room}": (s.shape, s.colour) for s in surfaces}
    return {
        f"stages/{name}.stage_config.json": _json(stage),
        f"stages/{name}.glb": lit_glb(drawn_surfaces(surfaces)),
        f"semantics/{name}.semantic_config.json": _json(semantics),
        f"semantics/{name}.txt": annotation_text(surfaces).encode(),
        f"semantics/{name}.glb": annotated_glb(colours),
    }


def _exported(thing: Thing, part: Part, number: int, shown: bool) -> ExportedObject:
    # habitat-sim accepts a part of a name as the name: no name here is a part of another.
    plain = re.sub(r"\W+", "_", thing.name, flags=re.ASCII)
    x, y, z = points_to_habitat(np.array([thing.position]))[0].tolist()
    return ExportedObject(
        f"{number:05d}-{plain}-{part.label}",
        thing.name,
        thing.category,
        part.state,
        shown,
        (x, y, z),
        yaw_to_habitat(thing.yaw),
    )


def _object_files(thing: Thing, part: Part, name: str) -> dict[str, bytes]:
    config: dict[str, Any] = {
        **_UPRIGHT,
        "render_asset": f"{name}.glb",
        "COM": [0.0, 0.0, 0.0],  # otherwise habitat-sim takes the centre as the origin
        "force_flat_shading": True,
        "is_collidable": bool(part.solids),
        "user_defined": {
            "name": name,
            "of": thing.name,
            "category": thing.category,
            "state": part.state,
            **thing.about,
            **(thing.surfaces if part is thing.parts[0] else {}),
        },
    }
    files = {f"objects/{name}.glb": drawn_glb({name: part.mesh})}
    if part.solids:
        config |= {"collision_asset": f"{name}.solid.glb", "join_collision_meshes": False}
        solids = {f"solid {number}": solid for number, solid in enumerate(part.solids)}
        files[f"objects/{name}.solid.glb"] = solid_glb(solids)
    return files | {f"objects/{name}.object_config.json": _json(config)}


def _instance(part: Part, exported: ExportedObject) -> dict[str, Any]:
    x, y, z = exported.position
    return {
        "template_name": f"objects/{exported.name}",
        "motion_type": "static" if part.solids else "kinematic",
        "translation_origin": "asset_local",
        "translation": [x, y if exported.shown else y - HIDDEN, z],
        "rotation": list(exported.rotation),
        "user_defined": {"shown": exported.shown},
    }


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, sort_keys=True, allow_nan=False) + "\n").encode()
