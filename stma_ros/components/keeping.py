"""What spatial memory keeps from one day to the next, and whether what was kept is of this place."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from stma_ros.components.frames import View
from stma_ros.mapping.same_place import Verdict, compare
from stma_ros.mapping.survey import SavedMap
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from stma_ros.memory.scene_graph import SavedObjects
from stma_ros.storage.memory_store import MemoryNotKeptError, MemoryStore, MemoryVersionError
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.standard import Time

LONGEST_TRIAL = 64
"""Frames after which a memory that nothing contradicted, nor much confirmed, is taken for one of this place."""


class AnotherPlaceError(StorageError):
    """A saved memory of somewhere else."""

    code = ErrorCode.MEMORY_OF_ANOTHER_PLACE


@dataclass(frozen=True)
class SavedMemory:
    """stamp: up to when it had looked; all its times are on one clock. rooms: as RoomSightings gives it. room_kinds:
    ids and kinds of rooms."""

    stamp: Time
    map: SavedMap
    objects: SavedObjects
    rooms: tuple[tuple[str, Time, Time], ...]
    room_kinds: tuple[tuple[str, str], ...]


class MemoryKeeper:
    """One folder of saved memories. Without a folder nothing is kept and nothing is found.

    A memory that was found is on trial until the frames show that it is of this place.
    """

    def __init__(self, folder: str, voxels: VoxelGridConfig) -> None:
        """Raises MemoryNotKeptError for a folder that cannot be used."""
        self._store = MemoryStore(Path(folder), SavedMemory) if folder else None
        self._voxels = voxels
        self._refused: list[StorageError] = []
        self._seen = VoxelGrid(voxels)
        self._frames = 0
        self._tried: VoxelGrid | None = None

    @property
    def keeps(self) -> bool:
        """Whether there is a folder to save to."""
        return self._store is not None

    @property
    def on_trial(self) -> bool:
        """Whether a memory was found of which it is not known yet if it is of this place."""
        return self._tried is not None

    def refused(self) -> tuple[StorageError, ...]:
        """Why saved memories were not used; each is told once."""
        told, self._refused = tuple(self._refused), []
        return told

    def recall(self) -> SavedMemory | None:
        """The newest memory that can be used; when called again, the next older one. It is on trial from now on."""
        self._tried = None
        self._seen, self._frames = VoxelGrid(self._voxels), 0
        while self._store is not None:
            loaded = self._store.load()
            self._refused += loaded.refused
            memory = loaded.memory
            if memory is None:
                return None
            if memory.map.voxels == self._voxels:
                self._tried = VoxelGrid.of(self._voxels, memory.map.geometry, memory.map.counts)
                return memory
            made, wanted = asdict(memory.map.voxels), asdict(self._voxels)
            others = [
                f"{name} {made[name]:g}, not {wanted[name]:g}" for name in made if made[name] != wanted[name]
            ]
            self._refused.append(
                MemoryVersionError(
                    f"{self._store.path} was made with other settings of the map than this agent's "
                    f"({', '.join(others)}); it is left as it is. To use it, set "
                    f"spatial_memory.resolution={made['resolution']:g} and "
                    f"spatial_memory.max_range={made['max_range']:g}"
                )
            )
        return None

    def look(self, view: View) -> None:
        """Take a frame in which the place shows itself."""
        if self._tried is not None:
            self._seen.integrate(view.depth_mm, view.camera, view.camera_pose)
            self._frames += 1

    def is_of_another_place(self) -> bool:
        """Whether the frames so far say that the memory on trial must be given up. Ends the trial if they say no."""
        if self._tried is None or self._store is None:
            return False
        verdict = compare(self._tried, self._seen)
        if verdict is Verdict.ANOTHER:
            self._refused.append(
                AnotherPlaceError(
                    f"{self._store.path} is a memory of another place, or the robot is not where its localisation "
                    "says; it is left as it is. Its map does not fit what is seen here"
                )
            )
            return True
        if verdict is Verdict.SAME or self._frames >= LONGEST_TRIAL:
            self._tried = None
        return False

    def save(self, memory: SavedMemory) -> Path:
        """Writes the memory: over the one that was recalled, once it is known to be of this place.

        Raises MemoryNotKeptError.
        """
        if self._store is None:
            raise MemoryNotKeptError("no memory_dir is set: there is nowhere to save to")
        if self._tried is not None and self._frames:
            self._store.leave()
            self._tried = None
        return self._store.save(memory)

    def forget(self) -> Path | None:
        """Removes the saved memory of this place, if there is one, and returns its file."""
        self._tried = None
        return self._store.forget() if self._store is not None else None

    @property
    def file(self) -> Path | None:
        """The saved memory of this place; None as long as there is none."""
        return self._store.file if self._store is not None else None
