"""Several floors of a building in one voxel grid, by bands of height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stma_ros.mapping.voxel_grid import VoxelGrid

FLOOR_SLAB = 0.3
"""The uppermost part of a band belongs to the slab of the next floor [m]."""


@dataclass(frozen=True)
class Floor:
    """A floor, and the band of height up to the next one.

    Attributes:
        height: of the floor above z = 0 of the map [m].
        top: height of the next floor [m]; inf = there is none.
    """

    height: float
    top: float

    def contains(self, z: float, tolerance: float = FLOOR_SLAB) -> bool:
        """Returns whether a robot whose base is at a height [m] stands on this floor."""
        return self.height - tolerance <= z < self.top - tolerance


def floors(heights: Sequence[float]) -> tuple[Floor, ...]:
    """Returns the floors at these heights above z = 0 of the map [m], from the lowest to the highest.

    Raises:
        ValueError: Two floors are not a room apart.
    """
    ordered = sorted(heights)
    tops = [*ordered[1:], float("inf")]
    found = tuple(Floor(height, top) for height, top in zip(ordered, tops, strict=True))
    if any(floor.top - floor.height < 1.5 for floor in found):
        raise ValueError(f"floors at {ordered} m are less than 1.5 m apart; give one height for each floor")
    return found


def voxels_of(voxels: VoxelGrid, floor: Floor) -> VoxelGrid:
    """Returns a copy of the voxels of a floor's band, with z = 0 on the floor.

    Slices, distances and frontiers of it are those of the floor; what lies above and below does not count.

    Args:
        voxels: a map that reaches over several floors.
        floor: one of them.

    Raises:
        ValueError: The map does not reach from the floor to a room's height above it.
    """
    config = voxels.config
    bottom, top = floor.height + config.min_height, min(floor.top - FLOOR_SLAB, config.max_height)
    bottom = max(bottom, config.min_height)
    low, high = voxels.layer(bottom), voxels.layer(top)
    if high - low < round(1.0 / config.resolution):
        raise ValueError(
            f"the map reaches from {config.min_height:g} to {config.max_height:g} m, which leaves less than 1 m of the "
            f"floor at {floor.height:g} m; make it with a larger max_height"
        )
    band = replace(
        config,
        min_height=config.min_height + low * config.resolution - floor.height,
        max_height=config.min_height + high * config.resolution - floor.height,
    )
    return VoxelGrid.of(band, voxels.geometry, voxels.counts[low:high])
