"""The settings of the world `programs`."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting


@dataclass(frozen=True)
class ProgramsConfig:
    folder: str = setting("", "folder of activities: programs/NAME.txt and graphs/NAME.json")
    moved: bool = setting(False, "whether the movable things are placed anew in the home, as the seed draws")
