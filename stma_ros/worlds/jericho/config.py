"""The settings of the world `jericho`; importable without its interpreter."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting

OBJECTIVE = "Explore the world of this text adventure, and score as many points as you can."
"""The task where people state none: story files do not hold one."""


@dataclass(frozen=True)
class JerichoConfig:
    story: str = setting("", "path of a story file, for an episode without a scene; empty = there is none")
    deadline: float = setting(
        10.0,
        "computing time that a story may take for a command before it is ended",
        unit="s",
        low=0.1,
        high=600.0,
    )
