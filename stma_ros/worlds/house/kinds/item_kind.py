"""What a kind of small thing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.worlds.house.meshes import Colour, Mesh


@dataclass(frozen=True)
class ItemKind:
    """A kind of small thing, standing on z = 0 around the origin.

    `belongs` names the furniture that it is usually on or in, `rooms` the rooms in which (empty: any). `scales` are
    the sizes in which it comes. `full`: the liquid that shows while it is full (None: it holds none). `lit`: what
    shows over it while it is on (None: it is no device).
    """

    name: str
    material: str
    colours: tuple[Colour, ...]
    belongs: tuple[str, ...]
    build: Callable[[Colour], Mesh]
    scales: tuple[float, ...] = (1.0,)
    rooms: tuple[str, ...] = ()
    full: Callable[[], Mesh] | None = None
    lit: Callable[[Colour], Mesh] | None = None

    @property
    def variants(self) -> tuple[tuple[Colour, float], ...]:
        """The colours and scales in which it comes."""
        return tuple((colour, scale) for colour in self.colours for scale in self.scales)


TWO_SIZES = (0.85, 1.25)
"""Small and large, clearly distinguishable."""
