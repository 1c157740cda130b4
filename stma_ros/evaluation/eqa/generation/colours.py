"""Colours in answers: the word for a thing's main colour, and the other words that people use for it."""

from __future__ import annotations

from functools import cache
from typing import Final

from stma_ros.evaluation.household_tasks.main_colour import is_mostly, item_colour
from stma_ros.worlds.house.flat import Furniture, Item
from stma_ros.worlds.house.meshes import Colour

_NEAR: Final = {
    "red": ("dark red", "reddish"),
    "blue": ("dark blue", "light blue"),
    "green": ("dark green", "light green"),
    "yellow": ("bright yellow",),
    "orange": ("bright orange",),
    "pink": ("light pink", "rose"),
    "purple": ("violet", "lilac"),
    "white": ("off-white", "cream"),
    "black": ("dark grey",),
    "grey": ("gray",),
    "brown": ("dark brown", "light brown"),
}
"""Other words for the colours of small things."""

_FURNITURE: Final[dict[tuple[str, Colour], tuple[str, ...]]] = {
    ("sofa", (86, 116, 140)): ("blue", "grey-blue", "greyish blue"),
    ("sofa", (150, 84, 74)): ("red", "brown", "reddish brown", "dark red"),
    ("sofa", (126, 140, 104)): ("green", "olive", "olive green"),
    ("sofa", (148, 142, 136)): ("grey", "gray", "light grey"),
    ("armchair", (196, 150, 62)): ("yellow", "mustard", "orange", "ochre"),
    ("armchair", (92, 104, 120)): ("grey", "blue", "grey-blue", "bluish grey"),
    ("armchair", (140, 92, 110)): ("purple", "pink", "mauve", "dark pink"),
    ("bed", (112, 148, 184)): ("blue", "light blue"),
    ("bed", (190, 112, 104)): ("red", "pink", "light red", "salmon"),
    ("bed", (134, 168, 128)): ("green", "light green"),
    ("fridge", (196, 200, 204)): ("grey", "silver", "white", "light grey"),
    ("fridge", (238, 238, 234)): ("white", "off-white"),
    ("fridge", (168, 60, 56)): ("red", "dark red"),
    ("rug", (176, 76, 68)): ("red", "dark red"),
    ("rug", (74, 104, 134)): ("blue", "dark blue"),
    ("rug", (150, 160, 120)): ("green", "olive", "olive green"),
    ("office chair", (58, 60, 66)): ("black", "dark grey"),
    ("office chair", (70, 104, 140)): ("blue", "dark blue"),
    ("ironing board", (120, 150, 190)): ("blue", "light blue"),
    ("ironing board", (190, 130, 120)): ("pink", "red", "light red", "salmon"),
    ("piano", (58, 60, 66)): ("black", "dark grey"),
    ("piano", (110, 74, 48)): ("brown", "dark brown"),
    ("bin", (58, 60, 66)): ("black", "dark grey"),
    ("bin", (196, 200, 204)): ("grey", "silver", "light grey"),
    ("washing machine", (238, 238, 234)): ("white", "off-white"),
    ("wardrobe", (238, 238, 234)): ("white", "off-white"),
    ("wardrobe", (176, 128, 80)): ("brown", "light brown", "oak"),
    ("stool", (96, 130, 150)): ("blue", "grey-blue"),
    ("chest", (96, 140, 176)): ("blue", "light blue"),
    ("chest", (214, 120, 84)): ("orange", "red", "terracotta"),
}
"""The word for the main colour of furniture, and others. Furniture between two colours, or of two, is left out."""


def colour_names(thing: Furniture | Item) -> tuple[str, ...]:
    """Returns the word for the main colour of a thing and others that are right; empty where people would not agree."""
    if isinstance(thing, Item):
        word = item_colour(thing)
        return (word, *_NEAR[word]) if word else ()
    names = _FURNITURE.get((thing.category, thing.colours[0]), ())
    return names if names and _is_mostly_main(thing) else ()


@cache
def _is_mostly_main(piece: Furniture) -> bool:
    return is_mostly(piece.mesh(open_=False), piece.colours[0])
