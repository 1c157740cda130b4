"""What the classes, rooms and predicates of activities are in our flats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS

ROOMS: Final[Mapping[str, str]] = {
    "kitchen": "kitchen",
    "living_room": "living room",
    "television_room": "living room",
    "bedroom": "bedroom",
    "bathroom": "bathroom",
    "corridor": "hallway",
    "entryway": "hallway",
    "dining_room": "dining room",
    "childs_room": "children's room",
    "playroom": "children's room",
    "utility_room": "laundry room",
    "storage_room": "storage room",
    "pantry_room": "storage room",
    "closet": "hallway",
    "private_office": "office",
    "home_office": "office",
}
"""The kinds of rooms of a home, by their names in activities."""

PREDICATES: Final = frozenset(
    {"inside", "ontop", "nextto", "under", "touching", "open", "toggled_on", "inroom"}
)
"""The predicates of activities that our flats know."""

_FURNITURE: Final[Mapping[str, tuple[str, ...]]] = {
    "cabinet.n.01": ("cabinet", "cupboard", "sideboard"),
    "table.n.02": ("table", "dining table", "coffee table", "side table", "desk"),
    "countertop.n.01": ("counter",),
    "electric_refrigerator.n.01": ("fridge",),
    "bookcase.n.01": ("bookshelf",),
    "bed.n.01": ("bed", "bunk bed"),
    "coffee_table.n.01": ("coffee table",),
    "breakfast_table.n.01": ("dining table", "table"),
    "sink.n.01": ("sink", "washbasin"),
    "switch.n.01": ("floor lamp",),
    "desk.n.01": ("desk",),
    "sofa.n.01": ("sofa",),
    "chair.n.01": ("chair", "office chair"),
    "console_table.n.01": ("side table",),
    "shelf.n.01": ("shelf",),
    "swivel_chair.n.01": ("office chair",),
    "tabletop.n.01": ("table", "dining table", "coffee table"),
    "wardrobe.n.01": ("wardrobe",),
    "hallstand.n.01": ("coat rack",),
    "dishwasher.n.01": ("dishwasher",),
    "clothes_dryer.n.01": ("dryer",),
    "cedar_chest.n.01": ("chest",),
    "wood_fireplace.n.01": ("fireplace",),
}
"""The kinds of furniture that a class can be, best first."""

FLOOR, DOOR, AGENT = "floor.n.01", "door.n.01", "agent.n.01"
"""Classes that are no things of a flat."""

_NAMES: Final[Mapping[str, str]] = {
    "allen_wrench.n.01": "allen key",
    "ashcan.n.01": "trash can",
    "backpack.n.01": "rucksack",
    "bottle__of__bleach_agent.n.01": "bottle of bleach",
    "bottle__of__catsup.n.01": "bottle of ketchup",
    "bow.n.08": "gift bow",
    "box.n.01": "moving box",
    "brassiere.n.01": "bra",
    "bread_slice.n.01": "slice of bread",
    "bucket.n.01": "plastic bucket",
    "buttermilk_pancake.n.01": "pancake",
    "caldron.n.01": "cauldron",
    "carton.n.02": "cardboard box",
    "chip.n.04": "potato chips",
    "cigar_lighter.n.01": "cigarette lighter",
    "cup.n.01": "china cup",
    "daffodil_bulb.n.01": "daffodil bulb",
    "deodorant__atomizer.n.01": "deodorant",
    "dinner_napkin.n.01": "napkin",
    "facsimile.n.02": "fax machine",
    "hand_blower.n.01": "hair blower",
    "insectifuge__atomizer.n.01": "insect spray",
    "lace.n.01": "shoelace",
    "lining.n.01": "shelf liner",
    "mouse.n.04": "computer mouse",
    "pack__of__chocolate_bar.n.01": "pack of chocolate bars",
    "paper_coffee_filter.n.01": "coffee filter",
    "paperback_book.n.01": "paperback",
    "pencil_box.n.01": "pencil case",
    "plastic_art.n.01": "sculpture",
    "post-it.n.01": "sticky note",
    "pot_plant.n.01": "flower pot",
    "radio_receiver.n.01": "radio",
    "rug.n.01": "carpet roll",
    "sack.n.01": "paper bag",
    "sanitary_napkin.n.01": "sanitary pad",
    "shears.n.01": "scissors",
    "sheet.n.02": "sheet of paper",
    "silver.n.02": "silver coin",
    "sour_bread.n.01": "sourdough bread",
    "table_knife.n.01": "knife",
    "tablefork.n.01": "fork",
    "teddy.n.01": "teddy bear",
    "toaster.n.02": "toaster",
    "train_set.n.01": "toy train set",
    "tray.n.01": "serving tray",
    "trouser.n.01": "jeans",
    "tulip.n.01": "tulip bulb",
    "tupperware.n.01": "plastic container",
    "undergarment.n.01": "underwear",
    "vase.n.01": "flower vase",
    "videodisk.n.01": "dvd",
    "vidalia_onion.n.01": "onion",
    "board_game.n.01": "board game",
}
"""What people say to some classes; others are called as in their synset."""

_SYNSET = re.compile(r"(?P<stem>.+)\.[a-z]\.\d+")


def furniture_of(category: str) -> tuple[str, ...]:
    """Returns the kinds of furniture that a class can be; empty if it is none."""
    return _FURNITURE.get(category, ())


def item_of(category: str) -> str:
    """Returns the kind of small thing that a class is; empty if flats have none."""
    name = _NAMES.get(category, written(category))
    return name if name in ALL_ITEMS else ""


def written(category: str) -> str:
    """Returns the words of a class: "can__of__soda.n.01" is a "can of soda"."""
    match = _SYNSET.fullmatch(category)
    return re.sub("_+", " ", match["stem"] if match else category)
