"""The furniture of each kind of room, and its grouping."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.worlds.house.meshes import Colour


@dataclass(frozen=True)
class Satellite:
    """A piece placed relative to the main piece of a group.

    Attributes:
        kind: kind of furniture.
        ahead: gap between its footprint and the front of the main piece; negative = behind the main piece's back [m].
        aside: offset of its centre along the main piece's width, as a fraction of that width.
        turn: yaw relative to the main piece [rad].
        behind: whether it stands behind the main piece.
    """

    kind: str
    ahead: float
    aside: float = 0.0
    turn: float = 0.0
    behind: bool = False


@dataclass(frozen=True)
class Group:
    """Pieces in a row along a wall, or one piece in the open, with their satellites.

    Attributes:
        run: kinds of the pieces.
        chance: probability that a room gets the group.
        main: index of the piece that the satellites refer to.
        satellites: further pieces.
        in_the_open: whether the piece stands away from walls, at any angle.
        gap: between pieces of the run [m].
        turned: greatest deviation from the direction of the wall [rad].
    """

    run: tuple[str, ...]
    chance: float = 1.0
    main: int = 0
    satellites: tuple[Satellite, ...] = ()
    in_the_open: bool = False
    gap: float = 0.02
    turned: float = math.radians(2.0)


@dataclass(frozen=True)
class RoomTemplate:
    """The template of a kind of room. `groups` are placed in order; a later group is dropped where it does not fit."""

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


def _loose(kind: str, chance: float, turned: float = math.pi) -> Group:
    """Returns a piece that people put down near a wall as it comes: at any angle, or facing the room."""
    return Group((kind,), chance, turned=turned)


_FACING = math.radians(60.0)  # greatest turn of a seat near a wall

_WORKPLACE = Group(("desk",), satellites=(Satellite("office chair", 0.05, 0.1, math.pi),))

ROOM_TEMPLATES: dict[str, RoomTemplate] = {
    "kitchen": RoomTemplate(
        (
            Group(("counter", "sink", "dishwasher", "stove")),
            Group(("fridge", "oven")),
            _at_a_table("table"),
            Group(("cupboard",)),
            Group(("microwave",), 0.7),
            Group(("counter",), 0.5),
            Group(("cupboard",), 0.4),
            _loose("bin", 0.8),
        ),
        (206, 200, 188),
        "tiles",
        (244, 240, 226),
    ),
    "living room": RoomTemplate(
        (
            Group(("sofa",), satellites=(Satellite("coffee table", 0.45),)),
            Group(("tv",), satellites=(Satellite("tv stand", 0.03),)),
            Group(("cabinet",)),
            Group(("bookshelf",)),
            Group(("sideboard",), 0.5),
            Group(("piano",), 0.25),
            _loose("armchair", 0.8, _FACING),
            _loose("floor lamp", 0.8),
            _loose("side table", 0.5),
            _loose("fan", 0.4),
            _loose("plant", 0.8),
            Group(("rug",), 0.9, in_the_open=True),
        ),
        (190, 146, 100),
        "planks",
        (238, 230, 216),
    ),
    "bedroom": RoomTemplate(
        (
            Group(("nightstand", "bed", "nightstand"), main=1, gap=0.13),
            Group(("wardrobe",)),
            Group(("dresser",)),
            _loose("chair", 0.4, _FACING),
            Group(("heater",), 0.4),
            Group(("shelf",), 0.4),
            _loose("fan", 0.3),
            _loose("plant", 0.3),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (206, 170, 128),
        "planks",
        (226, 232, 240),
    ),
    "bathroom": RoomTemplate(
        (
            Group(("bathtub",), 0.7),
            Group(("toilet",)),
            Group(("washbasin",)),
            Group(("cabinet",)),
            Group(("shower",), 0.5),
            Group(("washing machine",), 0.35),
            _loose("laundry basket", 0.6),
            Group(("shelf",), 0.6),
            Group(("heater",), 0.3),
        ),
        (168, 194, 204),
        "tiles",
        (228, 240, 242),
    ),
    "office": RoomTemplate(
        (
            _WORKPLACE,
            Group(("bookshelf",)),
            Group(("filing cabinet",), 0.9),
            Group(("cabinet",), 0.6),
            Group(("bookshelf",), 0.4),
            _loose("armchair", 0.5, _FACING),
            _loose("floor lamp", 0.6),
            _loose("fan", 0.4),
            _loose("bin", 0.6),
            _loose("plant", 0.5),
            Group(("rug",), 0.5, in_the_open=True),
        ),
        (160, 116, 80),
        "planks",
        (232, 236, 224),
    ),
    "hallway": RoomTemplate(
        (
            Group(("wardrobe",), 0.7),
            Group(("cabinet",), 0.5),
            Group(("shoe rack",), 0.9),
            Group(("coat rack",), 0.9),
            Group(("bench",), 0.8),
            Group(("shelf",), 0.5),
            _loose("plant", 0.4),
        ),
        (186, 182, 176),
        "tiles",
        (242, 234, 224),
    ),
    "dining room": RoomTemplate(
        (
            _at_a_table("dining table"),
            Group(("sideboard",)),
            Group(("cabinet",), 0.6),
            Group(("piano",), 0.35),
            _loose("floor lamp", 0.5),
            _loose("plant", 0.6),
            Group(("rug",), 0.3, in_the_open=True),
        ),
        (176, 128, 84),
        "planks",
        (240, 226, 214),
    ),
    "children's room": RoomTemplate(
        (
            Group(("bunk bed",)),
            Group(("chest",)),
            Group(("wardrobe",), 0.8),
            Group(("desk",), 0.8, satellites=(Satellite("stool", 0.08, 0.1),)),
            Group(("shelf",), 0.9),
            _loose("floor lamp", 0.3),
            Group(("rug",), 0.9, in_the_open=True),
        ),
        (222, 194, 150),
        "planks",
        (246, 232, 190),
    ),
    "laundry room": RoomTemplate(
        (
            Group(("washing machine", "dryer")),
            _loose("laundry basket", 1.0),
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
    "storage room": RoomTemplate(
        (
            Group(("freezer",)),
            Group(("workbench",)),
            Group(("shelf",)),
            Group(("cabinet",), 0.8),
            _loose("stool", 0.5, _FACING),
            Group(("shelf",), 0.5),
        ),
        (170, 168, 164),
        "tiles",
        (230, 228, 222),
    ),
}
