"""The map of a building: one map for each floor, of which that one is used on which the robot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.map_correction import MapCorrection
from stma_ros.mapping.occupancy import OccupancySlice
from stma_ros.mapping.spatial_map import MapIds, MapSnapshot, SavedMap, SpatialMap, SpatialMapConfig
from stma_ros.mapping.transforms import Pose
from stma_ros.types.floors import Floors

Base = tuple[float, float, float]
"""(x, y, z) of the robot's base in the map frame [m]."""


@dataclass(frozen=True)
class BuildingMapConfig:
    """Settings of the map of a building.

    Attributes:
        map: of the map of each floor.
        floors: of the building.
    """

    map: SpatialMapConfig = SpatialMapConfig()
    floors: Floors = Floors()

    @property
    def maps(self) -> tuple[SpatialMapConfig, ...]:
        """The settings of the map of each floor, by its number."""
        voxels = self.map.voxels
        return tuple(
            replace(self.map, voxels=replace(voxels, floor=height)) for height in self.floors.heights
        )


class BuildingMap:
    """Maps of the floors. Heights of poses and boxes are above z = 0 of the building's map frame; ids of frontiers and
    rooms are not used on two floors.

    A frame belongs to the map of the floor on which the robot's base was. A correction of the localisation moves what
    was mapped since the robot came to its floor; jumps on the way from one floor to another are not judged.

    Attributes:
        restarts: how often the localisation jumped, and all maps began anew.
    """

    def __init__(
        self, config: BuildingMapConfig = BuildingMapConfig(), saved: Sequence[SavedMap] | None = None
    ) -> None:
        """Begins with no voxel, or with what was saved.

        Args:
            config: settings.
            saved: contents of the maps of all floors.

        Raises:
            ValueError: the contents were made with other settings of the voxel grids, or with other floors.
        """
        ids = MapIds()
        self._floors = config.floors
        if saved is None:
            self._maps = [SpatialMap(each, ids) for each in config.maps]
        elif len(saved) != len(config.maps):
            raise ValueError(f"the saved map is of {len(saved)} floors, this one of {len(config.maps)}")
        else:
            self._maps = [
                SpatialMap.restored(each, contents, ids)
                for each, contents in zip(config.maps, saved, strict=True)
            ]
        self._number: int | None = None
        self.restarts = 0

    def saved(self) -> tuple[SavedMap, ...]:
        """Returns the contents as plain values, for each floor."""
        return tuple(each.saved() for each in self._maps)

    def integrate(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: Base,
        stamp: int = 0,
        localization: Pose | None = None,
        stands: bool = True,
    ) -> MapCorrection | None:
        """Adds one depth image, see `SpatialMap.integrate`.

        stands: whether a robot stands at `base`; otherwise that is where a person holds the camera.
        """
        number = self._floors.number(base[2])
        here = self._maps[number]
        if self._number not in (None, number):
            here.settle()
        self._number = number
        restarts = here.restarts
        ground = self._ground(base) if stands else None
        correction = here.integrate(depth_mm, camera, camera_pose, ground, stamp, localization)
        if here.restarts > restarts:
            self.restarts += 1
            for other in self._maps:
                if other is not here:
                    other.restart()
        return correction

    def mark_robot(self, base: Base) -> None:
        """Marks the space that the robot takes up as free, see `SpatialMap.mark_robot`."""
        ground = self._ground(base)
        if ground is not None:
            self._maps[self._floors.number(base[2])].mark_robot(ground)

    def forget(self, center: Sequence[float], size: Sequence[float], yaw: float, base: Base) -> None:
        """Makes an upright box unknown again, see `SpatialMap.forget`."""
        number = self._floors.number(center[2])
        ground = self._ground(base) if number == self._floors.number(base[2]) else None
        self._maps[number].forget(center, size, yaw, ground)

    def occupancy(self, base: Base) -> tuple[OccupancySlice, float]:
        """Returns the slice in which the robot drives on its floor, and the height of that floor [m]; those of a
        snapshot are the same."""
        number = self._floors.number(base[2])
        return self._maps[number].occupancy(), self._floors.heights[number]

    def snapshot(self, base: Base) -> MapSnapshot:
        """Computes occupancy, distances and frontiers of the floor on which the robot is, and the rooms of all."""
        number = self._floors.number(base[2])
        snapshot = self._maps[number].snapshot(base[:2])
        elsewhere = {
            height: other.known_rooms()
            for index, (height, other) in enumerate(zip(self._floors.heights, self._maps, strict=True))
            if index != number
        }
        return snapshot.in_building(self._floors, elsewhere)

    def _ground(self, base: Base) -> tuple[float, float] | None:
        """Returns where on its floor the robot stands, (x, y) [m]; None on stairs and in a lift."""
        return None if self._floors.is_between(base[2]) else base[:2]
