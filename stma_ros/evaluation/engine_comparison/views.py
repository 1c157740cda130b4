"""Selects the pose that shows the most of a flat."""

from __future__ import annotations

import numpy as np

from stma_ros.evaluation.engine_comparison.comparison import categories_in, free_places, states_of
from stma_ros.evaluation.engine_comparison.figure import View
from stma_ros.worlds.house.place import FlatPlace

_CANDIDATES = 60


def best_view(house: FlatPlace, other: FlatPlace, rng: np.random.Generator, number: int) -> View:
    """Returns the view, of some random poses, with the most kinds of objects of similar size in the image. The flat is
    in the state of index `number`, modulo the number of states. Raises WorldError."""
    states = list(states_of(house.flat).items())
    name, state = states[number % len(states)]
    grounds = house.scene.ground(state), other.scene.ground(state)
    places = free_places(*grounds, house.flat.layout.bounds, rng)
    poses = [next(places) for _ in range(_CANDIDATES)]

    def variety(index: int) -> float:
        seen = categories_in(house, house.camera_renderer.render(poses[index], state))
        shares = np.unique(seen, return_counts=True)[1] / seen.size
        return float(-(shares * np.log(shares)).sum())

    best = max(range(_CANDIDATES), key=variety)
    return View.of(f"flat {house.flat.seed},\n{name}", house, other, poses[best], state)
