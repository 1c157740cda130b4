"""Errors of the simulated detector: how many, how long they persist, and what they depend on."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.sensing import SegmentLabel
from stma_ros.types.standard import Time
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.detector import masks
from stma_ros.worlds.robot.detector.confusions import CONFUSIONS, GROUPS, confused
from stma_ros.worlds.robot.detector.detector import Segmentation, SimulatedDetector, Viewpoint
from stma_ros.worlds.robot.detector.draws import CERTAINTY, PERSISTENT, Chance, cell_of, key_of
from stma_ros.worlds.robot.detector.errors import FLAWLESS, DetectorErrors
from stma_ros.worlds.robot.detector.sight import Sight
from stma_ros.worlds.robot.detector.state_reports import reported_states
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.scene import Thing
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.truth import fixture_states, item_states

CAMERA = Camera()
SEEDS = 150
STRUCTURE = {"wall", "floor", "ceiling"}


@cache
def flat() -> Flat:
    return make_flat(1004, 4)


@cache
def views() -> tuple[tuple[Picture, tuple[str, ...], Viewpoint], ...]:
    """Images of the flat from some places, with their owners."""
    renderer = Renderer(flat(), CAMERA)
    shown = []
    for seed in range(6):
        base = start_pose(flat(), np.random.default_rng(seed))
        picture = renderer.render(base, flat().initial)
        shown.append((picture, renderer.owners, Viewpoint(base, flat().initial, Time(seed))))
    return tuple(shown)


def things_in(picture: Picture, owners: tuple[str, ...]) -> dict[int, Thing]:
    """Returns the visible things by their owner's index."""
    things: dict[str, Thing] = {**flat().fixed_by_name, **flat().items_by_name}
    return {
        owner: things[owners[owner]]
        for owner in np.unique(picture.owner).tolist()
        if owner >= 0 and owners[owner] in things
    }


def detector(errors: DetectorErrors, seed: int = 1, scene: Flat | None = None) -> SimulatedDetector:
    return SimulatedDetector(scene or flat(), CAMERA, errors, seed, np.random.default_rng(0))


def label_at(segmentation: Segmentation, where: NDArray[np.bool_]) -> SegmentLabel | None:
    """Returns the label of most of the pixels; None = no segment."""
    ids = segmentation.ids[where]
    number = int(np.bincount(ids).argmax())
    return next((label for label in segmentation.labels if label.id == number), None)


def results(errors: DetectorErrors) -> list[tuple[Thing, SegmentLabel | None, int]]:
    """Returns each visible thing with its label and its number of segments, over views and seeds."""
    found = []
    for seed in range(SEEDS):
        one = detector(errors, seed)
        for picture, owners, view in views():
            segmentation = one.segment(picture, owners, view)
            for owner, thing in things_in(picture, owners).items():
                where = picture.owner == owner
                found.append((thing, label_at(segmentation, where), len(np.unique(segmentation.ids[where]))))
    return found


def assert_share(count: int, of: int, share: float) -> None:
    """Asserts that a count lies within four standard deviations of its binomial distribution; mistakes that persist
    double the variance at most."""
    slack = 4 * math.sqrt(2 * share * (1 - share) / of)
    assert abs(count / of - share) < slack, f"{count} of {of}, not {share}"


def test_a_detector_without_errors_shows_every_visible_thing_by_its_category() -> None:
    for thing, label, segments in results(FLAWLESS)[:200]:
        assert label is not None
        assert (label.category, label.confidence, segments) == (thing.category, 1.0, 1)
        assert not label.states


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_wrong_labels_have_their_share_and_follow_the_matrix(share: float) -> None:
    found = results(DetectorErrors(wrong=share))
    wrong = [(thing, label) for thing, label, _ in found if label and label.category != thing.category]
    assert_share(len(wrong), len(found), share)
    for thing, label in wrong:
        assert label.category in CONFUSIONS.get(thing.category, {label.category: 1.0})
        assert label.category not in STRUCTURE


def test_scores_are_calibrated_lower_for_wrong_labels_and_overlap() -> None:
    share = 0.2
    found = [
        (label.category == thing.category, label.confidence)
        for thing, label, _ in results(DetectorErrors(wrong=share))
        if label is not None
    ]
    right, wrong = ([score for is_right, score in found if is_right == value] for value in (True, False))
    a, b = CERTAINTY * (1 - share), CERTAINTY * share
    assert np.mean(right) == pytest.approx((a + 1) / (a + b + 1), abs=0.02)
    assert np.mean(wrong) == pytest.approx(a / (a + b + 1), abs=0.03)
    assert np.quantile(wrong, 0.75) > np.quantile(right, 0.25)
    scores, is_right = np.array([score for _, score in found]), np.array([each for each, _ in found])
    for low in (0.3, 0.5, 0.7, 0.9):
        band = (scores >= low) & (scores < low + 0.1)
        assert is_right[band].mean() == pytest.approx(scores[band].mean(), abs=0.1)


def test_missed_by_size_misses_small_things_most_and_about_the_set_share_of_all() -> None:
    found: dict[bool, list[bool]] = {True: [], False: []}
    least, average = 60, 384  # [px]
    for seed in range(SEEDS):
        one = detector(DetectorErrors(missed=0.25, missed_by_size=True), seed)
        for picture, owners, view in views():
            segmentation = one.segment(picture, owners, view)
            for owner in things_in(picture, owners):
                where = picture.owner == owner
                if (count := int(where.sum())) >= least:
                    found[count > average].append(label_at(segmentation, where) is None)
    assert np.mean(found[True]) < 0.25 < np.mean(found[False])
    assert np.mean(found[True] + found[False]) == pytest.approx(0.25, abs=0.08)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.25])
def test_missed_things_have_their_share_and_no_segment(share: float) -> None:
    found = results(DetectorErrors(missed=share))
    assert_share(sum(label is None for _, label, _ in found), len(found), share)
    picture, owners, view = views()[0]
    segmentation = detector(DetectorErrors(missed=1.0)).segment(picture, owners, view)
    assert {label.category for label in segmentation.labels} <= STRUCTURE
    assert set(np.unique(segmentation.ids[np.isin(picture.owner, list(things_in(picture, owners)))])) == {0}


def test_merged_and_split_segments_have_their_share() -> None:
    share, changed, of = 0.05, 0, 0
    plain = {number: results_of(FLAWLESS, 0, number) for number in range(len(views()))}
    for seed in range(SEEDS):
        for number in range(len(views())):
            counts = results_of(DetectorErrors(merged=share), seed, number)
            before = plain[number]
            of += len(before)
            split = sum(parts == 2 for parts in counts.values())
            merged = len(before) - len({tuple(sorted(owners)) for owners in owners_by_segment(seed, number)})
            changed += split + max(merged, 0)
    assert 0.6 * share < changed / of < 1.2 * share


def results_of(errors: DetectorErrors, seed: int, number: int) -> dict[int, int]:
    """Returns the number of segments of each large visible thing, by its owner's index."""
    picture, owners, view = views()[number]
    ids = detector(errors, seed).segment(picture, owners, view).ids
    return {
        owner: len(np.unique(ids[picture.owner == owner]))
        for owner in things_in(picture, owners)
        if (picture.owner == owner).sum() >= 40
    }


def owners_by_segment(seed: int, number: int) -> list[set[int]]:
    """Returns the large visible things of each segment."""
    picture, owners, view = views()[number]
    ids = detector(DetectorErrors(merged=0.05), seed).segment(picture, owners, view).ids
    large = [owner for owner in things_in(picture, owners) if (picture.owner == owner).sum() >= 40]
    segments: dict[int, set[int]] = {}
    for owner in large:
        segments.setdefault(int(np.bincount(ids[picture.owner == owner]).argmax()), set()).add(owner)
    return list(segments.values())


def test_half_of_the_mistakes_persist_while_the_camera_stays_in_the_view_cell() -> None:
    share, again, of = 0.2, 0, 0
    picture, owners, view = views()[0]
    for seed in range(SEEDS):
        one = detector(DetectorErrors(missed=share), seed)
        first, *later = (one.segment(picture, owners, view) for _ in range(6))
        for owner in things_in(picture, owners):
            where = picture.owner == owner
            if label_at(first, where) is None:
                of += len(later)
                again += sum(label_at(segmentation, where) is None for segmentation in later)
    independent = (share - share * PERSISTENT) / (1 - share * PERSISTENT)
    assert_share(again, of, PERSISTENT + (1 - PERSISTENT) * independent)


def test_a_mistake_does_not_persist_from_another_side() -> None:
    picture, owners, view = views()[0]
    beyond = replace(view, base=Placement(view.base.x + 40.0, view.base.y + 25.0, view.base.yaw))
    both = np.zeros((2, 2))
    for seed in range(SEEDS):
        one = detector(DetectorErrors(missed=0.2), seed)
        here, there = (one.segment(picture, owners, where) for where in (view, beyond))
        for owner in things_in(picture, owners):
            where = picture.owner == owner
            both[int(label_at(here, where) is None), int(label_at(there, where) is None)] += 1
    assert both[1, 1] / both[1].sum() == pytest.approx(both[0, 1] / both[0].sum(), abs=0.08)


def test_edges_move_by_the_root_mean_square_of_the_jitter() -> None:
    ids = np.zeros((240, 320), np.int32)
    ids[:, 160:] = 1
    rng, moved = np.random.default_rng(3), []
    for _ in range(40):
        edge = (masks.displaced(ids, 2.0, rng) == 0).sum(axis=1) - 160.0
        moved.append(edge)
    assert np.concatenate(moved).std() == pytest.approx(2.0 / math.sqrt(2), rel=0.2)
    np.testing.assert_array_equal(masks.displaced(ids, 0.0, rng), ids)


def test_boxes_replace_masks_and_the_smaller_lies_over_the_larger() -> None:
    ids = np.zeros((40, 60), np.int32)
    ids[5:30, 10:50] = 1
    ids[10:15, 20:25] = 2
    ids[12, 22] = 1  # a hole in the smaller one
    ids[5:8, 10:50] = 0  # the larger one begins lower
    out = masks.boxed(ids, 3, 0.0, np.random.default_rng(0))
    expected = np.zeros_like(ids)
    expected[8:30, 10:50] = 1
    expected[10:15, 20:25] = 2
    np.testing.assert_array_equal(out, expected)


def test_a_detector_of_boxes_returns_a_full_box_for_the_smallest_thing_and_no_building() -> None:
    for picture, owners, view in views():
        segmentation = detector(DetectorErrors(boxes=True)).segment(picture, owners, view)
        assert not STRUCTURE & {label.category for label in segmentation.labels}
        sizes = {}
        for owner in things_in(picture, owners):
            rows, columns = np.nonzero(picture.owner == owner)
            sizes[owner] = (np.ptp(rows) + 1) * (np.ptp(columns) + 1)
        smallest = min(sizes, key=lambda owner: sizes[owner])
        rows, columns = np.nonzero(picture.owner == smallest)
        box = segmentation.ids[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        assert len(np.unique(box)) == 1
        assert box[0, 0] != 0


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_boxes_hold_their_segments_unless_smaller_ones_cover_them(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    ids = rng.integers(0, 4, (12, 16)).astype(np.int32) * (rng.random((12, 16)) < 0.3)
    ids = ids.astype(np.int32)
    out = masks.boxed(ids, 4, 0.0, rng)
    assert (out[ids > 0] > 0).all()
    assert set(np.unique(out)) <= set(np.unique(ids)) | {0}


ALL = DetectorErrors(0.05, 0.1, 0.05, 2.0, states=True, wrong_states=0.05, missed_states=0.2)


def described(segmentation: Segmentation) -> tuple[list[str], NDArray[np.str_]]:
    """Returns the labels without their numbers, and the label of each pixel."""
    texts = {
        label.id: f"{label.category} {label.confidence:.6f} "
        + " ".join(f"{each.state} {each.confidence:.6f}" for each in label.states)
        for label in segmentation.labels
    }
    table = np.array([texts.get(number, "") for number in range(max(texts, default=0) + 1)])
    return sorted(texts.values()), table[segmentation.ids]


@pytest.mark.parametrize("errors", [ALL, replace(ALL, boxes=True)])
def test_errors_depend_on_the_seed_and_not_on_names(errors: DetectorErrors) -> None:
    other = permuted(flat(), 5)
    renderer = Renderer(other, CAMERA)
    plain, again, renamed, reseeded = (
        detector(errors, seed, scene) for seed, scene in ((1, None), (1, None), (1, other), (2, None))
    )
    differing = 0
    for picture, owners, view in views():
        labels, pixels = described(plain.segment(picture, owners, view))
        for segmentation in (
            again.segment(picture, owners, view),
            renamed.segment(
                renderer.render(view.base, other.initial), renderer.owners, replace(view, state=other.initial)
            ),
        ):
            found, shown = described(segmentation)
            assert found == labels
            np.testing.assert_array_equal(shown, pixels)
        differing += described(reseeded.segment(picture, owners, view))[0] != labels
    assert differing


def test_rows_of_the_confusion_matrix_are_distributions_over_other_categories() -> None:
    for category, row in CONFUSIONS.items():
        assert category not in row
        assert sum(row.values()) == pytest.approx(1.0)
    assert set(CONFUSIONS) == {category for group in GROUPS for category in group}
    assert set(CONFUSIONS) >= {thing.category for thing in (*flat().fixed, *flat().items)}


@given(st.floats(0, 1, exclude_max=True))
def test_an_unlisted_category_is_confused_with_others_of_its_kind(draw: float) -> None:
    assert confused("gadget", ["clock", "gadget", "vase"], draw) in ("clock", "vase")
    assert confused("gadget", ["gadget"], draw) == "gadget"
    assert confused("mug", [], draw) in CONFUSIONS["mug"]


def test_view_cells_are_relative_to_the_thing() -> None:
    key = key_of("mug", 1.0, 2.0, 0.7, 0.3)
    assert cell_of(key, 0.1, 1.1) == cell_of(key, 0.2, 1.2)
    assert cell_of(key, 0.1, 1.1) != cell_of(key, 0.7, 1.0)
    assert cell_of(key, 0.1, 1.1) != cell_of(key, 0.1, 2.0)
    assert key != key_of("mug", 1.0, 2.0, 0.7, 0.4)


def true_states(thing: Thing, state: SceneState) -> tuple[str, ...]:
    return item_states(thing, state) if thing.portable else fixture_states(thing, state)


def test_reported_states_have_their_shares_of_errors_and_misses() -> None:
    devices = frozenset(thing.name for thing in (*flat().fixed, *flat().items) if thing.is_device)
    state = replace(flat().initial, on_names=devices)
    wrong = of = reported = 0
    for seed in range(SEEDS):
        one = detector(DetectorErrors(states=True, wrong_states=0.2), seed)
        some = detector(DetectorErrors(states=True, missed_states=0.3), seed)
        for picture, owners, view in views():
            now = replace(view, state=state)
            segmentation = one.segment(picture, owners, now)
            for owner, thing in things_in(picture, owners).items():
                label = label_at(segmentation, picture.owner == owner)
                assert label is not None
                for estimate in label.states:
                    assert (estimate.source, estimate.stamp) == (EvidenceSource.LABEL, view.stamp)
                    assert 0 < estimate.confidence <= 1
                    of += 1
                    wrong += estimate.state not in true_states(thing, state)
            reported += sum(len(label.states) for label in some.segment(picture, owners, now).labels)
    assert of > 500
    assert_share(of - reported, of, 0.3)
    assert_share(wrong, of, 0.2)


CLEAR = Sight(bearing=0.2, distance=1.5, elevation=0.5, visible=0.8, pixels=0.01)


@pytest.mark.parametrize(
    ("category", "hidden_by"),
    [
        ("cabinet", {"bearing": 1.5}),
        ("cabinet", {"bearing": math.pi}),
        ("cabinet", {"distance": 5.0}),
        ("cabinet", {"visible": 0.1}),
        ("cabinet", {"pixels": 0.002}),
        ("floor lamp", {"bearing": 2.0}),
        ("floor lamp", {"pixels": 0.0004}),
        ("mug", {"elevation": 0.2}),
        ("mug", {"pixels": 0.0005}),
    ],
)
def test_a_state_is_reported_only_when_its_part_is_visible_and_large_enough(
    category: str, hidden_by: dict[str, float]
) -> None:
    thing = thing_of(category)
    assert reports(thing, CLEAR) == true_states(thing, SceneState())
    assert reports(thing, replace(CLEAR, **hidden_by)) == ()


def test_an_opaque_vessel_reports_no_content_and_a_door_reports_from_both_sides() -> None:
    assert not {"full", "empty"} & set(reports(thing_of("kettle"), CLEAR))
    door = next(thing for thing in flat().fixed if thing.swings)
    assert reports(door, replace(CLEAR, bearing=3.0)) == ("closed",)
    assert reports(door, replace(CLEAR, bearing=math.pi / 2)) == ()


def thing_of(category: str) -> Thing:
    if category in FURNITURE:
        kind = FURNITURE[category]
        return Furniture("it", category, 0, Placement(0, 0, 0), kind.least, kind.colours[0])
    return Item("it", category, "", False, 0, 0, 0, 0, 1.0, ITEMS[category].colours[0])


def reports(thing: Thing, sight: Sight) -> tuple[str, ...]:
    (draws,) = Chance(1).of([cell_of(1, 0.0, 1.0)])
    errors = DetectorErrors(states=True)
    return tuple(each.state for each in reported_states(thing, SceneState(), sight, draws, 3, errors, Time()))
