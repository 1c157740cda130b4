"""Property tests of the rules by which depth images change voxels, against their statement in plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import pose_matrix
from stma_ros.mapping.voxel_grid import BINARY, VoxelGrid, VoxelGridConfig
from support.mapping.plain_integration import hits_and_misses, seen_free

SEEDS = st.integers(1000, 100_000)
RESOLUTIONS = st.sampled_from([0.05, 0.08, 0.1, 0.2])


def _grid(resolution=0.1, **settings):
    """Returns a small grid that contains whatever `_scene` shows."""
    voxels = VoxelGrid(VoxelGridConfig(resolution, max_range=1.0, max_height=0.9, **settings))
    voxels.cover(-2.5, -2.5, 2.5, 2.5)
    return voxels


def _scene(rng):
    """Returns a camera at any pose, and a depth image with surfaces, noise, pixels without depth and far ones."""
    width, height = rng.integers(20, 60, 2).tolist()
    fx, fy = rng.uniform(0.6, 1.2, 2) * (width, height)
    camera = PinholeCamera(width, height, fx, fy, *(rng.uniform(0.4, 0.6, 2) * (width, height)))
    upright = rng.random() < 0.3  # columns of voxels are parallel to the image, and to planes of the view
    quaternion = (0.5, -0.5, 0.5, -0.5) if upright else rng.normal(size=4)
    pose = pose_matrix((*rng.uniform(-0.5, 0.5, 2), rng.uniform(0, 0.8)), quaternion)
    v, u = np.mgrid[:height, :width]
    depth = 600 + 350 * np.sin(u * rng.uniform(0, 0.3) + rng.uniform(0, 6)) * np.cos(v * rng.uniform(0, 0.3))
    depth += rng.normal(0, rng.choice([0, 5, 150]), depth.shape)
    depth[rng.random(depth.shape) < 0.1] = 0
    depth[rng.random(depth.shape) < 0.02] = 65535
    depth[rng.random(depth.shape) < 0.02] = 9000
    return camera, pose, np.clip(depth, 0, 65535).astype(np.uint16)


@settings(max_examples=60, deadline=None)
@given(SEEDS, RESOLUTIONS)
def test_binary_rule_frees_exactly_the_voxels_of_the_published_rule(seed, resolution):
    rng = np.random.default_rng(seed)
    voxels = _grid(resolution, min_range=0.0, rule=BINARY)
    free, unsure = np.zeros(voxels.counts.shape, bool), np.zeros(voxels.counts.shape, bool)
    for _ in range(3):
        camera, pose, depth_mm = _scene(rng)
        now_free, now_unsure = seen_free(voxels, depth_mm, camera, pose)
        free, unsure = free | now_free, unsure | now_unsure
        voxels.integrate(depth_mm, camera, pose)
    # A camera whose pixels follow the columns of voxels has many on an edge of the rule: little is compared.
    assume(np.count_nonzero(free & unsure) <= 0.15 * np.count_nonzero(free) + 5)
    np.testing.assert_array_equal(voxels.free[~unsure], free[~unsure])
    assert not voxels.occupied.any()


@settings(max_examples=60, deadline=None)
@given(SEEDS, RESOLUTIONS)
def test_hit_miss_rule_changes_counts_as_stated(seed, resolution):
    rng = np.random.default_rng(seed)
    voxels = _grid(resolution)
    voxels.counts[:] = rng.integers(-4, 5, voxels.counts.shape)
    before = voxels.counts.copy()
    camera, pose, depth_mm = _scene(rng)
    expected, unsure = hits_and_misses(voxels, depth_mm, camera, pose)
    voxels.integrate(depth_mm, camera, pose)
    changed = before != voxels.counts
    assume(np.count_nonzero(changed & unsure) <= 0.15 * np.count_nonzero(changed) + 5)  # as above
    np.testing.assert_array_equal(voxels.counts[~unsure], expected[~unsure])


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_pixels_on_the_robot_itself_change_the_map_no_more_than_those_without_depth(seed):
    rng = np.random.default_rng(seed)
    camera, pose, depth_mm = _scene(rng)
    own = rng.random(depth_mm.shape) < 0.1
    depth_mm[(depth_mm > 0) & (depth_mm < 100)] = 100
    one, other = _grid(), _grid()
    one.integrate(np.where(own, 0, depth_mm).astype(np.uint16), camera, pose)
    other.integrate(np.where(own, 99, depth_mm).astype(np.uint16), camera, pose)
    np.testing.assert_array_equal(one.counts, other.counts)


@pytest.mark.parametrize("rule", ["hit_miss", BINARY])
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_saturated_pixels_have_no_more_effect_than_those_without_depth(rule, seed):
    rng = np.random.default_rng(seed)
    camera, pose, depth_mm = _scene(rng)
    one, other = _grid(rule=rule), _grid(rule=rule)
    for grid, marker in ((one, 0), (other, 65535)):
        grid.counts[:] = np.random.default_rng(seed).integers(-4, 5, grid.counts.shape)
        grid.integrate(
            np.where(np.isin(depth_mm, (0, 65535)), marker, depth_mm).astype(np.uint16), camera, pose
        )
    np.testing.assert_array_equal(one.counts, other.counts)
