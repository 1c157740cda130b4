"""Rendering: depth agrees with the geometry, closed containers hide, and identities leave no trace."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.evaluation.household_tasks.visibility import SEEN, pixels, seen_after_opening, seen_in_the_open
from stma_ros.worlds.house.building.layout import WALL_HEIGHT
from stma_ros.worlds.house.building.shell import CEILING, FLOOR
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import RANGE

FLAT = make_flat(1004)
SHUT = replace(FLAT.initial, open_names=frozenset())
OPEN = FLAT.initial.opened(*FLAT.openable_names)
START = start_pose(FLAT, np.random.default_rng(3))


def test_rendered_depth_is_the_planar_distance_to_floor_and_ceiling() -> None:
    camera = Camera(160, 120)
    renderer = Renderer(FLAT, camera)
    rays = camera.optical_rays().reshape(120, 160, 3)
    seen = 0
    for yaw in np.linspace(0, 2 * math.pi, 5):
        picture = renderer.render(Placement(START.x, START.y, yaw), SHUT)
        upward = rays @ camera.rotation(yaw).T[:, 2]
        for name, height in ((FLOOR, 0.0), (CEILING, WALL_HEIGHT)):
            mask = picture.owner == renderer.owners.index(name)
            expected = 1000 * (height - camera.mount_height) / upward[mask]
            seen += int(mask.sum())
            np.testing.assert_allclose(picture.depth[mask], expected, atol=2.0, rtol=1e-4)
    assert seen > 2000


def test_rendered_depth_does_not_exceed_the_range() -> None:
    renderer = Renderer(FLAT, Camera(64, 48))
    for yaw in np.linspace(0, 6, 7):
        assert renderer.render(Placement(START.x, START.y, yaw), SHUT).depth.max() <= RANGE * 1000


def test_rendering_is_reproducible() -> None:
    first = Renderer(FLAT, Camera(80, 60)).render(START, SHUT)
    again = Renderer(make_flat(1004), Camera(80, 60))
    again.render(START, OPEN)
    second = again.render(START, SHUT)
    for part in ("colour", "depth", "owner"):
        np.testing.assert_array_equal(getattr(first, part), getattr(second, part))


@pytest.mark.parametrize("opened", [False, True])
def test_permuted_identities_do_not_change_colour_and_depth(opened: bool) -> None:
    other = permuted(FLAT, 5)
    assert {piece.name for piece in FLAT.furniture} != {piece.name for piece in other.furniture}
    assert [piece.category for piece in FLAT.furniture] != [piece.category for piece in other.furniture]
    renderers = [Renderer(flat, Camera(160, 120)) for flat in (FLAT, other)]
    for yaw in (0.0, 1.5, 3.0):
        base = Placement(START.x, START.y, yaw)
        a, b = (
            renderer.render(base, flat.initial.opened(*flat.openable_names) if opened else flat.initial)
            for renderer, flat in zip(renderers, (FLAT, other), strict=True)
        )
        np.testing.assert_array_equal(a.colour, b.colour)
        np.testing.assert_array_equal(a.depth, b.depth)


def test_a_closed_container_hides_its_contents_and_an_open_one_shows_them() -> None:
    hidden = shown = 0
    for seed in (1004, 1011):
        flat = make_flat(seed)
        start = start_pose(flat, np.random.default_rng(0))
        renderer = Renderer(flat, Camera())
        shut = replace(flat.initial, open_names=frozenset())
        for item in flat.items:
            container = flat.furniture_by_name[item.support]
            if item.inside and container.opens:
                front = Placement(*container.ahead(0.8), container.placement.yaw + math.pi)
                hidden += pixels(renderer, front, shut, item.name) == 0
                shown += seen_after_opening(flat, renderer, start, item) >= SEEN
    assert hidden == shown > 10


def test_objects_outside_of_containers_are_visible() -> None:
    renderer = Renderer(FLAT, Camera())
    standing = [item for item in FLAT.items if not item.inside]
    assert len(standing) > 5
    for item in standing:
        assert seen_in_the_open(FLAT, renderer, START, item) >= SEEN, item.name
