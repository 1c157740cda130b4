"""The measurement `frontiers`: the time to find the frontiers of a map, from nothing and after a change.

Each map is a building of rooms with doorways, known in discs around random places; a change makes one more disc known,
or unknown again. All that a snapshot of the map does for frontiers is timed, ids included, and not the distance field,
on one core. After each change the result of our rules is compared with one from nothing; that of the published ones
depends on what was shown before.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.timing import one_core, timed
from stma_ros.mapping.distance import Field, Mask, distance_field, traversable
from stma_ros.mapping.frontiers.boundary_rules import FrontierFinder
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierFinder
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.frontiers.rules import OWN, PUBLISHED
from stma_ros.mapping.frontiers.tracker import FrontierTracker
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.types.errors import StmaError
from stma_ros.types.settings import setting

RESOLUTION = 0.1  # [m]
_ROOM, _WALL, _DOORWAY = (60, 50), 2, 10
"""Rows and columns from one wall to the next, thickness of walls and width of doorways [cells]."""
_SEEN, _NEAR = (15, 40), 12
"""Radii [cells] of the discs that are known, and by how much smaller those are that were seen from near."""
_AREA_OF_A_DISC = 3000
"""A disc for each so many cells leaves about a quarter of the cells reachable."""

_Search = Callable[[OccupancySlice, Field], list[FrontierRegion]]


@dataclass(frozen=True)
class FrontierSettings:
    small: int = setting(120, "edge of the smaller map", unit="cells", low=60, high=10_000)
    large: int = setting(1000, "edge of the larger map", unit="cells", low=60, high=10_000)
    changed: float = setting(0.01, "share of the cells that change at once", low=0.0001, high=0.2)
    rounds: int = setting(50, "number of changes", low=2, high=10_000)


class FrontierSpeed:
    """The Measurement of frontiers."""

    name = "frontiers"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "rules",
        "group": "cells",
        "episodes": "changes",
        "full_ms": "full [ms]",
        "incremental_ms": "after a change [ms]",
        "ids_ms": "ids [ms]",
        "frontiers": "frontiers",
    }

    def __init__(self, settings: FrontierSettings = FrontierSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return 4

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields a row for each map and set of rules."""
        with one_core():
            for edge in (self._settings.small, self._settings.large):
                building = _Building(edge, np.random.default_rng(seed))
                yield self._measure(OWN, _own_rules, building)
                yield self._measure(PUBLISHED, partial(_published_rules, building), building)

    def _measure(self, rules: str, begin: Callable[[], _Search], building: _Building) -> dict[str, Any]:
        search, tracker, times = begin(), FrontierTracker(), _Times()
        for number in range(self._settings.rounds + 1):
            occupancy = building.changed(self._settings.changed) if number % 2 else building.occupancy
            distance = building.distance(occupancy)
            whole, full = timed(partial(begin(), occupancy, distance))
            found, incremental = timed(partial(search, occupancy, distance))
            if rules == OWN and found != whole:
                raise StmaError("the frontiers after a change differ from those that are found from nothing")
            _, ids = timed(partial(tracker.update, found, occupancy.geometry))
            times.add(full, incremental, ids)
        full_ms, incremental_ms, ids_ms = times.medians_ms
        return {
            "preset": rules,
            "group": "{} x {}".format(*building.occupancy.geometry.shape),
            "episodes": self._settings.rounds,
            "full_ms": full_ms,
            "incremental_ms": incremental_ms,
            "ids_ms": ids_ms,
            "frontiers": len(found),
        }


def _own_rules() -> _Search:
    return FrontierFinder().update


def _published_rules(building: _Building) -> _Search:
    finder, robot = PublishedFrontierFinder(), building.occupancy.geometry.center(*building.robot)

    def search(occupancy: OccupancySlice, distance: Field) -> list[FrontierRegion]:
        navigable = occupancy.data == FREE
        return finder.update(navigable, building.seen_from_near, occupancy.geometry, distance, robot)

    return search


class _Times:
    """Times of the updates of a map."""

    def __init__(self) -> None:
        self._seconds: list[tuple[float, float, float]] = []

    def add(self, full: float, incremental: float, ids: float) -> None:
        """Adds the times [s] of an update from nothing, of one from the last state, and of giving ids."""
        self._seconds.append((full, incremental, ids))

    @property
    def medians_ms(self) -> list[float]:
        """The medians [ms], without the first update, which begins with nothing."""
        return [1e3 * statistics.median(times) for times in zip(*self._seconds[1:], strict=True)]


class _Building:
    """A building of which discs are known.

    Attributes:
        occupancy: what is known at first.
        seen_from_near: (rows, cols) what was seen from near.
        robot: its cell (row, column): the free one nearest to the middle.
    """

    def __init__(self, edge: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._truth = _rooms(edge)
        self.seen_from_near = np.zeros((edge, edge), np.bool_)
        known = np.zeros((edge, edge), np.bool_)
        for _ in range(max(edge * edge // _AREA_OF_A_DISC, 1)):
            center, radius = rng.integers(0, edge, 2), int(rng.integers(*_SEEN))
            known |= _disc(edge, center, radius)
            self.seen_from_near |= _disc(edge, center, radius - _NEAR)
        self.occupancy = self._occupancy(known)
        free = np.argwhere(self.occupancy.data == FREE)
        self.robot: tuple[int, int] = tuple(free[((free - edge / 2) ** 2).sum(axis=1).argmin()].tolist())

    def changed(self, share: float) -> OccupancySlice:
        """Returns what is known with a disc more, around a random place, that adds at least a share of all cells."""
        known, edge = self.occupancy.data != UNKNOWN, len(self._truth)
        center, radius = self._rng.integers(0, edge, 2), 1
        while np.count_nonzero(_disc(edge, center, radius) & ~known) < share * known.size:
            radius += 1
        return self._occupancy(known | _disc(edge, center, radius))

    def distance(self, occupancy: OccupancySlice) -> Field:
        """Returns the distance field from the robot [m]."""
        return distance_field(traversable(occupancy, 0.0), [self.robot], RESOLUTION)

    def _occupancy(self, known: Mask) -> OccupancySlice:
        data = np.where(known, self._truth, UNKNOWN).astype(np.int8)
        return OccupancySlice(data, GridGeometry(RESOLUTION, 0, 0, *known.shape))


def _rooms(edge: int) -> NDArray[np.int8]:
    """Returns a square of rooms with a doorway in the middle of each wall between two."""
    truth = np.full((edge, edge), FREE, np.int8)
    rows, cols = _ROOM
    for row in range(0, edge, rows):
        truth[row : row + _WALL] = OCCUPIED
    for col in range(0, edge, cols):
        truth[:, col : col + _WALL] = OCCUPIED
    half = _DOORWAY // 2
    for row in range(rows, edge, rows):
        for middle in range(cols // 2, edge, cols):
            truth[row : row + _WALL, middle - half : middle + half] = FREE
    for col in range(cols, edge, cols):
        for middle in range(rows // 2, edge, rows):
            truth[middle - half : middle + half, col : col + _WALL] = FREE
    truth[[0, -1]] = truth[:, [0, -1]] = OCCUPIED
    return truth


def _disc(edge: int, center: NDArray[np.int64], radius: int) -> Mask:
    rows, cols = np.ogrid[:edge, :edge]
    disc: Mask = (rows - center[0]) ** 2 + (cols - center[1]) ** 2 < radius * radius
    return disc
