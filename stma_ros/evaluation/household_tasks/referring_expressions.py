"""Generates referring expressions that are unambiguous in a flat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from stma_ros.evaluation.household_tasks.main_colour import item_colour
from stma_ros.evaluation.household_tasks.subtasks import Place, Things
from stma_ros.worlds.house.flat import Flat, Furniture, Item

_CONFUSED = ({"white", "grey"}, {"black", "grey"}, {"black", "blue"}, {"brown", "orange"}, {"red", "orange"})
"""What one takes for the other in poor light."""

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
                alike = [rival for rival in items if _may_be(rival, item_colour(thing))]
                sized = self._by_size(thing, alike, plain)
                yield sized and self._coloured(thing, sized)
                yield self._by_place(thing, items, plain)

    def _by_colour(self, thing: Item, rivals: Sequence[Item], plain: Things) -> Things | None:
        word = item_colour(thing)
        return None if any(_may_be(rival, word) for rival in rivals) else self._coloured(thing, plain)

    def _coloured(self, thing: Item, plain: Things) -> Things | None:
        word = item_colour(thing)
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


def _may_be(item: Item, word: str) -> bool:
    """Whether people might use that word for the colour of the object."""
    own = item_colour(item)
    return own in ("", word) or {own, word} in _CONFUSED
