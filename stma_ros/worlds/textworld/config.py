"""The settings of the world `textworld`."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting


@dataclass(frozen=True)
class TextWorldConfig:
    games: str = setting("", "folder of generated games; empty = stma_ros/games in the user's cache")
