"""A flat with what questions about it refer to: rooms, pieces of furniture, things in view, and their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import cached_property

from stma_ros.evaluation.household_tasks.referring_expressions import ReferringExpressions
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.furnishing.varied_states import with_varied_states
from stma_ros.worlds.house.place import scene_of
from stma_ros.worlds.robot.scene import is_hidden
from stma_ros.worlds.robot.state import SceneState

Thing = Furniture | Item


class QuestionHome:
    """The flat of a seed in the state of `states: varied` (worlds/house/config.py)."""

    def __init__(self, seed: int, state: SceneState | None = None) -> None:
        """Makes the home. state: the present state, after changes; None = the initial one."""
        flat = with_varied_states(make_flat(seed))
        self.flat: Flat = flat if state is None else _in_state(flat, state)
        self.state = self.flat.initial
        self.naming = ReferringExpressions(self.flat)

    @property
    def scene(self) -> str:
        return scene_of(self.flat.seed)

    @cached_property
    def room_kinds(self) -> tuple[str, ...]:
        return tuple(room.kind for room in self.flat.layout.rooms)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The small things that nothing closed hides."""
        return tuple(item for item in self.flat.items if not is_hidden(self.flat, item, self.state))

    @cached_property
    def categories(self) -> frozenset[str]:
        """The categories of all things, hidden ones too."""
        return frozenset(thing.category for thing in self.everything)

    @cached_property
    def everything(self) -> tuple[Thing, ...]:
        """All furniture and small things, hidden ones too."""
        return (*self.flat.furniture, *self.flat.items)

    def categories_in(self, room: int) -> frozenset[str]:
        """Returns the categories of all things in a room, hidden ones too."""
        return frozenset(thing.category for thing in self.everything if self.room(thing) == room)

    def usual(self, category: str, room_kind: str) -> bool:
        """Returns whether rooms of a kind usually have such a piece of furniture."""
        groups = ROOM_TEMPLATES[room_kind].groups
        return any(category in (*group.run, *(piece.kind for piece in group.satellites)) for group in groups)

    def things(self, category: str) -> tuple[Thing, ...]:
        """Returns the things of a category that nothing hides, in an order of their places."""
        return tuple(thing for thing in self.in_view if thing.category == category)

    def room(self, thing: Thing) -> int:
        """Returns the index of a thing's room."""
        return self.support(thing).room

    def room_kind(self, thing: Thing) -> str:
        return self.room_kinds[self.room(thing)]

    def support(self, thing: Thing) -> Furniture:
        """Returns the piece of furniture that holds a small thing; a piece itself."""
        return thing if isinstance(thing, Furniture) else self.flat.furniture_by_name[thing.support]

    def items_on(self, piece: Furniture) -> tuple[Item, ...]:
        """Returns the things on top of a piece, in an order of their places."""
        on = (item for item in self.items if item.support == piece.name and not item.inside)
        return tuple(sorted(on, key=lambda item: item.box))

    def single_room(self, kind: str) -> int | None:
        """Returns the only room of a kind; None when there is none, or several."""
        return self.room_kinds.index(kind) if self.room_kinds.count(kind) == 1 else None

    @cached_property
    def in_view(self) -> tuple[Thing, ...]:
        """The furniture and the small things that nothing closed hides, in an order of their places."""
        return (*self.pieces, *sorted(self.items, key=lambda item: item.box))

    @cached_property
    def pieces(self) -> tuple[Furniture, ...]:
        """The furniture in an order of its places."""
        return tuple(sorted(self.flat.furniture, key=lambda piece: piece.box))

    def pieces_in(self, rooms: Iterable[int]) -> tuple[Furniture, ...]:
        wanted = frozenset(rooms)
        return tuple(piece for piece in self.pieces if piece.room in wanted)


def _in_state(flat: Flat, state: SceneState) -> Flat:
    """Returns the flat that begins in a state, in which no thing is in the gripper."""
    items = tuple(replace(item, **asdict(state.spots[item.name])) for item in flat.items)
    return replace(flat, items=items, initial=state)
