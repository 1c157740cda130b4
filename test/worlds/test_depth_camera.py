"""The simulated depth camera: noise, holes and saturation, each alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.worlds.robot.depth_camera import SATURATED, DepthCamera
from stma_ros.worlds.robot.noise import FARTHEST, NEAREST, QUIET, NoiseModel
from stma_ros.worlds.robot.picture import Picture

SHAPE = (120, 160)
CATEGORIES = ("wall", "tv")


def picture(depth: NDArray[np.uint16], owner: NDArray[np.int32] | None = None) -> Picture:
    owner = np.zeros(depth.shape, np.int32) if owner is None else owner
    return Picture(np.zeros((*depth.shape, 3), np.uint8), depth, owner)


def measured(model: NoiseModel, image: Picture, seed: int = 1) -> NDArray[np.uint16]:
    return DepthCamera(model, seed).measured(image, CATEGORIES)


def test_noise_of_depth_grows_with_the_distance() -> None:
    depth = np.full(SHAPE, 1000, np.uint16)
    depth[:, 80:] = 4000
    depth[0, 0] = 0
    found = measured(NoiseModel(depth=1.0), picture(depth))
    near, far = found[1:, :80].astype(float), found[:, 80:].astype(float)
    assert near.std() == pytest.approx(1000 * (0.0012 + 0.0019 * 0.36), rel=0.1)
    assert far.std() == pytest.approx(1000 * (0.0012 + 0.0019 * 3.6**2), rel=0.1)
    assert found[0, 0] == 0
    np.testing.assert_array_equal(found, measured(NoiseModel(depth=1.0), picture(depth)))
    assert (found != measured(NoiseModel(depth=1.0), picture(depth), seed=2)).any()


def test_a_quiet_camera_measures_the_true_depth() -> None:
    image = picture(np.full(SHAPE, 1000, np.uint16))
    assert measured(QUIET, image) is image.depth


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_holes_have_their_share_and_lie_mostly_at_edges_and_on_shiny_things(share: float) -> None:
    depth = np.full(SHAPE, 2000, np.uint16)
    depth[:, 80:] = 3000
    owner = np.zeros(SHAPE, np.int32)
    owner[:40, :40] = 1
    lost = np.mean(
        [measured(NoiseModel(depth_holes=share), picture(depth, owner), seed) == 0 for seed in range(40)],
        axis=0,
    )
    assert lost.mean() == pytest.approx(share, rel=0.1)
    edge, shiny, plain = lost[:, 79:81].mean(), lost[:40, :40].mean(), lost[60:, :60].mean()
    assert edge > shiny > 5 * plain > 0


def test_depth_out_of_range_is_zero_or_the_largest_value() -> None:
    depth = np.full(SHAPE, 2000, np.uint16)
    depth[:, :20] = round(1000 * NEAREST) - 1
    depth[:, 100:] = round(1000 * FARTHEST) + 1
    depth[:, 140:] = 0
    found = measured(NoiseModel(depth_saturation=True), picture(depth))
    assert set(np.unique(found[:, :20])) == {0}
    assert set(np.unique(found[:, 20:100])) == {2000}
    assert set(np.unique(found[:, 100:])) == {0, SATURATED}
    assert 0.4 < (found[:, 100:] == SATURATED).mean() < 0.6
