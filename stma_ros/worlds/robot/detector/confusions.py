"""Which categories a detector confuses, as a matrix.

The matrix is given by groups of similar categories: the weight of a pair is the number of groups that hold both, and a
row divided by its sum is the distribution of the wrong labels of a category. A category in no group is confused with
the other categories of its kind (fixed or portable) in the scene, each equally likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from types import MappingProxyType
from typing import Final

GROUPS: Final[tuple[tuple[str, ...], ...]] = (
    # vessels
    ("mug", "cup", "glass"),
    ("bowl", "plate", "pan", "tray"),
    ("jug", "teapot", "kettle", "vase", "watering can"),
    ("pot", "pan", "bowl", "bucket"),
    ("glass", "jar", "vase"),
    ("wine bottle", "soap bottle", "shampoo", "detergent"),
    # food
    ("apple", "orange", "tomato", "lemon", "ball"),
    ("lemon", "banana"),
    ("bread", "cake", "cheese", "sponge"),
    ("milk", "juice", "detergent"),
    ("cereal box", "pasta", "rice", "coffee"),
    ("can", "jar", "medicine", "candle"),
    ("pineapple", "cactus"),
    # paper and screens
    ("book", "notebook", "magazine", "game"),
    ("tablet", "phone", "notebook"),
    ("laptop", "tablet", "picture frame"),
    ("phone", "remote", "wallet"),
    ("radio", "clock", "camera", "toaster"),
    ("coffee machine", "toaster", "kettle"),
    ("torch", "candle", "hair dryer"),
    ("headphones", "camera"),
    ("table lamp", "vase", "globe"),
    ("iron", "stapler", "hammer"),
    # toys and clothes
    ("teddy bear", "doll"),
    ("toy car", "building block", "shoe"),
    ("ball", "globe"),
    ("shirt", "trousers", "towel", "blanket"),
    ("pillow", "cushion", "blanket"),
    ("bag", "backpack", "storage box"),
    ("hat", "bag", "umbrella"),
    ("toothpaste", "toothbrush", "medicine"),
    ("toilet paper", "towel"),
    ("chopping board", "tray", "plate"),
    # furniture
    ("table", "dining table", "desk", "workbench"),
    ("coffee table", "side table", "nightstand", "stool"),
    ("bench", "coffee table", "tv stand"),
    ("chair", "office chair", "stool"),
    ("sofa", "armchair", "bench"),
    ("bed", "bunk bed", "sofa"),
    ("cabinet", "dresser", "sideboard", "filing cabinet"),
    ("cupboard", "wardrobe", "cabinet", "fridge"),
    ("wardrobe", "door"),
    ("nightstand", "filing cabinet"),
    ("bookshelf", "shelf", "shoe rack"),
    ("fridge", "freezer"),
    ("washing machine", "dryer", "dishwasher", "oven"),
    ("oven", "microwave", "stove"),
    ("sink", "washbasin", "counter"),
    ("bathtub", "shower"),
    ("toilet", "washbasin"),
    ("chest", "storage box", "laundry basket"),
    ("bin", "laundry basket", "bucket"),
    ("floor lamp", "coat rack", "fan"),
    ("heater", "fan"),
    ("tv", "picture frame"),
    ("plant", "cactus"),
    ("piano", "sideboard"),
    ("ironing board", "table"),
    ("rug", "blanket"),
)


def _matrix() -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, int]] = {}
    for group in GROUPS:
        for category, other in permutations(group, 2):
            row = weights.setdefault(category, {})
            row[other] = row.get(other, 0) + 1
    return {
        category: {other: weight / sum(row.values()) for other, weight in sorted(row.items())}
        for category, row in sorted(weights.items())
    }


CONFUSIONS: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(_matrix())
"""Category -> wrong label -> its share; each row sums to 1."""


def confused(category: str, alike: Sequence[str], draw: float) -> str:
    """Returns a wrong label for a category; the category itself when there is no other.

    Args:
        category: the right label.
        alike: the categories of its kind in the scene, sorted, for a category that is in no group.
        draw: uniform random number [0, 1).
    """
    row = CONFUSIONS.get(category)
    if row is None:
        others = [other for other in alike if other != category]
        return others[int(draw * len(others))] if others else category
    for other, share in row.items():
        draw -= share
        if draw < 0:
            return other
    return list(row)[-1]
