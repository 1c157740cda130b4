"""The interface of scenes: fixtures and portable objects around the robot, in any world.

A world describes its things once (`Scene`); what changes is a `SceneState`. All in the map frame, but for shelves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import FloatArray, Obstacle, Placement, Rect
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.state import ROBOT, SceneState, Spot


@dataclass(frozen=True)
class Shelf:
    """A level place to stand things on: its rectangle in the frame of the piece, its height above the floor and the
    room above it [m]."""

    area: Rect
    height: float
    clearance: float


class Fixture(Protocol):
    """What never leaves its place: a piece of furniture, a door. `name` is the world's own and never leaves it."""

    @property
    def name(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def portable(self) -> Literal[False]: ...
    @property
    def placement(self) -> Placement:
        """Its frame on the floor; x points to its front, or to where a door swings."""
        ...

    @property
    def box(self) -> Box:
        """Bounding box while it is shut."""
        ...

    @property
    def footprint(self) -> Rect:
        """Shut, from above; of a door the opening in the wall."""
        ...

    @property
    def opens(self) -> bool: ...
    @property
    def is_device(self) -> bool: ...
    @property
    def is_tap(self) -> bool: ...
    @property
    def swings(self) -> bool:
        """A door between two rooms: its leaf sweeps over the floor on the side that its frame's x points to."""
        ...

    @property
    def leaves(self) -> Sequence[Obstacle]:
        """What it is in the way with only while it stands open."""
        ...

    @property
    def sweep(self) -> Sequence[Obstacle]:
        """What its front passes over when it opens."""
        ...

    def box_when(self, open_: bool) -> Box: ...

    def shelves(self, *, inside: bool) -> Sequence[Shelf]:
        """The places on it, or in it; empty where nothing can be put."""
        ...

    def ahead(self, distance: float) -> tuple[float, float]:
        """The point on the floor that far in front of the middle of its front [m]."""
        ...


class Portable(Protocol):
    """A small thing."""

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

    def box_at(self, spot: Spot) -> Box: ...

    def extents(self, turn: float) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corner (3,) of the thing standing at the origin, turned about z [rad]."""
        ...


Thing: TypeAlias = Fixture | Portable


class Scene(Protocol):
    """Everything around the robot. The order of the sequences means nothing."""

    @property
    def initial(self) -> SceneState:
        """As every episode finds it."""
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
        """Of everything that a pixel can show, by the name of its owner."""
        ...

    def ground(self, state: SceneState) -> Ground:
        """The floor as the base meets it."""
        ...

    def barriers(self, state: SceneState, within: Rect) -> Sequence[Rect]:
        """What the arm does not get through in an area: walls, and the openings that closed doors fill."""
        ...

    def same_room(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        """Whether two points of the floor lie in one room, neither in a wall nor in a doorway."""
        ...

    def is_clear(self, state: SceneState, x: float, y: float, radius: float) -> bool:
        """Whether something that lies on the floor there is touched by nothing, nor by a door that is moved."""
        ...

    def floor_height(self, x: float, y: float) -> float:
        """Of the floor, or of the rug on it [m]."""
        ...


def is_hidden(scene: Scene, item: Portable, state: SceneState) -> bool:
    """In something that is closed."""
    spot = state.spots[item.name]
    support = scene.fixed_by_name.get(spot.support)
    return spot.inside and support is not None and support.opens and support.name not in state.open_names


def is_in_view(scene: Scene, item: Portable, state: SceneState) -> bool:
    """Neither in something closed nor in the hand."""
    return state.spots[item.name].support != ROBOT and not is_hidden(scene, item, state)


def item_box(item: Portable, state: SceneState) -> Box:
    """Where a thing is that is not in the hand."""
    return item.box_at(state.spots[item.name])


def is_obstructed(scene: Scene, thing: Fixture, state: SceneState) -> bool:
    """Whether the front of a thing would meet that of another one that stands open, on its way."""
    leaves = [
        leaf
        for other in scene.fixed
        if other.name != thing.name and other.name in state.open_names
        for leaf in other.leaves
    ]
    return any(part.overlaps(leaf) for part in thing.sweep for leaf in leaves)
