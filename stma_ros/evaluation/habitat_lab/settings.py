"""The settings of the suite `habitat_lab`."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting
from stma_ros.worlds.habitat.lab.scenes import SCENES


@dataclass(frozen=True)
class HabitatLabSettings:
    episodes: str = setting("", "the episodes: a *.json.gz of habitat-lab, ObjectNav or Rearrange")
    scenes: str = setting(SCENES, "the folder of the scenes of the episodes")
    lab_python: str = setting(
        "", "the interpreter that has habitat-lab; empty = what STMA_HABITAT_PYTHON says, else this one"
    )
    success_distance: float = setting(
        0.1, "how near to a view point the robot must stop", unit="m", low=0.0, high=10.0
    )
    object_distance: float = setting(
        1.0, "how near to an object, where a data set has no view points", unit="m", low=0.0, high=10.0
    )
    goal_distance: float = setting(
        0.15, "how near to its goal a thing counts as being there", unit="m", low=0.0, high=10.0
    )
    commands: int = setting(
        60, "commands of an episode; where things are rearranged, for each of them", low=1
    )
    cache_folder: str = setting(
        "", "folder for the scenes of rearrangement; empty = stma_ros/episodes in the user's cache"
    )
