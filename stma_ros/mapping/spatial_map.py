"""The map of one floor: depth images go in, and snapshots with occupancy, distances, frontiers and rooms come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.approach_pose import (
    ApproachConfig,
    ApproachPose,
    find_approach_pose,
    is_within_reach,
)
from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.distance import Field, Mask, bridged, distance_field, reachable, snap, traversable
from stma_ros.mapping.front_pose import FrontEvidence, find_front_pose
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.frontiers.rules import rules_of
from stma_ros.mapping.frontiers.tracker import FrontierTracker
from stma_ros.mapping.grid import Cells, GridGeometry
from stma_ros.mapping.map_correction import (
    DepthKeyframe,
    LocalizationTracker,
    MapCorrection,
    MapEdit,
    UprightBox,
)
from stma_ros.mapping.occupancy import (
    OCCUPIED,
    IncrementalSlice,
    OccupancySlice,
    mark_robot_footprint,
)
from stma_ros.mapping.paths import shortest_path
from stma_ros.mapping.rooms import Room, RoomMap, RoomTracker
from stma_ros.mapping.surfaces import BoxVolume
from stma_ros.mapping.tracking import RegionIds, SavedRegions
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.viewpoint import FROM_NEAR, find_viewpoint
from stma_ros.mapping.voxel_checkpoint import VoxelCheckpoint
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.floors import Floors

ROOM_SNAP = 0.6
"""Objects in or on furniture belong to the nearest room within this distance [m]."""


NO_MARGIN_RADIUS = 1.0
"""Within this distance of the robot [m], obstacles are passed without a margin."""

_HEADING_FROM = 0.3
"""The robot looks along the last part of its way, of this length [m]."""

NARROW = 2.0
"""A way that leads through a place without the margin counts as this much longer [m]."""


@dataclass(frozen=True)
class SpatialMapConfig:
    """Settings of a map."""

    voxels: VoxelGridConfig = VoxelGridConfig()
    frontiers: FrontierConfig | PublishedFrontierConfig = FrontierConfig()  # its type chooses the rules
    robot_radius: float = 0.25  # [m]
    margin: float = 0.05  # [m] between robot and obstacles


@dataclass(frozen=True)
class MapIds:
    """Ids of frontiers and rooms, which the maps of several floors share."""

    frontiers: RegionIds = field(default_factory=RegionIds)
    rooms: RegionIds = field(default_factory=RegionIds)


@dataclass(frozen=True)
class Ways:
    """Fields of distances from the robot that can be followed downhill.

    Attributes:
        direct: over cells on which the robot may stand.
        narrow: over narrow places too; None = there is nothing that `direct` does not reach.
    """

    direct: Field
    narrow: Field | None

    def to(self, cell: tuple[int, int]) -> Cells | None:
        """Returns the cells (N, 2) of the way from the robot to a cell (row, col); None if there is none."""
        path = shortest_path(self.direct, cell)
        return path if path is not None or self.narrow is None else shortest_path(self.narrow, cell)


@dataclass(frozen=True)
class RoomLookup:
    """Finds the rooms at places.

    Attributes:
        here: the rooms of the robot's floor.
        of_floors: those of all floors, by the height of the floor [m].
        floors: of the building.
    """

    here: RoomMap
    of_floors: Mapping[float, RoomMap]
    floors: Floors

    def room_at(self, x: float, y: float, z: float | None = None) -> int:
        """Returns the id of a room; see `MapSnapshot.room_at`."""
        rooms: RoomMap | None = self.here
        if z is not None:
            rooms = self.of_floors.get(self.floors.heights[self.floors.number(z)])
        if rooms is None:
            return 0
        cell = snap(rooms.labels > 0, rooms.geometry, x, y, ROOM_SNAP)
        return 0 if cell is None else int(rooms.labels[cell])


class MapSnapshot:
    """The map at one moment, for a robot at one place. It is of the floor on which the robot is.

    Attributes:
        floor: height of that floor above z = 0 of the map [m].
        occupancy: the slice in which the robot drives.
        passable: (rows, cols) cells on which the robot may stand.
        distance: (rows, cols) length of the way from the robot to cells on which it may stand [m]; inf = no way. A way
            may lead over other cells (`SpatialMap`), so that it cannot be followed downhill (`stride_to` does).
        frontiers: where the known space that can be reached ends.
        rooms: the segmented rooms.
        rooms_of_floors: those of all floors, by the height of the floor [m].
    """

    def __init__(
        self,
        voxels: VoxelGrid,
        occupancy: OccupancySlice,
        passable: Mask,
        distance: Field,
        frontiers: Sequence[FrontierRegion],
        rooms: RoomMap,
        walls: Mask,
        ways: Ways,
        floors: Floors | None = None,
        rooms_elsewhere: Mapping[float, RoomMap] = MappingProxyType({}),
    ) -> None:
        """Takes the parts of a snapshot.

        Args:
            voxels: the map.
            occupancy: as the attribute.
            passable: as the attribute.
            distance: as the attribute.
            frontiers: as the attribute.
            rooms: as the attribute.
            walls: (rows, cols) what stands at wall height.
            ways: from the robot.
            floors: of the building; by default there is no other one.
            rooms_elsewhere: rooms of the other floors, by the height of the floor [m].
        """
        self._voxels = voxels
        self._walls = walls
        self._ways = ways
        self.floor = voxels.config.floor
        self._floors = floors or Floors((self.floor,))
        self.occupancy = occupancy
        self.passable = passable
        self.distance = distance
        self.frontiers = tuple(frontiers)
        self.rooms = rooms
        self.rooms_of_floors = {**rooms_elsewhere, self.floor: rooms}

    def in_building(self, floors: Floors, rooms_elsewhere: Mapping[float, RoomMap]) -> MapSnapshot:
        """Returns the same as a part of a building; arguments as of the constructor."""
        return self._with(self._voxels, floors, rooms_elsewhere)

    def detached(self) -> MapSnapshot:
        """Returns the same with a copy of the voxels, so that later frames change none of its answers."""
        return self._with(self._voxels.copy(), self._floors, self.rooms_of_floors)

    def _with(self, voxels: VoxelGrid, floors: Floors, rooms: Mapping[float, RoomMap]) -> MapSnapshot:
        return MapSnapshot(
            voxels,
            self.occupancy,
            self.passable,
            self.distance,
            self.frontiers,
            self.rooms,
            self._walls,
            self._ways,
            floors,
            rooms,
        )

    def rooms_with_floors(self) -> list[tuple[Room, float]]:
        """Returns the rooms of all floors in the order of their ids, each with the height of its floor [m]."""
        found = [(room, floor) for floor, rooms in self.rooms_of_floors.items() for room in rooms.rooms]
        return sorted(found, key=lambda each: each[0].id)

    def is_here(self, z: float) -> bool:
        """Whether something at height z [m] of the map is on this floor."""
        return self._floors.heights[self._floors.number(z)] == self.floor

    def stride_to(self, x: float, y: float, length: float) -> tuple[float, float, float] | None:
        """Returns the pose (x, y, yaw) at most `length` [m] along the way from the robot to map point (x, y) [m],
        looking along the way; None if there is no way there."""
        cell = self.occupancy.geometry.cell(x, y)
        path = self._ways.to(cell)
        if path is None:
            return None
        geometry = self.occupancy.geometry
        points = np.array([geometry.center(row, col) for row, col in path.tolist()])
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        end = int(np.searchsorted(np.cumsum(steps), length, side="right"))
        before = max(end - round(_HEADING_FROM / geometry.resolution), 0)
        dx, dy = points[end] - points[before]
        return float(points[end][0]), float(points[end][1]), float(np.arctan2(dy, dx))

    def room_at(self, x: float, y: float, z: float | None = None) -> int:
        """Returns the id of the room at map point (x, y) [m], or of the nearest one within ROOM_SNAP; 0 if there is
        none. z: height of something there, which may be on another floor [m]; None = it is on this one."""
        return self.room_lookup.room_at(x, y, z)

    @property
    def room_lookup(self) -> RoomLookup:
        """The rooms alone, for those who ask for them later."""
        return RoomLookup(self.rooms, self.rooms_of_floors, self._floors)

    def find_approach_pose(
        self, center: Sequence[float], size: Sequence[float], yaw: float = 0.0
    ) -> ApproachPose | None:
        """Returns the nearest pose from which a box can be reached and seen, see `approach_pose.find_approach_pose`;
        None for a box on another floor."""
        if not self.is_here(center[2]):
            return None
        return find_approach_pose(self._voxels, self._walls, self.distance, center, size, yaw)

    def find_viewpoint(
        self,
        center: Sequence[float],
        size: Sequence[float],
        yaw: float,
        seen_from: Sequence[tuple[float, float]],
        config: ApproachConfig = FROM_NEAR,
    ) -> ApproachPose | None:
        """Returns the nearest pose that shows other sides of a box than before, see `viewpoint.find_viewpoint`; None
        for a box on another floor."""
        if not self.is_here(center[2]):
            return None
        return find_viewpoint(self._voxels, self._walls, self.distance, center, size, yaw, seen_from, config)

    def find_front_pose(
        self,
        center: Sequence[float],
        size: Sequence[float],
        yaw: float,
        evidence: FrontEvidence = FrontEvidence(),
    ) -> ApproachPose | None:
        """Returns a pose before the likeliest front of a box, see `front_pose.find_front_pose`; None for a box on
        another floor."""
        x, y, z = center
        if not self.is_here(z):
            return None
        above = x, y, z - self.floor
        return find_front_pose(self.occupancy, self._walls, self.distance, above, size, yaw, evidence)

    def volume_in(
        self, center: Sequence[float], size: Sequence[float], yaw: float, above: float
    ) -> BoxVolume:
        """Returns what was mapped in an upright box and `above` [m] it; arguments as in `BoxVolume.of`."""
        return BoxVolume.of(self._voxels, center, size, yaw, above)

    def is_within_reach(
        self, x: float, y: float, center: Sequence[float], size: Sequence[float], yaw: float, reach: float
    ) -> bool:
        """Whether a box on this floor is within `reach` [m] of map point (x, y) [m], without a wall or a closed door
        between."""
        return self.is_here(center[2]) and is_within_reach(
            self._voxels, self._walls, x, y, center, size, yaw, reach
        )


@dataclass(frozen=True)
class SavedMap:
    """The contents of a SpatialMap as plain values.

    Attributes:
        voxels: settings of the voxel grid.
        geometry: where its cells lie.
        counts: (layers, rows, cols) int8, see VoxelGrid.
        explored: (rows, cols) what was seen from near, or (0, 0), see FrontierRules.
        frontiers, rooms: regions with their ids.
    """

    voxels: VoxelGridConfig
    geometry: GridGeometry
    counts: NDArray[np.int8]
    explored: NDArray[np.bool_]
    frontiers: SavedRegions
    rooms: SavedRegions


class SpatialMap:
    """A voxel grid of a floor, with ids of frontiers and rooms that last from one snapshot to the next.

    Not thread-safe: one caller at a time.

    Attributes:
        restarts: how often the localisation jumped, and the map began anew.
    """

    def __init__(self, config: SpatialMapConfig | None = None, ids: MapIds | None = None) -> None:
        """Begins with no voxel. ids: of frontiers and rooms; by default this map's own."""
        ids = ids or MapIds()
        self._config = config or SpatialMapConfig()
        self._voxels = VoxelGrid(self._config.voxels)
        self._checkpoint = VoxelCheckpoint(self._voxels)
        self._navigable, self._walls = IncrementalSlice.navigable(), IncrementalSlice.walls()
        self._tracker = LocalizationTracker()
        self._rules = rules_of(self._config.frontiers, self._config.voxels.resolution)
        self._frontiers = FrontierTracker(rule=self._rules.change_rule, ids=ids.frontiers)
        self._rooms = RoomTracker(ids=ids.rooms)
        self._room_map: tuple[OccupancySlice, OccupancySlice, RoomMap] | None = None
        self.restarts = 0

    @classmethod
    def restored(cls, config: SpatialMapConfig, saved: SavedMap, ids: MapIds | None = None) -> SpatialMap:
        """Returns the map that was saved. Later corrections of the localisation do not move what is in it.

        Args:
            config: settings of the map.
            saved: the contents.
            ids: as of the constructor.

        Raises:
            ValueError: the contents were made with other settings of the voxel grid.
        """
        if saved.voxels != config.voxels:
            raise ValueError(
                f"the saved map was made with {saved.voxels}, this one is to have {config.voxels}: "
                "use the settings it was made with, or start without it"
            )
        restored = cls(config, ids)
        restored._voxels = VoxelGrid.of(config.voxels, saved.geometry, saved.counts)
        restored._checkpoint = VoxelCheckpoint(restored._voxels)
        restored._rules.restore(saved.explored, restored._voxels)
        restored._frontiers.regions.restore(saved.frontiers)
        restored._rooms.regions.restore(saved.rooms)
        return restored

    def saved(self) -> SavedMap:
        """Returns the contents as plain values."""
        voxels = self._voxels
        return SavedMap(
            voxels.config,
            voxels.geometry,
            voxels.counts.copy(),
            self._rules.explored(voxels),
            self._frontiers.regions.saved(),
            self._rooms.regions.saved(),
        )

    @property
    def voxels(self) -> VoxelGrid:
        """The voxel grid, read-only; it is replaced when the map begins anew."""
        return self._voxels

    def integrate(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
        stamp: int = 0,
        localization: Pose | None = None,
    ) -> MapCorrection | None:
        """Adds one depth image.

        If the localisation is given, the map follows its corrections: what was mapped since the last correction is
        moved. When it jumps by more than drift, the map begins anew.

        Args:
            depth_mm: (H, W) uint16 depth [mm]; 0 = not measured.
            camera: intrinsics of the image.
            camera_pose: 4x4 pose of the optical frame in the map frame.
            base: (x, y) of the robot's base in the map frame [m]; None = it stands on stairs, above this floor,
                or there is no robot.
            stamp: of the image [ns].
            localization: 4x4 pose of the odometry's frame in the map frame, with which the two poses above were
                computed.

        Returns:
            The correction, to be applied to whatever else was seen in that time; None = the localisation did not jump.
            The map was corrected even if the image itself is too far away.

        Raises:
            ValueError: the image is not the camera's, or a pose is not finite.
            PoseJumpError: the pose is too far away for the map, and there is no correction.
        """
        correction = None
        if localization is not None:
            correction = self._tracker.update(stamp, camera_pose, localization)
            if self._tracker.jumped:
                self.restart()
        if correction is not None:
            self._correct(correction)
        try:
            self._add(depth_mm, camera, camera_pose, base)
        except PoseJumpError:
            if correction is None:
                raise
            return correction  # what else was seen has to follow; the next frame raises the error
        if localization is not None:
            self._tracker.add_keyframe(DepthKeyframe.compact(stamp, depth_mm, camera, camera_pose, base))
        return correction

    def settle(self) -> None:
        """Makes what was mapped so far stay where it is, whatever later localisations say: the way to where the robot
        is now is not known to this map."""
        self._checkpoint.save()
        self._rules.commit()
        self._tracker = LocalizationTracker()

    def restart(self) -> None:
        """Drops the voxels, which are at wrong places in the new frame. Ids of regions are not used again."""
        self._voxels = VoxelGrid(self._config.voxels)
        self._checkpoint = VoxelCheckpoint(self._voxels)
        self._tracker.clear()
        self._rules = rules_of(self._config.frontiers, self._config.voxels.resolution)
        self._frontiers.regions.update([])
        self._rooms.regions.update([])
        self.restarts += 1

    def _correct(self, correction: MapCorrection) -> None:
        """Rebuilds the voxels from those before the keyframes, and from keyframes and edits at their corrected poses.

        What was forgotten is forgotten twice: in the voxels from before, which do not move, and in what the keyframes
        up to then show.
        """
        self._checkpoint.restore()
        self._rules.rewind()
        for edit in self._tracker.edits:
            if edit.forgotten is not None:
                self._voxels.forget(*edit.forgotten)
        # An edit comes after the frame of its stamp.
        changes: list[DepthKeyframe | MapEdit] = [*self._tracker.keyframes, *self._tracker.edits]
        for change in sorted(changes, key=lambda each: each.stamp):
            moved = change.moved(correction)
            # What is beyond the edge of the largest map is lost; the rest is corrected nevertheless.
            with suppress(PoseJumpError):
                if isinstance(moved, MapEdit):
                    self._apply(moved)
                else:
                    self._add(moved.depth_mm, moved.camera, moved.camera_pose, moved.base)
        self._checkpoint.save()
        self._rules.commit()
        self._tracker.clear()
        voxels = self._config.voxels
        moved_by = correction.farthest(voxels.max_range)
        self._frontiers.regions.map_moved(int(np.ceil(moved_by / voxels.resolution)) + 1)

    def _add(
        self,
        depth_mm: DepthImage,
        camera: PinholeCamera,
        camera_pose: Pose,
        base: tuple[float, float] | None,
    ) -> None:
        self._voxels.integrate(depth_mm, camera, camera_pose)
        if base is not None:
            mark_robot_footprint(self._voxels, *base)
        self._rules.look(depth_mm, camera, camera_pose, base, self._voxels)

    def mark_robot(self, base: tuple[float, float]) -> None:
        """Marks the space that the robot takes up at map point `base` (x, y) [m] as free where nothing was observed:
        for frames without a depth image."""
        self._edit(MapEdit(self._tracker.stamp, base))

    def forget(
        self, center: Sequence[float], size: Sequence[float], yaw: float, base: tuple[float, float] | None
    ) -> None:
        """Makes an upright box unknown again because what was there has moved; arguments as in `VoxelGrid.forget` and
        `integrate`.

        A camera that is near sees only the upper half of a doorway; without this, the lower half of a door that was
        opened would stay in the map.
        """
        (x, y, z), (length, width, height) = center, size
        box = UprightBox((x, y, z), (length, width, height), yaw)
        self._edit(MapEdit(self._tracker.stamp, base, box))

    def _edit(self, edit: MapEdit) -> None:
        self._apply(edit)
        self._tracker.add_edit(edit)

    def _apply(self, edit: MapEdit) -> None:
        if edit.forgotten is not None:
            self._voxels.forget(*edit.forgotten)
        if edit.base is not None:
            mark_robot_footprint(self._voxels, *edit.base)

    def occupancy(self) -> OccupancySlice:
        """Returns the slice in which the robot drives; that of a snapshot is the same."""
        return self._navigable.update(self._voxels)

    def snapshot(self, base: tuple[float, float]) -> MapSnapshot:
        """Computes occupancy, distances, frontiers and rooms for a robot at map point `base` (x, y) [m]."""
        occupancy = self.occupancy()
        passable = self._passable(occupancy, base)
        distance, ways = self._distance(occupancy, passable, base)
        found = self._rules.find(self._voxels, occupancy, distance, base)
        frontiers = self._frontiers.update(found, occupancy.geometry)
        walls = self._walls.update(self._voxels)
        rooms = self._rooms.update(occupancy, walls)
        self._room_map = occupancy, walls, rooms
        return MapSnapshot(
            self._voxels, occupancy, passable, distance, frontiers, rooms, walls.data == OCCUPIED, ways
        )

    def known_rooms(self) -> RoomMap:
        """Returns the rooms without the rest of a snapshot; those of the last one if nothing has changed since."""
        occupancy, walls = self.occupancy(), self._walls.update(self._voxels)
        if self._room_map is None or self._room_map[0] is not occupancy or self._room_map[1] is not walls:
            self._room_map = occupancy, walls, self._rooms.update(occupancy, walls)
        return self._room_map[2]

    def _distance(
        self, occupancy: OccupancySlice, passable: Mask, base: tuple[float, float]
    ) -> tuple[Field, Ways]:
        """Returns the length of the way to each passable cell [m], and the ways.

        Where none keeps the margin, a way may lead through a narrow place, and over slivers of unknown floor: between
        furniture and an open door there is often no more room than the robot needs.
        """
        geometry = occupancy.geometry
        start = snap(passable, geometry, *base)
        starts: NDArray[np.int32] = np.array([start] if start else [], np.int32).reshape(-1, 2)
        distance = distance_field(passable, starts, geometry.resolution)
        beyond = passable & ~reachable(distance)
        if start is None or not beyond.any():
            return distance, Ways(distance, None)
        narrow = passable | traversable(bridged(occupancy), self._config.robot_radius)
        through = distance_field(narrow, starts, geometry.resolution)
        direct = distance.copy()
        distance[beyond] = through[beyond] + NARROW
        return distance, Ways(direct, through)

    def _passable(self, occupancy: OccupancySlice, base: tuple[float, float]) -> Mask:
        """Returns the cells on which the robot may stand, with a margin.

        Close to the robot there is no margin: where it squeezed in, it can get out again, and a grid is only as exact
        as its cells.
        """
        radius, geometry = self._config.robot_radius, occupancy.geometry
        needed = np.full(geometry.shape, radius + self._config.margin, np.float32)
        row, col = geometry.cell(*base)
        near = round(NO_MARGIN_RADIUS / geometry.resolution)
        top, left = max(row - near, 0), max(col - near, 0)
        window = needed[top : max(row + near + 1, 0), left : max(col + near + 1, 0)]
        rows, cols = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
        window[np.hypot(rows - row, cols - col) <= near] = radius - geometry.resolution
        return traversable(occupancy, needed)
