"""The settings of the world `habitat`; importable without its engine."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting
from stma_ros.worlds.house.config import HouseConfig

PROCESS, INSIDE = "process", "inside"

PYTHON_VARIABLE = "STMA_HABITAT_PYTHON"
"""The environment variable that names the interpreter that has habitat-sim."""


@dataclass(frozen=True)
class HabitatConfig(HouseConfig):
    engine: str = setting(
        PROCESS, "where habitat-sim runs: in a process of its own, or in this one", choices=(PROCESS, INSIDE)
    )
    python: str = setting(
        "",
        "the interpreter that has habitat-sim, for a process of its own; empty = what STMA_HABITAT_PYTHON says, "
        "else this one",
    )
    gpu: int = setting(-1, "number of the GPU that renders; -1 = software", low=-1, high=63)
    any_version: bool = setting(False, "try a habitat-sim of a version that is not known to work")
    dataset: str = setting(
        "", "a *.scene_dataset_config.json file; empty = the flats of the house, or a scene's file"
    )
    unlabelled: bool = setting(False, "load scenes, too, in which nothing has a name")
    floor: int = setting(
        -1, "storey of a scene that has several, from 0 at the bottom; -1 = the only one", low=-1
    )
    load_deadline: float = setting(
        300.0, "how long the engine may take for a scene", unit="s", low=1.0, high=3600.0
    )
    deadline: float = setting(20.0, "how long it may take for an image", unit="s", low=0.1, high=600.0)
    flats: str = setting("", "folder of the flats for the engine; empty = stma_ros/flats in the user's cache")
