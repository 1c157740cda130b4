"""Upright boxes of any heading in the map frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planar import enclosing_sides, off_quarter, turned
from stma_ros.types.standard import Point, Vector3

Corner = NDArray[np.float64]

Faces = NDArray[np.float64]
"""(2, 3) float64, the least and the greatest coordinates of a box along its own axes, which its yaw turns [m]."""

ALIGNED = 0.12
"""Boxes whose headings differ by less from a quarter turn [rad] have the same axes: the headings are estimates, and a
turned box would be measured larger than it is."""


def taken(pose: NDArray[np.float64], point: ArrayLike) -> Corner:
    """Returns `point` (3,) [m], transformed by the rigid 4x4 `pose`."""
    moved: Corner = pose[:3, :3] @ np.asarray(point, np.float64) + pose[:3, 3]
    return moved


@dataclass(frozen=True, eq=False)
class Box:
    """An upright box in the map frame.

    Attributes:
        middle: (3,) float64 centre [m].
        extent: (3,) float64 side lengths along its own axes [m].
        yaw: direction of its own x axis [rad]; any of the four that fit.
    """

    middle: Corner
    extent: Corner
    yaw: float = 0.0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        same = np.array_equal(self.middle, other.middle) and np.array_equal(self.extent, other.extent)
        return bool(same) and self.yaw == other.yaw

    def __hash__(self) -> int:
        return hash((*self.middle.tolist(), *self.extent.tolist(), self.yaw))

    @classmethod
    def of(cls, box: BoundingBox3D) -> Box:
        """Returns the box of a message."""
        at, size = box.center.position, box.size
        return cls(np.array([at.x, at.y, at.z]), np.array([size.x, size.y, size.z]), box.yaw)

    @classmethod
    def of_faces(cls, faces: Faces, yaw: float = 0.0) -> Box:
        """Returns the box with these faces along axes in the direction `yaw` [rad]."""
        return cls(turned(faces.mean(axis=0), yaw), faces[1] - faces[0], yaw)

    @property
    def faces(self) -> Faces:
        """(2, 3) the least and the greatest coordinates along the box's own axes [m]."""
        middle = turned(self.middle, -self.yaw)
        return np.array([middle - self.extent / 2, middle + self.extent / 2])

    @property
    def top(self) -> float:
        """Height of the upper face [m]."""
        return float(self.middle[2] + self.extent[2] / 2)

    @property
    def bottom(self) -> float:
        """Height of the lower face [m]."""
        return float(self.middle[2] - self.extent[2] / 2)

    @property
    def longest(self) -> float:
        """The longest side [m]."""
        return float(self.extent.max())

    @property
    def volume(self) -> float:
        """Volume [m^3]."""
        return float(np.prod(self.extent))

    @property
    def center(self) -> Point:
        """The centre as a message."""
        return Point(*self.middle)

    @property
    def message(self) -> BoundingBox3D:
        """The box as a message."""
        return BoundingBox3D.upright(self.center, Vector3(*self.extent), self.yaw)

    def local(self, point: Corner) -> Corner:
        """Returns a point (3,) [m] in the frame of the box: from its centre, along its own axes."""
        return turned(point - self.middle, -self.yaw)

    def faces_along(self, yaw: float) -> Faces:
        """Returns (2, 3) the faces of the box along axes in the direction `yaw` [rad] that encloses this one; see
        ALIGNED."""
        turn = self.yaw - yaw
        off = float(off_quarter(turn))
        turn = turn - off if abs(off) < ALIGNED else turn
        return Box(self.middle, enclosing_sides(self.extent, turn), yaw).faces

    def union(self, other: Box) -> Box:
        """Returns the smallest box along this one's axes that contains both."""
        mine, theirs = self.faces, other.faces_along(self.yaw)
        faces = np.array([np.minimum(mine[0], theirs[0]), np.maximum(mine[1], theirs[1])])
        return Box.of_faces(faces, self.yaw)

    def grown(self, margin: float) -> Box:
        """Returns the box with each face moved outward by `margin` [m]."""
        return replace(self, extent=self.extent + 2 * margin)

    def moved(self, pose: NDArray[np.float64]) -> Box:
        """Returns the box transformed by the rigid 4x4 `pose`, of which the turn about the vertical counts."""
        turn = float(np.arctan2(pose[1, 0], pose[0, 0]))
        return replace(self, middle=taken(pose, self.middle), yaw=self.yaw + turn)

    def contains(self, point: Corner) -> bool:
        """Whether `point` (3,) [m] lies in the box or on its surface."""
        return bool(np.all(np.abs(self.local(point)) <= self.extent / 2 + 1e-9))
