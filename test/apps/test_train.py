"""Tests of `stma train`, from rendered flats to a network that perception loads."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from stma_ros.apps import cli
from stma_ros.apps.training import command, region_trainer
from stma_ros.apps.training.batches import make_batch, part_of
from stma_ros.apps.training.command import (
    CHECKPOINT,
    CURVE,
    NETWORK,
    REGION_CHECKPOINT,
    REGION_CURVE,
    REGIONS,
)
from stma_ros.apps.training.labelled_images import (
    NO_THING,
    STATES,
    LabelledImage,
    LabelledImages,
    TrainingData,
)
from stma_ros.apps.training.pixel_network import MIDDLE_UNIT, STRIDE, PixelNetwork
from stma_ros.apps.training.pixel_trainer import PixelTrainer, losses_of
from stma_ros.apps.training.region_weight import NamedRegions
from stma_ros.apps.training.validation import ImageScore, score_images
from stma_ros.evaluation.flats import (
    ENGINE_COMPARISON,
    EQA,
    MAPPING,
    PERCEPTION,
    REARRANGEMENT,
    TRAINING,
    VALIDATION,
)
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.models.vision.network import NetworkImage
from stma_ros.models.vision.onnx_network import OnnxNetwork
from stma_ros.models.vision.region_network import RegionNetwork
from stma_ros.sensing.detectors.network_file import RegionsFile, read_network_file
from stma_ros.types.errors import StorageError

ARGUMENTS = ("--flats", "1", "--images", "40", "--regions", "200", "--threads", "1")


def image(height: int = 16, width: int = 24) -> LabelledImage:
    """Returns an image with a mug (open, for the test) at the left and a door (closed) at the right."""
    things = np.zeros((height, width), np.uint16)
    things[4:12, 2:8], things[2:14, 16:24] = 1, 2
    states = np.zeros((3, len(STATES)), bool)
    states[1, STATES.index("open")] = states[2, STATES.index("closed")] = True
    colour = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    return labelled(things, colour, (NO_THING, "mug", "door"), states)


def labelled(
    things: np.ndarray, colour: np.ndarray, categories: tuple[str, ...], states: np.ndarray
) -> LabelledImage:
    """Returns an image of which no depth was measured."""
    height, width = things.shape
    depth_mm, geometry = np.zeros((height, width), np.uint16), np.zeros((height, width, 3), np.float32)
    camera = PinholeCamera(width, height, 1.0, 1.0, 0.0, 0.0)
    return LabelledImage(colour, depth_mm, geometry, things, categories, states, camera)


LABELS = (NO_THING, "door", "mug")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    assert cli.main(["train", str(folder), *ARGUMENTS]) == 0
    return folder


def test_flats_of_the_training_are_none_of_any_suite() -> None:
    ours = (TRAINING, VALIDATION)
    assert max(TRAINING) < min(VALIDATION)
    for suite in (REARRANGEMENT, EQA, PERCEPTION, ENGINE_COMPARISON, MAPPING):
        assert max(VALIDATION) < min(suite.of(0, 0))
    assert min(map(min, ours)) >= 1000  # flats that people try by hand


def test_batch_has_class_states_and_middle_of_the_thing_in_each_pixel() -> None:
    batch = make_batch([image()], LABELS, None)
    row, column = 6 // STRIDE, 4 // STRIDE
    assert LABELS[int(batch.classes[0, row, column])] == "mug"
    assert [STATES[k] for k in np.flatnonzero(batch.states[0, :, row, column].numpy())] == ["open"]
    cell = np.array((column, row)) * STRIDE + (STRIDE - 1) / 2
    middle = cell + batch.middles[0, :, row, column].numpy() * MIDDLE_UNIT
    assert middle == pytest.approx((4.5, 7.5))
    drawn = batch.classes[0].flatten()[batch.cells[0]]
    often = [float((drawn == k).sum() / (batch.classes[0] == k).sum()) for k in (1, 2)]
    assert often[1] > often[0]  # a cell of the small mug is drawn more often than one of the door


def test_mirrored_image_has_the_labels_of_an_image_that_was_mirrored_before() -> None:
    seen = image()
    odd = replace(seen, things=np.roll(seen.things, 1, axis=1))  # things that begin in odd columns
    mirrored = replace(
        odd, colour=odd.colour[:, ::-1], geometry=odd.geometry[:, ::-1], things=odd.things[:, ::-1]
    )
    plain, wanted = make_batch([odd], LABELS, None), make_batch([mirrored], LABELS, None)
    for seed in range(20):
        varied = make_batch([odd], LABELS, np.random.default_rng(seed))
        if not torch.equal(varied.classes, plain.classes):
            break
    else:
        pytest.fail("no image of 20 was mirrored")
    for part in ("geometry", "classes", "states", "middles"):
        assert torch.equal(getattr(varied, part), getattr(wanted, part)), part


def test_part_of_an_image_has_half_of_its_area_and_a_thing_of_it() -> None:
    seen = image(96, 128)  # both things are in one corner
    for seed in range(20):
        part = part_of(seen, np.random.default_rng(seed))
        assert part.things.shape == part.colour.shape[:2] == part.geometry.shape[:2] == (64, 96)
        assert part.things.any()
        places = np.lib.stride_tricks.sliding_window_view(seen.colour, part.colour.shape)[..., 0, :, :, :]
        assert (places == part.colour).all(axis=(-1, -2, -3)).any()


def test_part_of_an_image_without_things_is_a_corner_of_it() -> None:
    bare = replace(image(96, 128), things=np.zeros((96, 128), np.uint16))
    part = part_of(bare, np.random.default_rng(0))
    assert np.array_equal(part.colour, bare.colour[:64, :96])


def test_network_says_of_drawn_cells_what_it_says_of_all() -> None:
    network = PixelNetwork(len(LABELS), len(STATES)).eval()
    batch = make_batch([image(32, 32), image(32, 32)], LABELS, None)
    with torch.no_grad():
        everywhere = network(batch.image, batch.geometry)
        drawn = network.at(batch.image, batch.geometry, batch.cells)
    for whole, part in zip(everywhere, drawn, strict=True):
        wanted = whole.flatten(2).gather(2, batch.cells[:, None].expand(-1, whole.shape[1], -1))
        assert torch.allclose(part, wanted, atol=1e-5)


def test_coarse_images_show_the_same_with_half_of_the_pixels(trained: Path) -> None:
    flat = LabelledImages(trained / "images", TRAINING[:1], 12)
    for fine, coarse in zip(flat.read(TRAINING[0]), flat.read(TRAINING[0], 2), strict=True):
        assert np.array_equal(fine.things[::2, ::2], coarse.things)
        height, known = coarse.geometry[..., 1], coarse.geometry[..., 0] > 0
        assert np.allclose(height[known], fine.geometry[::2, ::2, 1][known], atol=1e-3)


def test_training_writes_a_network_that_perception_loads_and_that_says_what_was_trained(
    trained: Path,
) -> None:
    found = read_network_file(trained / NETWORK)
    network = OnnxNetwork(found.network, found.description)
    assert found.network.stat().st_size + (trained / REGIONS).stat().st_size < 5_000_000
    assert network.labels[0] == NO_THING
    assert "door" in network.labels
    (seen, *_) = LabelledImages(trained / "images", TRAINING[:1], 12).read(TRAINING[0])
    (output,) = network.detect([NetworkImage(seen.colour, seen.geometry)])
    assert output.class_map is not None
    state = torch.load(trained / CHECKPOINT, weights_only=True)
    original = PixelNetwork(len(network.labels), len(STATES))
    original.load_state_dict(state["network"])
    batch = make_batch([seen], network.labels, None)
    with torch.no_grad():
        classes, states, middles = original.eval()(batch.image, batch.geometry)
    found = output.class_map
    cells = found.cells[::STRIDE, ::STRIDE]
    likeliest = found.probabilities.argmax(axis=1)[cells]
    same = likeliest == classes[0].argmax(dim=0).numpy()
    assert same.mean() > 0.97  # constants have 8 bits
    assert found.states is not None
    assert found.middles is not None
    shares = torch.sigmoid(states[0]).numpy().transpose(1, 2, 0)
    assert np.abs(found.states[cells] - shares).max() < 0.02
    own = np.stack(np.meshgrid(np.arange(160), np.arange(120)), axis=-1) * STRIDE + (STRIDE - 1) / 2
    wanted = own + middles[0].numpy().transpose(1, 2, 0) * MIDDLE_UNIT
    assert np.abs(found.middles[cells] - wanted).max() < 1.0


def test_regions_are_named_by_a_network_that_helps_and_by_none_otherwise(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [json.loads(line) for line in (trained / REGION_CURVE).read_text().splitlines()]
    assert written[-1]["regions"] == 200
    labels = read_network_file(trained / NETWORK).description.labels
    assert RegionNetwork(trained / REGIONS, labels).region_time > 0
    monkeypatch.setattr(command, "MIN_FLATS", 1)
    for weight in (0.4, 0.0):
        monkeypatch.setattr(NamedRegions, "best_weight", lambda self, weight=weight: weight)
        assert cli.main(["train", str(trained), *ARGUMENTS]) == 0
        regions = read_network_file(trained / NETWORK).regions
        assert regions == (RegionsFile(trained / REGIONS, weight) if weight else None)


def test_few_flats_do_not_tell_whether_a_second_network_helps(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", str(trained), *ARGUMENTS]) == 0
    assert "1 flats for validation are too few to tell" in capsys.readouterr().out
    assert read_network_file(trained / NETWORK).regions is None


def test_ended_training_that_is_broken_off_when_it_is_called_again_leaves_both_networks(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: NamedRegions) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "MIN_FLATS", 1)
    for best_weight, status in ((lambda self: 0.4, 0), (interrupted, 130)):
        monkeypatch.setattr(NamedRegions, "best_weight", best_weight)
        assert cli.main(["train", str(trained), *ARGUMENTS]) == status
        assert read_network_file(trained / NETWORK).regions == RegionsFile(trained / REGIONS, 0.4)


def test_regions_that_another_first_network_found_are_not_learnt_on(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "other"
    shutil.copytree(trained, folder)
    state = torch.load(folder / CHECKPOINT, weights_only=True)
    state["network"] = {
        name: values + 1e-3 if values.is_floating_point() else values
        for name, values in state["network"].items()
    }
    torch.save(state, folder / CHECKPOINT)
    assert cli.main(["train", str(folder), *ARGUMENTS]) == 2
    assert "is of a training with another network of pixels" in " ".join(capsys.readouterr().err.split())


def test_training_without_a_network_of_regions_writes_one_network(trained: Path, tmp_path: Path) -> None:
    shutil.copytree(trained / "images", tmp_path / "images")
    assert (
        cli.main(
            ["train", str(tmp_path), *ARGUMENTS[:2], "--images", "8", "--regions", "0", "--threads", "1"]
        )
        == 0
    )
    assert not (tmp_path / REGIONS).exists()
    assert read_network_file(tmp_path / NETWORK).regions is None


def test_learning_curve_has_a_point_for_each_share_of_the_training(trained: Path) -> None:
    points = [json.loads(line) for line in (trained / CURVE).read_text().splitlines()]
    assert [point["images"] for point in points] == [16, 32, 40]  # a coarse batch, and two of parts
    assert all(0 <= point["recall"] <= 100 and point["class_loss"] > 0 for point in points)


def test_figure_that_is_not_known_is_null_in_the_learning_curve(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "other"
    shutil.copytree(trained, folder, ignore=shutil.ignore_patterns(REGION_CHECKPOINT))
    scores = {"named_small": float("nan"), "named_large": 50.0}
    monkeypatch.setattr(region_trainer, "score_regions", lambda network, samples: scores)
    assert cli.main(["train", str(folder), *ARGUMENTS]) == 0
    *_, last = (folder / REGION_CURVE).read_text().splitlines()
    point = json.loads(last, parse_constant=pytest.fail)  # JSON has no number NaN
    assert (point["named_small"], point["named_large"]) == (None, 50.0)


def test_training_that_has_ended_is_not_begun_again_and_another_one_needs_another_folder(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (trained / CURVE).read_text()
    assert cli.main(["train", str(trained), *ARGUMENTS]) == 0
    assert (trained / CURVE).read_text() == before
    assert cli.main(["train", str(trained), *ARGUMENTS, "--seed", "1"]) == 2
    assert "give another folder" in capsys.readouterr().err


def test_training_that_was_broken_off_goes_on_after_the_images_that_it_has_seen(
    trained: Path, tmp_path: Path
) -> None:
    images = LabelledImages(trained / "images", TRAINING[:1], 12)
    checkpoint = tmp_path / "checkpoint.pt"
    data, key = TrainingData(images, images, images.labels()), {"images": 40, "seed": 0}
    first = PixelTrainer(data, key, checkpoint)
    assert next(iter(first.run(5, 2)))["images"] == 16
    first.save()
    second = PixelTrainer(data, key, checkpoint)
    assert second.seen == 16
    assert second.fingerprint == first.fingerprint
    torch.testing.assert_close(second.optimizer_state, first.optimizer_state, rtol=0, atol=0)
    assert [point["images"] for point in second.run(5, 2)] == [32, 40]


def test_images_teach_the_same_each_time(trained: Path, tmp_path: Path) -> None:
    images = LabelledImages(trained / "images", TRAINING[:1], 12)
    data, key = TrainingData(images, images, images.labels()), {"images": 40, "seed": 0}
    one, other = (PixelTrainer(data, key, tmp_path / "checkpoint.pt") for _ in range(2))
    for training in (one, other):
        list(training.run(1, 1))
    assert other.points[0]["class_loss"] == one.points[0]["class_loss"]
    assert other.fingerprint == one.fingerprint


def test_network_learns_one_image_by_heart() -> None:
    torch.manual_seed(0)
    network = PixelNetwork(len(LABELS), len(STATES))
    optimizer = torch.optim.AdamW(network.parameters(), 3e-3)
    batch = make_batch([image(32, 48)], LABELS, None)
    for _ in range(60):
        classes, _, _ = network(batch.image, batch.geometry)
        loss = torch.nn.functional.cross_entropy(classes, batch.classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (classes.argmax(dim=1) == batch.classes).float().mean() > 0.95


class Guess(torch.nn.Module):
    """Says the same of every cell."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.zeros(len(LABELS)))

    def at(self, image: Tensor, geometry: Tensor, cells: Tensor) -> tuple[Tensor, ...]:
        shape = len(cells), -1, cells.shape[1]
        zeros = (torch.zeros(1, count, 1).expand(*shape) for count in (len(STATES), 2))
        return self.logits[None, :, None].expand(*shape), *zeros


def test_network_learns_how_many_cells_show_no_thing_though_more_of_things_are_drawn() -> None:
    things = np.zeros((32, 48), np.uint16)
    things[4:12, 4:16], things[16:24, 24:36] = 1, 2  # 24 cells each
    large = replace(image(32, 48), things=things)
    batch, guess = make_batch([large], LABELS, np.random.default_rng(0)), Guess()
    optimizer = torch.optim.Adam(guess.parameters(), 0.1)
    for _ in range(200):
        optimizer.zero_grad()
        losses_of(guess, batch)[0].backward()
        optimizer.step()
    said = torch.softmax(guess.logits, 0)[0].item()
    drawn = (batch.classes.flatten(1).gather(1, batch.cells) == 0).float().mean().item()
    assert drawn < 0.3
    assert said == pytest.approx((things == 0).mean(), abs=0.03)


def test_score_counts_visible_things_by_class_and_names_what_they_are_taken_for() -> None:
    small = image()
    things = np.kron(small.things, np.ones((4, 4), np.uint16))
    large = labelled(things, np.zeros((64, 96, 3), np.uint8), small.categories, small.states)
    network = PixelNetwork(len(LABELS), len(STATES))
    with torch.no_grad():
        for head in (*network.classes, network.states):
            head.weight.zero_()
            head.bias.copy_(torch.arange(len(head.bias)).flip(0).float())
        for head in network.classes:
            head.bias.copy_(torch.tensor([0.0, 5.0, 0.0]))  # all is a door
    score = score_images(network, [large], LABELS)
    assert dict(score.things) == {("mug", "small"): 1, ("door", "large"): 1}
    assert dict(score.found) == {("door", "large"): 1}
    assert dict(score.confused) == {("mug", "door"): 1}
    assert (score.recall(), score.recall("small"), score.recall("large")) == (0.5, 0.0, 1.0)
    assert (score.states, score.right) == (1, 0)  # it says open, and is closed


def test_thing_of_which_less_than_half_is_right_is_not_found() -> None:
    things = np.zeros((40, 60), np.uint16)
    things[:, :50] = 1
    seen = labelled(
        things, np.zeros((40, 60, 3), np.uint8), (NO_THING, "mug"), np.zeros((2, len(STATES)), bool)
    )
    classes = np.zeros((20, 30), np.int64)
    classes[:, :10], classes[:, 10:18] = 2, 1  # 40 % a mug, 32 % a door, the rest nothing
    score = ImageScore()
    score.add(seen, classes, np.zeros((len(STATES), 20, 30), np.float32), LABELS)
    assert not score.found
    assert dict(score.confused) == {("mug", "door"): 1}


def test_damaged_images_are_told_with_the_remedy(trained: Path, tmp_path: Path) -> None:
    images = LabelledImages(tmp_path / "images", TRAINING[:1], 12)
    (source,) = (trained / "images").glob(f"flat_{TRAINING[0]}_*.npz")
    for content in (source.read_bytes()[:5000], b""):
        (tmp_path / "images" / source.name).write_bytes(content)
        for reading in (lambda: images.read(TRAINING[0]), images.labels):
            with pytest.raises(StorageError, match="remove it, and it is rendered again"):
                reading()


def test_image_that_is_kept_does_not_keep_the_others_of_its_flat(trained: Path) -> None:
    (first, *_) = LabelledImages(trained / "images", TRAINING[:1], 12).read(TRAINING[0], 2)
    for part in (first.colour, first.depth_mm, first.things):
        assert part.base is None


def test_folder_that_cannot_be_made_is_told_with_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["train", str(tmp_path / "file"), *ARGUMENTS]) == 2
    assert "cannot be a folder" in capsys.readouterr().err


def test_damaged_checkpoint_is_told_with_the_remedy(trained: Path, tmp_path: Path) -> None:
    images = LabelledImages(trained / "images", TRAINING[:1], 12)
    data = TrainingData(images, images, images.labels())
    content = (trained / CHECKPOINT).read_bytes()
    for damaged in (b"junk", content[: len(content) // 2], b""):
        (tmp_path / CHECKPOINT).write_bytes(damaged)
        with pytest.raises(StorageError, match="remove it to begin the training anew"):
            PixelTrainer(data, {"images": 16, "seed": 0}, tmp_path / CHECKPOINT)


def test_another_training_is_refused_before_anything_is_rendered(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted((trained / "images").iterdir())
    assert cli.main(["train", str(trained), "--flats", "3", "--images", "16", "--threads", "1"]) == 2
    assert "give another folder" in capsys.readouterr().err
    assert sorted((trained / "images").iterdir()) == before


def test_more_flats_than_there_are_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", str(tmp_path), "--flats", str(len(TRAINING) + 1)]) == 2
    assert "there are 800000 flats to train on" in capsys.readouterr().err
