"""Saves and loads the memory of a place, and determines whether a loaded memory is of the present place."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.persistence import Persistence
from stma_ros.mapping.building_map import BuildingMapConfig
from stma_ros.mapping.map_matching import MapMatch, match_maps
from stma_ros.mapping.spatial_map import SavedMap
from stma_ros.mapping.voxel_grid import BINARY, HIT_MISS, VoxelGrid
from stma_ros.memory.scene_graph import SavedObjects
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.storage.memory_store import AnotherPlaceError, MemoryVersionError
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Time

LONGEST_TRIAL = 64
"""Number of views from different places after which a memory that was not contradicted is taken to be of this place."""

_MOVED, _TURNED = 0.1, np.deg2rad(5)
"""Distance [m] or angle [rad] of the camera from which on it has another view: frames of one that stands tell nothing
new about a place of which nothing was compared."""


@dataclass(frozen=True)
class SavedPlace:
    """The content of a saved place memory.

    Attributes:
        stamp: Stamp up to which frames were processed; all times are on one clock.
        maps: The voxels of each floor, and the ids of its rooms and frontiers.
        objects: The objects of the scene graph.
        rooms: Times of rooms, in the form of RoomSightings.
        room_kinds: Ids and categories of rooms.
        base: Where the robot was (x, y, z) [m].
    """

    stamp: Time
    maps: tuple[SavedMap, ...]
    objects: SavedObjects
    rooms: tuple[tuple[str, Time, Time], ...]
    room_kinds: tuple[tuple[str, str], ...]
    base: tuple[float, float, float]


class PlacePersistence(Persistence[SavedPlace, tuple[VoxelGrid, ...]]):
    """Compares the map of a loaded memory with the frames that are seen now."""

    def __init__(self, folder: str, config: BuildingMapConfig, setting: str = "memory_dir") -> None:
        """Opens the folder. The arguments `folder` and `setting` are those of Persistence; `config` is of the map.

        Raises:
            ConfigurationError: Maps with these settings cannot be compared with one another.
            MemoryNotSavedError: The folder cannot be used.
        """
        if folder and config.map.voxels.rule == BINARY:
            raise ConfigurationError(
                f"a map with mapping_rule={BINARY} has no surfaces, by which a saved memory of another home could be "
                f"told from one of this home; leave out {setting}, or set mapping_rule={HIT_MISS}"
            )
        super().__init__(folder, SavedPlace, setting)
        self._floors = config.floors
        self._voxels = tuple(each.voxels for each in config.maps)
        self._begin_trial()

    def _begin_trial(self) -> None:
        self._seen = tuple(VoxelGrid(each) for each in self._voxels)
        self._views = 0
        self._last: NDArray[np.float64] | None = None  # pose of the camera at the last view
        self._number = 0  # of the floor that was seen last

    @property
    def _has_looked(self) -> bool:
        return self._views > 0

    @property
    def on_trial(self) -> bool:
        """Whether a memory was found of which it is not known yet if it is of this place."""
        return self._tried is not None

    def load(self) -> SavedPlace | None:
        """Returns the newest memory that can be used; when called again, the next older one. It is on trial then."""
        self._tried = None
        self._begin_trial()
        while self._store is not None:
            loaded = self._store.load()
            self._refused += loaded.refused
            memory = loaded.memory
            if memory is None:
                return None
            if tuple(each.voxels for each in memory.maps) == self._voxels:
                self._tried = tuple(
                    VoxelGrid.of(each.voxels, each.geometry, each.counts) for each in memory.maps
                )
                return memory
            made, wanted = asdict(memory.maps[0].voxels), asdict(self._voxels[0])
            for settings, maps in ((made, [each.voxels for each in memory.maps]), (wanted, self._voxels)):
                del settings["floor"]
                settings["floors"] = ", ".join(f"{each.floor:g}" for each in maps)
            others = [
                f"{name} {made[name]}, not {wanted[name]}" for name in made if made[name] != wanted[name]
            ]
            floors = f" and floors='{made['floors']}'" if made["floors"] != wanted["floors"] else ""
            self._refused.append(
                MemoryVersionError(
                    f"{self._store.loaded} was made with other settings of the map than these "
                    f"({', '.join(others)}); it is left as it is. To use it, set "
                    f"spatial_memory.resolution={made['resolution']:g} and "
                    f"spatial_memory.max_range={made['max_range']:g} (of SceneMemoryConfig: resolution and map_range), "
                    f"with spatial_memory.mapping_rule={made['rule']}{floors}"
                )
            )
        return None

    def look(self, view: DepthView, height: float) -> None:
        """Adds a frame to the observations of the trial. height: of the base above z = 0 of the map [m]."""
        if self._tried is not None:
            self._number = self._floors.number(height)
            self._seen[self._number].integrate(view.depth_mm, view.camera, view.camera_pose)
            if self._last is None or _has_moved(view.camera_pose, self._last):
                self._last = view.camera_pose
                self._views += 1

    def is_of_another_place(self) -> bool:
        """Returns whether the frames so far contradict the memory on trial. Ends the trial if they confirm it."""
        if self._tried is None or self._store is None:
            return False
        verdict = match_maps(self._tried[self._number], self._seen[self._number])
        if verdict is MapMatch.ANOTHER:
            self._refused.append(
                AnotherPlaceError(
                    f"{self._store.loaded} is a memory of another place, or the robot is not where its localisation "
                    "says; it is left as it is. Its map does not fit what is seen here"
                )
            )
            return True
        if verdict is MapMatch.SAME or self._views >= LONGEST_TRIAL:
            self._tried = None
        return False


def _has_moved(pose: NDArray[np.float64], last: NDArray[np.float64]) -> bool:
    moved = np.linalg.norm(pose[:3, 3] - last[:3, 3])
    turned = np.arccos(np.clip((np.trace(pose[:3, :3].T @ last[:3, :3]) - 1) / 2, -1, 1))
    return bool(moved > _MOVED or turned > _TURNED)
