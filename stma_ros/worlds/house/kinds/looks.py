"""How one thing looks apart from its own colour: what fills it, its inside, its light, what its screen shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, box, merge

LAMPS: Final = frozenset({"floor lamp", "table lamp", "torch"})
HEATERS: Final = frozenset({"stove", "heater", "toaster", "hair dryer"})
SCREENS: Final = frozenset({"tv", "laptop"})
"""Devices by what shines in them; the others have a display."""

STANDBY: Final = frozenset(
    {"tv", "oven", "microwave", "washing machine", "dryer", "dishwasher", "coffee machine", "radio", "fan"}
)
"""Devices that may have a light that shines while they are off."""

_LED = 0.012  # side of such a light [m]
_PROUD = 0.002  # of a picture before its screen [m]
_END = 0.15  # share of the height of a lampshade at which an end begins

Patch = tuple[float, float, float, float, Colour]
"""Left, bottom, right, top as shares of the screen, and the colour."""


@dataclass(frozen=True)
class ScreenPicture:
    """What a screen shows: a background with patches."""

    background: Colour
    patches: tuple[Patch, ...] = ()


_LINES = tuple((0.1, 0.8 - 0.15 * k, 0.9 - 0.1 * (k % 3), 0.86 - 0.15 * k, (120, 122, 128)) for k in range(5))

PICTURES: Final[tuple[ScreenPicture, ...]] = (
    ScreenPicture((90, 170, 255)),
    ScreenPicture((10, 10, 14), ((0.35, 0.1, 0.55, 0.7, (46, 40, 44)), (0.62, 0.2, 0.7, 0.5, (30, 34, 46)))),
    ScreenPicture((246, 246, 242), _LINES),
    ScreenPicture(
        (150, 200, 236), ((0.0, 0.0, 1.0, 0.42, (86, 132, 70)), (0.7, 0.62, 0.82, 0.82, (255, 232, 130)))
    ),
    ScreenPicture(
        (30, 48, 110), ((0.0, 0.06, 1.0, 0.24, (226, 190, 40)), (0.1, 0.3, 0.42, 0.9, (196, 150, 120)))
    ),
    ScreenPicture(
        (46, 140, 66), ((0.48, 0.0, 0.52, 1.0, (230, 236, 226)), (0.2, 0.4, 0.26, 0.5, (210, 60, 50)))
    ),
    ScreenPicture(
        (24, 24, 28),
        tuple(
            (
                0.08 + 0.3 * (k % 3),
                0.52 - 0.42 * (k // 3),
                0.32 + 0.3 * (k % 3),
                0.86 - 0.42 * (k // 3),
                colour,
            )
            for k, colour in enumerate(
                ((190, 60, 60), (60, 120, 190), (80, 160, 90), (200, 160, 60), (150, 90, 170), (90, 96, 104))
            )
        ),
    ),
)


@dataclass(frozen=True)
class Look:
    """The look of one thing.

    Attributes:
        liquid: colour of what fills it; None = nothing is visible of it, as in an opaque vessel.
        lining: colour of its inside; None = that of the outside.
        light: colour of its light; None = as its kind is built.
        standby: colour of the light that shines while it is off; None = there is none.
        picture: number of the picture on its screen.
        opaque_shade: whether a lamp shines from the ends of its shade only.
    """

    liquid: Colour | None = None
    lining: Colour | None = None
    light: Colour | None = None
    standby: Colour | None = None
    picture: int = 0
    opaque_shade: bool = False


PLAIN: Final = Look()


def luminous(category: str, lit: Mesh, look: Look) -> Mesh:
    """Returns the shining parts of a device that is on. lit: as its kind is built."""
    if not len(lit.triangles):
        return lit
    if category in SCREENS:
        return _showing(lit, PICTURES[look.picture % len(PICTURES)])
    if category in LAMPS and look.opaque_shade:
        lit = _part(lit, _at_ends(lit))
    return lit if look.light is None else _painted(lit, look.light)


def opaque_part(category: str, lit: Mesh, unlit: Mesh, look: Look) -> Mesh:
    """Returns the part of `unlit` that is visible although the device is on; both have the same triangles."""
    if category in LAMPS and look.opaque_shade and len(unlit.triangles):
        return _part(unlit, ~_at_ends(lit))
    return EMPTY


def standby_light(category: str, lit: Mesh, look: Look) -> Mesh:
    """Returns what shines while a device is off: a small light at the lower corner of its display."""
    if look.standby is None or category not in STANDBY or not len(lit.triangles):
        return EMPTY
    low, high = lit.bounds()
    side = min(_LED, float(high[1] - low[1]), float(high[2] - low[2]))
    centre = float(high[0]), float(low[1]) + side, float(low[2]) + side / 2
    return box(centre, (0.006, side, side), look.standby)


def _showing(lit: Mesh, picture: ScreenPicture) -> Mesh:
    """Returns a screen that faces along x, with a picture."""
    low, high = lit.bounds()
    width, height = float(high[1] - low[1]), float(high[2] - low[2])
    patches = []
    for left, bottom, right, top, colour in picture.patches:
        y, z = low[1] + width * (left + right) / 2, low[2] + height * (bottom + top) / 2
        size = (_PROUD, width * (right - left), height * (top - bottom))
        patches.append(box((float(high[0]), float(y), float(z)), size, colour))
    return merge([_painted(lit, picture.background), *patches])


def _at_ends(lit: Mesh) -> NDArray[np.bool_]:
    """Returns which triangles (T) of a lampshade are its ends."""
    z = lit.vertices[lit.triangles][..., 2]
    low, high = z.min(), z.max()
    end = _END * (high - low)
    at_ends: NDArray[np.bool_] = (z.max(axis=1) < low + end) | (z.min(axis=1) > high - end)
    return at_ends


def _part(mesh: Mesh, which: NDArray[np.bool_]) -> Mesh:
    return Mesh(mesh.vertices, mesh.triangles[which], mesh.colours[which])


def _painted(mesh: Mesh, colour: Colour) -> Mesh:
    return Mesh(mesh.vertices, mesh.triangles, np.tile(np.array(colour, np.uint8), (len(mesh.triangles), 1)))
