"""Describes a kind of small thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.worlds.house.meshes import Colour, Mesh
from stma_ros.worlds.robot.scene import Shelf


@dataclass(frozen=True)
class ItemKind:
    """A kind of small thing, standing on z = 0 around the origin.

    Attributes:
        name: its category.
        material: its material.
        colours: the colours in which it exists.
        belongs: the furniture that it is usually on or in.
        build: makes its mesh in a colour.
        scales: the sizes in which it exists.
        rooms: the rooms in which it usually is; empty = any.
        full: makes the visible liquid of a full vessel in a colour; None = it is no vessel.
        lining: makes the inside of a vessel in a colour of its own; None = its inside is like its outside.
        lit: makes the parts that are visible while it is on; None = it is no device.
        on: the place on it for other things; None = there is none.
        inside: the places in it for other things, one layer above the other; empty = there is none.
    """

    name: str
    material: str
    colours: tuple[Colour, ...]
    belongs: tuple[str, ...]
    build: Callable[[Colour], Mesh]
    scales: tuple[float, ...] = (1.0,)
    rooms: tuple[str, ...] = ()
    full: Callable[[Colour], Mesh] | None = None
    lining: Callable[[Colour], Mesh] | None = None
    lit: Callable[[Colour], Mesh] | None = None
    on: Shelf | None = None
    inside: tuple[Shelf, ...] = ()

    @property
    def variants(self) -> tuple[tuple[Colour, float], ...]:
        """The combinations of colour and scale in which it exists."""
        return tuple((colour, scale) for colour in self.colours for scale in self.scales)


TWO_SIZES = (0.85, 1.25)
"""A small and a large size, clearly distinguishable."""
