"""Memory for a grid of voxel columns that grows in any direction without copying what it holds."""

from __future__ import annotations

import contextlib
import mmap

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.changed_tiles import ChangedTiles
from stma_ros.mapping.depth_view import ColumnBox
from stma_ros.mapping.grid import GridGeometry

_MAP_NORESERVE = 0x4000  # of Linux; the module mmap has it from Python 3.13 on


class VoxelColumns:
    """Columns of voxels, with all cells that the grid may ever have at fixed addresses.

    The address space is reserved once, around the first cells; the operating system gives it memory in pages of 4 kB
    when they are first written, and the page table takes the place of a directory of tiles. A column's voxels are
    neighbours in memory, and so are the columns of a row: a page holds the columns of 4 m of a row, so that what is
    allocated is little more than what was mapped.

    Attributes:
        cells: (rows, cols, layers) int8, C-contiguous; zero where nothing was written. It is far larger than the
            machine's memory: never copy, compare or sum all of it.
        row0, col0: global cell of the first column, as in GridGeometry.
        changes: which of the columns have changed.
    """

    def __init__(self, first: GridGeometry, max_cells: int, layers: int) -> None:
        """Reserves the space.

        Args:
            first: cells that the grid has at the start.
            max_cells: rows and columns that the grid may grow to, at most.
            layers: voxels of a column.

        Raises:
            MemoryError: the operating system does not reserve as much.
        """
        self.row0, self.col0 = (
            low + size - max_cells for low, size in ((first.row0, first.rows), (first.col0, first.cols))
        )
        shape = (2 * max_cells - first.rows, 2 * max_cells - first.cols, layers)
        self.cells: NDArray[np.int8] = _reserved(shape)
        self.changes = ChangedTiles(shape[:2])

    def box(self, row0: int, col0: int, rows: int, cols: int) -> ColumnBox:
        """Returns the place in `cells` of columns that are given by their global cells."""
        return ColumnBox(row0 - self.row0, col0 - self.col0, rows, cols)

    def view(self, geometry: GridGeometry) -> NDArray[np.int8]:
        """Returns (layers, rows, cols) the voxels of a grid, for reading and writing, without a copy."""
        return self.part(self.box(geometry.row0, geometry.col0, *geometry.shape)).transpose(2, 0, 1)

    def part(self, box: ColumnBox) -> NDArray[np.int8]:
        """Returns (rows, cols, layers) the voxels of the columns in a box, without a copy."""
        return self.cells[box.row : box.row + box.rows, box.col : box.col + box.cols]


def _reserved(shape: tuple[int, int, int]) -> NDArray[np.int8]:
    size = shape[0] * shape[1] * shape[2]
    try:
        space = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)
    except OSError as error:
        raise MemoryError(
            f"{size / 1e9:.1f} GB of address space cannot be reserved for the map ({error.strerror}); allow it "
            "(ulimit -v, vm.overcommit_memory), or choose a smaller max_extent or a coarser resolution"
        ) from error
    # A few cells of each of some rows would take 2 MB in huge pages. A kernel that has none answers with an error.
    with contextlib.suppress(OSError):
        space.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(space, np.int8).reshape(shape)
