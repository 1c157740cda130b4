"""Makes whole flats: a layout, furnished, and stocked with small things that are mostly in usual places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from stma_ros.worlds.house.building.layout import ROOM_COUNTS, Layout, make_layout
from stma_ros.worlds.house.flat import Flat, Furniture, Item, item_mesh
from stma_ros.worlds.house.furnishing.door_hanging import hang_doors, initial_state
from stma_ros.worlds.house.furnishing.furniture_placement import furnish
from stma_ros.worlds.house.furnishing.looks import with_looks
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

SURPRISE = 0.2  # share of the things in an unusual place
_ROOM_WEIGHTS = (2, 4, 4, 4, 3, 1, 1, 1)  # weights of flats with 3, 4 ... 10 rooms
_FEWEST, _PER_ROOM, _SPREAD = 24, 5, 5  # number of things: least, per room, and its variation
_RANGE = (35, 70)
_SETS = (5, 8)  # number of kinds with several instances
_SET_SIZES = (2, 3, 3, 4)
_SHUT_AWAY = 0.55  # share of the things in closed containers, where there is room
_APART = 0.04  # free space between two things [m]
_ENCLOSED = 0.9  # a shelf with less room above it hides things at its back [m]
_ATTEMPTS = 12
_MOST_ON_A_SHELF = 3
_FILLED = 0.75  # greatest filled share of a shelf's width: another object must still fit
_LEFT_BARE = frozenset({"chair", "office chair", "stool"})  # a back may hide objects on these


@dataclass(frozen=True)
class _Place:
    """One level of a piece of furniture, with the objects on it as local x, y, radius [m]."""

    piece: Furniture
    shelf: Shelf
    inside: bool
    room: str
    taken: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def shut(self) -> bool:
        return self.inside and self.piece.opens

    @property
    def enclosed(self) -> bool:
        return self.shelf.clearance < _ENCLOSED

    def suits(self, kind: ItemKind) -> bool:
        return self.piece.category in kind.belongs and (not kind.rooms or self.room in kind.rooms)


def make_flat(seed: int, room_count: int | None = None, items_seed: int = 0) -> Flat:
    """Makes the flat of a seed, furnished and stocked.

    Args:
        seed: of the flat.
        room_count: number of rooms, 3 to 10; None = drawn.
        items_seed: draws other small things, at other places, for the same furniture; 0 = those of the flat's seed.

    Raises:
        ValueError: `room_count` is out of range.
    """
    rng = np.random.default_rng(seed)
    weights = np.array(_ROOM_WEIGHTS) / sum(_ROOM_WEIGHTS)
    drawn = int(rng.choice(list(ROOM_COUNTS), p=weights))
    layout = make_layout(rng, drawn if room_count is None else room_count)
    furniture = furnish(rng, layout)
    items = stock(np.random.default_rng((seed, items_seed)) if items_seed else rng, layout, furniture)
    doors = hang_doors(seed, layout, furniture)
    initial = initial_state(seed, furniture, doors, items)
    return with_looks(Flat(seed, layout, furniture, items, doors, initial))


def stock(rng: np.random.Generator, layout: Layout, furniture: Sequence[Furniture]) -> tuple[Item, ...]:
    """Returns small things for the furniture, 35 to 70, all visible once their containers are open. Some kinds have
    several instances, which differ in colour or size where the kind has variants."""
    places = [
        _Place(piece, shelf, inside, layout.rooms[piece.room].kind)
        for piece in furniture
        if piece.category not in _LEFT_BARE
        for inside, shelves in ((False, piece.shape.on), (True, piece.shape.inside))
        for shelf in shelves
    ]
    wanted = _FEWEST + _PER_ROOM * len(layout.rooms) + int(rng.integers(-_SPREAD, _SPREAD + 1))
    wanted = min(max(wanted, _RANGE[0]), _RANGE[1])
    items: list[Item] = []
    kinds = list(ITEMS.values())
    several = int(rng.integers(*_SETS, endpoint=True))
    while len(items) < wanted:  # one round is nearly always enough
        for kind in (kinds[k] for k in rng.permutation(len(kinds))):
            number = 1
            if several and len(kind.variants) > 1:
                number = int(rng.choice(_SET_SIZES))
            before = len(items)
            variants = rng.permutation(len(kind.variants))[: min(number, wanted - len(items))]
            for k, variant in enumerate(variants):
                stored = sum(len(place.taken) for place in places if place.shut)
                # Of several instances, some are in containers and some in view.
                shut = (stored < _SHUT_AWAY * (len(items) + 1)) != (k % 2 == 1)
                item = _put(rng, kind, kind.variants[variant], places, shut)
                if item is not None:
                    items.append(item)
            if number > 1 and len(items) > before + 1:
                several -= 1
    return _named(items)


def _named(items: Sequence[Item]) -> tuple[Item, ...]:
    """Returns the same things with names of category and number ("mug_2")."""
    counts: dict[str, int] = {}
    named = []
    for item in items:
        counts[item.category] = counts.get(item.category, 0) + 1
        named.append(replace(item, name=f"{item.category.replace(' ', '_')}_{counts[item.category]}"))
    return tuple(named)


def _put(
    rng: np.random.Generator,
    kind: ItemKind,
    variant: tuple[Colour, float],
    places: Sequence[_Place],
    shut: bool,
) -> Item | None:
    """Places one unnamed thing of a kind, preferably in a closed container if `shut`, else preferably not; None when no
    place has room for it."""
    surprise = rng.random() < SURPRISE
    suitable = [place for place in places if place.suits(kind) != surprise]
    preferred = [place for place in suitable if place.shut == shut]
    for candidates in (preferred, suitable):
        item = _put_on_one(rng, kind, variant, candidates)
        if item is not None:
            return item
    return None


def _put_on_one(
    rng: np.random.Generator, kind: ItemKind, variant: tuple[Colour, float], places: Sequence[_Place]
) -> Item | None:
    # A draw of the piece precedes that of its level: a wardrobe with three shelves is no likelier than a bench.
    pieces = sorted({place.piece.name for place in places})
    colour, scale = variant
    for _ in range(_ATTEMPTS if pieces else 0):
        name = pieces[int(rng.integers(len(pieces)))]
        levels = [place for place in places if place.piece.name == name]
        place = levels[int(rng.integers(len(levels)))]
        turn = round(float(rng.uniform(-0.5, 0.5)), 3)
        spot = _spot(rng, kind, place, scale, turn)
        if spot is not None:
            x, y = place.piece.placement.point(*spot)
            at = (round(x, 4), round(y, 4), place.shelf.height)
            return Item(
                "", kind.name, name, place.inside, *at, place.piece.placement.yaw + turn, scale, colour
            )
    return None


def _spot(
    rng: np.random.Generator, kind: ItemKind, place: _Place, scale: float, turn: float
) -> tuple[float, float] | None:
    """Returns a free local spot on the shelf, and marks it as taken."""
    low, high = item_mesh(kind.name, kind.colours[0], scale, turn).bounds()
    half = np.maximum(high, -low)[:2]
    radius = float(math.hypot(*half))
    area = place.shelf.area
    room = Rect(area.x0 + half[0], area.y0 + half[1], area.x1 - half[0], area.y1 - half[1])
    if high[2] > place.shelf.clearance or room.width < 0 or room.depth < 0:
        return None
    filled = sum(2 * taken for _, _, taken in place.taken) + 2 * radius
    if len(place.taken) >= _MOST_ON_A_SHELF or (place.taken and filled > _FILLED * area.depth):
        return None
    for _ in range(_ATTEMPTS):
        share = rng.random(2)
        # Under another board, things stand in the front half, where they are visible from above.
        x = room.x0 + (1 - share[0] * (0.4 if place.enclosed else 1.0)) * room.width
        y = room.y0 + share[1] * room.depth
        if all(_clear(x - tx, y - ty, radius + tr, place.enclosed) for tx, ty, tr in place.taken):
            place.taken.append((float(x), float(y), radius))
            return float(x), float(y)
    return None


def _clear(dx: float, dy: float, radii: float, enclosed: bool) -> bool:
    """Whether two things are far enough apart; within a shelf they stand side by side, so that none hides another."""
    return abs(dy) >= radii + _APART if enclosed else math.hypot(dx, dy) >= radii + _APART
