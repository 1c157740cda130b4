"""The furnished flat: what there is and where. Frozen; what changes during an episode is in `house.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from stma_ros.worlds.house.furniture_kinds import FURNITURE, FurnitureKind
from stma_ros.worlds.house.geometry import Obstacle, Placement, Rect
from stma_ros.worlds.house.item_kinds import ITEMS
from stma_ros.worlds.house.layout import Layout
from stma_ros.worlds.house.meshes import Colour, Mesh, merge
from stma_ros.worlds.house.shapes import Shape, Size

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Centre and extents along the axes of the map [m]."""


def _box_of(mesh: Mesh) -> Box:
    low, high = mesh.bounds()
    centre, size = (low + high) / 2, high - low
    return (float(centre[0]), float(centre[1]), float(centre[2])), (
        float(size[0]),
        float(size[1]),
        float(size[2]),
    )


@dataclass(frozen=True)
class Furniture:
    """A piece of furniture. `name` is the world's own ("wardrobe_2") and never leaves it."""

    name: str
    category: str
    room: int
    placement: Placement
    size: Size
    colours: tuple[Colour, Colour]

    @property
    def kind(self) -> FurnitureKind:
        return FURNITURE[self.category]

    @cached_property
    def shape(self) -> Shape:
        return self.kind.shape(self.size, self.colours)

    @cached_property
    def footprint(self) -> Rect:
        depth, width, _ = self.size
        return self.placement.rect(Rect(-depth / 2, -width / 2, depth / 2, width / 2))

    @cached_property
    def box(self) -> Box:
        """The closed piece's bounding box."""
        return _box_of(self.mesh(open_=False))

    @property
    def is_container(self) -> bool:
        return bool(self.shape.inside)

    def mesh(self, open_: bool) -> Mesh:
        """The piece in the map frame, its front open or shut."""
        front = self.shape.open if open_ else self.shape.shut
        return merge([self.shape.body, front]).placed(
            self.placement.x, self.placement.y, 0.0, self.placement.yaw
        )

    def obstacles(self, open_: bool) -> tuple[Obstacle, ...]:
        """What the base must not touch, in the map frame."""
        if not self.kind.solid:
            return ()
        leaves = self.shape.leaves if open_ else ()
        turned = (
            Obstacle(
                *self.placement.point(leaf.x, leaf.y), leaf.half_x, leaf.half_y, leaf.yaw + self.placement.yaw
            )
            for leaf in leaves
        )
        return (Obstacle.of(self.footprint), *turned)

    def ahead(self, distance: float) -> tuple[float, float]:
        """The point on the floor `distance` in front of the middle of its front [m]."""
        return self.placement.point(self.size[0] / 2 + distance, 0.0)


@dataclass(frozen=True)
class Item:
    """A small thing on or in a piece of furniture. `support` is that piece's name; x, y, z is where it
    stands [m]."""

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

    @cached_property
    def mesh(self) -> Mesh:
        """In the map frame."""
        return item_mesh(self.category, self.colour, self.scale, self.yaw).placed(self.x, self.y, self.z)

    @cached_property
    def box(self) -> Box:
        return _box_of(self.mesh)


def item_mesh(category: str, colour: Colour, scale: float, yaw: float) -> Mesh:
    """A thing standing at the origin, turned by `yaw` [rad]."""
    return ITEMS[category].build(colour).scaled(scale).placed(0, 0, 0, yaw)


@dataclass(frozen=True)
class Flat:
    """A whole flat. The order of `furniture` and `items` means nothing."""

    seed: int
    layout: Layout
    furniture: tuple[Furniture, ...]
    items: tuple[Item, ...]

    @cached_property
    def furniture_by_name(self) -> dict[str, Furniture]:
        return {piece.name: piece for piece in self.furniture}

    @property
    def containers(self) -> tuple[Furniture, ...]:
        return tuple(piece for piece in self.furniture if piece.is_container)

    def contents(self, container: str) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.inside and item.support == container)

    def obstacles(self, open_names: frozenset[str]) -> tuple[Obstacle, ...]:
        """Everything the base must not touch while those containers are open, walls included."""
        walls = tuple(Obstacle.of(wall) for wall in self.layout.walls)
        return walls + tuple(o for piece in self.furniture for o in piece.obstacles(piece.name in open_names))
