"""The conversion between the axes of the map and those of Habitat: a rotation, its inverse, and camera poses."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from stma_ros.worlds.habitat.axes import (
    Rotation,
    camera_to_habitat,
    points_to_habitat,
    points_to_map,
    yaw_to_habitat,
)

metres = st.floats(-1e3, 1e3, allow_subnormal=False)
angles = st.floats(-10.0, 10.0, allow_subnormal=False)
clouds = arrays(np.float64, st.tuples(st.integers(0, 20), st.just(3)), elements=metres)
places = arrays(np.float64, 3, elements=metres)


def turned(rotation: Rotation, vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns a vector (3,) after a rotation, by the matrix of the quaternion."""
    w, x, y, z = rotation
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    product: NDArray[np.float64] = matrix @ vector
    return product


@given(clouds)
def test_conversion_to_habitat_axes_and_back_is_exact(points: NDArray[np.float64]) -> None:
    np.testing.assert_array_equal(points_to_map(points_to_habitat(points)), points)
    np.testing.assert_array_equal(points_to_habitat(points_to_map(points)), points)


@given(clouds)
def test_up_is_plus_y_and_north_is_minus_z_in_habitat_axes(points: NDArray[np.float64]) -> None:
    flipped = points_to_habitat(points)
    np.testing.assert_array_equal(flipped[:, 1], points[:, 2])
    np.testing.assert_array_equal(flipped[:, 2], -points[:, 1])


@given(places, places)
def test_conversion_to_habitat_axes_preserves_handedness(
    one: NDArray[np.float64], other: NDArray[np.float64]
) -> None:
    pair = points_to_habitat(np.stack([one, other]))
    product = points_to_habitat(np.cross(one, other)[None])[0]
    np.testing.assert_allclose(np.cross(*pair), product, atol=1e-6)


@given(places, angles)
def test_a_yaw_in_habitat_axes_rotates_as_in_the_map(point: NDArray[np.float64], yaw: float) -> None:
    x, y, z = point
    in_map = [math.cos(yaw) * x - math.sin(yaw) * y, math.sin(yaw) * x + math.cos(yaw) * y, z]
    in_habitat = turned(yaw_to_habitat(yaw), points_to_habitat(point[None])[0])
    np.testing.assert_allclose(in_habitat, points_to_habitat(np.array([in_map]))[0], atol=1e-8)


@given(places, angles, st.floats(-1.5, 1.5))
def test_the_habitat_camera_looks_in_the_viewing_direction_of_the_robot(
    position: NDArray[np.float64], yaw: float, pitch_down: float
) -> None:
    at, rotation = camera_to_habitat(position, yaw, pitch_down)
    level = math.cos(pitch_down)
    ahead = [level * math.cos(yaw), level * math.sin(yaw), -math.sin(pitch_down)]
    left = [-math.sin(yaw), math.cos(yaw), 0.0]
    np.testing.assert_array_equal(at, points_to_habitat(position[None])[0])
    assert math.isclose(math.hypot(*rotation), 1.0)
    for of_camera, of_map in (([0.0, 0.0, -1.0], ahead), ([-1.0, 0.0, 0.0], left)):
        seen = turned(rotation, np.array(of_camera))
        np.testing.assert_allclose(seen, points_to_habitat(np.array([of_map]))[0], atol=1e-9)
