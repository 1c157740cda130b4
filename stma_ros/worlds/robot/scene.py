"""The interface of scenes: fixtures and portable objects around the robot, in any world.

A world describes its objects once (`Scene`); a `SceneState` holds what changes. Everything is in the frame of the home
except shelves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.state import ROBOT, SceneState, Spot

LEVEL = 1e-3
"""Greatest difference in height within one shelf [m]."""


@dataclass(frozen=True)
class Shelf:
    """A horizontal surface for objects: its rectangle in the frame of the piece, its height above the floor and its
    clearance [m]."""

    area: Rect
    height: float
    clearance: float

    def scaled(self, factor: float) -> Shelf:
        """Returns the surface of an object of another size, by a factor in all directions."""
        area = Rect(*(factor * side for side in (self.area.x0, self.area.y0, self.area.x1, self.area.y1)))
        return Shelf(area, factor * self.height, factor * self.clearance)


class Fixture(Protocol):
    """An object that never leaves its place: a piece of furniture, a door. `name` is the world's own; the agent never
    sees it."""

    @property
    def name(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def portable(self) -> Literal[False]: ...
    @property
    def placement(self) -> Placement:
        """Pose of its frame on the floor; x points to its front, or to the side into which a door swings."""
        ...

    @property
    def box(self) -> Box:
        """Box of the closed object, along its own axes."""
        ...

    @property
    def footprint(self) -> OrientedRect:
        """Area of the closed object, seen from above; of a door, the opening in the wall."""
        ...

    @property
    def opens(self) -> bool: ...
    @property
    def is_device(self) -> bool: ...
    @property
    def is_tap(self) -> bool: ...
    @property
    def swings(self) -> bool:
        """Whether it is a door between two rooms: its leaf sweeps the floor on the side that its frame's x
        points to."""
        ...

    @property
    def leaves(self) -> Sequence[OrientedRect]:
        """The obstacles that it adds only while it is open."""
        ...

    @property
    def sweep(self) -> Sequence[OrientedRect]:
        """The area that its front sweeps when it opens."""
        ...

    def box_when(self, open_: bool) -> Box:
        """Returns its box with the front open, all of which is in the box, or closed."""
        ...

    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        """Returns the surfaces on it, or in it; empty where nothing can be put."""
        ...

    def ahead(self, distance: float) -> tuple[float, float]:
        """Returns the point on the floor at that distance in front of the middle of its front [m]."""
        ...


class Portable(Protocol):
    """A small object that the robot can carry."""

    @property
    def name(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def portable(self) -> Literal[True]: ...
    @property
    def is_device(self) -> bool: ...
    @property
    def is_vessel(self) -> bool: ...

    def box_at(self, spot: Spot) -> Box:
        """Returns its box along its own axes, at a place."""
        ...

    def extents(self, turn: float) -> tuple[FloatArray, FloatArray]:
        """Returns the lower and upper corner (3,) of the object at the origin, turned about z [rad]."""
        ...

    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        """Returns the surfaces on it, or in it, with heights above its underside; empty where nothing can be put."""
        ...


class Holder(Protocol):
    """Anything on or in which objects can stand, where it is now."""

    @property
    def name(self) -> str: ...
    @property
    def placement(self) -> Placement: ...
    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        """Returns the surfaces on it, or in it, in its frame, with heights above the floor."""
        ...


@dataclass(frozen=True)
class StandingPortable:
    """A portable object at its place, as a Holder.

    Attributes:
        item: the object.
        spot: its place.
        ceiling: height above the floor of what is over it [m].
        neighbours: boxes of what stands beside it.
    """

    item: Portable
    spot: Spot
    ceiling: float = math.inf
    neighbours: tuple[Box, ...] = ()

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def placement(self) -> Placement:
        return self.spot.placement

    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        return [
            replace(shelf, height=self.spot.z + shelf.height) for shelf in self.item.shelves(inside=inside)
        ]


Thing: TypeAlias = Fixture | Portable


class Scene(Protocol):
    """The objects and the free space around the robot. The order of the sequences has no meaning."""

    @property
    def initial(self) -> SceneState:
        """The state at the begin of every episode."""
        ...

    @property
    def fixed(self) -> Sequence[Fixture]: ...
    @property
    def items(self) -> Sequence[Portable]: ...
    @property
    def fixed_by_name(self) -> Mapping[str, Fixture]: ...
    @property
    def items_by_name(self) -> Mapping[str, Portable]: ...
    @property
    def categories(self) -> Mapping[str, str]:
        """The category of everything that a pixel can show, by the name of its owner."""
        ...

    def ground(self, state: SceneState) -> Ground:
        """Returns the floor for the base."""
        ...

    def barriers(self, state: SceneState, within: Rect) -> Sequence[OrientedRect]:
        """Returns the areas near an area that the arm cannot pass: walls, and the openings of closed doors."""
        ...

    def same_room(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        """Whether two points of the floor lie in one room, neither in a wall nor in a doorway."""
        ...

    def is_clear(self, state: SceneState, x: float, y: float, radius: float) -> bool:
        """Whether an object on the floor there would touch nothing, even when doors move."""
        ...

    def floor_height(self, x: float, y: float) -> float:
        """Returns the height of the floor, or of the rug on it [m]."""
        ...


def is_hidden(scene: Scene, item: Portable, state: SceneState) -> bool:
    """Whether the object, or what carries it, is inside something closed."""
    spot = state.base_of(item.name)
    support = scene.fixed_by_name.get(spot.support)
    return spot.inside and support is not None and support.opens and support.name not in state.open_names


def is_in_view(scene: Scene, item: Portable, state: SceneState) -> bool:
    """Whether the object is neither inside something closed nor in the gripper, by itself or with what carries it."""
    return not is_held(item, state) and not is_hidden(scene, item, state)


def is_held(item: Portable, state: SceneState) -> bool:
    """Whether the object, or what carries it, is in the gripper."""
    return state.base_of(item.name).support == ROBOT


def holder_of(thing: Thing, state: SceneState, scene: Scene | None = None) -> Holder:
    """Returns a thing, which is not in the gripper, with the places on and in it.

    Args:
        thing: the thing.
        state: present state of the scene.
        scene: what is over and beside a small thing limits the places on it; None = as if it stood alone.
    """
    if not thing.portable:
        return thing
    spot = state.spots[thing.name]
    if scene is None:
        return StandingPortable(thing, spot)
    return StandingPortable(
        thing, spot, _ceiling(scene, state, thing.name), _neighbours(scene, state, thing.name)
    )


def _ceiling(scene: Scene, state: SceneState, name: str) -> float:
    """Returns the height of the board over an object [m]; infinite where there is none."""
    base = state.base_of(name)
    piece = scene.fixed_by_name.get(base.support)
    levels = piece.shelves(inside=base.inside) if piece is not None else ()
    under = (level for level in levels if abs(level.height - base.z) < LEVEL)
    return min((level.height + level.clearance for level in under), default=math.inf)


def _neighbours(scene: Scene, state: SceneState, name: str) -> tuple[Box, ...]:
    """Returns the boxes of the objects on the same piece, without what carries the object and what it carries."""
    base, load = state.base_of(name), {name, *state.load(name)}
    return tuple(
        item_box(item, state)
        for item in scene.items
        if (other := state.base_of(item.name)).support == base.support
        and other.inside == base.inside
        and item.name not in load
        and name not in state.load(item.name)
    )


def item_box(item: Portable, state: SceneState) -> Box:
    """Returns the box of an object that is not in the gripper."""
    return item.box_at(state.spots[item.name])


def is_obstructed(scene: Scene, thing: Fixture, state: SceneState) -> bool:
    """Whether the front of an object would meet the open front of another one when it moves."""
    leaves = [
        leaf
        for other in scene.fixed
        if other.name != thing.name and other.name in state.open_names
        for leaf in other.leaves
    ]
    return any(part.overlaps(leaf) for part in thing.sweep for leaf in leaves)
