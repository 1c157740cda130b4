"""Tests of perception with a network as its detector, in the component that an agent configures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from stma_ros.apps.training.export import write_description, write_pixels, write_region_classifier
from stma_ros.apps.training.labelled_images import STATES
from stma_ros.apps.training.pixel_network import PixelNetwork
from stma_ros.apps.training.region_classifier import RegionClassifier
from stma_ros.components.perception.detector_registry import NetworkChoice
from stma_ros.components.perception.perception import PerceptionConfig
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import BoxedObject, ClassMap, NetworkImage, NetworkOutput
from stma_ros.models.vision.networks import HOUSE, network_path
from stma_ros.models.vision.region_network import NAMED_AGAIN, WeightedNamer
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.names import NETWORK
from stma_ros.sensing.detectors.network import NetworkDetector
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.sensing.detectors.port import Detector
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.standard import Header, Image, Time
from support.components.household_components import HOUSEHOLD
from support.components.wall_frames import HEIGHT as IMAGE_HEIGHT
from support.components.wall_frames import WIDTH as IMAGE_WIDTH
from support.components.wall_frames import Patch, frame, perceiving
from support.models.vision_networks import HEIGHT, WIDTH, constant_network

PATCH = Patch("ignored", (20, 40), (20, 40))
ROWS = "{kind: rows, rows: found, boxes: normalised}"
MAPS = "{kind: class_map, logits: found, states: states, state_names: [open, closed, on]}"


def described(folder: Path, tensors: Mapping[str, Any], outputs: str, labels: str, more: str = "") -> str:
    """Writes a network that returns the tensors and the file that describes it; returns that file's name."""
    constant_network(folder / "tiny.onnx", tensors)
    path = folder / "tiny.yaml"
    path.write_text(
        f"network: tiny.onnx\ninput: {{name: image, size: [{WIDTH}, {HEIGHT}]}}\noutputs: {outputs}\n"
        f"labels: {labels}\n{more}",
        encoding="utf-8",
    )
    return str(path)


def detected(network: str, detector: Detector | None = None, recall: str = "") -> KeyframeDetections:
    """Returns what perception says of a frame without segmentation.

    Args:
        detector: by default one of the network.
        recall: as of `perception.recall`.
    """
    parts = frame(Time(1), (PATCH,))
    del parts[topics.SEGMENTATION], parts[topics.SEGMENTATION_LABELS]
    parts[topics.DEPTH] = depth_with_thing(Header(Time(1), "camera_optical_frame"))
    config = PerceptionConfig(source=NETWORK, network=network, recall=recall)
    perception = perceiving(config, detector=detector, network=NetworkChoice(network))
    emissions = [
        emission for topic, message in parts.items() for emission in perception.handle(topic, message)
    ]
    ((topic, update),) = emissions
    assert topic == topics.KEYFRAME_DETECTIONS
    assert isinstance(update, KeyframeDetections)
    return update


def depth_with_thing(header: Header) -> Image:
    """Returns a depth image of the wall with a thing half a metre before the patch."""
    pixels = np.full((IMAGE_HEIGHT, IMAGE_WIDTH), 2000, np.uint16)
    pixels[20:40, 20:40] = 1500
    return Image.from_array(header, pixels, "16UC1")


def row(label: int, score: float = 0.8) -> list[float]:
    """Returns a box around the patch with a margin of two pixels."""
    left, right = 18 / IMAGE_WIDTH, 42 / IMAGE_WIDTH
    top, bottom = 18 / IMAGE_HEIGHT, 42 / IMAGE_HEIGHT
    return [left, top, right, bottom, score, label]


def test_network_does_not_ask_for_the_labels_of_a_segmentation() -> None:
    config = PerceptionConfig(source=NETWORK)
    assert not any(map(config.uses, (topics.SEGMENTATION, topics.SEGMENTATION_LABELS)))


class ConstantNetwork:
    """Finds the same mugs in every image."""

    labels = ("mug",)
    geometry_size = None
    frame_time = 0.0

    def __init__(self, *objects: BoxedObject) -> None:
        self._objects = objects

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        return [NetworkOutput(self._objects) for _ in images]


def mug(score: float, mask: tuple[slice, slice] | None) -> BoxedObject:
    """Returns a mug in a box around the patch. mask: rows and columns of its pixels."""
    pixels = None
    if mask is not None:
        pixels = np.zeros((IMAGE_HEIGHT, IMAGE_WIDTH), bool)
        pixels[mask] = True
    return BoxedObject("mug", score, (18, 18, 42, 42), pixels)


def sizes(*objects: BoxedObject) -> list[int]:
    """Returns the numbers of pixels of a network's objects as perception reports them, in their order."""
    detector = NetworkDetector(ConstantNetwork(*objects), HOUSEHOLD, DepthLimits(6.0, 20))
    pixels = {round(each.confidence, 2): each.pixels for each in detected("", detector).detections}
    return [pixels[score] for score in sorted(pixels, reverse=True)]


def only(update: KeyframeDetections) -> Detection:
    (detection,) = update.detections
    return detection


def test_thing_in_a_box_is_placed_by_the_depth_of_its_foreground_with_the_network_s_score(
    tmp_path: Path,
) -> None:
    network = described(tmp_path, {"found": [row(0)]}, ROWS, "[mug]")
    thing = only(detected(network))
    assert (thing.category, thing.pixels) == ("mug", 400)
    assert thing.confidence == pytest.approx(0.8, abs=1e-4)
    assert thing.center.x == pytest.approx(1.5, abs=0.01)


def test_labels_are_named_as_the_file_says_and_what_stands_for_nothing_is_left_out(tmp_path: Path) -> None:
    boxes = {"found": [row(0), row(1, 0.7), row(2, 0.6)]}
    more = 'categories: {potted thing: plant, person: ""}\n'
    network = described(tmp_path, boxes, ROWS, "[person, wall, potted thing]", more)
    assert only(detected(network)).category == "plant"


@pytest.mark.parametrize(
    ("more", "asked", "recall"),
    [("", "", 0.75), ("recall: 0.4\n", "", 0.4), ("recall: 0.4\n", "network=0.6", 0.6)],
)
def test_recall_is_the_user_s_or_else_that_of_the_network_s_file(
    tmp_path: Path, more: str, asked: str, recall: float
) -> None:
    network = described(tmp_path, {"found": [row(0)]}, ROWS, "[mug]", more)
    (look,) = detected(network, recall=asked).looks
    assert look.recall == pytest.approx(recall)


def test_region_of_a_class_map_has_its_own_pixels_mean_score_and_likely_states(tmp_path: Path) -> None:
    maps = np.zeros((2, IMAGE_HEIGHT // 4, IMAGE_WIDTH // 4))
    maps[1] = -5.0
    maps[1, 5:10, 5:10] = np.log(4)  # the patch
    states = np.full((3, *maps.shape[1:]), -9.0)
    states[0, 5:10, 5:10], states[1, 5:10, 5:10], states[2, 5:10, 5:10] = 2.0, 1.0, -1.0
    network = described(tmp_path, {"found": maps, "states": states}, MAPS, "[none, cabinet]")
    thing = only(detected(network))
    assert (thing.category, thing.pixels) == ("cabinet", 400)
    assert thing.confidence == pytest.approx(0.8, abs=1e-4)
    assert [(each.state, round(each.confidence, 3)) for each in thing.states] == [("open", 0.881)]


def test_region_of_a_class_map_is_a_thing_by_the_sum_of_all_that_it_may_be(tmp_path: Path) -> None:
    maps = np.full((5, IMAGE_HEIGHT // 4, IMAGE_WIDTH // 4), -9.0)
    maps[0] = 9.0
    maps[:, 5:10, 5:10] = np.log([0.2, 0.25, 0.39, 0.15, 0.01])[:, None, None]
    labels, more = "[none, mug, bowl, beaker, person]", 'categories: {beaker: mug, person: ""}\nmin_score: '
    outputs = "{kind: class_map, logits: found}"
    thing = only(detected(described(tmp_path, {"found": maps}, outputs, labels, f"{more}0.75\n")))
    scores = {each.category: each.score for each in thing.hypotheses}
    assert scores == {"mug": pytest.approx(0.4, abs=1e-4), "bowl": pytest.approx(0.39, abs=1e-4)}
    assert thing.category == "mug"
    assert thing.presence == pytest.approx(0.79, abs=1e-4)
    strict = described(tmp_path, {"found": maps}, outputs, labels, f"{more}0.8\n")
    assert not detected(strict).detections


def test_region_that_is_surely_a_thing_and_may_be_nearly_anything_is_left_out(tmp_path: Path) -> None:
    kinds = [f"kind{number}" for number in range(30)]
    maps = np.full((31, IMAGE_HEIGHT // 4, IMAGE_WIDTH // 4), -9.0)
    maps[0] = 9.0
    maps[:, 5:10, 5:10] = np.log([0.02, *[0.03] * 30])[:, None, None]
    labels, outputs = f"[none, {', '.join(kinds)}]", "{kind: class_map, logits: found}"
    loose, strict = (
        detected(described(tmp_path, {"found": maps}, outputs, labels, f"min_score: {score}\n"))
        for score in (0.1, 0.5)
    )
    assert [round(each.score, 3) for each in only(loose).hypotheses] == [0.033] * 5
    assert not strict.detections


def test_score_of_a_region_counts_whether_its_pixels_point_to_its_own_middle(tmp_path: Path) -> None:
    maps = np.full((2, IMAGE_HEIGHT // 4, IMAGE_WIDTH // 4), -9.0)
    maps[0] = 9.0
    maps[:, 5:10, 5:10] = np.log([0.1, 0.9])[:, None, None]
    rows, columns = np.indices(maps.shape[1:]) * 4 + 1.5  # of the middles of cells

    def presence(column: float) -> float:
        """Returns how likely a thing is there if all pixels point to a column."""
        shifts = np.stack([(column - columns) * WIDTH / IMAGE_WIDTH, (29.5 - rows) * HEIGHT / IMAGE_HEIGHT])
        outputs = "{kind: class_map, logits: found, middles: shifts}"
        tensors, more = {"found": maps, "shifts": shifts}, "min_score: 0.1\n"
        return only(detected(described(tmp_path, tensors, outputs, "[none, mug]", more))).presence

    assert presence(29.5) == pytest.approx(0.9, abs=1e-3)
    assert presence(36.0) == pytest.approx(0.45, abs=0.1)
    assert presence(44.0) < 0.25


def test_surface_of_an_object_with_a_mask_is_what_the_mask_shows_and_not_the_foreground_of_its_box() -> None:
    assert sizes(mug(0.9, (slice(20, 40), slice(20, 30)))) == [200]
    assert sizes(mug(0.9, None)) == [400]


def test_pixels_of_two_masks_belong_to_the_smaller_one() -> None:
    large, small = (slice(20, 40), slice(20, 40)), (slice(20, 40), slice(25, 30))
    assert sizes(mug(0.9, large), mug(0.8, small)) == [300, 100]
    assert sizes(mug(0.9, small), mug(0.8, large)) == [100, 300]


def test_objects_with_and_without_masks_keep_their_own_surfaces() -> None:
    masked = mug(0.8, (slice(20, 40), slice(20, 30)))
    assert sizes(mug(0.9, None), masked) == [400, 200]
    assert sizes(masked, mug(0.7, None)) == [200, 400]


def test_object_whose_mask_has_too_few_pixels_is_left_out() -> None:
    assert sizes(mug(0.9, (slice(20, 22), slice(20, 25)))) == []


def test_network_of_this_package_is_used_by_its_name() -> None:
    file = read_network_file(network_path(HOUSE))
    assert file.regions is not None
    assert sum(path.stat().st_size for path in (file.network, file.regions.network)) < 5_000_000
    assert PerceptionConfig().network == HOUSE
    (look,) = detected(HOUSE).looks
    assert 0 < look.recall < 1


def test_network_that_is_neither_a_file_nor_of_this_package_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"hous is neither a network of this package"):
        detected("hous")


def test_missing_network_file_is_refused_with_its_name(tmp_path: Path) -> None:
    network = described(tmp_path, {"found": [row(0)]}, ROWS, "[mug]")
    (tmp_path / "tiny.onnx").unlink()
    with pytest.raises(ConfigurationError, match=r"there is no network file .*tiny\.onnx"):
        detected(network)


class ConstantMap:
    """Takes the patch for a mug or a bowl, with a geometry that it does not look at."""

    labels = ("none", "bowl", "mug", "person")
    geometry_size = (IMAGE_WIDTH, IMAGE_HEIGHT)
    frame_time = 0.0

    def __init__(self, *shares: float) -> None:
        self._shares = shares

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        cells = np.zeros((IMAGE_HEIGHT, IMAGE_WIDTH), np.int32)
        cells[20:40, 20:40] = 1
        probabilities = np.array([[1, 0, 0, 0], self._shares], np.float32)
        return [NetworkOutput(class_map=ClassMap(probabilities, cells, None, self.labels))]


class ConstantNamer:
    """Says the same of every region, or fails; records the regions that it is asked about."""

    def __init__(self, *shares: float, error: NetworkError | None = None) -> None:
        self._shares = shares
        self._error = error
        self.asked: list[int] = []

    def probabilities(
        self, image: NetworkImage, ids: NDArray[np.uint16], wanted: Sequence[int]
    ) -> NDArray[np.float32]:
        if self._error is not None:
            raise self._error
        self.asked += [int((ids == number).sum()) for number in wanted]
        return np.array([self._shares] * len(wanted), np.float32).reshape(-1, 4)


def named(network: ConstantMap, namer: ConstantNamer, weight: float = 0.5) -> KeyframeDetections:
    limits, words = DepthLimits(6.0, 20), {"person": ""}
    detector = NetworkDetector(network, HOUSEHOLD, limits, words, namer=WeightedNamer(namer, weight))
    return detected("", detector)


def test_namer_decides_where_the_network_is_unsure() -> None:
    namer = ConstantNamer(0, 0.9, 0.1, 0)
    mug = only(named(ConstantMap(0.2, 0.38, 0.42, 0), namer))
    assert mug.category == "bowl"
    assert mug.presence == pytest.approx(0.8, abs=0.01)  # as likely a thing as the network says
    assert namer.asked == [400]
    assert only(named(ConstantMap(0.2, 0.38, 0.42, 0), namer, 0.01)).category == "mug"


def test_namer_is_not_asked_where_the_network_is_sure() -> None:
    namer = ConstantNamer(0, 1, 0, 0)
    assert only(named(ConstantMap(0.1, 0.02, 0.88, 0), namer)).category == "mug"
    assert namer.asked == []


def test_namer_makes_nothing_of_what_is_not_remembered() -> None:
    mug = only(named(ConstantMap(0.2, 0.38, 0.42, 0), ConstantNamer(0, 0.05, 0.05, 0.9)))
    assert {each.category for each in mug.hypotheses} == {"mug", "bowl"}


def test_failing_namer_is_an_error_of_the_keyframe() -> None:
    update = named(ConstantMap(0.2, 0.4, 0.4, 0), ConstantNamer(error=NetworkError("it does not run")))
    assert (update.keyframe, update.error.text) == (False, "it does not run")


class ManyThings(ConstantMap):
    """Takes each of a dozen squares for a mug or a bowl, the later ones more surely for a thing."""

    count = NAMED_AGAIN + 4

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        cells = np.zeros((IMAGE_HEIGHT, IMAGE_WIDTH), np.int32)
        for number in range(self.count):
            row, column = 2 + 10 * (number // 6), 2 + 10 * (number % 6)
            cells[row : row + 6, column : column + 6] = number + 1
        things = np.linspace(0.7, 0.9, self.count)[:, None] * np.array([0, 0.45, 0.55, 0])
        things[:, 0] = 1 - things.sum(axis=1)
        probabilities = np.concatenate(([[1, 0, 0, 0]], things)).astype(np.float32)
        return [NetworkOutput(class_map=ClassMap(probabilities, cells, None, self.labels))]


def test_of_many_things_the_likeliest_are_named_again() -> None:
    found = named(ManyThings(), ConstantNamer(0, 1, 0, 0)).detections
    by_presence = sorted(found, key=lambda each: -each.presence)
    assert [each.category for each in by_presence] == ["bowl"] * NAMED_AGAIN + ["mug"] * 4


def test_networks_of_a_file_name_things_together(tmp_path: Path) -> None:
    labels = ("none", "sofa", "mug")
    pixels, regions = PixelNetwork(len(labels), len(STATES)), RegionClassifier(len(labels))
    with torch.no_grad():
        for head in (*pixels.classes, regions.classes):
            head.weight.zero_()
            head.bias.copy_(torch.tensor([0.0, 1.0, 0.6]))
        regions.classes.bias.copy_(torch.tensor([0.0, 0.0, 5.0]))
    path, network, second = (tmp_path / name for name in ("own.yaml", "own.onnx", "second.onnx"))
    write_pixels(pixels, (IMAGE_WIDTH, IMAGE_HEIGHT), network)
    write_region_classifier(regions, labels, second)
    for choice, category in ((None, "sofa"), ((second, 0.05), "sofa"), ((second, 0.8), "mug")):
        write_description(path, network, labels, (IMAGE_WIDTH, IMAGE_HEIGHT), 0.2, 0.8, {}, choice)
        assert {each.category for each in detected(str(path)).detections} == {category}
