"""Portable objects of a data set's scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stma_ros.types.planar import enclosing_sides
from stma_ros.worlds.habitat.scene.solid import Solid
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import FloatArray
from stma_ros.worlds.robot.scene import Shelf
from stma_ros.worlds.robot.state import Spot


@dataclass(frozen=True)
class LoadedPortable:
    """Implements robot.scene.Portable. `id`: in the engine. `solid`: as loaded. The frame's origin is at the middle of
    the underside, and its yaw is that of `solid`."""

    id: int
    name: str
    category: str
    solid: Solid
    is_device: bool = False
    is_vessel: bool = False

    @property
    def portable(self) -> Literal[True]:
        return True

    def box_at(self, spot: Spot) -> Box:
        solid = self.solid
        size = (2 * solid.half_x, 2 * solid.half_y, solid.height)
        return Box((spot.x, spot.y, spot.z + solid.height / 2), size, spot.yaw)

    def extents(self, turn: float) -> tuple[FloatArray, FloatArray]:
        high = enclosing_sides((self.solid.half_x, self.solid.half_y, self.solid.height), turn)
        return high * (-1.0, -1.0, 0.0), high

    def shelves(self, *, inside: bool) -> tuple[Shelf, ...]:
        """Returns no shelves: data sets have receptacles for furniture only."""
        return ()
