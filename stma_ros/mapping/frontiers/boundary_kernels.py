"""Kernels of `boundary_rules`: what each cell is, kept up to date where the map changed.

Cells are flat indices into arrays of (rows + 2) * (cols + 2) with a border of one cell, which is unknown: so no kernel
has to ask whether a neighbour exists.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import Field
from stma_ros.mapping.occupancy import FREE as FREE_CELL
from stma_ros.mapping.occupancy import OCCUPIED as OCCUPIED_CELL
from stma_ros.types.jit import kernel

Flags = NDArray[np.uint8]
"""((rows + 2) * (cols + 2),) the bits below; 0 = unknown."""
FlatCells = NDArray[np.int32]
"""(N,) indices into the flags."""
Tiles = NDArray[np.bool_]
"""(tile rows, tile columns) whether something changed in each tile."""

FREE, OCCUPIED, REACHED = np.uint8(1), np.uint8(2), np.uint8(4)
JOINED = np.uint8(8)  # reached, or free and 4-connected to a reached cell over free ones
EDGE = np.uint8(16)  # a cell of a frontier
_INPUT = np.uint8(7)  # the bits that come from the map
_KNOWN = np.uint8(3)

TILE = 32
"""Edge of a tile [cells]."""


@kernel
def _flag(occupied: np.int8, distance: np.float32) -> np.uint8:
    return np.uint8(
        np.uint8(occupied == FREE_CELL)
        | np.uint8(np.uint8(occupied == OCCUPIED_CELL) << 1)
        | np.uint8(np.uint8(distance < np.inf) << 2)
    )


@kernel
def make_input(occupancy: NDArray[np.int8], distance: Field, flags: Flags) -> None:
    """Sets the bits of the map, and JOINED of reached cells and most of those that are to have it.

    Args:
        occupancy: (rows, cols).
        distance: (rows, cols) [m]; inf = not reached.
        flags: the result.
    """
    rows, cols = occupancy.shape
    width = cols + 2
    for row in range(rows):
        cells, reach = occupancy[row], distance[row]
        line = flags[(row + 1) * width + 1 : (row + 1) * width + 1 + cols]
        for col in range(cols):
            now = _flag(cells[col], reach[col])
            line[col] = now | np.uint8((now & REACHED) << 1)
    before = np.empty(cols + 2, np.uint8)
    for _ in range(2):  # free cells that are not reached are mostly a few cells away from reached ones
        for row in range(1, rows + 1):
            _spread_to(flags, row, row - 1, width, before)
        for row in range(rows, 0, -1):
            _spread_to(flags, row, row + 1, width, before)


@kernel
def _spread_to(flags: Flags, row: int, other: int, width: int, before: NDArray[np.uint8]) -> None:
    """Gives JOINED to free cells of a row next to joined ones in the same row or the other one."""
    line, source = flags[row * width : (row + 1) * width], flags[other * width : (other + 1) * width]
    for col in range(width):
        before[col] = line[col]
    for col in range(1, width - 1):  # no branches: vector instructions
        beside = np.uint8(before[col - 1] | before[col + 1] | source[col])
        line[col] = np.uint8(before[col] | (np.uint8((before[col] & FREE) << 3) & beside & JOINED))


@kernel
def update_input(
    occupancy: NDArray[np.int8], distance: Field, flags: Flags, tiles: Tiles, changed: FlatCells
) -> int:
    """Brings the bits of the map up to date, and takes JOINED from the changed cells that are not reached.

    Args:
        occupancy: (rows, cols).
        distance: (rows, cols) [m]; inf = not reached.
        flags: are updated.
        tiles: those with changed cells are marked.
        changed: room for the changed cells.

    Returns:
        The number of changed cells.
    """
    rows, cols = occupancy.shape
    width = cols + 2
    count = 0
    for row in range(rows):
        cells, reach = occupancy[row], distance[row]
        line = flags[(row + 1) * width + 1 : (row + 1) * width + 1 + cols]
        for start in range(0, cols, TILE):
            end = min(start + TILE, cols)
            difference = np.uint8(0)
            for col in range(start, end):  # no branches: vector instructions
                difference |= np.uint8(_flag(cells[col], reach[col]) ^ (line[col] & _INPUT))
            if difference == 0:
                continue
            tiles[row // TILE, start // TILE] = True
            for col in range(start, end):
                now = _flag(cells[col], reach[col])
                if now != line[col] & _INPUT:
                    line[col] = now | np.uint8((now & REACHED) << 1) | (line[col] & EDGE)
                    changed[count] = (row + 1) * width + 1 + col
                    count += 1
    return count


@kernel
def separate(
    flags: Flags, width: int, changed: FlatCells, tiles: Tiles, visited: NDArray[np.uint8], queue: FlatCells
) -> None:
    """Takes JOINED from cells that lost their connection to reached ones.

    From each joined neighbour of a changed cell, cells that are joined but not reached are flooded until one touches a
    reached cell: a few steps, since such cells lie along obstacles, as wide as the robot's radius.

    Args:
        flags: are updated.
        width: of their rows.
        changed: the changed cells; the bits of the map are up to date.
        tiles: those with cells that lost the bit are marked.
        visited: zeros, as large as the flags; zeros again in the end.
        queue: room for all cells.
    """
    done = 0  # queue[:done] are visited and hold no cell of a component that is still open
    steps = (-width, -1, 1, width)
    for k in range(len(changed)):
        for first in steps:
            cell = changed[k] + first
            if flags[cell] & (JOINED | REACHED) != JOINED or visited[cell]:
                continue
            start, end = done, done + 1
            queue[start] = cell
            visited[cell] = 1
            held = False
            at = start
            while at < end and not held:
                here = queue[at]
                at += 1
                for step in steps:
                    there = here + step
                    if flags[there] & REACHED or visited[there] == 2:
                        held = True
                        break
                    if flags[there] & JOINED and visited[there] == 0:
                        visited[there] = 1
                        queue[end] = there
                        end += 1
            for at in range(start, end):
                here = queue[at]
                if held:
                    visited[here] = 2
                else:
                    flags[here] &= ~JOINED
                    tiles[(here // width - 1) // TILE, (here % width - 1) // TILE] = True
            done = end
    for at in range(done):
        visited[queue[at]] = 0


@kernel
def join(flags: Flags, rows: int, cols: int, tiles: Tiles, queue: FlatCells) -> None:
    """Gives JOINED to free cells that gained a connection to reached ones.

    Args:
        flags: are updated.
        rows, cols: shape of the grid.
        tiles: where something changed; those with cells that gained the bit are marked.
        queue: room for all cells.
    """
    width = cols + 2
    for tile_row in range(tiles.shape[0]):
        for row in range(max(tile_row * TILE, 1), min(tile_row * TILE + TILE + 2, rows + 1)):
            for tile_col in range(tiles.shape[1]):
                if not tiles[tile_row, tile_col]:
                    continue
                first = row * width + max(tile_col * TILE, 1)
                last = row * width + min(tile_col * TILE + TILE + 2, cols + 1)
                line = flags[first - 1 : last + 1]
                above, below = flags[first - width : last - width], flags[first + width : last + width]
                gained = np.uint8(0)
                for k in range(last - first):  # no branches: vector instructions
                    beside = np.uint8(line[k] | line[k + 2] | above[k] | below[k])
                    gained |= np.uint8((line[k + 1] & FREE) << 3) & beside & ~line[k + 1]
                if gained & JOINED == 0:
                    continue
                for cell in range(first, last):
                    if flags[cell] & (FREE | JOINED) != FREE:
                        continue
                    beside = flags[cell - 1] | flags[cell + 1] | flags[cell - width] | flags[cell + width]
                    if beside & JOINED:
                        _flood(flags, width, cell, tiles, queue)


@kernel
def _flood(flags: Flags, width: int, cell: int, tiles: Tiles, queue: FlatCells) -> None:
    """Gives JOINED to a cell and the free ones that are 4-connected to it."""
    flags[cell] |= JOINED
    queue[0] = cell
    end, at = 1, 0
    while at < end:
        here = queue[at]
        at += 1
        tiles[(here // width - 1) // TILE, (here % width - 1) // TILE] = True
        for step in (-width, -1, 1, width):
            there = here + step
            if flags[there] & (FREE | JOINED) == FREE:
                flags[there] |= JOINED
                queue[end] = there
                end += 1


@kernel
def update_edges(flags: Flags, rows: int, cols: int, tiles: Tiles, toggled: FlatCells) -> int:
    """Brings EDGE up to date in tiles where something changed, and around them.

    A cell of a frontier is free, has an unknown 4-neighbour, and is reached or next to a reached cell.

    Args:
        flags: are updated.
        rows, cols: shape of the grid.
        tiles: where something changed.
        toggled: room for the cells whose bit changed.

    Returns:
        The number of cells whose bit changed.
    """
    width = cols + 2
    count = 0
    edges = np.empty(TILE + 2, np.uint8)
    for tile_row in range(tiles.shape[0]):
        for row in range(max(tile_row * TILE, 1), min(tile_row * TILE + TILE + 2, rows + 1)):
            for tile_col in range(tiles.shape[1]):
                if not tiles[tile_row, tile_col]:
                    continue
                first = row * width + max(tile_col * TILE, 1)
                last = row * width + min(tile_col * TILE + TILE + 2, cols + 1)
                line = flags[first - 1 : last + 1]
                above = flags[first - width - 1 : last - width + 1]
                below = flags[first + width - 1 : last + width + 1]
                toggles = np.uint8(0)
                for k in range(last - first):  # no branches: vector instructions
                    unknown = (
                        ((line[k] & _KNOWN) == 0)
                        | ((line[k + 2] & _KNOWN) == 0)
                        | ((above[k + 1] & _KNOWN) == 0)
                        | ((below[k + 1] & _KNOWN) == 0)
                    )
                    around = np.uint8(
                        above[k] | above[k + 1] | above[k + 2] | line[k] | line[k + 1] | line[k + 2]
                    ) | np.uint8(below[k] | below[k + 1] | below[k + 2])
                    edge = np.uint8(unknown) & line[k + 1] & np.uint8(np.uint8(around & REACHED) >> 2)
                    edges[k] = np.uint8(np.uint8(edge << 4) ^ np.uint8(line[k + 1] & EDGE))
                    toggles |= edges[k]
                if toggles == 0:
                    continue
                for k in range(last - first):
                    if edges[k]:
                        line[k + 1] ^= EDGE
                        toggled[count] = first + k
                        count += 1
    return count


@kernel
def touched_clusters(
    toggled: FlatCells, labels: NDArray[np.int32], width: int, found: NDArray[np.bool_]
) -> None:
    """Marks the clusters that lost a cell or are next to a new one.

    Args:
        toggled: cells that are no longer, or newly, of a frontier.
        labels: number of the cluster of each cell; 0 = none.
        width: of the rows of the labels.
        found: by the number of the cluster; is updated.
    """
    for cell in toggled:
        for above in range(cell - width, cell + width + 1, width):
            for there in range(above - 1, above + 2):
                found[labels[there]] = True


@kernel
def label_clusters(
    cells: FlatCells, labels: NDArray[np.int32], width: int, first_label: int
) -> tuple[FlatCells, NDArray[np.int64]]:
    """Labels clusters of 8-connected cells.

    Args:
        cells: those to be labelled, in order; whole clusters.
        labels: labels of all cells; -1 for `cells`. Is updated.
        width: of the rows of the labels.
        first_label: label of the first cluster; the next ones follow.

    Returns:
        The cells, ordered by cluster, then as given, and where each cluster ends. Clusters are ordered by first cell.
    """
    ends = np.empty(len(cells), np.int64)
    queue = np.empty(len(cells), np.int32)
    count = 0
    for cell in cells:
        if labels[cell] != -1:
            continue
        label = first_label + count
        labels[cell] = label
        queue[0] = cell
        end, at = 1, 0
        while at < end:
            here = queue[at]
            at += 1
            for above in range(here - width, here + width + 1, width):
                for there in range(above - 1, above + 2):
                    if labels[there] == -1:
                        labels[there] = label
                        queue[end] = there
                        end += 1
        ends[count] = end
        count += 1
    for k in range(1, count):
        ends[k] += ends[k - 1]
    place = np.empty(count, np.int64)
    for k in range(count):
        place[k] = ends[k - 1] if k else 0
    ordered = np.empty(len(cells), np.int32)
    for cell in cells:
        cluster = labels[cell] - first_label
        ordered[place[cluster]] = cell
        place[cluster] += 1
    return ordered, ends[:count]
