"""The measurement `mapping`: the time to integrate one depth image, compared with Open3D's VoxelBlockGrid and with what
memory allows.

All take turns on the same frames of a flat, on one core. A frame's time is its least of all rounds, since other load of
the machine only adds to it; a row has the median over the frames. The first round, in which a map grows, is not timed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from stma_ros.evaluation.mapping_frames import DepthFrame, flat_frames
from stma_ros.evaluation.timing import one_core
from stma_ros.evaluation.voxel_block_grid import VoxelBlockGrid
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.occupancy import IncrementalSlice, mark_robot_footprint
from stma_ros.mapping.voxel_grid import BINARY, HIT_MISS, RULES, VoxelGrid, VoxelGridConfig
from stma_ros.types.settings import setting

RESOLUTIONS = (0.1, 0.05)
"""Edges of voxels [m]."""

OPEN3D, BOUND = "Open3D VoxelBlockGrid", "memory bound"
"""What a row measures in place of a preset, beside the rules of the package's voxel grid: a TSDF of surfaces, and
reading the image and changing each voxel in view once, in order and with nothing computed."""

ENLARGED = 10
"""The whole of the package's update is also measured in a map whose area is larger by this factor."""

_Step = Callable[[DepthFrame], object]


@dataclass(frozen=True)
class MappingSettings:
    width: int = setting(640, "width of the images", unit="px", low=16, high=4096)
    height: int = setting(480, "height of the images", unit="px", low=12, high=4096)
    range: float = setting(3.0, "depth beyond this is not mapped", unit="m", low=0.5, high=10)
    frames: int = setting(32, "frames, four from each place", low=1, high=10_000)
    rounds: int = setting(15, "how often each frame is integrated", low=1, high=10_000)


class MappingSpeed:
    """The Measurement of mapping, in one flat."""

    name = "mapping"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "integration",
        "group": "voxels",
        "episodes": "frames",
        "integrate_ms": "integrate [ms]",
        "times_bound": "x bound",
        "update_ms": "with slices [ms]",
        "area_ratio": f"x at {ENLARGED} x the area",
        "voxels_in_view": "voxels in view",
    }

    def __init__(self, settings: MappingSettings = MappingSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return 4 * len(RESOLUTIONS)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields four rows for each resolution."""
        settings = self._settings
        with one_core():
            camera, frames = flat_frames(seed, settings.frames, settings.width, settings.height)
            for resolution in RESOLUTIONS:
                yield from self._measure(resolution, camera, frames)

    def _measure(
        self, resolution: float, camera: PinholeCamera, frames: Sequence[DepthFrame]
    ) -> Iterator[dict[str, Any]]:
        max_range, rounds = self._settings.range, self._settings.rounds
        config = {
            rule: VoxelGridConfig(resolution, max_range=max_range, rule=rule) for rule in (HIT_MISS, BINARY)
        }
        in_view = [_voxels_in_view(config[BINARY], camera, frame) for frame in frames]
        integrations: dict[str, _Step] = {
            HIT_MISS: partial(_integrate, VoxelGrid(config[HIT_MISS]), camera),
            BINARY: partial(_integrate, VoxelGrid(config[BINARY]), camera),
            OPEN3D: VoxelBlockGrid(resolution, max_range, camera).integrate,
            BOUND: _Traffic(frames, in_view).change,
        }
        took = _median_times(integrations, frames, rounds)
        updated: dict[str, float] = {}
        ratio: dict[str, float] = {}
        for rule in RULES:
            here, enlarged = (_MapUpdate(config[rule], camera) for _ in range(2))
            for frame in frames:
                here.update(frame)
            enlarged.fill_around(here.voxels, ENLARGED)
            both = _median_times({"here": here.update, "enlarged": enlarged.update}, frames, rounds)
            updated[rule], ratio[rule] = 1e3 * both["here"], both["enlarged"] / both["here"]
        for name, seconds in took.items():
            yield {
                "preset": f"stma_ros, {name}" if name in RULES else name,
                "group": f"{resolution:g} m",
                "episodes": len(frames),
                "integrate_ms": 1e3 * seconds,
                "times_bound": seconds / took[BOUND],
                "update_ms": updated.get(name),
                "area_ratio": ratio.get(name),
                "voxels_in_view": int(statistics.median(in_view)),
            }


def _median_times(steps: Mapping[str, _Step], frames: Sequence[DepthFrame], rounds: int) -> dict[str, float]:
    """Returns the median over the frames of their least times [s], after a round that is not timed."""
    least = {name: [float("inf")] * len(frames) for name in steps}
    for number in range(rounds + 1):
        for name, step in steps.items():
            for index, frame in enumerate(frames):
                start = time.perf_counter()
                step(frame)
                seconds = time.perf_counter() - start
                if number:
                    least[name][index] = min(least[name][index], seconds)
    return {name: statistics.median(times) for name, times in least.items()}


def _integrate(voxels: VoxelGrid, camera: PinholeCamera, frame: DepthFrame) -> None:
    voxels.integrate(frame.depth_mm, camera, frame.pose)


def _voxels_in_view(binary: VoxelGridConfig, camera: PinholeCamera, frame: DepthFrame) -> int:
    """Returns how many voxels would be freed if nothing were in the way."""
    voxels = VoxelGrid(binary)
    voxels.integrate(np.full_like(frame.depth_mm, 60_000), camera, frame.pose)
    return int(np.count_nonzero(voxels.free))


class _Traffic:
    """Reads an image and changes as many bytes as it has voxels in view."""

    def __init__(self, frames: Sequence[DepthFrame], in_view: Sequence[int]) -> None:
        self._bytes = {
            id(frame): np.zeros(count, np.int8) for frame, count in zip(frames, in_view, strict=True)
        }

    def change(self, frame: DepthFrame) -> None:
        frame.depth_mm.max()
        voxels = self._bytes[id(frame)]
        np.invert(voxels, out=voxels)


class _MapUpdate:
    """All that a map of the package does with a frame before someone asks for distances, frontiers or rooms."""

    def __init__(self, config: VoxelGridConfig, camera: PinholeCamera) -> None:
        self.voxels = VoxelGrid(config)
        self._camera = camera
        self._slices = IncrementalSlice.navigable(), IncrementalSlice.walls()

    def update(self, frame: DepthFrame) -> None:
        self.voxels.integrate(frame.depth_mm, self._camera, frame.pose)
        mark_robot_footprint(self.voxels, frame.pose[0, 3], frame.pose[1, 3])
        for part in self._slices:
            part.update(self.voxels)

    def fill_around(self, smaller: VoxelGrid, factor: float) -> None:
        """Fills an area around that of another map, larger by a factor, with free space."""
        geometry = smaller.geometry
        (x, y), res = geometry.origin, geometry.resolution
        more_x, more_y = ((np.sqrt(factor) - 1) / 2 * size * res for size in (geometry.cols, geometry.rows))
        self.voxels.cover(
            x - more_x, y - more_y, x + geometry.cols * res + more_x, y + geometry.rows * res + more_y
        )
        self.voxels.counts[:] = -1
