"""How things really are, for scorers and reports. Nothing of this reaches the agent."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.worlds.house.flat import Box, Flat
from stma_ros.worlds.house.geometry import Placement, Rect


@dataclass(frozen=True)
class TrueRoom:
    """A room: its kind and the floor between its walls, in the map frame [m]."""

    category: str
    floor: Rect


@dataclass(frozen=True)
class TrueObject:
    """A piece of furniture or a small thing.

    `box`: centre and extents along the axes of the map [m], of the closed piece. `room`: index. `support`:
    the name of the
    furniture that a small thing is on or in; empty for furniture. `hidden`: inside of a closed container.
    """

    name: str
    category: str
    box: Box
    room: int
    is_furniture: bool
    is_container: bool
    support: str
    inside: bool
    hidden: bool


@dataclass(frozen=True)
class Truth:
    scene: str
    rooms: tuple[TrueRoom, ...]
    objects: tuple[TrueObject, ...]
    robot: Placement
    open_containers: frozenset[str]

    def of_category(self, category: str) -> tuple[TrueObject, ...]:
        return tuple(thing for thing in self.objects if thing.category == category)

    @property
    def containers(self) -> tuple[TrueObject, ...]:
        return tuple(thing for thing in self.objects if thing.is_container)


def truth_of(flat: Flat, scene: str, robot: Placement, open_names: frozenset[str]) -> Truth:
    """The truth about a flat in a state."""
    furniture = [
        TrueObject(
            piece.name, piece.category, piece.box, piece.room, True, piece.is_container, "", False, False
        )
        for piece in flat.furniture
    ]
    items = [
        TrueObject(
            item.name,
            item.category,
            item.box,
            flat.furniture_by_name[item.support].room,
            False,
            False,
            item.support,
            item.inside,
            item.inside and item.support not in open_names,
        )
        for item in flat.items
    ]
    rooms = tuple(TrueRoom(room.kind, room.floor) for room in flat.layout.rooms)
    return Truth(scene, rooms, (*furniture, *items), robot, open_names)
