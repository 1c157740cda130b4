"""Generates referring expressions that are unambiguous in a flat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Final

import numpy as np
import open3d as o3d
from numpy.typing import NDArray

from stma_ros.evaluation.household_tasks.subtasks import Place, Things
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.kinds import palette
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, merge

COLOUR_WORDS: Final[dict[Colour, str]] = {
    palette.RED: "red",
    palette.BLUE: "blue",
    palette.ROYAL: "blue",
    palette.GREEN: "green",
    palette.YELLOW: "yellow",
    palette.ORANGE: "orange",
    palette.PINK: "pink",
    palette.PURPLE: "purple",
    palette.WHITE: "white",
    palette.BLACK: "black",
    palette.GREY: "grey",
    palette.BROWN: "brown",
}
"""Common colour words by colour. A colour between two words, such as teal or steel, has none."""

_CONFUSED = ({"white", "grey"}, {"black", "grey"}, {"black", "blue"}, {"brown", "orange"}, {"red", "orange"})
"""What one takes for the other in poor light."""

_SHADE = 40  # largest difference of the channels of two shades of a colour
_LARGER = 1.2  # least ratio of sizes that is obvious


class ReferringExpressions:
    """Describes the things of a flat in its initial state."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._things: tuple[Item | Furniture, ...] = (*flat.items, *flat.furniture)

    def some(self, category: str) -> Things | None:
        """Describes any one object of the category; None where another category shares the name."""
        named = self._called(category)
        if any(thing.category != category for thing in named):
            return None
        return Things(category, tuple(sorted(thing.name for thing in named)))

    def the(self, thing: Item | Furniture) -> Things | None:
        """Describes this thing alone with the fewest words; None when no description is unambiguous."""
        rivals = [other for other in self._called(thing.category) if other.name != thing.name]
        return next((said for said in self._descriptions(thing, rivals) if said is not None), None)

    def room(self, index: int, name: str) -> Things | None:
        """Describes a room, whose own name is `name`, by its kind; None when there is another one of the kind."""
        kind = self._flat.layout.rooms[index].kind
        return Things(kind, (name,)) if kind in self._single_rooms else None

    def place_of(self, item: Item) -> Place | None:
        """Returns the furniture that holds the item, as a place; None when there are several such pieces."""
        support = self._flat.furniture_by_name[item.support]
        if len(self._called(support.category)) > 1:
            return None
        return Place(support.category, "in" if item.inside else "on")

    def _called(self, category: str) -> list[Item | Furniture]:
        """Returns all things that the name may refer to: a coffee table is a table, too."""
        return [thing for thing in self._things if thing.category.endswith(category)]

    def _descriptions(
        self, thing: Item | Furniture, rivals: Sequence[Item | Furniture]
    ) -> Iterator[Things | None]:
        plain = Things(thing.category, (thing.name,))
        if not rivals:
            yield plain
        elif isinstance(thing, Furniture):
            yield self._by_room(thing, rivals, plain)
        else:
            items = [rival for rival in rivals if isinstance(rival, Item)]
            if len(items) == len(rivals):
                yield self._by_colour(thing, items, plain)
                yield self._by_size(thing, items, plain)
                alike = [rival for rival in items if _may_be(rival, _colour(thing))]
                sized = self._by_size(thing, alike, plain)
                yield sized and self._coloured(thing, sized)
                yield self._by_place(thing, items, plain)

    def _by_colour(self, thing: Item, rivals: Sequence[Item], plain: Things) -> Things | None:
        word = _colour(thing)
        return None if any(_may_be(rival, word) for rival in rivals) else self._coloured(thing, plain)

    def _coloured(self, thing: Item, plain: Things) -> Things | None:
        word = _colour(thing)
        return replace(plain, colour=word) if word else None

    def _by_size(self, thing: Item, rivals: Sequence[Item], plain: Things) -> Things | None:
        if rivals and all(thing.scale >= _LARGER * rival.scale for rival in rivals):
            return replace(plain, size="large")
        if rivals and all(rival.scale >= _LARGER * thing.scale for rival in rivals):
            return replace(plain, size="small")
        return None

    def _by_place(self, thing: Item, rivals: Sequence[Item], plain: Things) -> Things | None:
        place = self.place_of(thing)
        if place is None or any(rival.support == thing.support for rival in rivals):
            return None
        return replace(plain, place=place)

    def _by_room(self, thing: Furniture, rivals: Sequence[Item | Furniture], plain: Things) -> Things | None:
        kind = self._flat.layout.rooms[thing.room].kind
        if kind not in self._single_rooms or any(self._room_of(rival) == thing.room for rival in rivals):
            return None
        return replace(plain, place=Place(kind, "in"))

    def _room_of(self, thing: Item | Furniture) -> int:
        return (
            thing.room if isinstance(thing, Furniture) else self._flat.furniture_by_name[thing.support].room
        )

    @cached_property
    def _single_rooms(self) -> frozenset[str]:
        kinds = [room.kind for room in self._flat.layout.rooms]
        return frozenset(kind for kind in kinds if kinds.count(kind) == 1)


def _colour(item: Item) -> str:
    """Returns the word for the main colour of an item; empty where there is none."""
    word = COLOUR_WORDS.get(item.colour, "")
    return word if word and _is_mostly(item.category, item.colour, item.look.lining) else ""


@cache
def _is_mostly(category: str, colour: Colour, lining: Colour | None) -> bool:
    """Whether an object of the category shows mostly that colour from every side with much of it: a toothbrush has at
    best a coloured handle, a phone lies with its dark screen up."""
    kind = ITEMS[category]
    inside = kind.lining(lining) if kind.lining and lining is not None else EMPTY
    mesh = merge([kind.build(colour), inside])
    alike = np.abs(mesh.colours.astype(int) - colour).max(axis=1) <= _SHADE
    seen = [alike[_seen_along(mesh, axis, sign)] for axis, sign in _VIEWS]
    most = max(map(len, seen))
    return all(view.mean() >= 0.5 for view in seen if 2 * len(view) >= most)


_VIEWS: Final = ((2, -1), (0, -1), (0, 1), (1, -1), (1, 1))
"""Axis and sign of the directions of view at a standing object: from above, and from the sides."""

_SPACING = 0.01  # between the rays of a view [m]


def _seen_along(mesh: Mesh, axis: int, sign: int) -> NDArray[np.int64]:
    """Returns the triangle that each ray of a view hits first."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    across = [other for other in range(3) if other != axis]
    steps = [np.arange(low[other] + _SPACING / 2, high[other], _SPACING) for other in across]
    grid = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    rays = np.zeros((len(grid), 6), np.float32)
    rays[:, across] = grid
    rays[:, axis] = low[axis] - 1 if sign > 0 else high[axis] + 1
    rays[:, 3 + axis] = sign
    scene = o3d.t.geometry.RaycastingScene()
    tensor = o3d.core.Tensor.from_numpy
    scene.add_triangles(tensor(mesh.vertices.astype(np.float32)), tensor(mesh.triangles.astype(np.uint32)))
    met: NDArray[np.int64] = scene.cast_rays(tensor(rays))["primitive_ids"].numpy().astype(np.int64)
    return met[met < len(mesh.triangles)]


def _may_be(item: Item, word: str) -> bool:
    """Whether people might use that word for the colour of the object."""
    own = _colour(item)
    return own in ("", word) or {own, word} in _CONFUSED
