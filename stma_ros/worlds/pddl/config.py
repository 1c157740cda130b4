"""The settings of the world `pddl`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stma_ros.types.settings import setting

FULL: Final = "full"
EFFECTS: Final = "effects"
BY_DOMAIN: Final = "domain"


@dataclass(frozen=True)
class PddlConfig:
    observation: str = setting(
        FULL,
        "what an observation shows after an action: all that is true and visible, only what changed, or that of both "
        "which the domain's wording.yaml names",
        choices=(FULL, EFFECTS, BY_DOMAIN),
    )
    look_around: bool = setting(
        True,
        "whether the command 'look around' is accepted, which costs a step and shows all that is visible",
    )
    check_valid_actions: bool = setting(
        True,
        "whether the command 'check valid actions' is accepted, which costs a step and lists what can be done",
    )
