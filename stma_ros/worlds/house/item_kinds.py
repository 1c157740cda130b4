"""The kinds of small things: how each looks and where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.worlds.house import item_shapes as items
from stma_ros.worlds.house import palette
from stma_ros.worlds.house.meshes import Colour, Mesh

_WORKTOPS = ("counter", "table", "cupboard", "dishwasher")
_COLD = ("fridge", "counter", "table")
_STORES = ("wardrobe", "dresser", "cabinet", "bed")
_READING = ("bookshelf", "desk", "coffee table", "nightstand", "shelf")


@dataclass(frozen=True)
class ItemKind:
    """A kind of small thing, standing on z = 0 around the origin; `belongs` names the furniture it is
    usually on or in."""

    name: str
    colours: tuple[Colour, ...]
    belongs: tuple[str, ...]
    build: Callable[[Colour], Mesh]


_KINDS = (
    ItemKind("mug", palette.LIVELY, (*_WORKTOPS, "desk", "coffee table"), items.mug),
    ItemKind("bowl", (palette.TEAL, palette.WHITE, palette.ORANGE), _WORKTOPS, items.bowl),
    ItemKind("plate", (palette.WHITE, palette.BLUE), _WORKTOPS, items.plate),
    ItemKind("wine bottle", (palette.GREEN, palette.TEAL, palette.RED), (*_COLD, "cupboard"), items.bottle),
    ItemKind("glass", ((170, 206, 222),), (*_WORKTOPS, "sideboard"), items.glass),
    ItemKind("pan", (palette.GREY, palette.RED), ("stove", "oven", "cupboard", "counter"), items.pan),
    ItemKind("pot", (palette.STEEL, palette.BLUE), ("stove", "cupboard", "oven"), items.pot),
    ItemKind("kettle", (palette.STEEL, palette.RED), ("counter", "stove"), items.kettle),
    ItemKind("toaster", (palette.STEEL, palette.RED), ("counter",), items.toaster),
    ItemKind("apple", (palette.RED, palette.GREEN), _COLD, items.apple),
    ItemKind("orange", (palette.ORANGE,), _COLD, items.orange),
    ItemKind("banana", (palette.YELLOW,), ("counter", "table", "sideboard"), items.banana),
    ItemKind("bread", ((196, 140, 80),), ("counter", "cupboard", "table"), items.bread),
    ItemKind("cereal box", (palette.RED, palette.BLUE), ("cupboard", "counter", "table"), items.cereal),
    ItemKind("milk", (palette.WHITE,), ("fridge", "table"), items.milk),
    ItemKind("can", (palette.RED, palette.GREEN), ("cupboard", "fridge"), items.can),
    ItemKind("jar", ((176, 74, 60), (200, 140, 60)), ("fridge", "cupboard", "sideboard"), items.jar),
    ItemKind("book", palette.LIVELY, (*_READING, "cabinet"), items.book),
    ItemKind("laptop", (palette.STEEL, palette.BLACK), ("desk", "coffee table", "bed"), items.laptop),
    ItemKind(
        "clock",
        (palette.RED, palette.WHITE, palette.BLACK),
        ("nightstand", "bookshelf", "shelf", "dresser", "sideboard"),
        items.clock,
    ),
    ItemKind(
        "vase",
        (palette.BLUE, palette.PURPLE, palette.WHITE),
        ("table", "sideboard", "coffee table", "cabinet", "dresser"),
        items.vase,
    ),
    ItemKind("remote", (palette.BLACK,), ("coffee table", "sofa", "tv stand", "cabinet"), items.remote),
    ItemKind("cushion", palette.LIVELY, ("sofa", "armchair", "bed", "wardrobe"), items.cushion),
    ItemKind(
        "candle",
        (palette.RED, palette.WHITE, palette.YELLOW),
        ("coffee table", "sideboard", "table", "cabinet"),
        items.candle,
    ),
    ItemKind("camera", (palette.BLACK,), ("desk", "dresser", "cabinet", "bookshelf"), items.camera),
    ItemKind("teddy bear", ((170, 120, 72),), ("bed", "wardrobe", "armchair", "shelf"), items.teddy),
    ItemKind(
        "toy car",
        (palette.RED, palette.BLUE, palette.YELLOW),
        ("shelf", "bed", "coffee table", "dresser"),
        items.toy_car,
    ),
    ItemKind(
        "ball", (palette.RED, palette.BLUE, palette.ORANGE), ("wardrobe", "shelf", "armchair"), items.toy_ball
    ),
    ItemKind("shoe", (palette.BLUE, palette.BROWN, palette.RED), ("wardrobe", "shelf", "bench"), items.shoe),
    ItemKind("hat", (palette.BROWN, palette.BLUE), ("wardrobe", "bench", "dresser"), items.hat),
    ItemKind(
        "bag",
        (palette.BROWN, palette.PURPLE, palette.GREEN),
        ("wardrobe", "bench", "armchair", "desk"),
        items.bag,
    ),
    ItemKind(
        "towel", (palette.TEAL, palette.PINK, palette.WHITE), ("cabinet", "shelf", "dresser"), items.towel
    ),
    ItemKind("soap bottle", (palette.PINK, palette.GREEN), ("cabinet", "shelf"), items.soap_bottle),
    ItemKind("toilet paper", (palette.WHITE,), ("cabinet", "shelf"), items.toilet_paper),
    ItemKind(
        "hair dryer", (palette.PURPLE, palette.BLACK), ("cabinet", "dresser", "nightstand"), items.hair_dryer
    ),
    ItemKind("cactus", (palette.GREEN,), ("desk", "bookshelf", "shelf", "sideboard"), items.cactus),
    ItemKind("storage box", (palette.BROWN, (206, 170, 118)), (*_STORES, "shelf"), items.carton),
)

ITEMS: dict[str, ItemKind] = {kind.name: kind for kind in _KINDS}
