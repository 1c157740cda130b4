"""Things that the simulated detector sees where there are none: how many, where, and how long they persist."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.types.standard import Time
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.config import RobotConfig
from stma_ros.worlds.robot.detector.detector import Segmentation, SimulatedDetector, Viewpoint
from stma_ros.worlds.robot.detector.errors import DetectorErrors
from stma_ros.worlds.robot.detector.inventions import SEEN, Invention, Inventions, Sized
from stma_ros.worlds.robot.detector.scores import (
    INVENTED_SCORES,
    TRUE_SCORES,
    invented_score,
    missed_share,
    weak_score,
)
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture

CAMERA = Camera(pitch=0.0)
FLAT = make_flat(1004, 4)
WALL = 3.0  # distance of a wall that fills the image [m]
WALL_AREA = (2 * WALL) * (2 * WALL * 0.75)
SIZES = (Sized("clock", 0.4), Sized("picture", 0.5))


def wall() -> Picture:
    shape = (CAMERA.height, CAMERA.width)
    depth = np.full(shape, round(1000 * WALL), np.uint16)
    return Picture(np.zeros((*shape, 3), np.uint8), depth, np.zeros(shape, np.int32))


def before_wall(y: float = 0.0) -> CameraPose:
    return CAMERA.pose(Placement(0.013, y, 0.0))


def seen_on_wall(inventions: Inventions, y: float, frames: int = 1) -> list[list[Invention]]:
    return [inventions.of(wall(), before_wall(y)) for _ in range(frames)]


@cache
def view() -> tuple[Picture, tuple[str, ...], Viewpoint]:
    renderer = Renderer(FLAT, CAMERA)
    base = start_pose(FLAT, np.random.default_rng(3))
    return renderer.render(base, FLAT.initial), renderer.owners, Viewpoint(base, FLAT.initial, Time(1))


def segmented(errors: DetectorErrors, seed: int) -> Segmentation:
    detector = SimulatedDetector(FLAT, CAMERA, errors, seed, np.random.default_rng(0))
    return detector.segment(*view())


@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_number_of_inventions_is_the_rate_for_each_square_metre_of_visible_surface(rate: float) -> None:
    seeds = 300
    counts = [len(seen_on_wall(Inventions(rate, SIZES, CAMERA, seed), 0.0)[0]) for seed in range(seeds)]
    assert np.mean(counts) == pytest.approx(rate * WALL_AREA, rel=0.17)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**63))
def test_invention_stays_at_its_place_with_its_category_in_the_frames_of_one_view(seed: int) -> None:
    frames = seen_on_wall(Inventions(0.3, SIZES, CAMERA, seed), 0.0, 12)
    first: dict[int, Invention] = {}
    for frame in frames:
        for invention in frame:
            same = first.setdefault(invention.key, invention)
            assert invention.category == same.category
            np.testing.assert_array_equal(invention.pixels, same.pixels)


def test_invention_is_seen_in_most_frames_of_its_view() -> None:
    count = 40
    for seed in range(5):
        frames = seen_on_wall(Inventions(0.3, SIZES, CAMERA, seed), 0.0, count)
        hits = Counter(invention.key for frame in frames for invention in frame)
        assert sum(hits.values()) / len(hits) / count == pytest.approx(SEEN, abs=0.1)


def test_a_part_of_the_inventions_is_seen_from_another_side_too() -> None:
    """From 4 m to the left the shared part of the wall is seen from another sector."""
    both = here = 0
    for seed in range(60):
        inventions = Inventions(0.4, SIZES, CAMERA, seed)
        left = {each.key for frame in seen_on_wall(inventions, 4.0, 8) for each in frame}
        for invention in {e.key: e for frame in seen_on_wall(inventions, 0.0, 8) for e in frame}.values():
            column = np.flatnonzero(invention.pixels.any(axis=0)).mean()
            y = ((CAMERA.width - 1) / 2 - column) / CAMERA.focal * WALL
            if 1.5 < y < 2.5:
                here += 1
                both += invention.key in left
    assert here > 40
    assert 0.05 < both / here < 0.5


def test_invention_moves_in_the_image_as_a_place_on_the_wall_does() -> None:
    inventions = Inventions(0.4, SIZES, CAMERA, 1)
    at = {each.key: each for frame in seen_on_wall(inventions, 0.0, 8) for each in frame}
    moved = {each.key: each for frame in seen_on_wall(inventions, 0.1, 8) for each in frame}
    shared = [
        key
        for key in at.keys() & moved.keys()
        if all(not each.pixels[:, [0, -1]].any() for each in (at[key], moved[key]))
    ]
    assert shared
    for key in shared:
        columns = [np.nonzero(each.pixels)[1].mean() for each in (at[key], moved[key])]
        assert columns[1] - columns[0] == pytest.approx(0.1 / WALL * CAMERA.focal, abs=3.0)


def test_detector_invents_nothing_where_no_surface_is_seen() -> None:
    empty = wall()
    empty.depth[:] = 0
    assert not any(Inventions(2.0, SIZES, CAMERA, seed).of(empty, before_wall()) for seed in range(20))


def test_inventions_leave_all_other_segments_as_they_are_without() -> None:
    errors = DetectorErrors(wrong=0.1, missed=0.25)
    added = 0
    for seed in range(20):
        without = segmented(errors, seed)
        with_them = segmented(DetectorErrors(wrong=0.1, missed=0.25, inventions=0.3), seed)
        labels = Counter((label.category, label.confidence) for label in without.labels)
        more = Counter((label.category, label.confidence) for label in with_them.labels)
        added += sum((more - labels).values())
        names = {label.id: label.category for label in without.labels}
        new_names = {label.id: label.category for label in with_them.labels}
        same = [
            names.get(int(old), "") == new_names.get(int(new), "")
            for old, new in zip(without.ids[::3, ::3].flat, with_them.ids[::3, ::3].flat, strict=True)
        ]
        assert np.mean(same) > 0.8
    assert added > 10


def test_inventions_have_categories_of_the_home_and_do_not_depend_on_names() -> None:
    errors = DetectorErrors(inventions=0.5, weak_scores=True)
    other = permuted(FLAT, 5)
    renderer = Renderer(other, CAMERA)
    _, _, seen = view()
    for seed in range(10):
        one = segmented(errors, seed)
        assert {label.category for label in one.labels} <= set(FLAT.categories.values())
        detector = SimulatedDetector(other, CAMERA, errors, seed, np.random.default_rng(0))
        renderer.render(seen.base, other.initial)
        again = detector.segment(
            renderer.render(seen.base, other.initial),
            renderer.owners,
            Viewpoint(seen.base, other.initial, Time(1)),
        )
        said = [
            sorted(
                (label.category, label.confidence, int((each.ids == label.id).sum())) for label in each.labels
            )
            for each in (one, again)
        ]
        assert said[0] == said[1]


def test_scores_of_a_weak_detector_keep_their_ranges_and_rise_with_the_size() -> None:
    rng = np.random.default_rng(1)
    small, large = ([weak_score(size, False, rng) for _ in range(500)] for size in (1e-3, 5e-2))
    wrong = [weak_score(5e-2, True, rng) for _ in range(500)]
    invented = [invented_score(rng) for _ in range(500)]
    for scores, (low, high) in ((small + large + wrong, TRUE_SCORES), (invented, INVENTED_SCORES)):
        assert low <= min(scores)
        assert max(scores) <= high
    assert np.mean(small) < np.mean(large) - 0.2
    assert np.mean(wrong) < np.mean(large)
    assert np.mean(invented) < sum(INVENTED_SCORES) / 2


@given(share=st.floats(0, 1), size=st.floats(0, 1))
def test_missed_share_falls_with_the_size_and_stays_a_share(share: float, size: float) -> None:
    assert 0 <= missed_share(share, size) <= 1
    assert missed_share(share, size) >= missed_share(share, size + 0.01)


def test_weak_detector_has_its_errors_unless_they_are_set() -> None:
    weak = RobotConfig(detector="weak").detector_errors
    assert weak == DetectorErrors(
        wrong=0.05,
        missed=0.25,
        jitter=3.0,
        boxes=True,
        missed_by_size=True,
        inventions=0.1,
        weak_scores=True,
    )
    assert RobotConfig(detector="weak", missed=0.0, inventions=0.0).detector_errors.missed == 0
    assert RobotConfig(detector="weak", inventions=0.0).detector_errors.inventions == 0
    assert RobotConfig(noise=True).detector_errors.inventions == 0
    assert RobotConfig(detector="weak", noise=True).noise_model == RobotConfig(noise=True).noise_model
