"""Draws the look of the things in a flat: drinks, insides of vessels, lights, screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.kinds.looks import HEATERS, LAMPS, PICTURES, PLAIN, STANDBY, Look
from stma_ros.worlds.house.meshes import Colour

_STREAM = 41  # number of the random stream

WATERS: Final[tuple[Colour, ...]] = (
    *((190, 210, 220), (226, 232, 234), (150, 186, 196), (70, 170, 235), (206, 214, 196), (176, 190, 210)),
)
DRINKS: Final[tuple[Colour, ...]] = (
    *((58, 36, 24), (40, 22, 18), (150, 84, 36), (186, 120, 60), (150, 170, 80)),  # coffee, cola, tea
    *((244, 240, 228), (246, 166, 52), (238, 196, 60), (170, 30, 48), (226, 120, 130)),  # milk, juices
)
SOUPS: Final[tuple[Colour, ...]] = ((214, 120, 50), (196, 60, 40), (226, 210, 150), (110, 140, 60))
SUDS: Final[tuple[Colour, ...]] = ((214, 226, 228), (120, 110, 90), (190, 214, 230))

_GLAZES = (p.SKY, p.BLACK, p.BROWN, p.BLUE, p.ORANGE, p.TEAL, p.PINK)
_COATINGS = (p.SKY, p.BLACK, p.WHITE, p.YELLOW)
_GLASSES = ((150, 190, 160), (200, 168, 120), (150, 140, 170))

FINISHES: Final[dict[str, tuple[Colour, ...]]] = {
    **dict.fromkeys(("mug", "cup", "bowl", "jug", "teapot", "vase"), _GLAZES),
    **dict.fromkeys(("kettle", "pot", "bucket", "watering can"), _COATINGS),
    "glass": _GLASSES,
}
"""Colours of vessels besides those of their kinds."""

_FILLINGS: Final[dict[str, tuple[Colour, ...]]] = {
    "mug": DRINKS,
    "cup": DRINKS,
    "glass": DRINKS,
    "jug": DRINKS,
    "bowl": (*SOUPS, DRINKS[5]),
    "pot": SOUPS,
    "bucket": SUDS,
}
"""What is in vessels that are full at first; others hold water."""

_OPAQUE = frozenset({"teapot", "vase"})
_GAUGE = 0.3  # share of the kettles through which the water is visible
_LINED, _LININGS = 0.4, (p.WHITE, p.BLACK, (74, 50, 38), p.GREY, (60, 66, 84))

LAMP_LIGHTS: Final[tuple[Colour, ...]] = (
    *((255, 196, 90), (255, 222, 170), (255, 244, 224), (226, 238, 255), (176, 132, 84), (120, 92, 66)),
    *((255, 70, 60), (90, 235, 120), (90, 130, 255), (190, 110, 255), (255, 120, 200)),
)
DISPLAY_LIGHTS: Final[tuple[Colour, ...]] = (
    *((90, 170, 255), (255, 196, 90), (90, 230, 120), (255, 60, 50), (236, 240, 244), (120, 220, 226)),
    *((110, 130, 120), (150, 60, 40)),
)
HEATS: Final[tuple[Colour, ...]] = (
    (255, 90, 40),
    (214, 50, 30),
    (255, 150, 60),
    (150, 40, 34),
    (104, 44, 40),
)
STANDBY_LIGHTS: Final[tuple[Colour, ...]] = ((255, 40, 40), (80, 255, 110), (80, 150, 255), (255, 210, 120))
_STANDBY = 0.5  # share of the devices that have a standby light, where the kind may have one
_OPAQUE_SHADE = 0.3  # share of the lamps

_ThingT = TypeVar("_ThingT", Furniture, Item)


def with_looks(flat: Flat) -> Flat:
    """Returns the flat with a look of every vessel and device, drawn from its seed."""
    rng = np.random.default_rng((flat.seed, _STREAM))
    full = flat.initial.full_names
    finish = {category: _finishes(category, rng) for category in FINISHES}
    return replace(
        flat,
        furniture=tuple(replace(piece, look=_look(piece, False, rng)) for piece in flat.furniture),
        items=tuple(
            replace(
                item,
                look=_look(item, item.name in full, rng),
                colour=finish.get(item.category, {}).get(item.colour, item.colour),
            )
            for item in flat.items
        ),
    )


def _finishes(category: str, rng: np.random.Generator) -> dict[Colour, Colour]:
    """Returns the colours of a flat's vessels by those of their kind: different ones stay different."""
    own = ITEMS[category].colours
    all_of_them = tuple(dict.fromkeys((*own, *FINISHES[category])))
    chosen = rng.permutation(len(all_of_them))[: len(own)].tolist()
    return dict(zip(own, (all_of_them[number] for number in chosen), strict=True))


def recoloured(flat: Flat, seed: int) -> Flat:
    """Returns the flat with vessels, their insides, what fills them, and all lights in random colours.

    For tests that no state is told by a palette: every vessel, drink and light has any colour at all, and screens show
    any picture.
    """
    rng = np.random.default_rng((seed, _STREAM))

    def any_colour() -> Colour:
        red, green, blue = rng.integers(0, 256, 3).tolist()
        return red, green, blue

    def any_look(thing: _ThingT) -> Look:
        drawn = Look(
            any_colour() if rng.random() < 0.9 else None,
            any_colour() if rng.random() < 0.5 else None,
            any_colour(),
            any_colour() if rng.random() < 0.5 else None,
            int(rng.integers(len(PICTURES))),
            bool(rng.random() < 0.5),
        )
        return drawn if thing.is_device or _is_vessel(thing) else PLAIN

    return replace(
        flat,
        furniture=tuple(replace(piece, look=any_look(piece)) for piece in flat.furniture),
        items=tuple(
            replace(item, look=any_look(item), colour=any_colour() if item.is_vessel else item.colour)
            for item in flat.items
        ),
    )


def _look(thing: Furniture | Item, full: bool, rng: np.random.Generator) -> Look:
    """Draws a look. full: whether the thing is full at first."""
    category, vessel = thing.category, _is_vessel(thing)
    if not vessel and not thing.is_device:
        return PLAIN
    liquid = _one_of(_FILLINGS.get(category, WATERS) if full else WATERS, rng)
    unseen = category in _OPAQUE or (category == "kettle" and rng.random() >= _GAUGE)
    lined = rng.random() < _LINED
    lining = _one_of(_LININGS, rng)
    lights = LAMP_LIGHTS if category in LAMPS else HEATS if category in HEATERS else DISPLAY_LIGHTS
    light, standby = _one_of(lights, rng), _one_of(STANDBY_LIGHTS, rng)
    has_standby = rng.random() < _STANDBY
    picture, opaque_shade = int(rng.integers(len(PICTURES))), bool(rng.random() < _OPAQUE_SHADE)
    return Look(
        liquid=liquid if vessel and not unseen else None,
        lining=lining if vessel and lined else None,
        light=light if thing.is_device else None,
        standby=standby if has_standby and category in STANDBY else None,
        picture=picture,
        opaque_shade=opaque_shade and category in LAMPS,
    )


def _is_vessel(thing: Furniture | Item) -> bool:
    return isinstance(thing, Item) and thing.is_vessel


def _one_of(colours: Sequence[Colour], rng: np.random.Generator) -> Colour:
    return colours[int(rng.integers(len(colours)))]
