"""The names and the order of the things in a flat, drawn anew: geometry, categories and colours stay as
they are.

An agent that sees only what its sensors give must not notice (a test of the whole system).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from stma_ros.worlds.house.flat import Flat, Furniture, Item


def permuted(flat: Flat, identity_seed: int) -> Flat:
    """The same flat with other instance names, its furniture and items stored in another order."""
    rng = np.random.default_rng(identity_seed)
    names = _new_names(rng, [*flat.furniture, *flat.items])
    furniture = [replace(piece, name=names[piece.name]) for piece in flat.furniture]
    items = [replace(item, name=names[item.name], support=names[item.support]) for item in flat.items]
    return replace(
        flat,
        furniture=tuple(furniture[k] for k in rng.permutation(len(furniture))),
        items=tuple(items[k] for k in rng.permutation(len(items))),
    )


def _new_names(rng: np.random.Generator, things: Iterable[Furniture | Item]) -> dict[str, str]:
    listed = list(things)
    numbers = rng.permutation(10 * len(listed))
    return {
        thing.name: f"{thing.category.replace(' ', '_')}_{number}"
        for thing, number in zip(listed, numbers, strict=False)
    }
