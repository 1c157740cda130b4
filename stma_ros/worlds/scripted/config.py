"""The settings of the scripted robot. Its scenes are the scripts."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting


@dataclass(frozen=True)
class ScriptedConfig:
    width: int = setting(160, "width of the camera's images", unit="px", low=16, high=4096)
    height: int = setting(120, "height of the camera's images", unit="px", low=12, high=4096)
