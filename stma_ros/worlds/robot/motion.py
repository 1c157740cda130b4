"""Moves the base: shortest paths on the clearance raster, and driving in small steps with collisions.

The base only turns in place and drives straight ahead.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.clearance import RESOLUTION, Cell, Clearance
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect, wrap_angle

BASE_RADIUS = 0.25  # [m]
LINEAR_SPEED = 0.5  # [m/s]
ANGULAR_SPEED = 1.0  # [rad/s]
GOAL_TOLERANCE = 0.3  # a goal in collision is replaced by the nearest free place within this distance [m]
PLANNING_RADIUS = BASE_RADIUS + 0.03
_STEP, _TURN_STEP = 0.05, 0.1  # [m], [rad]
_NEIGHBOURS = [(dr, dc, math.hypot(dr, dc)) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]

Waypoint = tuple[float, float]


@dataclass(frozen=True)
class Increment:
    """One small motion: the new pose, the distance driven [m] and the angle turned (unsigned) [rad].

    `bumped`: the base met an obstacle and stopped short.
    """

    pose: Placement
    driven: float
    turned: float
    bumped: bool = False

    @property
    def seconds(self) -> float:
        return self.driven / LINEAR_SPEED + self.turned / ANGULAR_SPEED


class Floor(Protocol):
    """The clearance of the base."""

    def room(self, x: float, y: float) -> float:
        """Returns the clearance of the base at this place [m]; negative = collision."""
        ...


class Obstacles:
    """A floor with obstacles, whose distances are computed together; see OrientedRect.distances."""

    def __init__(self, obstacles: Sequence[OrientedRect]) -> None:
        table = np.array([(o.x, o.y, o.half_x, o.half_y, o.yaw) for o in obstacles]).reshape(-1, 5)
        self._x, self._y, self._half_x, self._half_y, yaw = table.T
        self._cosine, self._sine = np.cos(yaw), np.sin(yaw)

    def room(self, x: float, y: float) -> float:
        dx, dy = x - self._x, y - self._y
        along = np.maximum(np.abs(self._cosine * dx + self._sine * dy) - self._half_x, 0.0)
        across = np.maximum(np.abs(self._cosine * dy - self._sine * dx) - self._half_y, 0.0)
        return float(np.hypot(along, across).min(initial=math.inf)) - BASE_RADIUS


class Ground:
    """The floor for the base: plans paths and moves over it. A new one is made when an obstacle changes.

    clearance: the places where the base may plan to be, with a small margin.
    """

    def __init__(self, clearance: Clearance, floor: Floor) -> None:
        self._clearance = clearance
        self._floor = floor

    @classmethod
    def among(
        cls, bounds: Rect, obstacles: Sequence[OrientedRect], planning_radius: float = PLANNING_RADIUS
    ) -> Ground:
        """Returns the level floor within bounds, with obstacles on it."""
        return cls(Clearance(bounds, obstacles, planning_radius), Obstacles(obstacles))

    @property
    def free(self) -> NDArray[np.bool_]:
        """The raster of the places where the base can stand; see Clearance."""
        return self._clearance.free

    def collides(self, x: float, y: float) -> bool:
        """Whether the base at this place touches an obstacle."""
        return self._floor.room(x, y) < 0

    def way(
        self, start: Placement, x: float, y: float, tolerance: float = GOAL_TOLERANCE
    ) -> tuple[Waypoint, ...] | None:
        """Returns the shortest path to a place, or to the nearest free and connected one within `tolerance` [m] of it.

        Returns:
            The waypoints after the start; None when the place is cut off or in collision.
        """
        first = self._clearance.nearest_free(start.x, start.y, GOAL_TOLERANCE)
        if first is None:
            return None
        last = self._clearance.cell(x, y)
        exact = self._clearance.is_free(last)
        cells = self._search(first, last) if exact else None
        if cells is None:
            # The flood fill comes last, as most goals are free and connected.
            near = self._clearance.nearest_free(x, y, tolerance, self._clearance.reachable(first))
            cells = None if near is None else self._search(first, near)
            exact = False
        if cells is None:
            return None
        return self.straightened(start, cells, (x, y) if exact else None)

    def reachable_from(self, start: Placement) -> tuple[Clearance, NDArray[np.bool_]]:
        """Returns the raster and the mask of cells that the base can reach."""
        first = self._clearance.nearest_free(start.x, start.y, GOAL_TOLERANCE)
        mask = self._clearance.reachable(first) if first is not None else np.zeros_like(self._clearance.free)
        return self._clearance, mask

    def follow(self, start: Placement, way: Sequence[Waypoint]) -> Iterator[Increment]:
        """Turns towards each waypoint and drives there; ends early at a collision."""
        pose = start
        for x, y in way:
            distance = math.hypot(x - pose.x, y - pose.y)
            if distance < 1e-6:
                continue
            heading = math.atan2(y - pose.y, x - pose.x)
            for increment in turn(pose, wrap_angle(heading - pose.yaw)):
                pose = increment.pose
                yield increment
            for increment in self._drive(pose, distance):
                pose = increment.pose
                yield increment
                if increment.bumped:
                    return

    def _drive(self, start: Placement, distance: float) -> Iterator[Increment]:
        count = max(1, math.ceil(distance / _STEP - 1e-9))
        step = distance / count
        pose = start
        for k in range(1, count + 1):
            x, y = start.point(k * step, 0.0)
            if self.collides(x, y) and not self._escapes(pose, x, y):
                yield Increment(pose, 0.0, 0.0, bumped=True)
                return
            pose = Placement(x, y, start.yaw)
            yield Increment(pose, step, 0.0)

    def _escapes(self, pose: Placement, x: float, y: float) -> bool:
        """Whether a motion increases the distance to an obstacle that is too close: the base may leave it, never
        approach it."""
        if not self.collides(pose.x, pose.y):
            return False
        return self._floor.room(x, y) > self._floor.room(pose.x, pose.y)

    def _search(self, start: Cell, goal: Cell) -> list[Cell] | None:
        """Runs A* over eight neighbours without cutting corners."""
        free = self._clearance.free.tolist()
        rows, columns = len(free), len(free[0])

        def bound(row: int, column: int) -> float:
            dr, dc = abs(row - goal[0]), abs(column - goal[1])
            return max(dr, dc) + (math.sqrt(2) - 1) * min(dr, dc)

        cost = {start: 0.0}
        came: dict[Cell, Cell] = {}
        queue = [(bound(*start), start)]
        done: set[Cell] = set()
        while queue:
            _, cell = heapq.heappop(queue)
            if cell == goal:
                return _trace(came, cell)
            if cell in done:
                continue
            done.add(cell)
            row, column = cell
            for dr, dc, length in _NEIGHBOURS:
                r, c = row + dr, column + dc
                if not (0 <= r < rows and 0 <= c < columns and free[r][c]):
                    continue
                if dr and dc and not (free[row][c] and free[r][column]):
                    continue
                new = cost[cell] + length
                if new < cost.get((r, c), math.inf) - 1e-12:
                    cost[r, c] = new
                    came[r, c] = cell
                    heapq.heappush(queue, (new + bound(r, c), (r, c)))
        return None

    def straightened(
        self, start: Placement, cells: Sequence[Cell], end: Waypoint | None = None
    ) -> tuple[Waypoint, ...]:
        """Returns the waypoints of a path of free cells without those that a straight line can skip.

        Args:
            start: place from which the path leads.
            cells: cells of the path, each next to the one before.
            end: place after the last cell, with a free line to it; None = the path ends at its last cell.
        """
        points = [self._clearance.point(cell) for cell in cells]
        if end is not None:
            points.append(end)
        way: list[Waypoint] = []
        here: Waypoint = (start.x, start.y)
        k = 0
        while k < len(points):
            best = k
            low, high = k, len(points) - 1
            while (
                low <= high
            ):  # visibility along a shortest path is all but monotonic: halving finds a far point
                middle = (low + high) // 2
                if self._sees(here, points[middle]):
                    best, low = middle, middle + 1
                else:
                    high = middle - 1
            here = points[best]
            way.append(here)
            k = best + 1
        return tuple(way)

    def _sees(self, a: Waypoint, b: Waypoint) -> bool:
        count = max(2, math.ceil(math.hypot(b[0] - a[0], b[1] - a[1]) / (RESOLUTION / 2)))
        bounds = self._clearance.bounds
        x, y = np.linspace(a[0], b[0], count), np.linspace(a[1], b[1], count)
        rows = np.floor((y - bounds.y0) / RESOLUTION).astype(int)
        columns = np.floor((x - bounds.x0) / RESOLUTION).astype(int)
        return bool(self._clearance.free[rows, columns].all())


def turn(start: Placement, angle: float) -> Iterator[Increment]:
    """Turns in place by `angle` [rad], positive to the left."""
    count = max(1, math.ceil(abs(angle) / _TURN_STEP - 1e-9))
    for k in range(1, count + 1):
        yield Increment(
            Placement(start.x, start.y, wrap_angle(start.yaw + angle * k / count)), 0.0, abs(angle) / count
        )


def way_length(start: Placement, way: Sequence[Waypoint]) -> float:
    """Returns the length of a path from the start [m]."""
    points = [(start.x, start.y), *way]
    return sum(math.dist(a, b) for a, b in itertools.pairwise(points))


def _trace(came: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    cells = [cell]
    while cell in came:
        cell = came[cell]
        cells.append(cell)
    return cells[::-1]
