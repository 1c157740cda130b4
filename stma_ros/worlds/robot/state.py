"""The state of a scene during an episode: open, running and filled objects, and the place of each portable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from stma_ros.worlds.robot.geometry import Placement

ROBOT: Final = "robot"
"""The support of a held object: the robot's gripper."""

FLOOR: Final = ""
"""The support of an object on the floor."""


@dataclass(frozen=True)
class Spot:
    """The place of a small object: the name of its support (FLOOR, ROBOT, a piece of furniture, another small object),
    and its pose in the frame of the home [m, rad]. That of a held object is the origin, and objects on or in it have
    their poses in its frame."""

    support: str
    inside: bool
    x: float
    y: float
    z: float
    yaw: float

    @property
    def placement(self) -> Placement:
        """The pose of its frame, seen from above."""
        return Placement(self.x, self.y, self.yaw)


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
        """Returns the state with an object elsewhere, and what is on or in it at the same place of it."""
        old = self.spots.get(name)
        moved = {name: spot}
        if old is not None:
            motion, rise = spot.placement.times(old.placement.inverse()), spot.z - old.z
            for load in self.load(name):
                at = self.spots[load]
                there = motion.times(at.placement)
                moved[load] = replace(at, x=there.x, y=there.y, z=at.z + rise, yaw=there.yaw)
        return replace(self, spots={**self.spots, **moved})

    def load(self, name: str) -> tuple[str, ...]:
        """Returns the names of the objects on or in another one, and on or in those."""
        found = [other for other, spot in self.spots.items() if spot.support == name]
        return tuple(part for other in found for part in (other, *self.load(other)))

    def base_of(self, name: str) -> Spot:
        """Returns the place of the object that carries an object, on or in others; its own where none does."""
        spot = self.spots[name]
        return self.base_of(spot.support) if spot.support in self.spots else spot
