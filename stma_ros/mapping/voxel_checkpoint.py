"""A state of a voxel grid to which it can be taken back, at the cost of what has changed since."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.mapping.depth_view import ColumnBox
from stma_ros.mapping.voxel_grid import VoxelGrid


class VoxelCheckpoint:
    """A saved state of one grid. To save and to restore takes as long as the tiles that have changed are many, however
    large the map is."""

    def __init__(self, voxels: VoxelGrid) -> None:
        """Saves the present state."""
        self._voxels = voxels
        self._saved = voxels.copy()
        self._revision = self._present_revision()

    def save(self) -> None:
        """Saves the present state instead."""
        for present, saved in self._changes():
            self._saved.columns.part(saved)[:] = self._voxels.columns.part(present)
        self._revision = self._present_revision()

    def restore(self) -> None:
        """Takes the grid back to the saved state. Its extent stays; what it has grown by is unknown again."""
        for present, saved in self._changes():
            self._voxels.columns.part(present)[:] = self._saved.columns.part(saved)
            self._voxels.columns.changes.mark(present)

    def _present_revision(self) -> int:
        return self._voxels.columns.changes.revision if self._voxels.geometry.rows else 0

    def _changes(self) -> Iterator[tuple[ColumnBox, ColumnBox]]:
        """Yields boxes of columns that may differ, in the columns of the grid and in those of the saved one."""
        geometry = self._voxels.geometry
        if not geometry.rows:
            return
        self._saved.cover(*geometry.center(0, 0), *geometry.center(geometry.rows - 1, geometry.cols - 1))
        columns = self._voxels.columns
        whole = columns.box(geometry.row0, geometry.col0, *geometry.shape)
        for box in columns.changes.since(self._revision, whole):
            row0, col0 = box.row + columns.row0, box.col + columns.col0
            yield box, self._saved.columns.box(row0, col0, box.rows, box.cols)
