"""The settings of the world `house`; importable without its engine."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting
from stma_ros.worlds.robot.config import RobotConfig


@dataclass(frozen=True)
class HouseConfig(RobotConfig):
    rooms: int = setting(0, "rooms of a flat, 3 to 10; 0 = drawn from the flat's seed", low=0, high=10)
    changes: int = setting(
        0, "things that someone else moves, opens or closes in the middle of an episode", low=0, high=20
    )

    palette_seed: int = setting(
        -1, "draws the colours of vessels, drinks and lights at random, for tests; -1 = as generated", low=-1
    )

    def check(self) -> None:
        """Raises ConfigurationError for settings that no flat can have."""
        if 0 < self.rooms < 3:
            raise ConfigurationError(f"house.rooms must be 0 or from 3 to 10, got {self.rooms}")
