"""Random occupancy grids that change, for tests of what is kept up to date on them."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.distance import Field, distance_field, traversable
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice


class RandomGrid:
    """A grid of random patches, with a robot at a random free cell.

    Attributes:
        occupancy: the grid; its resolution is 0.1 m.
    """

    def __init__(self, rng: np.random.Generator, rows: int, cols: int) -> None:
        self._rng = rng
        self._radius = float(rng.choice([0.0, 0.15, 0.25]))
        self.occupancy = OccupancySlice(
            np.full((rows, cols), UNKNOWN, np.int8), GridGeometry(0.1, -7, 11, rows, cols)
        )
        for _ in range(12):
            self._patch(30, (FREE, FREE, FREE, FREE, UNKNOWN, OCCUPIED))
        self._move_robot()

    def change(self) -> None:
        """Replaces the grid by one that differs in a few patches and single cells, and may move the robot."""
        data = self.occupancy.data.copy()
        self.occupancy = OccupancySlice(data, self.occupancy.geometry)
        for _ in range(self._rng.integers(0, 4)):
            self._patch(10, (FREE, FREE, UNKNOWN, OCCUPIED))
        for _ in range(self._rng.integers(0, 6)):
            self._patch(1, (FREE, UNKNOWN, OCCUPIED))
        if self._rng.random() < 0.6:
            self._move_robot()

    def _move_robot(self) -> None:
        free = np.argwhere(self.occupancy.data == FREE)
        self._robot = free[self._rng.integers(len(free))] if len(free) else np.zeros(2, np.int64)

    def _patch(self, size: int, values: tuple[int, ...]) -> None:
        rows, cols = self.occupancy.geometry.shape
        row, col = self._rng.integers(rows), self._rng.integers(cols)
        height, width = self._rng.integers(1, size + 1, 2)
        self.occupancy.data[row : row + height, col : col + width] = self._rng.choice(values)

    def distance(self) -> Field:
        """Returns the distance field of the robot [m]."""
        passable = traversable(self.occupancy, self._radius)
        return distance_field(passable, [self._robot], 0.1)
