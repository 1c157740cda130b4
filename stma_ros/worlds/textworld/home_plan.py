"""Plans homes: layout of rooms, furniture, and objects in and on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice, product
from typing import TypeAlias, TypeVar

import numpy as np

_RINGS = 0.2  # passages that close a loop, per room
_DOORS = 1 / 3  # share of the passages with a door
_CONTAINERS, _SUPPORTERS, _FOODS, _OTHERS = 0.6, 0.8, 0.75, 0.75  # per room

_ROOMS = (
    *("kitchen", "pantry", "corridor", "living room", "bedroom", "bathroom", "backyard", "garden", "shed"),
    *("driveway", "street", "supermarket", "dining room", "study", "attic", "cellar", "garage", "workshop"),
    *("laundry room", "balcony", "hall", "library", "nursery", "guest room", "playroom", "porch"),
    *("storeroom", "greenhouse", "veranda", "studio"),
)
_COLOURS = ("red", "green", "blue", "white", "brown", "grey", "black", "yellow")
_MATERIALS = ("oak", "pine", "steel", "glass", "iron", "plastic", "copper", "bamboo")

Cell: TypeAlias = tuple[int, int]
"""The grid cell of a room: steps to the east and to the north."""

_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_FORWARD = ("north", "east")

_T = TypeVar("_T")


@dataclass(frozen=True)
class Way:
    """A passage: the second room lies in `direction` (north or east) of the first; both are indices. door: empty =
    none."""

    first: int
    direction: str
    second: int
    door: str = ""


@dataclass(frozen=True)
class Furniture:
    """A piece of furniture in a room (its index), with objects in it if it opens, else on it."""

    name: str
    room: int
    opens: bool
    foods: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class HomePlan:
    """A home. rooms: their names. start: index of the player's first room. No name occurs twice."""

    rooms: tuple[str, ...]
    ways: tuple[Way, ...]
    furniture: tuple[Furniture, ...]
    start: int


def plan_home(rooms: int, generator: np.random.Generator) -> HomePlan:
    """Draws a connected map on a grid, with loops and doors, and furniture with objects."""
    cells = _grown(rooms, generator)
    names = _shuffled(tuple(islice(_room_names(), rooms)), generator)
    ways = _with_doors(_ways(cells, generator), generator)
    return HomePlan(names, ways, _furniture(rooms, generator), int(generator.integers(rooms)))


def _grown(rooms: int, generator: np.random.Generator) -> list[Cell]:
    """Returns cells, each adjacent to an earlier one."""
    side = math.ceil(math.sqrt(rooms)) + 1  # larger than necessary, as not every cell becomes a room
    cells = [(side // 2, side // 2)]
    while len(cells) < rooms:
        neighbours = [_neighbour(cell, direction) for cell in cells for direction in _STEPS]
        free = [(x, y) for x, y in neighbours if (x, y) not in cells and 0 <= x < side and 0 <= y < side]
        cells.append(free[int(generator.integers(len(free)))])
    return cells


def _ways(cells: Sequence[Cell], generator: np.random.Generator) -> tuple[Way, ...]:
    """Returns a spanning tree of the passages between neighbours, and some that close loops."""
    index = {cell: number for number, cell in enumerate(cells)}
    possible = _shuffled(
        [
            Way(first, direction, index[_neighbour(cell, direction)])
            for first, cell in enumerate(cells)
            for direction in _FORWARD
            if _neighbour(cell, direction) in index
        ],
        generator,
    )
    part = list(range(len(cells)))  # connected part of the home, by room
    tree: list[Way] = []
    rings: list[Way] = []
    for way in possible:
        one, other = part[way.first], part[way.second]
        (rings if one == other else tree).append(way)
        part = [one if number == other else number for number in part]
    return *tree, *rings[: math.ceil(_RINGS * len(cells))]


def _with_doors(ways: Sequence[Way], generator: np.random.Generator) -> tuple[Way, ...]:
    doors = _names(_MATERIALS, ("door", "gate", "hatch"), generator)[: round(_DOORS * len(ways))]
    without = ("",) * (len(ways) - len(doors))
    return tuple(
        replace(way, door=door)
        for way, door in zip(ways, _shuffled((*doors, *without), generator), strict=True)
    )


def _furniture(rooms: int, generator: np.random.Generator) -> tuple[Furniture, ...]:
    containers = _names(_COLOURS, ("chest", "cupboard", "wardrobe", "trunk", "cabinet", "crate"), generator)
    supporters = _names(_COLOURS, ("table", "desk", "shelf", "bench", "stand", "stool"), generator)
    foods = _names(_COLOURS, ("apple", "potato", "onion", "pepper", "carrot"), generator)
    others = _names(_COLOURS, ("cup", "plate", "towel", "vase", "pillow"), generator)
    furniture = [
        Furniture(name, room, opens)
        for names, share, opens in ((containers, _CONTAINERS, True), (supporters, _SUPPORTERS, False))
        for name, room in zip(
            names, _shuffled(range(rooms), generator)[: math.ceil(share * rooms)], strict=False
        )
    ]
    for food in foods[: round(_FOODS * rooms)]:
        at = int(generator.integers(len(furniture)))
        furniture[at] = replace(furniture[at], foods=(*furniture[at].foods, food))
    for other in others[: round(_OTHERS * rooms)]:
        at = int(generator.integers(len(furniture)))
        furniture[at] = replace(furniture[at], others=(*furniture[at].others, other))
    return tuple(furniture)


def _neighbour(cell: Cell, direction: str) -> Cell:
    east, north = _STEPS[direction]
    return cell[0] + east, cell[1] + north


def _room_names() -> Iterator[str]:
    """Yields one room of each kind, then a second of each, and so on: "bedroom", "bedroom 2"."""
    for turn in count(1):
        yield from (kind if turn == 1 else f"{kind} {turn}" for kind in _ROOMS)


def _names(
    adjectives: Sequence[str], nouns: Sequence[str], generator: np.random.Generator
) -> tuple[str, ...]:
    return _shuffled([f"{adjective} {noun}" for adjective, noun in product(adjectives, nouns)], generator)


def _shuffled(items: Sequence[_T], generator: np.random.Generator) -> tuple[_T, ...]:
    return tuple(items[int(at)] for at in generator.permutation(len(items)))
