"""What furniture each kind of room gets, and how it is grouped."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.worlds.house.meshes import Colour


@dataclass(frozen=True)
class Satellite:
    """A piece that goes with another one.

    `ahead` is the gap between its footprint and the front of the main piece (negative `ahead`: behind its
    back), `aside`
    the offset of its centre along the main piece's width as a fraction of that width, `turn` its yaw
    relative to it [rad].
    """

    kind: str
    ahead: float
    aside: float = 0.0
    turn: float = 0.0
    behind: bool = False


@dataclass(frozen=True)
class Group:
    """Pieces side by side along a wall, `gap` [m] apart (or one piece in the open), with what goes with
    the `main` one."""

    run: tuple[str, ...]
    chance: float = 1.0
    main: int = 0
    satellites: tuple[Satellite, ...] = ()
    in_the_open: bool = False
    gap: float = 0.02


@dataclass(frozen=True)
class Programme:
    """Groups in the order in which they are placed; later ones are dropped where they do not fit."""

    groups: tuple[Group, ...]
    floor: Colour
    pattern: str  # "planks" or "tiles"
    walls: Colour


_DINING = Group(
    ("table",),
    in_the_open=True,
    satellites=(
        Satellite("chair", 0.03, -0.24, math.pi),
        Satellite("chair", 0.03, 0.24, math.pi),
        Satellite("chair", 0.03, -0.24, 0.0, behind=True),
        Satellite("chair", 0.03, 0.24, 0.0, behind=True),
    ),
)
_DESK = Group(("desk",), satellites=(Satellite("chair", 0.05, 0.1, math.pi),))

PROGRAMMES: dict[str, Programme] = {
    "kitchen": Programme(
        (
            Group(("counter", "sink", "dishwasher", "stove")),
            Group(("fridge", "oven")),
            Group(("cupboard",)),
            _DINING,
            Group(("counter",), 0.5),
            Group(("cupboard",), 0.4),
        ),
        (206, 200, 188),
        "tiles",
        (244, 240, 226),
    ),
    "living room": Programme(
        (
            Group(("sofa",), satellites=(Satellite("coffee table", 0.45),)),
            Group(("tv stand",)),
            Group(("cabinet",)),
            Group(("bookshelf",)),
            Group(("armchair",), 0.8),
            Group(("plant",), 0.8),
            Group(("floor lamp",), 0.6),
            Group(("sideboard",), 0.5),
            Group(("rug",), 0.9, in_the_open=True),
        ),
        (190, 146, 100),
        "planks",
        (238, 230, 216),
    ),
    "bedroom": Programme(
        (
            Group(("nightstand", "bed", "nightstand"), main=1, gap=0.13),
            Group(("wardrobe",)),
            Group(("dresser",)),
            Group(("chair",), 0.4),
            Group(("shelf",), 0.5),
            Group(("plant",), 0.3),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (206, 170, 128),
        "planks",
        (226, 232, 240),
    ),
    "bathroom": Programme(
        (
            Group(("bathtub",)),
            Group(("toilet",)),
            Group(("washbasin",)),
            Group(("cabinet",)),
            Group(("shelf",), 0.7),
            Group(("laundry basket",), 0.7),
        ),
        (168, 194, 204),
        "tiles",
        (228, 240, 242),
    ),
    "study": Programme(
        (
            _DESK,
            Group(("bookshelf",)),
            Group(("cabinet",), 0.9),
            Group(("bookshelf",), 0.5),
            Group(("armchair",), 0.6),
            Group(("plant",), 0.5),
            Group(("floor lamp",), 0.4),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (160, 116, 80),
        "planks",
        (232, 236, 224),
    ),
    "hallway": Programme(
        (
            Group(("wardrobe",), 0.8),
            Group(("shelf",)),
            Group(("bench",), 0.8),
            Group(("coat stand",), 0.8),
            Group(("plant",), 0.4),
        ),
        (186, 182, 176),
        "tiles",
        (242, 234, 224),
    ),
    "dining room": Programme(
        (
            _DINING,
            Group(("sideboard",)),
            Group(("cabinet",), 0.6),
            Group(("plant",), 0.6),
            Group(("floor lamp",), 0.4),
            Group(("rug",), 0.3, in_the_open=True),
        ),
        (176, 128, 84),
        "planks",
        (240, 226, 214),
    ),
}
