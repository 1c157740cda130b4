"""Many upright boxes at once, and how they lie to one another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import ALIGNED, Box
from stma_ros.types.planar import enclosing_sides, off_quarter, turned

_CORNERS = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)], np.float64) / 2


@dataclass(frozen=True)
class BoxArray:
    """N boxes.

    Attributes:
        middle: (N, 3) centres [m].
        extent: (N, 3) side lengths along their own axes [m].
        yaw: (N,) headings [rad].
    """

    middle: NDArray[np.float64]
    extent: NDArray[np.float64]
    yaw: NDArray[np.float64]

    @classmethod
    def of(cls, boxes: Iterable[Box]) -> BoxArray:
        """Returns the boxes as arrays."""
        listed = tuple(boxes)
        return cls(
            np.array([box.middle for box in listed]).reshape(-1, 3),
            np.array([box.extent for box in listed]).reshape(-1, 3),
            np.array([box.yaw for box in listed], np.float64),
        )

    def __len__(self) -> int:
        return len(self.yaw)

    @cached_property
    def volume(self) -> NDArray[np.float64]:
        """(N,) volumes [m^3]."""
        volume: NDArray[np.float64] = self.extent.prod(axis=1)
        return volume

    @cached_property
    def longest(self) -> NDArray[np.float64]:
        """(N,) longest sides [m]."""
        longest: NDArray[np.float64] = self.extent.max(axis=1)
        return longest

    @cached_property
    def length(self) -> NDArray[np.float64]:
        """(N,) longer horizontal sides [m]."""
        length: NDArray[np.float64] = self.extent[:, :2].max(axis=1)
        return length

    def half_along(self, others: BoxArray) -> NDArray[np.float64]:
        """Returns (N, M, 3) half the sides of the boxes that enclose these N along the axes of each of M others [m]."""
        turn = self.yaw[:, None] - others.yaw[None]
        off = off_quarter(turn)
        turn = np.where(np.abs(off) < ALIGNED, turn - off, turn)
        return enclosing_sides(self.extent[:, None] / 2, turn)

    def middle_along(self, others: BoxArray) -> NDArray[np.float64]:
        """Returns (N, M, 3) the centres of these N along the axes of each of M others, from their centres [m]."""
        return turned(self.middle[:, None] - others.middle[None], -others.yaw[None])

    def common_volume(self, others: BoxArray, skin: float) -> NDArray[np.float64]:
        """Returns (N, M) the volumes that these N have in common with each of M others, along the others' axes, if each
        box is grown by `skin` [m] on all sides [m^3]."""
        apart, half, other_half = self.middle_along(others), self.half_along(others), others.extent[None] / 2
        overlap = np.minimum(apart + half, other_half) - np.maximum(apart - half, -other_half)
        volume: NDArray[np.float64] = (overlap + 2 * skin).clip(0).prod(axis=2)
        return volume

    def covered_by(self, others: BoxArray, skin: float) -> NDArray[np.float64]:
        """Returns (N, M) the shares of the volumes of these N, as boxes along the others' axes, that lie in each of M
        others, if each box is grown by `skin` [m] on all sides; more than 0, since a box may have no thickness."""
        whole = (2 * (self.half_along(others) + skin)).prod(axis=2)
        share: NDArray[np.float64] = self.common_volume(others, skin) / whole
        return share

    def gaps(self, others: BoxArray) -> NDArray[np.float64]:
        """Returns (N, M) the distances between the nearest points of two boxes [m]; 0 where they touch or overlap."""
        one, other = self._beyond(others), others._beyond(self).transpose(1, 0, 2)
        apart = np.minimum(self._corner_distance(others), others._corner_distance(self).T)
        # Two rectangles share a point unless an axis of one of them parts them.
        parted = (one > 0).any(axis=2) | (other > 0).any(axis=2)
        above = np.abs(self.middle[:, None, 2] - others.middle[None, :, 2])
        above = (above - (self.extent[:, None, 2] + others.extent[None, :, 2]) / 2).clip(0)
        gaps: NDArray[np.float64] = np.hypot(np.where(parted, apart, 0.0), above)
        return gaps

    def _beyond(self, others: BoxArray) -> NDArray[np.float64]:
        """Returns (N, M, 2) by how much the others' axes part them [m]; 0 or less = not."""
        turn = self.yaw[:, None] - others.yaw[None]
        reach = enclosing_sides(self.extent[:, None, :2] / 2, turn)
        beyond: NDArray[np.float64] = (
            np.abs(self.middle_along(others)[..., :2]) - reach - others.extent[None, :, :2] / 2
        )
        return beyond

    def _corner_distance(self, others: BoxArray) -> NDArray[np.float64]:
        """Returns (N, M) how far the nearest corner of these N is from each of the others' rectangles [m]."""
        corners = (
            turned(_CORNERS[None] * self.extent[:, None, :2], self.yaw[:, None]) + self.middle[:, None, :2]
        )
        away = turned(corners[:, None] - others.middle[None, :, None, :2], -others.yaw[None, :, None])
        outside = (np.abs(away) - others.extent[None, :, None, :2] / 2).clip(0)
        distances: NDArray[np.float64] = np.hypot(outside[..., 0], outside[..., 1]).min(axis=2)
        return distances
