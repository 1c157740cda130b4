"""The state of a scene during an episode: open, running and filled objects, and the place of each portable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

ROBOT: Final = "robot"
"""The support of a held object: the robot's gripper."""

FLOOR: Final = ""
"""The support of an object on the floor."""


@dataclass(frozen=True)
class Spot:
    """The place of a small object: the name of its support (FLOOR, ROBOT, a piece of furniture), and its pose in the
    frame of the home [m, rad], which has no meaning in the gripper."""

    support: str
    inside: bool
    x: float
    y: float
    z: float
    yaw: float


HAND: Final = Spot(ROBOT, False, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SceneState:
    """The state of a scene by the world's own names.

    Attributes:
        open_names: containers and doors.
        on_names: devices.
        full_names: vessels that hold a liquid.
        spots: place of every small object.
    """

    open_names: frozenset[str] = frozenset()
    on_names: frozenset[str] = frozenset()
    full_names: frozenset[str] = frozenset()
    spots: Mapping[str, Spot] = field(default_factory=dict)

    @property
    def held(self) -> str:
        """The name of the held object; empty = none."""
        return next((name for name, spot in self.spots.items() if spot.support == ROBOT), "")

    def opened(self, *names: str) -> SceneState:
        return replace(self, open_names=self.open_names | set(names))

    def closed(self, *names: str) -> SceneState:
        return replace(self, open_names=self.open_names - set(names))

    def switched(self, name: str, *, on: bool) -> SceneState:
        return replace(self, on_names=self.on_names | {name} if on else self.on_names - {name})

    def filled(self, name: str, *, full: bool) -> SceneState:
        return replace(self, full_names=self.full_names | {name} if full else self.full_names - {name})

    def moved(self, name: str, spot: Spot) -> SceneState:
        return replace(self, spots={**self.spots, name: spot})
