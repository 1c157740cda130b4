"""Tests of reading files that describe networks."""

from __future__ import annotations

import re
from os.path import isdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.vision.description import (
    BoxUnits,
    DetectionsOutput,
    GridOutput,
    Layout,
    QueriesOutput,
    Resize,
    RowsOutput,
    TransformersDescription,
)
from stma_ros.sensing.detectors.network_file import RegionsFile, read_network_file
from stma_ros.types.errors import ConfigurationError

TEXT = """\
network: coco.onnx
input: {name: image, size: [512, 384], layout: NHWC, colours: BGR, scale: 1.0, mean: [1, 2, 3], resize: letterbox}
outputs: {kind: rows, rows: found, boxes: normalised}
labels: [person, dining table]
min_score: 0.4
categories: {person: "", dining table: table}
licence: MIT
source: somewhere
"""


MODEL = """\
model: rtdetr
labels: [mug, dining table]
min_score: 0.2
overlap: 0.8
masks: facebook/sam2.1-hiera-tiny
categories: {dining table: table}
licence: Apache-2.0
source: somewhere
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "network.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_file_is_read_with_its_names_relative_to_its_folder(tmp_path: Path) -> None:
    found = read_network_file(written(tmp_path, TEXT))
    about = found.description.input
    assert found.network == tmp_path / "coco.onnx"
    assert found.categories == {"person": "", "dining table": "table"}
    assert (about.name, about.width, about.height) == ("image", 512, 384)
    assert (about.layout, about.resize, about.blue_first) == (Layout.NHWC, Resize.LETTERBOX, True)
    assert (about.scale, about.mean, about.std) == (1.0, (1, 2, 3), (1, 1, 1))
    assert found.description.output == RowsOutput("found", BoxUnits.NORMALISED)
    assert (found.description.labels, found.description.min_score) == (("person", "dining table"), 0.4)


@pytest.mark.parametrize(
    ("outputs", "wanted"),
    [
        ("{kind: queries, logits: l, boxes: b, no_object: false}", QueriesOutput("l", "b", False)),
        ("{kind: detections, labels: classes}", DetectionsOutput("classes", "boxes", "scores")),
        ("{kind: grid, cells: c, overlap: 0.6}", GridOutput("c", overlap=0.6)),
    ],
)
def test_other_kinds_of_outputs_are_read(tmp_path: Path, outputs: str, wanted: object) -> None:
    text = TEXT.replace("{kind: rows, rows: found, boxes: normalised}", outputs)
    assert read_network_file(written(tmp_path, text)).description.output == wanted


@pytest.mark.parametrize("name", ["hous", "yolo.onnx", "weights/best.pt"])
def test_a_file_that_is_no_description_is_refused_with_the_names_of_the_networks(name: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"neither a network of this package \(house\) nor a YAML file"
    ):
        read_network_file(Path(name))


def test_labels_may_be_in_a_file_of_their_own_one_in_each_line(tmp_path: Path) -> None:
    (tmp_path / "coco.names").write_text("\ufeffperson\ndining table\n\n", encoding="utf-8")
    text = TEXT.replace("[person, dining table]", "coco.names")
    assert read_network_file(written(tmp_path, text)).description.labels == ("person", "dining table")


def test_empty_line_among_the_labels_is_refused_since_it_would_shift_the_classes_after_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "coco.names").write_text("person\n\ndining table\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"coco\.names, line 2, is empty"):
        read_network_file(written(tmp_path, TEXT.replace("[person, dining table]", "coco.names")))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "kind: rows",
            "kind: columns",
            "line 3: outputs: .*'rows', 'queries', 'detections', 'grid', 'class_map'",
        ),
        ("rows: found", "row: found", "there is no key 'row'"),
        ("size: [512, 384]", "size: [0, 384]", "line 2: input.size: width and height must be 1 at least"),
        ("mean: [1, 2, 3]", "std: [1, 0, 3]", "line 2: input.std: pixels are divided by it"),
        ("labels: [person, dining table]", "labels: []", "line 4: labels: a network without labels"),
        (
            "labels: [person, dining table]",
            "labels: gone.names",
            "line 4: labels: .*gone.names cannot be read",
        ),
        ("dining table: table", "desk: table", "line 6: categories.desk: is not among the labels"),
        ("min_score: 0.4", "min_score: 40", "line 5: min_score"),
        ("network: coco.onnx\n", "", "network: is missing"),
        (
            "{kind: rows, rows: found, boxes: normalised}",
            "{kind: class_map, logits: l, state_names: [open], middles: m}",
            "states and state_names belong together",
        ),
    ],
)
def test_mistakes_are_told_with_key_and_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in TEXT
    with pytest.raises(ConfigurationError, match=says):
        read_network_file(written(tmp_path, TEXT.replace(old, new)))


def test_network_of_transformers_is_read_with_its_folder_and_that_of_the_masks(tmp_path: Path) -> None:
    for name in ("rtdetr", "sam"):
        (tmp_path / name).mkdir()
    path = written(tmp_path, MODEL.replace("facebook/sam2.1-hiera-tiny", "sam"))
    found = read_network_file(path)
    assert (found.path, found.network, found.masks) == (path, tmp_path / "rtdetr", tmp_path / "sam")
    assert found.description == TransformersDescription(("mug", "dining table"), 0.2, 0.8)
    assert found.categories == {"dining table": "table"}


def test_model_and_masks_that_are_no_folders_are_names_on_the_hub(tmp_path: Path) -> None:
    found = read_network_file(written(tmp_path, MODEL.replace("rtdetr", "PekingU/rtdetr_r50vd")))
    assert (found.network, found.masks) == ("PekingU/rtdetr_r50vd", "facebook/sam2.1-hiera-tiny")


def test_model_alone_has_the_labels_of_its_configuration_and_no_masks(tmp_path: Path) -> None:
    found = read_network_file(written(tmp_path, "model: PekingU/rtdetr_r50vd\n"))
    assert (found.description, found.masks) == (TransformersDescription(), None)


def test_masks_of_an_onnx_network_are_read(tmp_path: Path) -> None:
    found = read_network_file(written(tmp_path, TEXT + "masks: facebook/sam2.1-hiera-tiny\n"))
    assert found.masks == "facebook/sam2.1-hiera-tiny"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("model: rtdetr", "model: gone", "line 1: model: there is no folder .*gone; .* owner/name"),
        ("model: rtdetr", "model: lab/gone/model", "line 1: model: there is no folder"),
        ("model: rtdetr", "model: rtdetr\nnetwork: coco.onnx", "line 2: network: .*give one of them"),
        ("masks: facebook/sam2.1-hiera-tiny", "masks: gone", "line 5: masks: there is no folder"),
        ("labels: [mug, dining table]", "labels: [mug, ' ']", "line 2: labels: one of them is empty"),
        (
            "labels: [mug, dining table]",
            "labels: gone.names",
            r"line 2: labels: .*gone\.names cannot be read",
        ),
        (
            "labels: [mug, dining table]",
            "outputs: {kind: rows}",
            "line 2: outputs: there is no key 'outputs'",
        ),
        ("overlap: 0.8", "overlap: 0", "line 4: overlap"),
        ("min_score: 0.2", "min_score: 20", "line 3: min_score"),
    ],
)
def test_mistakes_about_a_network_of_transformers_are_told_with_key_and_line(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    (tmp_path / "rtdetr").mkdir()
    assert old in MODEL
    with pytest.raises(ConfigurationError, match=says):
        read_network_file(written(tmp_path, MODEL.replace(old, new)))


def test_masks_of_a_class_map_are_refused_with_the_line(tmp_path: Path) -> None:
    text = TEXT.replace("{kind: rows, rows: found, boxes: normalised}", "{kind: class_map, logits: l}")
    with pytest.raises(ConfigurationError, match=r"line 9: masks: .*a map of classes has none"):
        read_network_file(written(tmp_path, text + "masks: facebook/sam2.1-hiera-tiny\n"))


@given(st.text(min_size=1, max_size=12) | st.text("ab/.~\0-", min_size=1) | st.just("x" * 300))
def test_any_text_as_a_model_is_a_folder_or_a_name_on_the_hub_or_refused_with_its_line(name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "network.yaml"
        path.write_text(yaml.safe_dump({"model": name}), encoding="utf-8")
        if isdir(path.parent / name) or re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", name):
            assert read_network_file(path).network in (name, path.parent / name)
        else:
            with pytest.raises(ConfigurationError, match="line 1: model: there is no folder"):
                read_network_file(path)


def test_regions_of_anything_but_a_class_map_with_geometry_are_refused_with_the_line(tmp_path: Path) -> None:
    maps = TEXT.replace("{kind: rows, rows: found, boxes: normalised}", "{kind: class_map, logits: l}")
    for text in (TEXT, maps):
        file = written(tmp_path, text + "regions: {network: regions.onnx}\n")
        with pytest.raises(ConfigurationError, match=r"line \d+: regions: are those of a map of classes"):
            read_network_file(file)


def test_regions_are_named_by_a_file_beside_the_description(tmp_path: Path) -> None:
    text = TEXT.replace("{kind: rows, rows: found, boxes: normalised}", "{kind: class_map, logits: l}")
    text = text.replace("input: {", "input: {geometry: depth, ")
    file = written(tmp_path, text + "regions: {network: regions.onnx, weight: 0.4}\n")
    assert read_network_file(file).regions == RegionsFile(tmp_path / "regions.onnx", 0.4)
