"""Puts small things on and into the furniture, mostly where they belong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.house.flat import Flat, Furniture, Item, item_mesh
from stma_ros.worlds.house.furnishing import furnish
from stma_ros.worlds.house.geometry import Rect
from stma_ros.worlds.house.item_kinds import ITEMS, ItemKind
from stma_ros.worlds.house.layout import make_layout
from stma_ros.worlds.house.shapes import Shelf

SURPRISE = 0.13  # share of the things that are somewhere unexpected
_APART = 0.04  # free space between two things [m]
_ATTEMPTS = 12
_MOST_ON_A_SHELF = 4
_SECOND_OF_A_KIND = 0.15


@dataclass(frozen=True)
class _Place:
    """One level of one piece of furniture."""

    piece: Furniture
    shelf: Shelf
    inside: bool


def make_flat(seed: int, room_count: int | None = None) -> Flat:
    """The flat of a seed: `room_count` rooms (3 to 6; None: drawn), furnished and stocked."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 7)) if room_count is None else room_count
    layout = make_layout(rng, count)
    furniture = furnish(rng, layout)
    return Flat(seed, layout, furniture, stock(rng, furniture))


def stock(rng: np.random.Generator, furniture: Sequence[Furniture]) -> tuple[Item, ...]:
    """Small things for the furniture: about two for every piece that can hold some, all in view once it is
    open."""
    places = [
        _Place(piece, shelf, inside)
        for piece in furniture
        for inside, shelves in ((False, piece.shape.on), (True, piece.shape.inside))
        for shelf in shelves
    ]
    wanted = int(rng.integers(18, 29))
    kinds = list(ITEMS.values())
    drawn = [kinds[k] for k in rng.permutation(len(kinds))[:wanted]]
    drawn += [kind for kind in drawn if rng.random() < _SECOND_OF_A_KIND]
    taken: dict[int, list[tuple[float, float, float]]] = {}
    items: list[Item] = []
    counts: dict[str, int] = {}
    for kind in drawn:
        item = _put(rng, kind, places, taken)
        if item is not None:
            counts[kind.name] = counts.get(kind.name, 0) + 1
            number = counts[kind.name]
            items.append(Item(f"{kind.name.replace(' ', '_')}_{number}", *item))
    return tuple(items)


_Unnamed = tuple[str, str, bool, float, float, float, float, float, tuple[int, int, int]]


def _put(
    rng: np.random.Generator,
    kind: ItemKind,
    places: Sequence[_Place],
    taken: dict[int, list[tuple[float, float, float]]],
) -> _Unnamed | None:
    """One thing of a kind somewhere; None when no place has room for it."""
    surprise = rng.random() < SURPRISE
    indices = [k for k, place in enumerate(places) if surprise or place.piece.category in kind.belongs]
    if not indices:
        return None
    # First the piece, then its level: a wardrobe with three shelves is no likelier than a bench.
    for _ in range(_ATTEMPTS):
        pieces = sorted({places[k].piece.name for k in indices})
        name = pieces[int(rng.integers(len(pieces)))]
        levels = [k for k in indices if places[k].piece.name == name]
        index = levels[int(rng.integers(len(levels)))]
        colour = kind.colours[int(rng.integers(len(kind.colours)))]
        scale = round(float(rng.uniform(0.92, 1.08)), 3)
        turn = round(float(rng.uniform(-0.5, 0.5)), 3)
        place = places[index]
        spot = _spot(rng, kind, place, scale, turn, taken.setdefault(index, []))
        if spot is not None:
            x, y = place.piece.placement.point(*spot)
            return (
                kind.name,
                place.piece.name,
                place.inside,
                round(x, 4),
                round(y, 4),
                place.shelf.height,
                place.piece.placement.yaw + turn,
                scale,
                colour,
            )
    return None


def _spot(
    rng: np.random.Generator,
    kind: ItemKind,
    place: _Place,
    scale: float,
    turn: float,
    taken: list[tuple[float, float, float]],
) -> tuple[float, float] | None:
    """A free local spot on the shelf; marks it as taken (x, y, radius)."""
    low, high = item_mesh(kind.name, kind.colours[0], scale, turn).bounds()
    half = np.maximum(high, -low)[:2]
    radius = float(math.hypot(*half))
    area = place.shelf.area
    room = Rect(area.x0 + half[0], area.y0 + half[1], area.x1 - half[0], area.y1 - half[1])
    if high[2] > place.shelf.clearance or room.width < 0 or room.depth < 0 or len(taken) >= _MOST_ON_A_SHELF:
        return None
    enclosed = place.shelf.clearance < 0.9
    for _ in range(_ATTEMPTS):
        share = rng.random(2)
        # Under another board things stand in the front half, where they are seen from above.
        x = room.x0 + (1 - share[0] * (0.4 if enclosed else 1.0)) * room.width
        y = room.y0 + share[1] * room.depth
        if all(_clear(x - tx, y - ty, radius + tr, enclosed) for tx, ty, tr in taken):
            taken.append((float(x), float(y), radius))
            return float(x), float(y)
    return None


def _clear(dx: float, dy: float, radii: float, enclosed: bool) -> bool:
    """Far enough apart; within a shelf side by side, so that nothing stands behind another thing."""
    return abs(dy) >= radii + _APART if enclosed else math.hypot(dx, dy) >= radii + _APART
