"""Draws household subtasks that are possible, not done yet, and unambiguous."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from stma_ros.evaluation.household_tasks.english import COUNTLESS, PLURAL
from stma_ros.evaluation.household_tasks.referring_expressions import ReferringExpressions
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import SkillError
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.truth import room_name
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.places import DOCK_DISTANCE
from stma_ros.worlds.robot.placing import free_spot
from stma_ros.worlds.robot.scene import is_hidden

Group = tuple[Subtask, ...]
"""Subtasks that are drawn together, and phrased one after the other."""

_HIDDEN_SHARE = 0.55  # share of objects in closed containers, where there is a choice
_RIVALS_SHARE = 0.5  # ... of objects with others of their kind in the flat
_BY_PLACE_SHARE = 0.3  # ... of objects that only their place distinguishes
_SOURCE_SHARE = 0.2  # share of placements that state the source
_FITTING_SHARE = 0.85  # share of objects that go to a usual place
_EITHER_SHARE = 0.3  # share of placements on a surface that are phrased as "to"
_ANY_SHARE = 0.3  # share of places of a kind with several that are phrased as any of them
_FETCH_AND_PLACE_SHARE = 0.7  # share of filled vessels that are placed afterwards
_ALL_SHARE = 0.6  # share of subtasks on a kind with several objects that mean all of them
_MOST_ALIKE = 4  # objects in one subtask
_DRAWS = 30

_BELONGS_ONLY: Final = frozenset(
    {
        *("stove", "oven", "microwave", "fridge", "freezer", "dishwasher", "washing machine", "dryer"),
        *("toilet", "bathtub", "shower", "bin", "laundry basket", "piano", "ironing board", "shoe rack"),
        *("coat stand", "umbrella stand", "stool", "chair", "towel rail", "sink", "washbasin"),
    }
)
"""Furniture that takes only objects that belong there."""

_T = TypeVar("_T")


def _any(item: Item) -> bool:
    return True


class TaskGenerator:
    """Draws one group of subtasks after the other; an object occurs in one of them only."""

    def __init__(self, flat: Flat, rng: np.random.Generator, is_seen: Callable[[Item], bool]) -> None:
        """is_seen: whether the robot can see an object once its containers are open."""
        self._flat, self._rng, self._is_seen = flat, rng, is_seen
        self._naming = ReferringExpressions(flat)
        self._named = [
            (item, things) for item in flat.items if (things := self._naming.the(item)) is not None
        ]
        self._used: set[str] = set()
        self._ended = False
        self._makers: tuple[tuple[float, Callable[[], Group | None]], ...] = (
            (4.0, self.put_one),
            (1.5, self.put_together),
            (1.5, self.put_alike),
            (0.7, self.put_in_room),
            (1.0, self.use_tap),
            (1.5, self.switch),
            (0.5, self.switch_alike),
            (0.7, self.open_or_close),
            (0.6, self.fetch),
            (0.8, self.find),
        )

    def draw(self) -> Group:
        """Returns the next group; empty when none was found."""
        weights = np.array([weight for weight, _ in self._makers])
        for _ in range(_DRAWS):
            k = int(self._rng.choice(len(weights), p=weights / weights.sum()))
            group = self._makers[k][1]()
            if group:
                return self.reserve(group)
        return ()

    def reserve(self, group: Group) -> Group:
        """Reserves the objects of a group, so that no later group contains them."""
        self._used.update(name for subtask in group for name in subtask.things.names)
        self._ended |= any(isinstance(subtask, Find | Fetch) for subtask in group)
        return group

    def release(self, group: Group) -> None:
        """Releases the objects of a group that is dropped."""
        self._ended &= not any(isinstance(subtask, Find | Fetch) for subtask in group)

    def put_one(self) -> Group | None:
        """Draws the placement of one object."""
        thing = self._thing()
        place = thing and self._place([thing[0]])
        if thing is None or place is None:
            return None
        item, things = thing
        source = self._naming.place_of(item) if things.place is None else None
        said = source if source and self._rng.random() < _SOURCE_SHARE else None
        return (Put(things, *place, said),)

    def put_together(self) -> Group | None:
        """Draws the placement of two or three different objects at one place."""
        first = self._thing()
        place = first and self._place([first[0]])
        if first is None or place is None:
            return None
        chosen = [first]
        for _ in range(int(self._rng.integers(1, 3))):
            more = self._thing(lambda item: self._goes(item, *place))
            if more is not None and more not in chosen:
                chosen.append(more)
        return tuple(Put(things, *place) for _, things in chosen) if len(chosen) > 1 else None

    def put_alike(self) -> Group | None:
        """Draws the placement of all objects of a kind, some of them, or any one, at one place."""
        for items, things in self._alike():
            place = self._place(items)
            if place is not None:
                return (Put(things, *place),)
        return None

    def put_in_room(self) -> Group | None:
        """Draws the move of an object into another room."""
        thing = self._thing()
        rooms = [
            room
            for index in range(len(self._flat.layout.rooms))
            if (room := self._naming.room(index, room_name(index))) is not None
        ]
        if thing is None or not rooms:
            return None
        room = self._pick(rooms)
        here = room_name(self._flat.furniture_by_name[thing[0].support].room)
        return None if here in room.names else (Put(thing[1], room, SpatialRelation.ROOM),)

    def use_tap(self) -> Group | None:
        """Draws the filling or emptying of a vessel, often with a placement."""
        if not any(piece.kind.tap for piece in self._flat.furniture):
            return None
        thing = self._thing(lambda item: item.is_vessel)
        if thing is None:
            return None
        item, things = thing
        full = item.name in self._flat.initial.full_names
        state = SetState(things, words.STATE_EMPTY if full else words.STATE_FULL)
        place = self._place([item]) if self._rng.random() < _FETCH_AND_PLACE_SHARE else None
        return (state,) if place is None else (state, Put(things, *place))

    def switch(self) -> Group | None:
        """Draws the switching of a device."""
        devices: list[Item | Furniture] = [piece for piece in self._flat.furniture if piece.is_device]
        devices += [item for item in self._flat.items if item.is_device]
        free = [device for device in devices if device.name not in self._used]
        for device in self._shuffled(free):
            things = self._naming.the(device)
            if things is not None and (isinstance(device, Furniture) or self._is_seen(device)):
                return (SetState(things, self._other_power(device.name)),)
        return None

    def switch_alike(self) -> Group | None:
        """A subtask for all objects of a category that are in the same state, all lamps say."""
        devices = [piece for piece in self._flat.furniture if piece.is_device]
        kinds = sorted({piece.category for piece in devices})
        for category in self._shuffled(kinds):
            things = self._naming.some(category)
            if things is None or not 1 < len(things.names) <= _MOST_ALIKE or self._is_used(things):
                continue
            states = {self._other_power(name) for name in things.names}
            if len(states) == 1:
                return (SetState(replace(things, number=len(things.names)), states.pop()),)
        return None

    def open_or_close(self) -> Group | None:
        """Draws the opening or closing of furniture. As little furniture is open at first, closing is preferred where
        possible."""
        opened = self._flat.initial.open_names
        pieces = [piece for piece in self._flat.containers if piece.name not in self._used]
        ajar = [piece for piece in pieces if piece.name in opened]
        for piece in (*self._shuffled(ajar), *self._shuffled(pieces)):
            things = self._naming.the(piece)
            if things is not None:
                is_open = piece.name in opened
                return (SetState(things, words.STATE_CLOSED if is_open else words.STATE_OPEN),)
        return None

    def fetch(self) -> Group | None:
        """Draws the handover of an object, at the end of the task."""
        thing = None if self._ended else self._thing()
        return None if thing is None else (Fetch(thing[1]),)

    def find(self) -> Group | None:
        """Draws the report of an object's place, at the end of the task."""
        if self._ended:
            return None
        thing = self._thing()
        if thing is not None:
            return (Find(thing[1]),)
        return next(((Find(replace(things, number=1)),) for _, things in self._alike()), None)

    def _thing(self, fits: Callable[[Item], bool] = _any) -> tuple[Item, Things] | None:
        """Draws an object with an unambiguous description, preferably one that is not in view."""
        hidden = self._rng.random() < _HIDDEN_SHARE
        rivals = self._rng.random() < _RIVALS_SHARE
        by_place = self._rng.random() < _BY_PLACE_SHARE
        named = [(item, things) for item, things in self._named if item.name not in self._used]

        def rank(entry: tuple[Item, Things]) -> tuple[bool, bool]:
            item, things = entry
            is_plain = not (things.colour or things.size or things.place)
            return hidden != self._is_hidden(item), rivals and is_plain

        for item, things in sorted(self._shuffled(named), key=rank):
            if (things.place is None or by_place) and fits(item) and self._is_seen(item):
                return item, things
        return None

    def _alike(self) -> Iterator[tuple[list[Item], Things]]:
        """Yields all objects of one kind, with the number of them that is meant."""
        kinds = sorted({item.category for item in self._flat.items} - COUNTLESS - PLURAL)
        for category in self._shuffled(kinds):
            things = self._naming.some(category)
            if things is None or len(things.names) < 2 or self._is_used(things):
                continue
            items = [self._flat.items_by_name[name] for name in things.names]
            most = min(len(items), _MOST_ALIKE)
            number = most if self._rng.random() < _ALL_SHARE else int(self._rng.integers(1, most + 1))
            if all(self._is_seen(item) for item in items):
                yield items, replace(things, number=number)

    def _place(self, items: Sequence[Item]) -> tuple[Things, SpatialRelation] | None:
        """Draws a place where the objects are not yet, and where each of them fits."""
        fitting = self._rng.random() < _FITTING_SHARE
        belongs = frozenset[str]().union(*(item.kind.belongs for item in items))
        pieces = [
            piece
            for piece in self._flat.furniture
            if piece.category in belongs or (not fitting and piece.category not in _BELONGS_ONLY)
        ]
        for piece in self._shuffled(pieces):
            ways = [SpatialRelation.ON] if piece.shape.on else []
            ways += [SpatialRelation.IN] if piece.shape.inside else []
            if not ways:
                continue
            relation = self._pick(ways)
            if relation is SpatialRelation.ON and not piece.opens and self._rng.random() < _EITHER_SHARE:
                relation = SpatialRelation.TO
            places = self._naming.the(piece)
            if places is None or self._rng.random() < _ANY_SHARE:
                places = self._naming.some(piece.category) or places
            if places is not None and all(self._goes(item, places, relation) for item in items):
                return places, relation
        return None

    def _goes(self, item: Item, places: Things, relation: SpatialRelation) -> bool:
        """Whether an object is elsewhere and one of the places has room for it."""
        if item.support in places.names:
            return False
        pieces = [self._flat.furniture_by_name[name] for name in places.names]
        return any(self._has_room(piece, item, relation) for piece in pieces)

    def _has_room(self, piece: Furniture, item: Item, relation: SpatialRelation) -> bool:
        inside = relation is SpatialRelation.IN or not piece.shape.on
        before = Placement(*piece.ahead(DOCK_DISTANCE), 0.0)
        try:
            free_spot(self._flat, self._flat.initial, piece, item, before, inside=inside, name=piece.name)
        except SkillError:
            return False
        return True

    def _other_power(self, name: str) -> str:
        return words.STATE_OFF if name in self._flat.initial.on_names else words.STATE_ON

    def _is_hidden(self, item: Item) -> bool:
        return is_hidden(self._flat, item, self._flat.initial)

    def _is_used(self, things: Things) -> bool:
        return not self._used.isdisjoint(things.names)

    def _shuffled(self, options: Iterable[_T]) -> Iterator[_T]:
        listed = list(options)
        return (listed[k] for k in self._rng.permutation(len(listed)))

    def _pick(self, options: Sequence[_T]) -> _T:
        return options[int(self._rng.integers(len(options)))]
