"""Fixtures of a data set's scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from stma_ros.worlds.habitat.scene.shelving import Shelving
from stma_ros.worlds.habitat.scene.solid import Solid
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.scene import Shelf

_LOW, _HIGH = 0.05, 1.3  # the base drives over lower objects, and under higher ones [m]


@dataclass(frozen=True)
class Front:
    """The moving parts of an articulated object: the joint positions of the whole object and the box of each moving
    part, closed and open."""

    shut: tuple[float, ...]
    open: tuple[float, ...]
    shut_parts: tuple[Solid, ...]
    open_parts: tuple[Solid, ...]
    opened: Solid
    """The whole object, open."""
    swept: Solid
    """The box around the moving parts in both states."""


@dataclass(frozen=True)
class LoadedFixture:
    """Implements robot.scene.Fixture.

    Attributes:
        id: id in the engine.
        solid: box of the closed object; its x axis points to its front.
        in_navmesh: whether the engine's navmesh ends at it.
    """

    id: int
    name: str
    category: str
    solid: Solid
    in_navmesh: bool
    front: Front | None = None
    shelving: Shelving = Shelving()
    swings: bool = False
    is_device: bool = False
    is_tap: bool = False

    @property
    def portable(self) -> Literal[False]:
        return False

    @property
    def opens(self) -> bool:
        return self.front is not None

    @property
    def placement(self) -> Placement:
        return self.solid.placement

    @cached_property
    def box(self) -> Box:
        return self.solid.box

    @cached_property
    def footprint(self) -> OrientedRect:
        return self.solid.footprint

    def box_when(self, open_: bool) -> Box:
        return self.front.opened.box if open_ and self.front else self.box

    @cached_property
    def leaves(self) -> Sequence[OrientedRect]:
        return _in_the_way(self.front.open_parts) if self.front else ()

    @cached_property
    def sweep(self) -> Sequence[OrientedRect]:
        if self.front and self.swings:
            return _in_the_way([self.front.swept])
        return self.leaves

    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        return [place.shelf for place in (self.shelving.inside if inside else self.shelving.on)]

    def ahead(self, distance: float) -> tuple[float, float]:
        return self.placement.point(self.solid.half_x + distance, 0.0)

    def obstacles(self, open_: bool) -> Sequence[OrientedRect]:
        """Returns the obstacles of the base that are not part of the navmesh."""
        if open_ and self.front:
            standing = () if self.in_navmesh or self.swings else _in_the_way([self.solid])
            return [*standing, *self.leaves]
        if self.front and self.swings:  # the frame around the leaf lets the base through
            return _in_the_way(self.front.shut_parts)
        return () if self.in_navmesh else _in_the_way([self.solid])


def _in_the_way(parts: Sequence[Solid]) -> list[OrientedRect]:
    return [part.footprint for part in parts if part.high > _LOW and part.low < _HIGH]
