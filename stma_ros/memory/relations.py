"""How the things of a scene graph lie to one another, judged by their boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.scene_graph import RememberedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Triple

REST = 0.08
"""How far a thing's underside may lie from the surface it stands on [m]."""

OVERHANG = 0.05
"""How far a thing's middle may lie beside what carries it [m]."""

NEAR = 0.4
"""Largest gap between things that are near one another [m]."""


def relations(
    objects: Sequence[RememberedObject],
    is_container: Callable[[str], bool],
    room_of: Callable[[float, float], str],
) -> tuple[Triple, ...]:
    """in, on, near and in-room facts, in the order of the objects.

    A thing has at most one place (in or on): the smallest thing that can be it. room_of: id of the room at map
    point (x, y) [m], empty where none is known.
    """
    if not objects:
        return ()
    low = np.array([item.box.low for item in objects])
    high = np.array([item.box.high for item in objects])
    facts: list[Triple] = []
    for index, item in enumerate(objects):
        place = _place(index, low, high)
        if place is not None:
            other, inside = objects[place[0]], place[1]
            # Between the boards of a shelf a thing stands on the shelf; only what closes holds things inside.
            facts.append(
                _fact(item, words.IN if inside and is_container(other.category) else words.ON, other)
            )
        room = room_of(*item.box.middle[:2])
        if room:
            facts.append(
                Triple(item.id, words.IN_ROOM, room, item.confidence, item.first_seen, item.last_seen)
            )
    facts.extend(_near(objects, low, high))
    return tuple(facts)


def _place(index: int, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[int, bool] | None:
    """Index of what carries or holds thing `index`, and whether it is within its box; low, high: (N, 3) corners [m]."""
    volumes = np.prod(high - low, axis=1)
    middle = (low[index] + high[index]) / 2
    over = np.all((middle[:2] >= low[:, :2] - OVERHANG) & (middle[:2] <= high[:, :2] + OVERHANG), axis=1)
    on_top = np.abs(low[index, 2] - high[:, 2]) <= REST
    within = (low[:, 2] - REST <= low[index, 2]) & (middle[2] <= high[:, 2])
    candidates = np.flatnonzero((volumes > volumes[index]) & over & (on_top | within))
    if not len(candidates):
        return None
    best = int(candidates[volumes[candidates].argmin()])
    return best, not on_top[best]


def _near(
    objects: Sequence[RememberedObject], low: NDArray[np.float64], high: NDArray[np.float64]
) -> Iterator[Triple]:
    apart = np.maximum(low[:, None] - high[None], low[None] - high[:, None]).clip(0)
    gaps = np.linalg.norm(apart, axis=2)
    for one, other in np.argwhere(np.triu(gaps <= NEAR, k=1)):
        yield _fact(objects[one], words.NEAR, objects[other])


def _fact(item: RememberedObject, predicate: str, other: RememberedObject) -> Triple:
    first = max(item.first_seen, other.first_seen)
    last = min(item.last_seen, other.last_seen)
    return Triple(
        item.id, predicate, other.id, min(item.confidence, other.confidence), first, max(first, last)
    )
