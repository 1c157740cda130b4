"""Frontiers: where the known space that can be reached ends, and where to look into the unknown from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stma_ros.mapping.distance import STEPS, Field, Mask
from stma_ros.mapping.grid import Cells
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.mapping.tracking import RegionTracker, intersection_over_union
from stma_ros.types.jit import kernel

_EIGHT_CONNECTED = np.ones((3, 3), np.int8)
_NEIGHBOURHOOD = np.argwhere(_EIGHT_CONNECTED).astype(np.int32) - 1


@dataclass(frozen=True)
class FrontierConfig:
    """Sizes of frontiers."""

    min_length: float = (
        0.2  # [m] shorter ones come last; a robot of 0.3 m radius uses 0.3 m of a 0.9 m doorway
    )
    max_length: float = 3.0  # [m] longer ones are cut in two, and again
    view_range: float = 2.0  # [m] how far behind a frontier the unknown is counted
    min_unknown_area: float = 0.4  # [m^2] frontiers with less behind them are dropped: it is seen in passing


@dataclass(frozen=True)
class FrontierRegion:
    """A connected stretch of free cells along unknown space. Positions are (x, y) in the map frame [m]."""

    id: int  # 0 until tracked
    center: tuple[float, float]  # the frontier cell nearest to the mean of all
    viewpoint: tuple[float, float, float]  # (x, y, yaw [rad]): where to stand, looking into the unknown
    distance: float  # [m] length of the way to the viewpoint
    length: float  # [m]
    unknown_area: float  # [m^2] of what is connected behind it, within the view range of its center
    changed: bool = True  # since the last update: new, or its cells differ by more than a few
    cells: Cells = field(repr=False, compare=False, default_factory=lambda: np.empty((0, 2), np.int32))


@kernel
def _frontier_mask(occupancy: NDArray[np.int8], field: Field) -> NDArray[np.bool_]:
    """Returns the free cells with an unknown 4-neighbour that are reachable or next to a reachable cell."""
    rows, cols = occupancy.shape
    mask = np.zeros((rows, cols), np.bool_)
    for row in range(rows):
        for col in range(cols):
            if occupancy[row, col] != FREE:
                continue
            if not (
                row == 0
                or col == 0
                or row == rows - 1
                or col == cols - 1
                or occupancy[row - 1, col] == UNKNOWN
                or occupancy[row + 1, col] == UNKNOWN
                or occupancy[row, col - 1] == UNKNOWN
                or occupancy[row, col + 1] == UNKNOWN
            ):
                continue
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    mask[row, col] |= np.isfinite(field[r, c])
    return mask


@kernel
def _unknown_behind(
    occupancy: NDArray[np.int8],
    unexplored: Mask,
    cells: Cells,
    center_row: int,
    center_col: int,
    reach: int,
) -> tuple[int, float, float]:
    """Floods unexplored cells next to `cells`, within `reach` cells of the centre.

    The space beyond the grid is unknown as well, so the flood runs in a window of its own.

    Returns:
        The number of unknown cells, and their mean (row, col).
    """
    rows, cols = occupancy.shape
    size = 2 * reach + 1
    seen = np.zeros((size, size), np.bool_)
    queue = np.empty((size * size, 2), np.int32)
    waiting, done, count = 0, 0, 0
    sum_row, sum_col = 0.0, 0.0
    source = 0
    while source < len(cells) or done < waiting:
        if source < len(cells):  # first the frontier's own neighbours, then theirs
            row, col = cells[source]
            source += 1
        else:
            row, col = queue[done]
            done += 1
        for step in range(4):
            r = row + (step == 0) - (step == 1)
            c = col + (step == 2) - (step == 3)
            i, j = r - center_row, c - center_col
            if i * i + j * j > reach * reach or seen[i + reach, j + reach]:
                continue
            inside = 0 <= r < rows and 0 <= c < cols
            if inside and not unexplored[r, c]:
                continue
            seen[i + reach, j + reach] = True
            queue[waiting, 0], queue[waiting, 1] = r, c
            waiting += 1
            if inside and occupancy[r, c] != UNKNOWN:
                continue
            count += 1
            sum_row += r
            sum_col += c
    return count, sum_row / max(count, 1), sum_col / max(count, 1)


@kernel
def _unexplored(occupancy: NDArray[np.int8], distance: Field) -> Mask:
    """Returns the unknown cells, and the free cells without a connection to reachable ones: a strip of floor that was
    seen from afar does not end the unknown."""
    rows, cols = occupancy.shape
    unexplored: Mask = occupancy != OCCUPIED
    queue = np.empty(rows * cols, np.int32)
    count, done = 0, 0
    for row in range(rows):
        for col in range(cols):
            if np.isfinite(distance[row, col]):
                unexplored[row, col] = False
                queue[count] = row * cols + col
                count += 1
    while done < count:
        row, col = divmod(queue[done], cols)
        done += 1
        for step in range(4):
            r, c = row + STEPS[step, 0], col + STEPS[step, 1]
            if 0 <= r < rows and 0 <= c < cols and unexplored[r, c] and occupancy[r, c] == FREE:
                unexplored[r, c] = False
                queue[count] = r * cols + c
                count += 1
    return unexplored


def find_frontiers(
    occupancy: OccupancySlice, distance: Field, config: FrontierConfig | None = None
) -> list[FrontierRegion]:
    """Finds the frontiers that the robot can reach.

    A frontier cell is free, has an unknown 4-neighbour (beyond the grid all is unknown) and is reachable or next to a
    reachable cell. Behind it lies unexplored space: unknown, or free but cut off.

    Short frontiers count only where there are no others, unless they end at obstacles: in the shadow of a table's legs
    the floor is seen in strips, and the way on may be two cells wide until the robot goes there.

    Args:
        occupancy: the slice in which the robot drives.
        distance: distance field from the robot's cell [m].
        config: sizes of frontiers.

    Returns:
        Frontiers without ids, in the order of the grid's rows.
    """
    config = config or FrontierConfig()
    resolution = occupancy.geometry.resolution
    mask = _frontier_mask(occupancy.data, distance)
    unexplored = _unexplored(occupancy.data, distance)
    labels, _ = ndimage.label(mask, _EIGHT_CONNECTED)
    cells = np.argwhere(mask).astype(np.int32)
    owner = labels[mask]
    ends = np.cumsum(np.bincount(owner, minlength=1)[1:])
    clusters = [c for c in np.split(cells[np.argsort(owner, kind="stable")], ends[:-1]) if len(c)]
    lengths = [_length(cluster) * resolution for cluster in clusters]
    sized = tuple(zip(clusters, lengths, strict=True))
    long = [cluster for cluster, length in sized if length >= config.min_length]
    short = [cluster for cluster, length in sized if length < config.min_length]
    for chosen in (long, (c for c in short if not _is_crack(c, occupancy))):
        frontiers = [
            _describe(piece, occupancy, unexplored, distance, config)
            for cluster in chosen
            for piece in _cut(cluster, config.max_length / resolution)
        ]
        frontiers = [each for each in frontiers if each.unknown_area >= config.min_unknown_area]
        if frontiers:
            return frontiers
    return []


def _is_crack(cells: Cells, occupancy: OccupancySlice) -> bool:
    """Whether an obstacle is next to the frontier."""
    around = _around(cells, occupancy)
    return bool((occupancy.data[around[:, 0], around[:, 1]] == OCCUPIED).any())


def _around(cells: Cells, occupancy: OccupancySlice) -> Cells:
    """Returns the cells and their neighbours on the grid; some of them several times."""
    around = (cells[:, None] + _NEIGHBOURHOOD).reshape(-1, 2)
    return around[((around >= 0) & (around < occupancy.geometry.shape)).all(axis=1)]


def _along_principal_axis(cells: Cells) -> NDArray[np.float64]:
    """Returns the positions of cells (N,) along the principal axis of all of them, from their mean [cells]."""
    offset = cells - cells.mean(axis=0)
    (rr, rc), (_, cc) = offset.T @ offset
    angle = 0.5 * np.arctan2(2.0 * rc, rr - cc)  # of the principal axis, from the rows' direction
    along: NDArray[np.float64] = offset @ (np.cos(angle), np.sin(angle))
    return along


def _length(cells: Cells) -> float:
    """Returns the length of a frontier [cells]: of a bent one the number of its cells; a straight one has fewer cells
    the more it is askew to the grid."""
    return max(float(len(cells)), float(np.ptp(_along_principal_axis(cells))) + 1.0)


def _cut(cells: Cells, max_extent: float) -> Iterator[Cells]:
    """Halves a cluster across its principal axis until no piece is longer than `max_extent` cells."""
    along = _along_principal_axis(cells)
    low, high = along.min(), along.max()
    if high - low <= max_extent:
        yield cells
        return
    near = along <= (low + high) / 2.0
    yield from _cut(cells[near], max_extent)
    yield from _cut(cells[~near], max_extent)


def _describe(
    cells: Cells, occupancy: OccupancySlice, unexplored: Mask, distance: Field, config: FrontierConfig
) -> FrontierRegion:
    geometry = occupancy.geometry
    center = cells[((cells - cells.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    around = _around(cells, occupancy)
    around = around[np.isfinite(distance[around[:, 0], around[:, 1]])]
    row, col = around[((around - center) ** 2).sum(axis=1).argmin()].tolist()
    count, unknown_row, unknown_col = _unknown_behind(
        occupancy.data,
        unexplored,
        cells,
        int(center[0]),
        int(center[1]),
        int(config.view_range / geometry.resolution),
    )
    yaw = float(np.arctan2(unknown_row - row, unknown_col - col))
    return FrontierRegion(
        id=0,
        center=geometry.center(*center.tolist()),
        viewpoint=(*geometry.center(row, col), yaw),
        distance=float(distance[row, col]),
        length=_length(cells) * geometry.resolution,
        unknown_area=count * geometry.resolution**2,
        cells=cells,
    )


class FrontierTracker:
    """Assigns ids to frontiers that last over updates, and detects changes.

    An id stays while at least `min_iou` of the cells stay. A frontier counts as unchanged by the rule of 3D-Mem: its
    IoU with the last update exceeds 0.95 and fewer than 75 cells differ, or at most 3 cells differ.
    """

    def __init__(self, min_iou: float = 0.5) -> None:
        self.regions = RegionTracker(intersection_over_union, min_iou)

    def update(
        self, occupancy: OccupancySlice, distance: Field, config: FrontierConfig | None = None
    ) -> list[FrontierRegion]:
        """Returns the frontiers of `find_frontiers` with their ids, sorted by id."""
        found = find_frontiers(occupancy, distance, config)
        regions = [occupancy.geometry.global_keys(frontier.cells) for frontier in found]
        previous = self.regions.regions
        ids = self.regions.update(regions)
        tracked = [
            replace(frontier, id=frontier_id, changed=_differ(previous.get(frontier_id), keys))
            for frontier, frontier_id, keys in zip(found, ids, regions, strict=True)
        ]
        return sorted(tracked, key=lambda frontier: frontier.id)


def _differ(old: NDArray[np.int64] | None, new: NDArray[np.int64]) -> bool:
    if old is None:
        return True
    shared = len(np.intersect1d(old, new, assume_unique=True))
    differing = len(old) + len(new) - 2 * shared
    same = intersection_over_union(shared, len(old), len(new)) > 0.95 and differing < 75
    return not (same or differing <= 3)
