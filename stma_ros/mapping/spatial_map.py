"""The map as a whole: frames go in, and at any time a survey of what follows from them comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.approach_pose import ApproachPose, find_approach_pose, is_within_reach
from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.distance import Field, Mask, distance_field, snap, traversable
from stma_ros.mapping.frontiers import FrontierConfig, FrontierRegion, FrontierTracker
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.map_correction import DepthKeyframe, LocalizationTracker, MapCorrection
from stma_ros.mapping.occupancy import (
    OCCUPIED,
    OccupancySlice,
    mark_robot_footprint,
    navigable_slice,
    wall_slice,
)
from stma_ros.mapping.rooms import RoomMap, RoomTracker
from stma_ros.mapping.tracking import SavedRegions
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig

ROOM_SNAP = 0.6
"""A thing in or on furniture belongs to the nearest room's floor within this distance [m]."""


NO_MARGIN_RADIUS = 1.0
"""So far from the robot [m] it may pass obstacles without a margin."""


@dataclass(frozen=True)
class SpatialMapConfig:
    voxels: VoxelGridConfig = VoxelGridConfig()
    frontiers: FrontierConfig = FrontierConfig()
    robot_radius: float = 0.25  # [m]
    margin: float = 0.05  # [m] kept between robot and obstacles


class MapSnapshot:
    """What the voxels say at one moment, seen from where the robot stands."""

    def __init__(
        self,
        voxels: VoxelGrid,
        occupancy: OccupancySlice,
        passable: Mask,
        distance: Field,
        frontiers: Sequence[FrontierRegion],
        rooms: RoomMap,
        walls: Mask,
    ) -> None:
        self._voxels = voxels
        self._walls = walls
        self.occupancy = occupancy
        self.passable = passable
        self.distance = distance
        self.frontiers = tuple(frontiers)
        self.rooms = rooms

    def room_at(self, x: float, y: float) -> int:
        """Id of the room at map point (x, y) [m], or of the nearest one within ROOM_SNAP; 0 if there is none."""
        cell = snap(self.rooms.labels > 0, self.rooms.geometry, x, y, ROOM_SNAP)
        return 0 if cell is None else int(self.rooms.labels[cell])

    def find_approach_pose(self, center: Sequence[float], size: Sequence[float]) -> ApproachPose | None:
        """The nearest pose to reach and see a box from: see `standing.standing_pose`."""
        return find_approach_pose(self._voxels, self._walls, self.distance, center, size)

    def is_within_reach(
        self, x: float, y: float, center: Sequence[float], size: Sequence[float], reach: float
    ) -> bool:
        """Whether a box is within `reach` [m] of map point (x, y) [m], and no wall or closed door in between."""
        return is_within_reach(self._voxels, self._walls, x, y, center, size, reach)


@dataclass(frozen=True)
class SavedMap:
    """A SpatialMap as plain values. counts: as in VoxelGrid."""

    voxels: VoxelGridConfig
    geometry: GridGeometry
    counts: NDArray[np.int8]
    frontiers: SavedRegions
    rooms: SavedRegions


class SpatialMap:
    """The voxels, and the ids that frontiers and rooms keep from one survey to the next."""

    def __init__(self, config: SpatialMapConfig | None = None) -> None:
        self._config = config or SpatialMapConfig()
        self._voxels = VoxelGrid(self._config.voxels)
        self._base_voxels = self._voxels.copy()
        self._tracker = LocalizationTracker()
        self._frontiers = FrontierTracker()
        self._rooms = RoomTracker()

    @classmethod
    def restored(cls, config: SpatialMapConfig, saved: SavedMap) -> SpatialMap:
        """The map that was saved. What is in it is settled: a later correction does not move it.

        Raises ValueError when it was made with other voxels.
        """
        if saved.voxels != config.voxels:
            raise ValueError(
                f"the saved map was made with {saved.voxels}, this one is to have {config.voxels}: "
                "use the settings it was made with, or start without it"
            )
        restored = cls(config)
        restored._voxels = VoxelGrid.of(config.voxels, saved.geometry, saved.counts)
        restored._base_voxels = restored._voxels.copy()
        restored._frontiers.regions.restore(saved.frontiers)
        restored._rooms.regions.restore(saved.rooms)
        return restored

    def saved(self) -> SavedMap:
        voxels = self._voxels
        return SavedMap(
            voxels.config,
            voxels.geometry,
            voxels.counts.copy(),
            self._frontiers.regions.saved(),
            self._rooms.regions.saved(),
        )

    @property
    def voxels(self) -> VoxelGrid:
        """To be read only; another grid after a correction."""
        return self._voxels

    def integrate(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float],
        stamp: int = 0,
        localization: Pose | None = None,
    ) -> MapCorrection | None:
        """Add one frame taken while the robot's base stood at map point `base` (x, y) [m].

        With its stamp [ns] and the localisation (4x4, odometry's frame to map) that `camera_pose` and `base` were
        made with, the map follows corrections: where the localisation jumps, what was seen on the way there since
        the last correction is moved, and the returned correction says how, for whatever else was seen then.
        """
        correction = None
        if localization is not None:
            correction = self._tracker.update(stamp, camera_pose, localization)
        if correction is not None:
            self._correct(correction)
        self._add(depth_mm, camera, camera_pose, base)
        if localization is not None:
            self._tracker.add_keyframe(DepthKeyframe.compact(stamp, depth_mm, camera, camera_pose, base))
        return correction

    def _correct(self, correction: MapCorrection) -> None:
        """Make the voxels again from what was settled before, and the keyframes since, moved."""
        self._voxels = self._base_voxels.copy()
        for keyframe in self._tracker.keyframes:
            moved = keyframe.moved(correction)
            self._add(moved.depth_mm, moved.camera, moved.camera_pose, moved.base)
        self._base_voxels = self._voxels.copy()
        self._tracker.clear_keyframes()
        cells = (
            int(np.ceil(np.linalg.norm(correction.shifts, axis=1).max() / self._config.voxels.resolution)) + 1
        )
        self._frontiers.regions.map_moved(cells)

    def _add(
        self, depth_mm: DepthImage, camera: PinholeCamera, camera_pose: Pose, base: tuple[float, float]
    ) -> None:
        self._voxels.integrate(depth_mm, camera, camera_pose)
        self.mark_robot(base)

    def mark_robot(self, base: tuple[float, float]) -> None:
        """The robot's base stood at map point `base` (x, y) [m], whatever the camera saw there."""
        mark_robot_footprint(self._voxels, *base)

    def forget(self, low: Sequence[float], high: Sequence[float], base: tuple[float, float]) -> None:
        """What was in the box between two corners (x, y, z) [m] has moved, while the base stood at map point `base`.

        A camera that is near sees through the upper half of a doorway only: the rest of the door that has opened would
        bar the way for good.
        """
        self._voxels.forget(low, high)
        self.mark_robot(base)

    def snapshot(self, base: tuple[float, float]) -> MapSnapshot:
        """Everything that follows from the frames so far, for a robot at map point `base` (x, y) [m]."""
        occupancy = navigable_slice(self._voxels)
        passable = self._passable(occupancy, base)
        start = snap(passable, occupancy.geometry, *base)
        starts: NDArray[np.int32] = np.array([start] if start else [], np.int32).reshape(-1, 2)
        distance = distance_field(passable, starts, occupancy.geometry.resolution)
        frontiers = self._frontiers.update(occupancy, distance, self._config.frontiers)
        walls = wall_slice(self._voxels)
        rooms = self._rooms.update(occupancy, walls)
        return MapSnapshot(
            self._voxels, occupancy, passable, distance, frontiers, rooms, walls.data == OCCUPIED
        )

    def _passable(self, occupancy: OccupancySlice, base: tuple[float, float]) -> Mask:
        """Where the robot can go, with a margin; close to where it stands, without: it has squeezed in, so it can
        squeeze out again, and a map of cells is only as exact as a cell."""
        radius, geometry = self._config.robot_radius, occupancy.geometry
        needed = np.full(geometry.shape, radius + self._config.margin, np.float32)
        row, col = geometry.cell(*base)
        near = round(NO_MARGIN_RADIUS / geometry.resolution)
        top, left = max(row - near, 0), max(col - near, 0)
        window = needed[top : max(row + near + 1, 0), left : max(col + near + 1, 0)]
        rows, cols = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
        window[np.hypot(rows - row, cols - col) <= near] = radius - geometry.resolution
        return traversable(occupancy, needed)
