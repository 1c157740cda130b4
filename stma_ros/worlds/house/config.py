"""The settings of the world `house`; importable without its engine."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting
from stma_ros.worlds.robot.config import RobotConfig

USUAL_STATES, VARIED_STATES = "usual", "varied"
"""What is open, on and full at the begin of episodes: little, or much (furnishing/varied_states.py)."""


@dataclass(frozen=True)
class HouseConfig(RobotConfig):
    rooms: int = setting(0, "rooms of a flat, 3 to 10; 0 = drawn from the flat's seed", low=0, high=10)
    changes: int = setting(
        0, "things that someone else moves, opens or closes in the middle of an episode", low=0, high=20
    )
    changes_between: int = setting(
        0, "things that someone else moves, opens or closes between two tasks", low=0, high=20
    )
    states: str = setting(
        USUAL_STATES,
        "what is open, on and full at first: 'usual' = little of it, and some doors are closed; 'varied' = every "
        "door is open, and half of the devices are on",
        choices=(USUAL_STATES, VARIED_STATES),
    )
    palette_seed: int = setting(
        -1, "draws the colours of vessels, drinks and lights at random, for tests; -1 = as generated", low=-1
    )

    def check(self) -> None:
        """Raises ConfigurationError for settings that no flat can have."""
        if 0 < self.rooms < 3:
            raise ConfigurationError(f"house.rooms must be 0 or from 3 to 10, got {self.rooms}")
