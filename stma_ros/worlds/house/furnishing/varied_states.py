"""Draws an initial state in which much is open, on and full, for questions about states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stma_ros.worlds.house.flat import Flat, Furniture, Item

_STREAM = 13  # number of the random stream
_CONTAINER_OPEN, _DEVICE_ON, _VESSEL_FULL = 0.3, 0.5, 0.5


def with_varied_states(flat: Flat) -> Flat:
    """Returns the flat with another initial state, drawn from its seed.

    Every door is open, so that a robot without hands gets everywhere: doors are hung such that everything can be
    reached while all is open (door_hanging.py). Things stay in their places.
    """
    rng = np.random.default_rng((flat.seed, _STREAM))
    opened = [door.name for door in flat.doors]
    sweeps = [area for door in flat.doors for area in door.sweep]
    for piece in flat.furniture:
        drawn = piece.opens and rng.random() < _CONTAINER_OPEN
        if drawn and not any(leaf.overlaps(sweep) for sweep in sweeps for leaf in piece.leaves):
            opened.append(piece.name)
    things: list[Furniture | Item] = [*flat.furniture, *flat.items]
    running = [thing.name for thing in things if thing.is_device and rng.random() < _DEVICE_ON]
    full = [item.name for item in flat.items if item.is_vessel and rng.random() < _VESSEL_FULL]
    initial = replace(
        flat.initial,
        open_names=frozenset(opened),
        on_names=frozenset(running),
        full_names=frozenset(full),
    )
    return replace(flat, initial=initial)
