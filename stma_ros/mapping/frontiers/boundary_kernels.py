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
    differences, words = row_of_bytes(cols)
    count = 0
    for row in range(rows):
        cells, reach = occupancy[row], distance[row]
        line = flags[(row + 1) * width + 1 : (row + 1) * width + 1 + cols]
        for col in range(cols):  # no branches: vector instructions
            differences[col] = np.uint8(_flag(cells[col], reach[col]) ^ np.uint8(line[col] & _INPUT))
        all_differences = np.uint64(0)
        for word in words:
            all_differences |= word
        if all_differences == 0:
            continue
        for word in range(len(words)):
            if words[word] == 0:
                continue
            for col in range(8 * word, min(8 * word + 8, cols)):
                if differences[col]:
                    now = _flag(cells[col], reach[col])
                    line[col] = now | np.uint8((now & REACHED) << 1) | (line[col] & EDGE)
                    tiles[row // TILE, col // TILE] = True
                    changed[count] = (row + 1) * width + 1 + col
                    count += 1
    return count


@kernel
def row_of_bytes(size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Returns room for a number of bytes, zeros, and the same memory as words of eight, to find those that are set."""
    row = np.zeros((size + 7) // 8 * 8, np.uint8)
    return row, row.view(np.uint64)


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
    gains, words = row_of_bytes(width)
    for tile_row in range(tiles.shape[0]):
        for row in range(max(tile_row * TILE, 1), min(tile_row * TILE + TILE + 2, rows + 1)):
            start, end = _marked(tiles[tile_row], 0, cols)
            while end:
                first, size = row * width + start, end - start
                line = flags[first - 1 : first + size + 1]
                above, below = flags[first - width :], flags[first + width :]
                for k in range(size):  # no branches: vector instructions
                    beside = np.uint8(line[k] | line[k + 2] | above[k] | below[k])
                    gains[k] = np.uint8(np.uint8((line[k + 1] & FREE) << 3) & beside & ~line[k + 1])
                for word in range((size + 7) // 8):
                    if words[word] == 0:
                        continue
                    for k in range(8 * word, min(8 * word + 8, size)):
                        if gains[k] and flags[first + k] & JOINED == 0:
                            _flood(flags, width, first + k, tiles, queue)
                start, end = _marked(tiles[tile_row], end, cols)


@kernel
def _marked(tiles: NDArray[np.bool_], after: int, cols: int) -> tuple[int, int]:
    """Returns the next run of columns, of a padded row, in or beside marked tiles of a row of tiles.

    Args:
        tiles: of the row.
        after: end of the last run, 0 at first.
        cols: of the grid.

    Returns:
        First column and end; (0, 0) if there is none.
    """
    tile = max(after - 2, 0) // TILE
    while tile < len(tiles) and not tiles[tile]:
        tile += 1
    if tile == len(tiles) or after > cols:
        return 0, 0
    start = max(tile * TILE, after, 1)
    while tile < len(tiles) and tiles[tile]:
        tile += 1
    return start, min(tile * TILE + 2, cols + 1)


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
    toggles, words = row_of_bytes(width)
    for tile_row in range(tiles.shape[0]):
        for row in range(max(tile_row * TILE, 1), min(tile_row * TILE + TILE + 2, rows + 1)):
            start, end = _marked(tiles[tile_row], 0, cols)
            while end:
                first, size = row * width + start, end - start
                line = flags[first - 1 : first + size + 1]
                above, below = flags[first - width - 1 :], flags[first + width - 1 :]
                for k in range(size):  # no branches: vector instructions
                    toggles[k] = _edge_toggle(
                        line[k], line[k + 1], line[k + 2], above[k], above[k + 1], above[k + 2],
                        below[k], below[k + 1], below[k + 2],
                    )  # fmt: skip
                for word in range((size + 7) // 8):
                    if words[word] == 0:
                        continue
                    for k in range(8 * word, min(8 * word + 8, size)):
                        if toggles[k]:
                            line[k + 1] ^= EDGE
                            toggled[count] = first + k
                            count += 1
                start, end = _marked(tiles[tile_row], end, cols)
    return count


@kernel
def _edge_toggle(
    left: np.uint8,
    here: np.uint8,
    right: np.uint8,
    above_left: np.uint8,
    above: np.uint8,
    above_right: np.uint8,
    below_left: np.uint8,
    below: np.uint8,
    below_right: np.uint8,
) -> np.uint8:
    """Returns EDGE if that bit of a cell is to change, else 0, from the flags of the cell and its neighbours."""
    row_above, row_below = above_left | above | above_right, below_left | below | below_right
    is_near = np.uint8(np.uint8((row_above | left | here | right | row_below) & REACHED) >> 2)
    known = np.uint8(_known(left) & _known(right) & _known(above) & _known(below))
    edge = np.uint8(here & FREE & is_near & ~known)
    return np.uint8(np.uint8(edge << 4) ^ np.uint8(here & EDGE))


@kernel
def _known(flag: np.uint8) -> np.uint8:
    """Returns 1 in the lowest bit if a cell is free or occupied."""
    return np.uint8(flag | (flag >> 1))


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
def unlabel(cells: FlatCells, flags: Flags, labels: NDArray[np.int32]) -> FlatCells:
    """Takes the labels from cells, and gives -1 to those that are of a frontier: to be labelled.

    Args:
        cells: of clusters that changed, before or now.
        flags: of the cells of the grid.
        labels: are updated.

    Returns:
        Those that are of a frontier.
    """
    found = np.empty(len(cells), np.int32)
    count = 0
    for cell in cells:
        is_edge = flags[cell] & EDGE != 0
        labels[cell] = -1 if is_edge else 0
        found[count] = cell
        count += is_edge
    return found[:count]


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
