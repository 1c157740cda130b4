"""Tests of the memory of voxel columns."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.voxel_columns import VoxelColumns

CELLS = st.integers(-30, 30)


@given(CELLS, CELLS, st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=9))
def test_every_grid_up_to_the_largest_size_is_a_view_of_the_same_memory(row, col, corners):
    first, size = GridGeometry(0.1, row, col, 3, 4), 64
    columns = VoxelColumns(first, size, 5)
    columns.view(first)[:] = 7
    geometry = first
    for corner_row, corner_col in corners:
        low_row, low_col = min(geometry.row0, corner_row), min(geometry.col0, corner_col)
        high_row = max(geometry.row0 + geometry.rows, corner_row + 1)
        high_col = max(geometry.col0 + geometry.cols, corner_col + 1)
        geometry = GridGeometry(0.1, low_row, low_col, high_row - low_row, high_col - low_col)
        view = columns.view(geometry)
        assert view.shape == (5, *geometry.shape)
        assert np.count_nonzero(view) == 5 * 3 * 4
        row_at, col_at = row - geometry.row0, col - geometry.col0
        assert (view[:, row_at : row_at + 3, col_at : col_at + 4] == 7).all()


def _resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


def test_reserved_space_takes_memory_only_where_it_is_written():
    before = _resident_pages()
    geometry = GridGeometry(0.05, 0, 0, 300, 300)
    columns = VoxelColumns(geometry, 4000, 50)
    columns.view(geometry)[:] = 1
    taken = (_resident_pages() - before) * resource.getpagesize()
    assert columns.cells.nbytes > 2.9e9
    assert 50 * 300 * 300 <= taken < 1.5 * 50 * 300 * 300


def test_space_that_cannot_be_reserved_is_an_error_with_a_remedy():
    program = (
        "import resource\n"
        "from stma_ros.mapping.grid import GridGeometry\n"
        "from stma_ros.mapping.voxel_columns import VoxelColumns\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))\n"
        "VoxelColumns(GridGeometry(0.05, 0, 0, 32, 32), 8000, 50)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "GB of address space cannot be reserved" in ended.stderr
    assert "max_extent" in ended.stderr
