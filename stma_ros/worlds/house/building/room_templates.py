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


def _at_a_table(kind: str) -> Group:
    places = [(aside, behind) for behind in (False, True) for aside in (-0.24, 0.24)]
    chairs = (
        Satellite("chair", 0.03, aside, 0.0 if behind else math.pi, behind=behind) for aside, behind in places
    )
    return Group((kind,), in_the_open=True, satellites=tuple(chairs))


_WORKPLACE = Group(("desk",), satellites=(Satellite("office chair", 0.05, 0.1, math.pi),))

PROGRAMMES: dict[str, Programme] = {
    "kitchen": Programme(
        (
            Group(("counter", "sink", "dishwasher", "stove")),
            Group(("fridge", "oven")),
            _at_a_table("table"),
            Group(("cupboard",)),
            Group(("microwave",), 0.7),
            Group(("counter",), 0.5),
            Group(("cupboard",), 0.4),
            Group(("bin",), 0.8),
        ),
        (206, 200, 188),
        "tiles",
        (244, 240, 226),
    ),
    "living room": Programme(
        (
            Group(("sofa",), satellites=(Satellite("coffee table", 0.45),)),
            Group(("tv",), satellites=(Satellite("tv stand", 0.03),)),
            Group(("cabinet",)),
            Group(("bookshelf",)),
            Group(("sideboard",), 0.5),
            Group(("piano",), 0.25),
            Group(("armchair",), 0.8),
            Group(("floor lamp",), 0.8),
            Group(("side table",), 0.5),
            Group(("fan",), 0.4),
            Group(("plant",), 0.8),
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
            Group(("heater",), 0.4),
            Group(("shelf",), 0.4),
            Group(("fan",), 0.3),
            Group(("plant",), 0.3),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (206, 170, 128),
        "planks",
        (226, 232, 240),
    ),
    "bathroom": Programme(
        (
            Group(("bathtub",), 0.7),
            Group(("toilet",)),
            Group(("washbasin",)),
            Group(("cabinet",)),
            Group(("shower",), 0.5),
            Group(("washing machine",), 0.35),
            Group(("laundry basket",), 0.6),
            Group(("shelf",), 0.6),
            Group(("heater",), 0.3),
        ),
        (168, 194, 204),
        "tiles",
        (228, 240, 242),
    ),
    "office": Programme(
        (
            _WORKPLACE,
            Group(("bookshelf",)),
            Group(("filing cabinet",), 0.9),
            Group(("cabinet",), 0.6),
            Group(("bookshelf",), 0.4),
            Group(("armchair",), 0.5),
            Group(("floor lamp",), 0.6),
            Group(("fan",), 0.4),
            Group(("bin",), 0.6),
            Group(("plant",), 0.5),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (160, 116, 80),
        "planks",
        (232, 236, 224),
    ),
    "hallway": Programme(
        (
            Group(("wardrobe",), 0.7),
            Group(("cabinet",), 0.5),
            Group(("shoe rack",), 0.9),
            Group(("coat rack",), 0.9),
            Group(("bench",), 0.8),
            Group(("shelf",), 0.5),
            Group(("plant",), 0.4),
        ),
        (186, 182, 176),
        "tiles",
        (242, 234, 224),
    ),
    "dining room": Programme(
        (
            _at_a_table("dining table"),
            Group(("sideboard",)),
            Group(("cabinet",), 0.6),
            Group(("piano",), 0.35),
            Group(("floor lamp",), 0.5),
            Group(("plant",), 0.6),
            Group(("rug",), 0.3, in_the_open=True),
        ),
        (176, 128, 84),
        "planks",
        (240, 226, 214),
    ),
    "children's room": Programme(
        (
            Group(("bunk bed",)),
            Group(("chest",)),
            Group(("wardrobe",), 0.8),
            Group(("desk",), 0.8, satellites=(Satellite("stool", 0.08, 0.1),)),
            Group(("shelf",), 0.9),
            Group(("floor lamp",), 0.3),
            Group(("rug",), 0.9, in_the_open=True),
        ),
        (222, 194, 150),
        "planks",
        (246, 232, 190),
    ),
    "laundry room": Programme(
        (
            Group(("washing machine", "dryer")),
            Group(("laundry basket",)),
            Group(("sink",), 0.7),
            Group(("ironing board",), 0.8),
            Group(("shelf",), 0.8),
            Group(("cupboard",), 0.6),
            Group(("heater",), 0.3),
        ),
        (190, 200, 190),
        "tiles",
        (232, 242, 230),
    ),
    "storage room": Programme(
        (
            Group(("freezer",)),
            Group(("workbench",)),
            Group(("shelf",)),
            Group(("cabinet",), 0.8),
            Group(("stool",), 0.5),
            Group(("shelf",), 0.5),
        ),
        (170, 168, 164),
        "tiles",
        (230, 228, 222),
    ),
}
