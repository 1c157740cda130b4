"""The sets of rules by which a map finds its frontiers, behind one interface."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig, FrontierFinder
from stma_ros.mapping.frontiers.explored_area import ExploredArea
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig, PublishedFrontierFinder
from stma_ros.mapping.frontiers.published_warm_up import warm_up_published_rules
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.frontiers.tracker import ChangeRule
from stma_ros.mapping.occupancy import OccupancySlice
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.voxel_grid import VoxelGrid

OWN, PUBLISHED = "own", "published"
"""Names of the sets of rules."""


class FrontierRules(Protocol):
    """A set of rules, with what it has to remember of the frames.

    Attributes:
        change_rule: when a frontier counts as unchanged.
    """

    change_rule: ChangeRule

    def look(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
        voxels: VoxelGrid,
    ) -> None:
        """Takes notice of an image that was integrated into the voxels; arguments as of `SpatialMap.integrate`."""

    def find(
        self, voxels: VoxelGrid, occupancy: OccupancySlice, distance: Field, base: tuple[float, float]
    ) -> list[FrontierRegion]:
        """Returns the frontiers without ids.

        Args:
            voxels: the map.
            occupancy: the slice of it in which the robot drives.
            distance: (rows, cols) distance field from the robot [m].
            base: map point (x, y) of the robot [m].
        """

    def rewind(self) -> None:
        """Forgets the images since `commit`."""

    def commit(self) -> None:
        """Keeps what was seen until now, whatever is forgotten later."""

    def explored(self, voxels: VoxelGrid) -> Mask:
        """Returns (rows, cols) what was seen from near, to be saved; (0, 0) if the rules do not ask for it."""

    def restore(self, explored: Mask, voxels: VoxelGrid) -> None:
        """Replaces what was seen from near by what was saved."""


class OwnRules:
    """The rules of `boundary_rules`, which need nothing but the map."""

    def __init__(self, config: FrontierConfig) -> None:
        self.change_rule = ChangeRule()
        self._finder = FrontierFinder(config)

    def look(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
        voxels: VoxelGrid,
    ) -> None:
        pass

    def find(
        self, voxels: VoxelGrid, occupancy: OccupancySlice, distance: Field, base: tuple[float, float]
    ) -> list[FrontierRegion]:
        return self._finder.update(occupancy, distance)

    def rewind(self) -> None:
        pass

    def commit(self) -> None:
        pass

    def explored(self, voxels: VoxelGrid) -> Mask:
        return np.zeros((0, 0), np.bool_)

    def restore(self, explored: Mask, voxels: VoxelGrid) -> None:
        pass


class PublishedRules:
    """The rules of `published_rules`, with the floor that was seen from near."""

    def __init__(self, config: PublishedFrontierConfig, resolution: float) -> None:
        warm_up_published_rules()
        self.change_rule = config.change_rule(resolution)
        self._config = config
        self._finder = PublishedFrontierFinder(config)
        self._explored = ExploredArea(config.explored)
        self._committed = self._explored.copy()

    def look(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
        voxels: VoxelGrid,
    ) -> None:
        self._explored.look(depth_mm, camera, camera_pose, voxels)
        if base is not None:
            self._explored.stand(*base, voxels.geometry, partial(self._config.navigable, voxels))

    def find(
        self, voxels: VoxelGrid, occupancy: OccupancySlice, distance: Field, base: tuple[float, float]
    ) -> list[FrontierRegion]:
        self._explored.cover(voxels.geometry)
        navigable = self._config.navigable(voxels)
        return self._finder.update(navigable, self._explored.mask, voxels.geometry, distance, base)

    def rewind(self) -> None:
        self._explored = self._committed.copy()
        self._finder.reset()

    def commit(self) -> None:
        self._committed = self._explored.copy()

    def explored(self, voxels: VoxelGrid) -> Mask:
        self._explored.cover(voxels.geometry)
        return self._explored.mask.copy()

    def restore(self, explored: Mask, voxels: VoxelGrid) -> None:
        if explored.shape == voxels.geometry.shape:  # it was saved by these rules
            self._explored = ExploredArea.of(self._config.explored, voxels.geometry, explored)
            self.commit()


def rules_of(config: FrontierConfig | PublishedFrontierConfig, resolution: float) -> FrontierRules:
    """Returns the rules that a configuration belongs to, for cells of an edge length [m]."""
    if isinstance(config, PublishedFrontierConfig):
        return PublishedRules(config, resolution)
    return OwnRules(config)
