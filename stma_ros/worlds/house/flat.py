"""The furnished flat: its things and their places. Frozen; a SceneState holds what changes during an episode."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.layout import Doorway, Layout
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE, FurnitureKind
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS
from stma_ros.worlds.house.kinds.looks import PLAIN, Look, luminous, opaque_part, standby_light
from stma_ros.worlds.house.kinds.shapes import Shape, Size
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, merge
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.scene import Shelf
from stma_ros.worlds.robot.state import SceneState, Spot


@dataclass(frozen=True)
class Furniture:
    """A piece of furniture. `name` is the world's own ("wardrobe_2"), which the agent never sees."""

    name: str
    category: str
    room: int
    placement: Placement
    size: Size
    colours: tuple[Colour, Colour]
    look: Look = PLAIN

    @property
    def kind(self) -> FurnitureKind:
        return FURNITURE[self.category]

    @property
    def shape(self) -> Shape:
        return _shape(self.category, self.size, self.colours)

    @cached_property
    def footprint(self) -> OrientedRect:
        depth, width, _ = self.size
        return self.placement.rect(Rect(-depth / 2, -width / 2, depth / 2, width / 2))

    @cached_property
    def box(self) -> Box:
        """The box of the closed piece, along its own axes."""
        return Box.between(*self._local_mesh(open_=False).bounds(), self.placement)

    @cached_property
    def _open_box(self) -> Box:
        return Box.between(*self._local_mesh(open_=True).bounds(), self.placement)

    def box_when(self, open_: bool) -> Box:
        """Returns the box along its own axes, with the front open or closed."""
        return self._open_box if open_ and self.opens else self.box

    @property
    def opens(self) -> bool:
        return bool(len(self.shape.shut.triangles))

    @property
    def is_container(self) -> bool:
        """Whether it opens and holds objects inside."""
        return self.opens and self.is_receptacle

    @property
    def is_receptacle(self) -> bool:
        """Whether objects can be put into it (once open, if it opens)."""
        return bool(self.shape.inside)

    @property
    def is_device(self) -> bool:
        return bool(len(self.shape.lit.triangles))

    @property
    def is_tap(self) -> bool:
        return self.kind.tap

    @property
    def portable(self) -> Literal[False]:
        return False

    @property
    def swings(self) -> bool:
        return False

    def shelves(self, *, inside: bool) -> tuple[Shelf, ...]:
        return self.shape.inside if inside else self.shape.on

    def mesh(self, open_: bool, on: bool = False) -> Mesh:
        """Returns the piece in the map frame, its front open or closed, without its luminous parts: see `glow`."""
        return self._placed(self._local_mesh(open_, on))

    def switched(self, on: bool) -> Mesh:
        """Returns the parts that change with its power but do not shine, in its own frame."""
        shape = self.shape
        return opaque_part(self.category, shape.lit, shape.unlit, self.look) if on else shape.unlit

    def shining(self, on: bool) -> Mesh:
        """Returns the luminous parts in its own frame: its light, or the standby light."""
        shine = luminous if on else standby_light
        return shine(self.category, self.shape.lit, self.look)

    def glow(self, on: bool) -> Mesh:
        """Returns the luminous parts in the map frame."""
        return self._placed(self.shining(on))

    def _local_mesh(self, open_: bool, on: bool = False) -> Mesh:
        front = self.shape.open if open_ else self.shape.shut
        return merge([self.shape.body, front, self.switched(on)])

    def _placed(self, mesh: Mesh) -> Mesh:
        return mesh.placed(self.placement.x, self.placement.y, 0.0, self.placement.yaw)

    def obstacles(self, open_: bool) -> tuple[OrientedRect, ...]:
        """Returns the obstacles of the base, in the map frame."""
        if not self.kind.solid:
            return ()
        return (self.footprint, *(self.leaves if open_ else ()))

    @cached_property
    def leaves(self) -> tuple[OrientedRect, ...]:
        """The obstacles that the open front adds, in the map frame."""
        return tuple(
            OrientedRect(
                *self.placement.point(leaf.x, leaf.y), leaf.half_x, leaf.half_y, leaf.yaw + self.placement.yaw
            )
            for leaf in self.shape.leaves
        )

    @property
    def sweep(self) -> tuple[OrientedRect, ...]:
        """The area that the front sweeps when it opens."""
        return self.leaves

    def ahead(self, distance: float) -> tuple[float, float]:
        """Returns the point on the floor `distance` [m] in front of the middle of its front."""
        return self.placement.point(self.size[0] / 2 + distance, 0.0)


@dataclass(frozen=True)
class Item:
    """A small thing with its initial place: on or in the furniture or the other thing named `support`, or on the floor,
    at x, y, z [m]."""

    name: str
    category: str
    support: str
    inside: bool
    x: float
    y: float
    z: float
    yaw: float
    scale: float
    colour: Colour
    look: Look = PLAIN

    @property
    def kind(self) -> ItemKind:
        return ALL_ITEMS[self.category]

    @property
    def portable(self) -> Literal[True]:
        return True

    @property
    def is_vessel(self) -> bool:
        return self.kind.full is not None

    @property
    def is_device(self) -> bool:
        return self.kind.lit is not None

    @property
    def spot(self) -> Spot:
        return Spot(self.support, self.inside, self.x, self.y, self.z, self.yaw)

    def shelves(self, *, inside: bool) -> tuple[Shelf, ...]:
        places = self.kind.inside if inside else (self.kind.on,)
        return tuple(shelf.scaled(self.scale) for shelf in places if shelf is not None)

    @cached_property
    def box(self) -> Box:
        """The box at the initial place, along its own axes."""
        return self.box_at(self.spot)

    def mesh_at(self, spot: Spot, *, full: bool = False) -> Mesh:
        """Returns the mesh at a place in the map frame, without its luminous parts: see `glow_at`."""
        return self._placed(merge([self.body, self.liquid if full else EMPTY]), spot)

    def glow_at(self, spot: Spot, *, on: bool) -> Mesh:
        """Returns the luminous parts at a place in the map frame."""
        return self._placed(self.shining(on), spot)

    @property
    def body(self) -> Mesh:
        """What is visible in every state, at the origin and unscaled."""
        kind, lining = self.kind, self.look.lining
        inside = kind.lining(lining) if kind.lining and lining is not None else EMPTY
        return merge([_built(self.category, self.colour), inside])

    @property
    def liquid(self) -> Mesh:
        """The visible part of what fills it, at the origin and unscaled."""
        kind, colour = self.kind, self.look.liquid
        return kind.full(colour) if kind.full and colour is not None else EMPTY

    def shining(self, on: bool) -> Mesh:
        """Returns the luminous parts at the origin and unscaled: its light, or the standby light."""
        lit = self.kind.lit(self.colour) if self.kind.lit else EMPTY
        shine = luminous if on else standby_light
        return shine(self.category, lit, self.look)

    def _placed(self, mesh: Mesh, spot: Spot) -> Mesh:
        return mesh.scaled(self.scale).placed(0, 0, 0, spot.yaw).placed(spot.x, spot.y, spot.z)

    def box_at(self, spot: Spot) -> Box:
        """Returns the box along its own axes, at a place."""
        return Box.between(*self._bounds, Placement(spot.x, spot.y, spot.yaw), spot.z)

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        return self.extents(0.0)

    def extents(self, turn: float) -> tuple[FloatArray, FloatArray]:
        """Returns the lower and upper corner of the thing at the origin, turned by `turn` [rad]."""
        return self.mesh_at(Spot("", False, 0.0, 0.0, 0.0, turn)).bounds()


def item_mesh(category: str, colour: Colour, scale: float, yaw: float) -> Mesh:
    """Returns the mesh of a thing at the origin, turned by `yaw` [rad]."""
    return _built(category, colour).scaled(scale).placed(0, 0, 0, yaw)


# Furnishing tries many places for one piece, and every picture shows the same things.


@lru_cache(maxsize=1024)
def _shape(category: str, size: Size, colours: tuple[Colour, Colour]) -> Shape:
    return FURNITURE[category].shape(size, colours)


@lru_cache(maxsize=1024)
def _built(category: str, colour: Colour) -> Mesh:
    return ALL_ITEMS[category].build(colour)


@dataclass(frozen=True)
class Flat:
    """A whole flat, and its state at the begin of every episode. The order of the tuples has no meaning."""

    seed: int
    layout: Layout
    furniture: tuple[Furniture, ...]
    items: tuple[Item, ...]
    doors: tuple[Door, ...] = ()
    initial: SceneState = field(default_factory=SceneState)

    @cached_property
    def furniture_by_name(self) -> dict[str, Furniture]:
        return {piece.name: piece for piece in self.furniture}

    @cached_property
    def items_by_name(self) -> dict[str, Item]:
        return {item.name: item for item in self.items}

    @cached_property
    def fixed(self) -> tuple[Furniture | Door, ...]:
        """All things that never leave their place."""
        return (*self.furniture, *self.doors)

    @property
    def containers(self) -> tuple[Furniture, ...]:
        return tuple(piece for piece in self.furniture if piece.is_container)

    @cached_property
    def openable_names(self) -> frozenset[str]:
        """Names of everything that opens: the state in which all of it is open."""
        return frozenset(
            [piece.name for piece in self.furniture if piece.opens] + [door.name for door in self.doors]
        )

    @cached_property
    def fixed_by_name(self) -> dict[str, Furniture | Door]:
        return {thing.name: thing for thing in self.fixed}

    @cached_property
    def categories(self) -> dict[str, str]:
        """The category of everything that an image shows, by the name of its owner."""
        building = {part: part for part in (shell.FLOOR, shell.CEILING, shell.WALL)}
        return building | {thing.name: thing.category for thing in (*self.fixed, *self.items)}

    def obstacles(self, state: SceneState) -> tuple[OrientedRect, ...]:
        """Returns all obstacles of the base in that state, walls included. It pushes small things on the
        floor aside."""
        return self.layout.walls + tuple(
            o for thing in self.fixed for o in thing.obstacles(thing.name in state.open_names)
        )

    def ground(self, state: SceneState) -> Ground:
        return Ground.among(self.layout.bounds, self.obstacles(state))

    def barriers(self, state: SceneState, within: Rect) -> tuple[OrientedRect, ...]:
        """Returns the walls and the closed doors in an area."""
        closed = (door.footprint for door in self.doors if door.name not in state.open_names)
        return tuple(solid for solid in (*self.layout.walls, *closed) if solid.bounds.overlaps(within))

    def same_room(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        room = self.layout.room_at(*a)
        return room is not None and self.layout.room_at(*b) == room

    def is_clear(self, state: SceneState, x: float, y: float, radius: float) -> bool:
        """Whether an object on the floor there would touch nothing, even when doors move."""
        obstacles = (*self.obstacles(state), *(o for thing in self.fixed for o in thing.sweep))
        at = np.array(x), np.array(y)
        return all(float(obstacle.distances(*at)) > radius for obstacle in obstacles)

    def floor_height(self, x: float, y: float) -> float:
        rugs = [p.box for p in self.furniture if not p.kind.solid and p.footprint.contains(x, y)]
        return max((rug.high for rug in rugs), default=0.0)

    @cached_property
    def bare_doorways(self) -> tuple[Doorway, ...]:
        """The doorways without a door."""
        hung = {door.index for door in self.doors}
        return tuple(doorway for k, doorway in enumerate(self.layout.doorways) if k not in hung)
