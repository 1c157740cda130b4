"""Tests of the network that names regions: what it is shown, and how it counts beside the first one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.training.export import write_region_classifier
from stma_ros.apps.training.region_classifier import RegionClassifier
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import NetworkImage
from stma_ros.models.vision.region_crops import CHANNELS, EXTENT, REGION, SIZE, region_crops
from stma_ros.models.vision.region_network import NAMED_AGAIN, RegionNetwork, pooled, unsure_regions
from stma_ros.types.errors import ConfigurationError

LABELS = ("none", "door", "mug", "sofa", "table")
CLASSES = len(LABELS)


def image(height: int = 60, width: int = 80) -> tuple[NetworkImage, np.ndarray]:
    """Returns a red thing of 10 x 20 pixels before grey, 2 m away before 4 m, and its region as number 3."""
    colour = np.full((height, width, 3), 128, np.uint8)
    geometry = np.zeros((height, width, 3), np.float32)
    geometry[..., 0] = 0.25
    ids = np.zeros((height, width), np.uint16)
    colour[20:30, 30:50], geometry[20:30, 30:50, 0], ids[20:30, 30:50] = (255, 0, 0), 0.5, 3
    return NetworkImage(colour, geometry), ids


def test_crop_shows_the_region_in_its_middle_with_what_is_around_it() -> None:
    seen, ids = image()
    (crop,) = region_crops(seen, ids, [3])
    assert crop.shape == (CHANNELS, SIZE, SIZE)
    middle = crop[:, SIZE // 2, SIZE // 2]
    assert middle[:3] == pytest.approx((1, 0, 0), abs=0.01)
    assert (middle[3], middle[REGION]) == (0.5, 1)
    corner = crop[:, 0, 0]
    assert corner[:3] == pytest.approx((0.5, 0.5, 0.5), abs=0.01)
    assert (corner[3], corner[REGION]) == (0.25, 0)
    assert crop[REGION].mean() == pytest.approx(200 / 28**2, rel=0.1)  # 20 pixels and 4 at each side
    assert 2.0 ** crop[EXTENT] == pytest.approx(28 / 80)


def test_crop_at_the_edge_of_the_image_is_grey_and_unmeasured_beyond_it() -> None:
    seen, ids = image()
    moved = np.zeros_like(ids)
    moved[:4, :8] = 1
    (crop,) = region_crops(seen, moved, [1])
    assert crop[:3, 0, 0] == pytest.approx((0.5, 0.5, 0.5))
    assert not crop[3:6, 0].any()
    assert not crop[-2, 0].any()
    assert crop[REGION].any()


@given(st.integers(0, 59), st.integers(0, 79), st.integers(1, 60))
def test_any_region_has_a_crop(row: int, column: int, length: int) -> None:
    seen, ids = image()
    ids = np.zeros_like(ids)
    ids[row : row + length, column : column + length] = 1
    (crop,) = region_crops(seen, ids, [1])
    assert np.isfinite(crop).all()
    height, width = (ids.any(axis=axis).sum() for axis in (1, 0))
    assert crop[REGION].any() or SIZE * min(height, width) < 2 * max(height, width)


def test_crop_of_coarser_geometry_shows_the_same_places() -> None:
    seen, ids = image()
    assert seen.geometry is not None
    coarse = NetworkImage(seen.colour, np.ascontiguousarray(seen.geometry[::2, ::2]))
    assert np.abs(region_crops(seen, ids, [3]) - region_crops(coarse, ids, [3])).mean() < 0.02


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RegionClassifier]:
    torch.manual_seed(1)
    model = RegionClassifier(CLASSES)
    with torch.no_grad():
        model.classes.weight *= 300  # so that it is sure of something
    path = tmp_path_factory.mktemp("regions") / "regions.onnx"
    write_region_classifier(model, LABELS, path)
    return path, model


def test_network_in_the_file_says_what_the_trained_one_says(file: tuple[Path, RegionClassifier]) -> None:
    path, model = file
    network = RegionNetwork(path, LABELS)
    seen, ids = image()
    ids[50:58, 2:12] = 4
    found = network.probabilities(seen, ids, [3, 4])
    with torch.no_grad():
        said = torch.softmax(model.eval()(torch.from_numpy(region_crops(seen, ids, [3, 4]))), dim=1)
    assert np.abs(found[0] - found[1]).max() > 0.1
    assert found == pytest.approx(said.numpy(), abs=0.05)  # weights of 8 bits
    assert path.stat().st_size < 1.1 * sum(weight.numel() for weight in model.parameters()) + 100_000
    alone = network.probabilities(seen, ids, [4])
    assert alone[0] == pytest.approx(found[1], abs=1e-4)
    assert network.probabilities(seen, ids, []).shape == (0, CLASSES)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ((*LABELS, "mirror"), "there are 5, not 6"),
        (("none", "mug", "door", "sofa", "table"), "1 is 'door', not 'mug'"),
    ],
)
def test_network_of_other_labels_is_refused(
    file: tuple[Path, RegionClassifier], labels: tuple[str, ...], text: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"other labels than the network whose regions.*: {text}"):
        RegionNetwork(file[0], labels)


def test_number_of_classes_of_a_network_that_names_none_is_checked(
    file: tuple[Path, RegionClassifier], tmp_path: Path
) -> None:
    nameless = onnx.load(file[0])
    del nameless.metadata_props[:]
    onnx.save(nameless, tmp_path / "regions.onnx")
    assert RegionNetwork(tmp_path / "regions.onnx", LABELS).region_time > 0
    with pytest.raises(ConfigurationError, match=r"\(2, 5\).*not as \(2, 6\): it is of other labels"):
        RegionNetwork(tmp_path / "regions.onnx", (*LABELS, "mirror"))


def test_network_of_another_kind_is_refused(file: tuple[Path, RegionClassifier], tmp_path: Path) -> None:
    path = tmp_path / "regions.onnx"
    with pytest.raises(ConfigurationError, match="there is no network file"):
        RegionNetwork(path, LABELS)
    path.write_bytes(b"no network")
    with pytest.raises(ConfigurationError, match="is no ONNX network"):
        RegionNetwork(path, LABELS)
    one_at_a_time = onnx.load(file[0])
    one_at_a_time.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(one_at_a_time, path)
    with pytest.raises(ConfigurationError, match=r"it has 'crops' \[1, 8, 32, 32\].*any number of regions"):
        RegionNetwork(path, LABELS)


def test_failing_network_is_told(
    file: tuple[Path, RegionClassifier], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = RegionNetwork(file[0], LABELS)
    monkeypatch.setattr("stma_ros.models.vision.region_network.CROPS", "away")
    with pytest.raises(NetworkError, match="does not run"):
        network.probabilities(*image(), [3])


@pytest.mark.parametrize("text", ["door, mug", "5"])
def test_labels_in_the_metadata_that_are_no_list_are_told(
    file: tuple[Path, RegionClassifier], tmp_path: Path, text: str
) -> None:
    network = onnx.load(file[0])
    onnx.helper.set_model_props(network, {"labels": text})
    onnx.save(network, tmp_path / "regions.onnx")
    with pytest.raises(ConfigurationError, match=f"no JSON list: '{text}'"):
        RegionNetwork(tmp_path / "regions.onnx", LABELS)


def test_numbers_of_a_network_that_are_not_finite_are_an_error(
    file: tuple[Path, RegionClassifier],
) -> None:
    network = RegionNetwork(file[0], LABELS)
    seen, ids = image()
    seen.geometry[..., 1] = np.nan
    with pytest.raises(NetworkError, match="not finite"):
        network.probabilities(seen, ids, [3])


# -- both networks together

SHARES = st.lists(st.floats(0, 1), min_size=CLASSES, max_size=CLASSES).filter(lambda each: sum(each) > 0.01)


def shares(*rows: list[float]) -> np.ndarray:
    values = np.array(rows, np.float32)
    return values / values.sum(axis=1, keepdims=True)


@given(SHARES, SHARES, st.floats(0, 1))
def test_both_networks_say_together_that_it_is_a_thing_as_likely_as_the_first_one(
    one: list[float], other: list[float], weight: float
) -> None:
    first, second = shares(one), shares(other)
    both = pooled(first, second, weight)
    assert both[:, 0] == pytest.approx(first[:, 0])
    assert both.sum() == pytest.approx(1, abs=1e-5)
    assert (both >= 0).all()


def test_second_network_decides_between_what_the_first_one_cannot_tell_apart() -> None:
    first, second = shares([0.2, 0.4, 0.35, 0.05, 0]), shares([0, 0.1, 0.9, 0, 0])
    assert pooled(first, second, 0.5)[0].argmax() == 2
    assert pooled(first, second, 0.0)[0] == pytest.approx(first[0], abs=0.01)


def test_classes_that_neither_network_names_get_nothing_of_what_is_said_of_things() -> None:
    """With many classes, a little for each of them is much for all."""
    first, second = np.full((1, 136), 1e-4, np.float32), np.full((1, 136), 4e-4, np.float32)
    first[0, :3], second[0, 2] = (0.1, 0.6, 0.29), 0.95
    both = pooled(first, second, 0.5)
    assert not both[0, 3:].any()
    assert both[0, 1:3].sum() == pytest.approx(first[0, 1:].sum())


def test_what_the_second_network_alone_rules_out_stays_possible() -> None:
    first, second = shares([0.1, 0.9, 0, 0, 0]), shares([0, 0, 1, 0, 0])
    assert pooled(first, second, 0.5)[0, 1] > 0.02


def test_second_network_that_says_nothing_of_things_changes_nothing() -> None:
    first, second = shares([0.2, 0.5, 0.3, 0, 0]), shares([1, 0, 0, 0, 0])
    for weight in (0.5, 1.0):
        assert pooled(first, second, weight)[0] == pytest.approx(first[0])


def test_a_region_is_unsure_where_no_class_has_nearly_all_of_what_is_said_of_things() -> None:
    said = shares([0.5, 0.48, 0.02, 0, 0], [0, 0.6, 0.4, 0, 0], [0.9, 0.05, 0.05, 0, 0])
    assert unsure_regions(said, np.array([0.5, 1.0, 0.1])).tolist() == [1, 2]


def test_of_many_unsure_regions_the_likeliest_things_are_asked_about() -> None:
    said = shares(*[[0, 0.6, 0.4, 0, 0]] * 20)
    assert unsure_regions(said, np.linspace(0, 1, 20)).tolist() == list(range(19, 19 - NAMED_AGAIN, -1))
