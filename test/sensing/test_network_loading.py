"""Tests of loading the networks of files: of transformers, and masks for those of ONNX."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="networks of transformers need torch: make models")
pytest.importorskip("transformers", reason="networks of transformers need transformers: make models")

from stma_ros.components.perception.detector_registry import NetworkChoice
from stma_ros.components.perception.perception import PerceptionConfig
from stma_ros.models.vision.network import NetworkImage
from stma_ros.models.vision.networks import HOUSE, network_path
from stma_ros.sensing.detectors.names import NETWORK
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.sensing.detectors.network_loading import load_network
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Time
from support.components.wall_frames import Patch, frame, perceiving
from support.models.small_detectors import noise, saved_detector
from support.models.vision_networks import HEIGHT, WIDTH, constant_network

IMAGE = NetworkImage(noise(1))


def written(folder: Path, text: str) -> Path:
    path = folder / "network.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def with_detector(folder: Path, kind: str, more: str = "") -> Path:
    """Saves a detector and the file that describes it, and returns that file."""
    saved_detector(kind, folder / "detector")
    return written(folder, f"model: detector\nmin_score: 0.01\n{more}")


def test_network_of_transformers_finds_what_its_file_names_and_its_time_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = with_detector(tmp_path, "owlv2", "labels: [mug, red table]\n")
    with caplog.at_level(logging.INFO):
        network = load_network(read_network_file(path))
    (output,) = network.detect([IMAGE])
    assert {item.label for item in output.objects} == {"mug", "red table"}
    assert all(item.mask is None for item in output.objects)
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("stma_ros")]
    assert line.startswith(f"the network of {path} finds 2 kinds of things, in ")
    assert line.endswith(" ms a frame on cpu")


def test_class_that_stands_for_no_thing_is_no_kind_of_things(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        load_network(read_network_file(network_path(HOUSE)))
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("stma_ros")]
    assert " finds 135 kinds of things " in line


@pytest.mark.parametrize("kind", ["rt_detr", "grounding-dino"])
def test_boxes_of_any_network_get_masks_of_their_image(kind: str, tmp_path: Path) -> None:
    saved_detector("sam2", tmp_path / "sam")
    labels = "labels: [mug, dining table]\n"
    plain = load_network(read_network_file(with_detector(tmp_path, kind, labels)))
    masked = load_network(read_network_file(with_detector(tmp_path, kind, labels + "masks: sam\n")))
    (output,), (wanted,) = masked.detect([IMAGE]), plain.detect([IMAGE])
    assert output.objects == wanted.objects  # apart from the masks
    masks = [item.mask for item in output.objects if item.mask is not None]
    assert masks
    assert all(mask.shape == IMAGE.colour.shape[:2] and mask.any() for mask in masks)
    assert masked.frame_time > 0


def test_boxes_of_an_onnx_network_get_masks(tmp_path: Path) -> None:
    saved_detector("sam2", tmp_path / "sam")
    constant_network(tmp_path / "tiny.onnx", {"rows": [[0.2, 0.2, 0.7, 0.9, 0.8, 0]]})
    path = written(
        tmp_path,
        f"network: tiny.onnx\ninput: {{name: image, size: [{WIDTH}, {HEIGHT}]}}\n"
        "outputs: {kind: rows, rows: rows, boxes: normalised}\nlabels: [mug]\nmasks: sam\n",
    )
    ((item,),) = (output.objects for output in load_network(read_network_file(path)).detect([IMAGE]))
    assert item.box == pytest.approx((16, 12, 56, 54), abs=1e-4)
    assert item.mask is not None
    assert item.mask.dtype == np.bool_


@pytest.mark.parametrize(
    ("kind", "more", "says"),
    [
        ("rt_detr", "labels: [mug]\n", r"line 3: labels: 1 are listed, but .* has 2 classes"),
        ("owlv2", "overlap: 0.5\n", r"line 1: labels: .*list what it is to look for"),
        ("rt_detr", "categories: {chair: stool}\n", r"line 3: categories\.chair: is not among the labels"),
        ("sam2", "", "the sam2 in .* is no detector of objects"),
        ("rt_detr", "masks: detector\n", "the rt_detr in .* makes no masks of boxes"),
    ],
)
def test_file_that_does_not_fit_its_network_is_refused_with_the_line(
    kind: str, more: str, says: str, tmp_path: Path
) -> None:
    file = read_network_file(with_detector(tmp_path, kind, more))
    with pytest.raises(ConfigurationError, match=says):
        load_network(file)


def test_perception_reports_what_a_network_of_transformers_finds_under_the_names_in_its_file(
    tmp_path: Path,
) -> None:
    saved_detector("sam2", tmp_path / "sam")
    path = with_detector(tmp_path, "detr", "masks: sam\ncategories: {mug: plant, dining table: lamp}\n")
    config = PerceptionConfig(source=NETWORK, network=str(path))
    perception = perceiving(config, network=NetworkChoice(str(path)))
    emissions = [
        message
        for topic, part in frame(Time(1), (Patch("ignored", (20, 40), (20, 40)),)).items()
        for _, message in perception.handle(topic, part)
    ]
    (update,) = emissions
    assert isinstance(update, KeyframeDetections)
    assert update.detections
    assert {each.category for each in update.detections} <= {"plant", "lamp"}
