"""The map alone: depth frames in; free and occupied space, frontiers and rooms out."""

from __future__ import annotations

import threading

from stma_ros.library.frame_guard import FrameGuard
from stma_ros.library.results import FrameResult
from stma_ros.library.scene.frame_mapper import base_of, integrate
from stma_ros.library.scene.place_memory import MappingConfig
from stma_ros.mapping.building_map import BuildingMap
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.mapping.warm_up import warm_up
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.pose_jump_filter import PoseJumpFilter
from stma_ros.types.common import Error
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.settings import check_config, require_kind


class OccupancyMap:
    """A map of voxels that is made of depth frames, and what follows from it in two dimensions.

        grid = OccupancyMap()
        for frame in frames:
            grid.observe(frame)
        print(grid.snapshot.occupancy.data.shape, len(grid.snapshot.frontiers))

    It is not saved; a SceneMemory is, and makes the same map. Frames and threads: as of SceneMemory.
    """

    def __init__(self, config: MappingConfig = MappingConfig(), *, check_axes: bool = True) -> None:
        """Makes an empty map.

        Args:
            config: Resolution, range and radius of the robot [m].
            check_axes: Whether to reject camera poses that seem to have other axes.
        """
        warm_up()
        self._map = BuildingMap(check_config(require_kind(config, MappingConfig, "OccupancyMap")).building)
        self._jumps = PoseJumpFilter(config.max_speed)
        self._guard = FrameGuard(check_axes)
        self._base = 0.0, 0.0, 0.0
        self._snapshot: MapSnapshot | None = None
        self._lock = threading.RLock()

    def observe(self, frame: CameraFrame) -> FrameResult:
        """Takes a frame into the map; arguments and errors as of SceneMemory.observe. None is a keyframe."""
        with self._lock:
            self._guard.check(frame)
            self._guard.accept(frame)
            if frame.pose is None:
                return FrameResult(error=frame.error)
            self._snapshot = None
            try:
                self._jumps.check(frame.pose)
                integrate(frame, self._map)
            except PoseJumpError as error:
                return FrameResult(error=Error.of(error))
            self._base = base_of(frame.pose.base)
            return FrameResult(error=frame.error)

    @property
    def snapshot(self) -> MapSnapshot:
        """The map as of the newest frame: `occupancy` (rows x cols, int8: -1 unknown, 0 free, 100 occupied, with its
        `geometry` in the map frame [m]), `rooms`, `frontiers`, and `room_at` a point [m]."""
        with self._lock:
            if self._snapshot is None:
                self._snapshot = self._map.snapshot(self._base).detached()
            return self._snapshot
