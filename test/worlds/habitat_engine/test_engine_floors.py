"""Floors are distinguished from beds, tables, stairs and roofs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from stma_ros.worlds.habitat.engine.floors import find_floors

ROBOT = 1.2  # [m]


def plane(
    height: float, width: float, depth: float, far_height: float | None = None
) -> npt.NDArray[np.float64]:
    """Returns a rectangle of small triangles that rises along x to `far_height`."""
    xs = np.linspace(0.0, 1.0, 11)
    rise = (height if far_height is None else far_height) - height
    corners = np.array([[[x * width, height + x * rise, z] for x in xs] for z in (0.0, depth)])
    one = np.stack([corners[0, :-1], corners[0, 1:], corners[1, :-1]], axis=1)
    other = np.stack([corners[0, 1:], corners[1, 1:], corners[1, :-1]], axis=1)
    return np.concatenate([one, other])


def test_a_single_room_has_one_floor() -> None:
    (floor,) = find_floors([plane(0.1, 5, 4)], 2.5, ROBOT)
    assert floor.height == pytest.approx(0.1)
    assert floor.area == pytest.approx(20.0)


def test_beds_tables_and_roofs_are_not_taken_for_floors() -> None:
    islands = [
        plane(2.6, 10, 10),
        plane(0.1, 5, 4),
        plane(0.6, 1.6, 1.6),
        plane(0.85, 1.0, 0.8),
        plane(0.1, 3, 3),
    ]
    (floor,) = find_floors(islands, 2.6, ROBOT)
    assert floor.height == pytest.approx(0.1)
    assert floor.area == pytest.approx(29.0)  # two islands of the same height


def test_two_storeys_connected_by_stairs_are_two_floors() -> None:
    house = np.concatenate([plane(0.1, 6, 5), plane(0.1, 4, 1, 2.9), plane(2.9, 5, 5)])
    low, high = find_floors([house, plane(5.6, 9, 9)], 5.6, ROBOT)
    assert low.height == pytest.approx(0.1, abs=0.05)
    assert high.height == pytest.approx(2.9, abs=0.05)
    assert low.area == pytest.approx(30.0, abs=1.0)  # some of the stairs is as good as on it
    assert high.area == pytest.approx(25.0, abs=1.0)


def test_a_plane_without_walls_is_a_floor() -> None:
    (floor,) = find_floors([plane(0.0, 10, 10)], 0.0, ROBOT)
    assert floor.area == pytest.approx(100.0)


def test_a_very_small_scene_has_a_floor() -> None:
    (floor,) = find_floors([plane(0.6, 0.5, 0.5), plane(0.1, 1, 1)], 2.0, ROBOT)
    assert floor.height == pytest.approx(0.1)


def test_no_navmesh_has_no_floors() -> None:
    assert find_floors([], 2.0, ROBOT) == ()
    assert find_floors([np.zeros((1, 3, 3))], 2.0, ROBOT) == ()
