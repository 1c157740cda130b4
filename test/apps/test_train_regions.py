"""Tests of the training of the network that names regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from stma_ros.apps.training.image_regions import FEWEST, ImageRegions, found_regions, true_regions
from stma_ros.apps.training.labelled_images import (
    NO_THING,
    STATES,
    LabelledImage,
    LabelledImages,
    TrainingData,
)
from stma_ros.apps.training.region_classifier import RegionClassifier
from stma_ros.apps.training.region_samples import Regions, Variation, region_samples
from stma_ros.apps.training.region_trainer import RegionTrainer, score_regions
from stma_ros.apps.training.region_weight import WEIGHTS, NamedRegions, named_regions
from stma_ros.evaluation.flats import VALIDATION
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import ClassMap, NetworkImage, NetworkOutput
from stma_ros.models.vision.networks import HOUSE, network_path
from stma_ros.models.vision.region_crops import CHANNELS, EXTENT, REGION, SIZE
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.sensing.detectors.network_loading import load_namer, load_network
from stma_ros.types.errors import ConfigurationError

LABELS = (NO_THING, "door", "mug")
CAMERA = PinholeCamera(96, 64, 80.0, 80.0, 47.5, 31.5)


def image() -> LabelledImage:
    """Returns an image of a small mug (red) at the left, and of a large door (blue) at the right, before grey."""
    things = np.zeros((64, 96), np.uint16)
    things[16:34, 8:26], things[4:60, 50:90] = 1, 2
    colour = np.full((64, 96, 3), 128, np.uint8)
    colour[things == 1], colour[things == 2] = (200, 20, 20), (20, 20, 200)
    depth_mm = np.array([5000, 2000, 2500], np.uint16)[things]
    geometry = np.zeros((64, 96, 3), np.float32)
    geometry[..., 0] = 1000 / depth_mm
    states = np.zeros((3, len(STATES)), bool)
    return LabelledImage(colour, depth_mm, geometry, things, (NO_THING, "mug", "door"), states, CAMERA)


def bare() -> LabelledImage:
    """Returns an image of no thing."""
    return replace(image(), things=np.zeros((64, 96), np.uint16))


class Folder(LabelledImages):
    """The same image in each of ten flats."""

    def __init__(self, seen: LabelledImage) -> None:
        self.flats = tuple(range(10))
        self._seen = seen

    def read(self, seed: int, step: int = 1) -> list[LabelledImage]:
        return [self._seen] * 2


class Pixels:
    """A network that knows where things are, and takes them for mugs, not surely."""

    labels = LABELS
    geometry_size = (96, 64)
    frame_time = 0.0

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        probabilities = np.array([[0.9, 0.05, 0.05], [0.1, 0.4, 0.5], [0.1, 0.4, 0.5]], np.float32)
        return [
            NetworkOutput(class_map=ClassMap(probabilities, image().things.astype(np.int32), None, LABELS))
        ]


def trainer(total: int, checkpoint: Path, seen: LabelledImage | None = None) -> RegionTrainer:
    folder = Folder(image() if seen is None else seen)
    data = TrainingData(folder, folder, LABELS)
    return RegionTrainer(Pixels(), data, {"regions": total, "seed": 0}, checkpoint)


def test_true_regions_are_the_measured_pixels_of_things() -> None:
    holes = image().depth_mm.copy()
    holes[16:20, 8:26] = 0
    regions = true_regions(replace(image(), depth_mm=holes))
    assert regions.things.tolist() == [1, 2]
    assert (regions.ids == 1).sum() == 14 * 18
    few = image().depth_mm.copy()
    few[image().things == 1] = 0
    few[16, 8 : 8 + FEWEST - 1] = 2000
    assert true_regions(replace(image(), depth_mm=few)).things.tolist() == [0, 2]


def test_found_regions_show_what_most_of_their_pixels_do() -> None:
    regions = found_regions(Pixels(), image())
    assert sorted(regions.things.tolist()) == [1, 2]
    most = image().things.copy()
    most[16:21, 8:26], most[21:26, 8:26] = 0, 2  # of 18 rows of the region, 8 show the mug: most, not half
    assert sorted(found_regions(Pixels(), replace(image(), things=most)).things.tolist()) == [0, 2]


def test_regions_of_a_network_that_finds_boxes_are_an_error() -> None:
    class Boxes(Pixels):
        def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
            return [NetworkOutput()]

    with pytest.raises(NetworkError, match="boxes"):
        found_regions(Boxes(), image())


def test_samples_are_the_things_of_an_image_with_their_classes() -> None:
    found = region_samples(image(), true_regions(image()), LABELS)
    assert [LABELS[number] for number in found.classes] == ["mug", "door"]
    assert found.pixels.tolist() == [18 * 18, 56 * 40]
    assert found.crops.shape == (2, CHANNELS, SIZE, SIZE)
    middle = found.crops[:, :, SIZE // 2, SIZE // 2]
    assert middle[0, :3] == pytest.approx((200 / 255, 20 / 255, 20 / 255), abs=0.01)
    assert middle[1, 3] == pytest.approx(0.4)


def varied(cuts_sides: bool) -> Regions:
    """Returns 60 samples of the mug, of which the left half is green and higher above the floor."""
    seen = image()
    seen.colour[16:34, 8:17], seen.geometry[16:34, 8:17, 1] = (20, 200, 20), 1.0
    variation = Variation(np.random.default_rng(0), cuts_sides)
    mug = ImageRegions(true_regions(seen).ids, np.array([1, 0]))
    return Regions.concatenated([region_samples(seen, mug, LABELS, variation) for _ in range(60)])


def test_varied_samples_are_of_other_colours_and_mirrored_as_a_whole() -> None:
    crops = varied(cuts_sides=False).crops
    assert crops[:, 0].std(axis=0).max() > 0.02
    green, height = crops[:, 1, SIZE // 2], crops[:, 4, SIZE // 2]
    left, right = slice(8, 14), slice(18, 24)
    mirrored = green[:, right].mean(axis=1) > green[:, left].mean(axis=1)
    assert 10 < mirrored.sum() < 50
    assert (mirrored == (height[:, right].mean(axis=1) > height[:, left].mean(axis=1))).all()


def test_region_of_which_a_side_is_cut_off_ends_there_and_is_seen_from_nearer() -> None:
    whole, cut = varied(cuts_sides=False).crops, varied(cuts_sides=True).crops
    assert len(np.unique(whole[:, EXTENT])) == 1
    nearer = cut[:, EXTENT, 0, 0] < whole[0, EXTENT, 0, 0] - 1e-6
    assert nearer.any()
    for crop in cut[nearer]:
        is_mug = crop[3] == 0.5
        assert (crop[REGION] > 0).sum() < is_mug.sum()  # the mug goes on beyond its region


def test_sample_that_is_kept_does_not_keep_the_others_of_its_image() -> None:
    for sample in region_samples(image(), true_regions(image()), LABELS).single:
        assert sample.crops.base is None


def test_regions_that_are_no_thing_or_of_no_class_are_no_samples() -> None:
    assert not len(region_samples(bare(), true_regions(bare()), LABELS))
    assert not len(region_samples(image(), true_regions(image()), (NO_THING, "sofa")))
    unclear = ImageRegions(image().things, np.array([0, 2]))
    assert region_samples(image(), unclear, LABELS).classes.tolist() == [1]


def test_network_learns_two_things_by_heart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RegionTrainer, "batch", 16)  # many steps in a short time
    training = trainer(1000, tmp_path / "checkpoint.pt")
    points = list(training.run(2, 2))
    assert points[-1]["loss"] < points[0]["loss"]
    assert points[-1]["regions"] == 1000
    samples = [region_samples(image(), true_regions(image()), LABELS)]
    assert score_regions(training.network, samples) == {"named_small": 100.0, "named_large": 100.0}
    assert (points[-1]["named_small"], points[-1]["named_large"]) == (100, 100)


def test_training_that_was_broken_off_goes_on_after_the_regions_that_it_has_seen(tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.pt"
    first = trainer(300, checkpoint)
    next(iter(first.run(3, 2)))
    first.save()
    second = trainer(300, checkpoint)
    assert second.seen == first.seen == 192
    assert second.points == first.points
    assert second.fingerprint == first.fingerprint
    torch.testing.assert_close(second.optimizer_state, first.optimizer_state, rtol=0, atol=0)
    assert [point["regions"] for point in second.run(3, 2)] == [300]
    assert [point["regions"] for point in second.points] == [192, 300]


def test_regions_teach_the_same_on_one_thread_as_on_one_for_each_piece(tmp_path: Path) -> None:
    one, *others = (trainer(300, tmp_path / "checkpoint.pt") for _ in range(3))
    for training, threads in ((one, 1), (others[0], 2), (others[1], 2)):
        list(training.run(1, threads))
    assert {other.fingerprint for other in others} == {one.fingerprint}


def test_images_of_no_thing_are_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no image shows a thing"):
        next(iter(trainer(300, tmp_path / "checkpoint.pt", bare()).run(1, 2)))


def test_score_of_images_without_visible_things_is_not_known() -> None:
    assert all(np.isnan(share) for share in score_regions(RegionClassifier(3), [Regions.none()]).values())


class Namer:
    """Knows what regions are, or says the contrary."""

    def __init__(self, right: bool) -> None:
        self._right = right

    def probabilities(
        self, image: NetworkImage, ids: NDArray[np.uint16], wanted: Sequence[int]
    ) -> NDArray[np.float32]:
        is_door = [(np.nonzero(ids == number)[1].mean() > 48) == self._right for number in wanted]
        said = [[0, 0.9, 0.1] if door else [0, 0.1, 0.9] for door in is_door]
        return np.array(said, np.float32).reshape(-1, len(LABELS))


def test_networks_of_this_package_name_most_things_of_an_unseen_flat_rightly(tmp_path: Path) -> None:
    images = LabelledImages(tmp_path, VALIDATION[:1], 12)
    assert list(images.render(1)) == [VALIDATION[0]]
    file = read_network_file(network_path(HOUSE))
    namer = load_namer(file)
    assert namer is not None
    named = named_regions(load_network(file), namer.namer, images, file.description.min_score)
    assert len(named.pixels) > 30
    assert named.share(namer.weight) > 75


@pytest.mark.parametrize("right", [True, False])
def test_second_network_counts_as_much_as_it_helps(right: bool) -> None:
    named = named_regions(Pixels(), Namer(right), Folder(image()), 0.2)
    assert (named.share(0.0), named.share(0.0, large=False), named.share(0.0, large=True)) == (50, 100, 0)
    assert named.share(1.0) == (100 if right else 0)
    assert (named.best_weight() > 0) == right


def test_regions_that_are_hardly_things_do_not_choose_the_weight() -> None:
    assert not len(named_regions(Pixels(), Namer(True), Folder(image()), 0.95).pixels)


@pytest.mark.parametrize(
    ("gained", "flats", "best"),
    [(3, range(100), 0.0), (10, range(100), 0.5), (10, [0] * 100, 0.0)],  # of few, of many flats, and of one
)
def test_gain_that_may_be_chance_is_none(gained: int, flats: Sequence[int], best: float) -> None:
    before = np.zeros(100, bool)
    after = before.copy()
    after[:gained] = True
    right = {weight: after if weight == 0.5 else before for weight in WEIGHTS}
    assert NamedRegions(right, np.full(100, 500), np.array(flats)).best_weight() == best
