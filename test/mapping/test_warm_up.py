"""Tests of compiling the kernels, each in a process of its own because this one has compiled kernels already."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.environment import python_environment

ROOT = Path(__file__).parents[2]

CHAIN = """
import sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from support.mapping.box_world import CAMERA, FLAT_ROOMS, MOUNT, flat, look, map_of
from stma_ros.mapping.distance import bridged, distance_field, snap, traversable
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig, FrontierFinder
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.spatial_map import SpatialMap, SpatialMapConfig
from stma_ros.mapping.occupancy import OCCUPIED, IncrementalSlice, OccupancySlice, navigable_slice, wall_slice
from stma_ros.mapping.paths import shortest_path
from stma_ros.mapping.rooms import RoomTracker
from stma_ros.mapping.segments import find_segments
from stma_ros.mapping.approach_pose import find_approach_pose
from stma_ros.mapping.front_pose import find_front_pose
from support.mapping.poses import planar_pose
from stma_ros.mapping.visibility import box_visibility
from stma_ros.mapping.voxel_grid import BINARY, VoxelGrid, VoxelGridConfig
from stma_ros.mapping.warm_up import warm_up

def signatures():
    modules = [module for name, module in sys.modules.items() if name.startswith("stma_ros.mapping.")]
    return {(name, str(signature)) for module in modules for name, item in vars(module).items()
            if isinstance(item, Dispatcher) for signature in item.signatures}

warm_up()
published = SpatialMap(SpatialMapConfig(frontiers=PublishedFrontierConfig()))
before = signatures()
voxels = map_of(flat(), [(7.0, 5.25), (3.4, 9.0)])
navigable, walls = navigable_slice(voxels), wall_slice(voxels)
passable = traversable(navigable)
bridged(navigable)
distance = distance_field(passable, [snap(passable, navigable.geometry, 7.0, 5.25)], 0.05)
goal = snap(passable, navigable.geometry, 3.4, 9.0)
assert len(shortest_path(distance, goal))
finder = FrontierFinder(FrontierConfig(min_length=5.0))
assert finder.update(navigable, distance)
writable = OccupancySlice(navigable.data.copy(), navigable.geometry)
assert (traversable(writable) == passable).all()
assert finder.update(writable, distance_field(passable, [snap(passable, navigable.geometry, 3.4, 9.0)], 0.05))
for k in range(4):
    pose = planar_pose(7.0, 5.25, 1.5 * k)
    published.integrate(look(flat(), pose @ MOUNT), CAMERA, pose @ MOUNT, (7.0, 5.25))
    assert k < 2 or published.snapshot((7.0, 5.25)).frontiers
assert len(RoomTracker().update(navigable, walls).rooms) > 1
assert find_approach_pose(voxels, walls.data == OCCUPIED, distance, (2.0, 10.8, 0.8), (0.1, 0.1, 0.1))
assert find_front_pose(navigable, walls.data == OCCUPIED, distance, (2.0, 10.8, 0.8), (0.1, 0.1, 0.1), 0.5)
pose = planar_pose(*FLAT_ROOMS["b"], 0.0) @ MOUNT
depth = look(flat(), pose)
frozen = depth.copy()
frozen.setflags(write=False)  # as in a frame
slice_ = IncrementalSlice.navigable()
slice_.update(voxels)
voxels.integrate(frozen, CAMERA, pose)
slice_.update(voxels)
VoxelGrid(VoxelGridConfig(rule=BINARY)).integrate(frozen, CAMERA, pose)
for noise in (0.0, 1.0):
    assert find_segments(depth, CAMERA, pose, np.ones(depth.shape, np.uint16), {1: 0}, 6.0, noise)
assert box_visibility(depth, CAMERA, pose, np.zeros((3, 3)), np.ones((3, 3)), np.ones(3)).pixels.shape == (3,)
print(len(before), sorted(signatures() - before))
"""

CACHING = """
import sys
sys.path.insert(0, sys.argv[1])
from kernels import add
print(add(1, 2), sum(add.stats.cache_misses.values()), sum(add.stats.cache_hits.values()))
"""

KERNELS = """
from stma_ros.types.jit import kernel

@kernel
def add(a, b):
    return a + b
"""


def _run(program, *arguments, **environment):
    variables = python_environment(**environment)
    if "NUMBA_CACHE_DIR" not in environment:
        variables.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=variables,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_warm_up_compiles_every_kernel():
    count, left = _run(CHAIN).split(maxsplit=1)
    assert int(count) >= 12
    assert left == "[]"


def _unwritable_install(folder):
    """Returns a folder with a module for which even root can write no cache: a file has its cache folder's name."""
    folder.mkdir()
    (folder / "__pycache__").write_text("in the way")
    (folder / "kernels.py").write_text(KERNELS)
    return str(folder)


def test_kernels_are_cached_when_the_install_folder_is_read_only(tmp_path):
    folder = _unwritable_install(tmp_path / "install")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert _run(CACHING, folder, **home) == "3 1 0"
    assert _run(CACHING, folder, **home) == "3 0 1"  # from the user's cache


def test_kernels_work_without_a_writable_folder(tmp_path):
    folder = _unwritable_install(tmp_path / "install")
    nowhere = str(tmp_path / "install" / "__pycache__")  # a file, so no folder can be made in it
    for _ in range(2):
        assert _run(CACHING, folder, HOME=nowhere, XDG_CACHE_HOME=nowhere) == "3 1 0"
