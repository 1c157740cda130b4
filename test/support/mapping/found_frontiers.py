"""The frontiers of one grid, found without those of before."""

from __future__ import annotations

from stma_ros.mapping.distance import Field
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig, FrontierFinder
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.occupancy import OccupancySlice


def find_frontiers(
    occupancy: OccupancySlice, distance: Field, config: FrontierConfig | None = None
) -> list[FrontierRegion]:
    """Returns the frontiers that the robot can reach, in the order of the grid's rows."""
    return FrontierFinder(config).update(occupancy, distance)
