"""Draws new names and a new order of the things in a flat; geometry, categories and colours are unchanged.

An agent that uses only its sensors cannot notice the difference, which a test of the whole system checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.robot.state import FLOOR, SceneState


def permuted(flat: Flat, identity_seed: int) -> Flat:
    """Returns the same flat in the same state with other instance names and another order of its things."""
    rng = np.random.default_rng(identity_seed)
    names = _new_names(rng, [*flat.furniture, *flat.items, *flat.doors])
    furniture = [replace(piece, name=names[piece.name]) for piece in flat.furniture]
    items = [
        replace(item, name=names[item.name], support=names.get(item.support, FLOOR)) for item in flat.items
    ]
    doors = [replace(door, name=names[door.name]) for door in flat.doors]
    return replace(
        flat,
        furniture=tuple(furniture[k] for k in rng.permutation(len(furniture))),
        items=tuple(items[k] for k in rng.permutation(len(items))),
        doors=tuple(doors[k] for k in rng.permutation(len(doors))),
        initial=_renamed(flat.initial, names),
    )


def _renamed(state: SceneState, names: Mapping[str, str]) -> SceneState:
    """Renames the things in a state. Supports without a name of their own, such as the floor, are unchanged."""
    return SceneState(
        frozenset(names[name] for name in state.open_names),
        frozenset(names[name] for name in state.on_names),
        frozenset(names[name] for name in state.full_names),
        {
            names[name]: replace(spot, support=names.get(spot.support, spot.support))
            for name, spot in state.spots.items()
        },
    )


def _new_names(rng: np.random.Generator, things: Iterable[Furniture | Item | Door]) -> dict[str, str]:
    listed = list(things)
    numbers = rng.permutation(10 * len(listed))
    return {
        thing.name: f"{thing.category.replace(' ', '_')}_{number}"
        for thing, number in zip(listed, numbers, strict=False)
    }
