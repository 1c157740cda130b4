"""Rearrange episodes in the scene "home" of the generated data set, as habitat-lab writes them, with external
objects."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.drawn import drawn_glb
from stma_ros.worlds.habitat.lab.document import episodes_of
from stma_ros.worlds.habitat.lab.episodes import RearrangeSet
from stma_ros.worlds.habitat.lab.rearranged import StagedEpisodes, StagedScene
from stma_ros.worlds.house.meshes import box
from support.worlds.external_dataset import FLOOR, write_foreign_dataset

CAN, BOWL = "005_tomato_soup_can_:0000", "024_bowl_:0000"
ON_TABLE, ON_NIGHTSTAND, IN_DRAWER = (2.8, 3.4, 0.8), (8.6, 3.6, 0.63), (8.2, 3.6, 0.27)
"""Middles of things [m]: on the table, the shut nightstand, and in its drawer, open by 0.4 m."""

NEXT_TO_GOAL = {CAN: (8.5, 3.5, 0.65), BOWL: (2.3, 3.4, 0.78)}
"""Where the things are to be."""

_SIZES = {"005_tomato_soup_can": (0.07, 0.07, 0.1), "024_bowl": (0.14, 0.14, 0.06)}


@dataclass(frozen=True)
class WrittenEpisodes:
    """Written episodes and their data set.

    Attributes:
        scenes: folder for `--set scenes=`.
        dataset: configuration of the scenes.
        episodes: the *.json.gz.
    """

    scenes: Path
    dataset: Path
    episodes: Path


def write_rearranged(folder: Path, *episodes: Mapping[str, Any]) -> WrittenEpisodes:
    scenes = folder / "data" / "scene_datasets"
    dataset = write_foreign_dataset(scenes / "foreign")
    objects = folder / "data" / "objects" / "ycb"
    (objects / "configs").mkdir(parents=True)
    (objects / "meshes").mkdir()
    for name, size in _SIZES.items():
        mesh = box((0.0, 0.0, size[2] / 2), size, (180, 40, 40))
        (objects / "meshes" / f"{name}.glb").write_bytes(drawn_glb({name: mesh}))
        config = {"render_asset": f"../meshes/{name}.glb", "force_flat_shading": True}
        (objects / "configs" / f"{name}.object_config.json").write_text(json.dumps(config))
    path = folder / "easy.json.gz"
    with gzip.open(path, "wt") as file:
        json.dump({"config": {}, "episodes": episodes or (raw_episode(),)}, file)
    return WrittenEpisodes(scenes, dataset, path)


def raw_episode(*things: str, bowl: Sequence[float] = ON_NIGHTSTAND, **changes: Any) -> dict[str, Any]:
    """Returns an episode with the can on the table, the bowl elsewhere, and the cabinet open.

    Each of the given objects (by default the can) is to go to the place of the other one.
    """
    here = {CAN: ("big_table_03_:0000", None), BOWL: ("nightstand_:0000", 0)}
    moved = things or (CAN,)
    return {
        "episode_id": "0",
        "scene_id": "data/scene_datasets/foreign/scenes/home.scene_instance.json",
        "scene_dataset_config": "data/scene_datasets/foreign/foreign.scene_dataset_config.json",
        "additional_obj_config_paths": ["data/objects/ycb/configs/"],
        "start_position": [0, 0, 0],
        "start_rotation": [0, 0, 0, 1],
        "info": {"object_labels": {thing: f"any_targets|{k}" for k, thing in enumerate(moved)}},
        "ao_states": {"cabinet_:0000": {"0": 1.5}},
        "rigid_objs": [
            ["005_tomato_soup_can.object_config.json", placed(ON_TABLE)],
            ["024_bowl.object_config.json", placed(bowl)],
        ],
        "targets": {thing: placed(NEXT_TO_GOAL[thing]) for thing in moved},
        "markers": [],
        "target_receptacles": [here[thing] for thing in moved],
        "goal_receptacles": [here[BOWL if thing == CAN else CAN] for thing in moved],
        "name_to_receptacle": {},
        **changes,
    }


def placed(middle: Sequence[float]) -> list[list[float]]:
    """Returns the transform of an upright object at that place, in the map of the scene."""
    x, y, z = points_to_habitat(np.array([middle]))[0].tolist()
    return [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y + FLOOR], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]]


def as_read(*episodes: Mapping[str, Any]) -> RearrangeSet:
    """Returns the episodes as the reader returns them, without habitat-lab."""
    read = [
        {
            "id": str(number),
            "scene": raw["scene_id"],
            "dataset": raw["scene_dataset_config"],
            "templates": raw["additional_obj_config_paths"],
            "objects": [{"template": name, "transform": rows} for name, rows in raw["rigid_objs"]],
            "joints": raw["ao_states"],
            "targets": [
                {"object": thing, "start": start or "", "goal": goal or "", "transform": rows}
                for (thing, rows), (start, _), (goal, _) in zip(
                    raw["targets"].items(), raw["target_receptacles"], raw["goal_receptacles"], strict=True
                )
            ],
        }
        for number, raw in enumerate(episodes)
    ]
    document = {"kind": "RearrangeDataset-v0", "episodes": read}
    made = episodes_of(json.dumps(document).encode(), Path("easy.json.gz"))
    assert isinstance(made, RearrangeSet)
    return made


def scene_of(made: StagedEpisodes, number: int = 0) -> StagedScene:
    """Returns the staged scene of an episode, which must have one."""
    scene = made.scenes[number]
    assert isinstance(scene, StagedScene)
    return scene
