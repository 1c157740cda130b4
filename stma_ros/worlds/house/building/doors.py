"""Hinged doors: a frame in the doorway, and a leaf that swings a quarter turn into one of the two rooms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.layout import DOOR_HEIGHT, Doorway
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.kinds.shapes import STEEL
from stma_ros.worlds.house.meshes import Colour, Mesh, box, merge, slab
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, wrap_angle
from stma_ros.worlds.robot.scene import Shelf

DOOR = "door"
"""The category of all doors."""

_JAMB = 0.035  # thickness of the frame within the opening [m]
_LEAF, _GAP = 0.04, 0.004  # thickness of the leaf, and the gap around it [m]
_HANDLE_HEIGHT = 1.02
_WIDE_OPEN = math.pi / 2
_INSET = 0.003  # inset of the leaf's panels [m]


@dataclass(frozen=True)
class Door:
    """A door in a doorway.

    The local frame has its origin on the floor in the middle of the opening, and x in the direction of the swing.

    Attributes:
        name: the world's own name, which the agent never sees.
        index: of its doorway in the layout.
        doorway: the doorway.
        swing: direction across the wall (+1, -1 along the opening's y axis) in which it opens.
        hinge: end of the opening (+1, -1 along its x axis) with the hinges.
        colour: of the leaf.
    """

    name: str
    index: int  # of its doorway in the layout
    doorway: Doorway
    swing: int
    hinge: int
    colour: Colour

    category = DOOR
    opens = swings = True
    is_device = is_tap = False

    @property
    def portable(self) -> Literal[False]:
        return False

    def shelves(self, *, inside: bool) -> tuple[Shelf, ...]:
        """Returns no shelves: nothing can be put on a door."""
        return ()

    @cached_property
    def placement(self) -> Placement:
        opening = self.doorway.opening
        return Placement(*opening.centre, wrap_angle(opening.yaw + self.swing * math.pi / 2))

    @property
    def _half_width(self) -> float:
        return self.doorway.opening.half_x

    @property
    def width(self) -> float:
        """Width of the leaf [m]."""
        return 2 * (self._half_width - _JAMB - _GAP)

    @property
    def _end(self) -> int:
        """The side of the hinges along local y."""
        return -self.hinge * self.swing

    @property
    def _pivot(self) -> tuple[float, float]:
        return _LEAF / 2, self._end * self.width / 2

    @cached_property
    def frame(self) -> Mesh:
        """Returns the jambs and the head, within the wall and as trim on both of its sides."""
        depth = WALL_THICKNESS / 2 + shell.TRIM_PROUD  # flush with the trim
        half, top = self._half_width, DOOR_HEIGHT
        inner = [
            box((0.0, side * (half - _JAMB / 2), top / 2), (2 * depth, _JAMB, top), shell.TRIM)
            for side in (-1, 1)
        ]
        head = slab((-depth, -half, top - _JAMB), (depth, half, top), shell.TRIM)
        local = merge([*inner, head]).placed(self.placement.x, self.placement.y, 0.0, self.placement.yaw)
        return merge([local, shell.architrave(self.doorway)])

    @cached_property
    def _leaf(self) -> Mesh:
        """Returns the closed leaf in the local frame."""
        half, top = self.width / 2, DOOR_HEIGHT - _JAMB - _GAP
        parts = [slab((-_LEAF / 2, -half, 0.01), (_LEAF / 2, half, top), self.colour)]
        lighter = tuple(min(255, round(channel * 1.06) + 4) for channel in self.colour)
        handle = -self._end * (half - 0.07)
        for side in (-1, 1):
            x = side * _LEAF / 2
            for low, high in ((0.18, 0.86), (1.18, top - 0.14)):
                size = (2 * _INSET, 2 * half - 0.24, high - low)
                parts.append(box((x, 0.0, (low + high) / 2), size, (lighter[0], lighter[1], lighter[2])))
            parts.append(box((x + side * 0.02, handle, _HANDLE_HEIGHT), (0.04, 0.02, 0.02), STEEL))
            grip = handle + self._end * 0.05
            parts.append(box((x + side * 0.04, grip, _HANDLE_HEIGHT), (0.018, 0.13, 0.02), STEEL))
        return merge(parts)

    def _turned(self, angle: float) -> tuple[float, float, float]:
        """Returns the pose x, y, yaw of the leaf's frame when it is `angle` [rad] open."""
        x, y = self._pivot
        yaw = self._end * angle
        cosine, sine = math.cos(yaw), math.sin(yaw)
        return x - cosine * x + sine * y, y - sine * x - cosine * y, yaw

    def leaf_mesh(self, open_: bool) -> Mesh:
        """Returns the leaf in the map frame."""
        x, y, yaw = self._turned(_WIDE_OPEN if open_ else 0.0)
        leaf = self._leaf.placed(x, y, 0.0, yaw)
        return leaf.placed(self.placement.x, self.placement.y, 0.0, self.placement.yaw)

    def mesh(self, open_: bool) -> Mesh:
        """Returns the frame and the leaf in the map frame."""
        return merge([self.frame, self.leaf_mesh(open_)])

    @cached_property
    def _boxes(self) -> tuple[Box, Box]:
        closed, opened = (
            Box.around(self.mesh(open_).vertices, self.placement.yaw) for open_ in (False, True)
        )
        return closed, opened

    @property
    def box(self) -> Box:
        """The box of the closed door, along its own axes."""
        return self._boxes[0]

    def box_when(self, open_: bool) -> Box:
        """Returns the box along its own axes; that of the open door includes the swing of its leaf."""
        return self._boxes[open_]

    @property
    def footprint(self) -> OrientedRect:
        """The opening in the wall."""
        return self.doorway.opening

    def leaf_at(self, angle: float) -> OrientedRect:
        """Returns the leaf as an obstacle when it is `angle` [rad] open."""
        x, y, yaw = self._turned(angle)
        return OrientedRect(*self.placement.point(x, y), _LEAF / 2, self.width / 2, yaw + self.placement.yaw)

    def obstacles(self, open_: bool) -> tuple[OrientedRect, ...]:
        """Returns the jambs and the leaf as obstacles, in the map frame."""
        jambs = (
            OrientedRect(
                *self.placement.point(0.0, side * (self._half_width - _JAMB / 2)),
                WALL_THICKNESS / 2,
                _JAMB / 2,
                self.placement.yaw,
            )
            for side in (-1, 1)
        )
        return (*jambs, self.leaf_when(open_))

    def leaf_when(self, open_: bool) -> OrientedRect:
        """Returns the leaf as an obstacle."""
        return self.leaf_at(_WIDE_OPEN if open_ else 0.0)

    @property
    def leaves(self) -> tuple[OrientedRect, ...]:
        """The open leaf."""
        return (self.leaf_at(_WIDE_OPEN),)

    @cached_property
    def sweep(self) -> tuple[OrientedRect, ...]:
        """The area that the leaf sweeps when it opens, as leaves ten degrees apart."""
        return tuple(self.leaf_at(math.radians(angle)) for angle in range(0, 91, 10))

    def ahead(self, distance: float, *, swing_side: bool = True) -> tuple[float, float]:
        """Returns the point on the floor `distance` [m] from the middle of the opening, in the room that the door opens
        into or in the other one."""
        return self.placement.point(distance if swing_side else -distance, 0.0)
