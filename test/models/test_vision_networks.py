"""Tests of networks in ONNX files: each kind of output, and files and outputs that are not as described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.vision import objects
from stma_ros.models.vision.description import (
    BoxUnits,
    ClassMapOutput,
    DetectionsOutput,
    GridOutput,
    InputDescription,
    NetworkDescription,
    OutputDescription,
    QueriesOutput,
    Resize,
    RowsOutput,
)
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import ClassMap, NetworkImage, NetworkOutput
from stma_ros.models.vision.objects import without_doubles
from stma_ros.models.vision.onnx_network import OnnxNetwork
from stma_ros.types.errors import ConfigurationError
from support.models.vision_networks import (
    HEIGHT,
    INPUT,
    WIDTH,
    byte_network,
    colour_image,
    constant_network,
    mean_colour_network,
    scaled_boxes_network,
    text_network,
)

LABELS = ("mug", "chair")
ROWS = RowsOutput("rows")


def network(
    folder: Path,
    output: OutputDescription,
    tensors: Mapping[str, Any],
    labels: tuple[str, ...] = LABELS,
    about: InputDescription = INPUT,
) -> OnnxNetwork:
    path = constant_network(folder / "network.onnx", tensors)
    return OnnxNetwork(path, NetworkDescription(about, output, labels))


def found(one: OnnxNetwork, height: int = HEIGHT, width: int = WIDTH) -> NetworkOutput:
    (output,) = one.detect([NetworkImage(colour_image(0, height, width))])
    return output


def boxes(output: NetworkOutput) -> list[tuple[str, float, tuple[float, ...]]]:
    return [
        (item.label, round(item.score, 4), tuple(round(edge, 3) for edge in item.box))
        for item in output.objects
    ]


def logit(share: float) -> float:
    return float(np.log(share / (1 - share)))


def test_rows_of_boxes_are_returned_best_first_and_without_those_of_low_score(tmp_path: Path) -> None:
    rows = [[1, 2, 5, 6, 0.4, 0], [0, 0, 8, 6, 0.9, 1], [0, 0, 9, 9, 0.2, 0]]
    assert boxes(found(network(tmp_path, ROWS, {"rows": rows}))) == [
        ("chair", 0.9, (0, 0, 8, 6)),
        ("mug", 0.4, (1, 2, 5, 6)),
    ]


def test_boxes_in_shares_of_the_input_are_scaled_to_an_image_of_another_size(tmp_path: Path) -> None:
    output = RowsOutput("rows", BoxUnits.NORMALISED)
    one = network(tmp_path, output, {"rows": [[0.25, 0.5, 0.5, 1.0, 0.9, 0]]})
    assert boxes(found(one, 24, 64)) == [("mug", 0.9, (16, 12, 32, 24))]


def test_boxes_in_a_letterboxed_image_do_not_reach_into_the_borders(tmp_path: Path) -> None:
    about = replace(INPUT, resize=Resize.LETTERBOX)
    one = network(tmp_path, ROWS, {"rows": [[4, 2, 8, 12, 0.9, 0]]}, about=about)
    assert boxes(found(one, 16, 32)) == [("mug", 0.9, (8, 4, 16, 16))]


def test_reversed_and_infinite_boxes_are_left_out(tmp_path: Path) -> None:
    rows = [
        [5, 2, 1, 6, 0.9, 0],
        [np.nan, 0, 8, 6, 0.9, 1],
        [0, 0, np.inf, 9, 0.8, 0],
        [20, 0, 30, 9, 0.8, 0],
    ]
    assert boxes(found(network(tmp_path, ROWS, {"rows": rows}))) == []


@pytest.mark.parametrize(
    ("no_object", "logits"),
    [
        (True, [[np.log(0.7), np.log(0.2), np.log(0.1)], [0.0, 0.0, 9.0]]),
        (False, [[logit(0.7), logit(0.6)], [-9.0, -9.0]]),
    ],
)
def test_queries_are_read_as_centres_and_sizes_with_softmax_or_sigmoid_scores(
    tmp_path: Path, no_object: bool, logits: list[list[float]]
) -> None:
    output = QueriesOutput("logits", "boxes", no_object)
    tensors = {"logits": logits, "boxes": [[0.5, 0.5, 0.5, 0.5], [0.1, 0.1, 0.1, 0.1]]}
    assert boxes(found(network(tmp_path, output, tensors))) == [("mug", 0.7, (4, 3, 12, 9))]


SHARES = [[0.25, 0.25, 0.75, 0.5], [0.25, 0.25, 0.75, 0.5], [0.5, 0.0, 1.0, 1.0], [0.0, 0.0, 0.5, 0.5]]
SIZED = replace(INPUT, name="images", sizes="orig_target_sizes")


def test_boxes_that_a_network_scales_to_a_given_size_are_read_with_the_best_class_of_each(
    tmp_path: Path,
) -> None:
    path = scaled_boxes_network(tmp_path / "rtdetr.onnx", [1, 0, 0, 1], SHARES, [0.5, 0.75, 0.875, 0.25])
    one = OnnxNetwork(path, NetworkDescription(SIZED, DetectionsOutput(), LABELS))
    objects = found(one, 2 * HEIGHT, 4 * WIDTH).objects
    assert [(item.label, item.score, item.box) for item in objects] == [
        ("mug", 0.875, (2 * WIDTH, 0.0, 4 * WIDTH, 2 * HEIGHT)),
        ("mug", 0.75, (WIDTH, HEIGHT / 2, 3 * WIDTH, HEIGHT)),
    ]


@pytest.mark.parametrize(
    ("about", "output", "says"),
    [
        (replace(SIZED, sizes=""), DetectionsOutput(), "'orig_target_sizes' as well.*input.sizes"),
        (replace(SIZED, sizes="size"), DetectionsOutput(), "has no input 'size'"),
        (replace(SIZED, sizes="images"), DetectionsOutput(), r"takes 'images' as tensor\(float\)"),
        (SIZED, DetectionsOutput(labels="boxes"), "'boxes' has the shape"),
    ],
)
def test_sizes_or_detections_that_are_not_as_described_are_refused(
    tmp_path: Path, about: InputDescription, output: OutputDescription, says: str
) -> None:
    path = scaled_boxes_network(tmp_path / "rtdetr.onnx", [1, 0, 0, 1], SHARES, [0.5] * 4)
    with pytest.raises(ConfigurationError, match=says):
        OnnxNetwork(path, NetworkDescription(about, output, LABELS))


@pytest.mark.parametrize("channels_first", [True, False])
@pytest.mark.parametrize("objectness", [True, False])
def test_grid_cells_are_read_in_either_order_and_double_boxes_are_suppressed(
    tmp_path: Path, channels_first: bool, objectness: bool
) -> None:
    sure = [0.5] if objectness else []
    cells = np.array(
        [[8, 6, 4, 4, *sure, 0.9, 0.1], [8, 6, 4, 5, *sure, 0.8, 0.1], [8, 6, 4, 4, *sure, 0.1, 0.7]]
    )
    output = GridOutput("cells", channels_first, objectness)
    one = network(tmp_path, output, {"cells": cells.T if channels_first else cells})
    factor = 0.5 if objectness else 1.0
    assert boxes(found(one)) == [
        ("mug", 0.9 * factor, (6, 4, 10, 8)),
        ("chair", 0.7 * factor, (6, 4, 10, 8)),
    ]


def test_class_map_of_half_the_size_is_enlarged_to_the_image_with_scores_and_states(tmp_path: Path) -> None:
    logits = np.zeros((2, HEIGHT // 2, WIDTH // 2))
    logits[1, 2:4, 3:5] = np.log(3)
    states = np.full((2, HEIGHT // 2, WIDTH // 2), -20.0)
    states[0, 2:4, 3:5] = logit(0.8)
    output = ClassMapOutput("logits", "states", ("open", "closed"))
    made = found(network(tmp_path, output, {"logits": logits, "states": states}, ("none", "door"))).class_map
    assert isinstance(made, ClassMap)
    of_door = made.probabilities[made.cells, 1]
    assert of_door.shape == (HEIGHT, WIDTH)
    assert np.argwhere(of_door > 0.7).min(axis=0).tolist() == [4, 6]
    assert (of_door > 0.7).sum() == 16
    assert of_door[5, 7] == pytest.approx(0.75)
    assert made.states is not None
    assert made.states[made.cells[5, 7]] == pytest.approx((0.8, 0.0), abs=1e-6)


@pytest.mark.parametrize("factor", [1, 2, 6])
def test_pixels_point_to_the_middle_of_their_thing_in_images_of_any_size(tmp_path: Path, factor: int) -> None:
    column, row = 5.0, 3.5  # of the middle, in pixels of the input
    cells_v, cells_u = np.mgrid[: HEIGHT // 2, : WIDTH // 2] * 2 + 0.5  # of each cell
    middles = np.stack([(column - cells_u) / 8, (row - cells_v) / 8])
    output = ClassMapOutput("logits", middles="middles", middle_unit=8.0)
    logits = np.zeros((2, HEIGHT // 2, WIDTH // 2))
    made = found(
        network(tmp_path, output, {"logits": logits, "middles": middles}), HEIGHT * factor, WIDTH * factor
    ).class_map
    assert made is not None
    assert made.middles is not None
    wanted = (column + 0.5) * factor - 0.5, (row + 0.5) * factor - 0.5
    assert np.abs(made.middles[made.cells] - wanted).max() < 1e-3


def test_images_of_a_batch_have_the_outputs_that_they_have_alone(tmp_path: Path) -> None:
    path = mean_colour_network(tmp_path / "mean.onnx")
    about = NetworkDescription(INPUT, ROWS, ("red",), 0.1)
    images = [
        NetworkImage(colour_image(red, 12 * size, 16 * size)) for size, red in ((1, 100), (2, 200), (3, 60))
    ]
    alone = [OnnxNetwork(path, about).detect([image])[0] for image in images]
    together = OnnxNetwork(path, about, batch=2).detect(images)
    assert [boxes(output) for output in together] == [boxes(output) for output in alone]
    assert [output.objects[0].score for output in together] == pytest.approx([100 / 255, 200 / 255, 60 / 255])


def test_network_for_one_image_at_a_time_takes_any_number(tmp_path: Path) -> None:
    path = mean_colour_network(tmp_path / "mean.onnx", batch=1)
    one = OnnxNetwork(path, NetworkDescription(INPUT, ROWS, ("red",), 0.1), batch=4)
    assert len(one.detect([NetworkImage(colour_image(red)) for red in (90, 100, 110)])) == 3
    assert one.frame_time > 0


@pytest.mark.parametrize("size", [(1, 1), (4320, 7680)])
def test_images_of_one_pixel_and_of_8k_are_taken(tmp_path: Path, size: tuple[int, int]) -> None:
    one = network(tmp_path, ROWS, {"rows": [[0, 0, WIDTH, HEIGHT, 0.9, 0]]})
    assert boxes(found(one, *size)) == [("mug", 0.9, (0, 0, size[1], size[0]))]


@pytest.mark.parametrize(
    ("output", "tensors", "labels", "says"),
    [
        (ROWS, {"rows": [[0, 0, 1, 1, 0.9]]}, LABELS, r"shape \(1, 5\) for one image"),
        (ROWS, {"rows": [[0, 0, 1, 1, 0.9, 7]]}, LABELS, "names class 7, but there are 2 labels"),
        (ROWS, {"rows": [[0, 0, 1, 1, 0.9, -1]]}, LABELS, "names class -1, but there are 2 labels"),
        (ROWS, {"rows": [[0, 0, 1, 1, np.nan, 0]]}, LABELS, "scores that are no numbers"),
        (ROWS, {"rows": [[0, 0, 1, 1, 87, 0]]}, LABELS, "a score of 87; scores are from 0 to 1"),
        (ROWS, {"others": [[0, 0, 1, 1, 0.9, 0]]}, LABELS, "has no output 'rows'; it has 'others'"),
        (
            QueriesOutput("logits", "boxes"),
            {"logits": [[1, 2]], "boxes": [[0, 0, 1, 1]]},
            LABELS,
            r"shape \(1, 2\) for one image; its description and the labels say \(N, 3\)",
        ),
        (
            QueriesOutput("logits", "boxes", False),
            {"logits": [[1, 2]], "boxes": [[0, 0, 1, 1]] * 2},
            LABELS,
            "has 1 rows, 'boxes' 2",
        ),
        (GridOutput("cells"), {"cells": np.zeros((5, 9))}, LABELS, r"say \(N, 6\)"),
        (ClassMapOutput("maps"), {"maps": np.zeros((3, 4, 4))}, LABELS, r"say \(2, height, width\)"),
        (
            ClassMapOutput("maps"),
            {"maps": np.full((2, 4, 4), np.nan)},
            LABELS,
            "'maps' has values that are no numbers",
        ),
    ],
)
def test_output_that_is_not_as_described_is_refused_when_the_network_is_loaded(
    tmp_path: Path, output: OutputDescription, tensors: Mapping[str, Any], labels: tuple[str, ...], says: str
) -> None:
    with pytest.raises(ConfigurationError, match=says):
        network(tmp_path, output, tensors, labels)


@pytest.mark.parametrize(
    ("key", "names", "number"),
    [
        ("labels", '["mug", "chair", "sofa"]', 3),
        ("names", "{0: 'mug', 1: 'chair', 2: 'sofa'}", 3),  # as ultralytics writes it
        ("names", "{0: 'tasse', 1: 'chaise'}", 2),  # in other words
        ("names", "mug and chair", 2),
        ("names", "", 2),
    ],
)
def test_another_number_of_classes_than_a_file_names_itself_is_refused(
    tmp_path: Path, key: str, names: str, number: int
) -> None:
    path = constant_network(tmp_path / "network.onnx", {"rows": [[0, 0, 1, 1, 0.9, 0]]})
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {key: names})
    onnx.save(model, path)
    described = NetworkDescription(INPUT, ROWS, LABELS)
    if number == len(LABELS):
        assert OnnxNetwork(path, described).labels == LABELS
        return
    with pytest.raises(
        ConfigurationError, match="names 3 classes in its metadata, and its description 2 labels"
    ):
        OnnxNetwork(path, described)


def test_network_that_returns_texts_is_refused_when_it_is_loaded(tmp_path: Path) -> None:
    path = text_network(tmp_path / "network.onnx")
    with pytest.raises(
        ConfigurationError, match=r"'rows' as tensor\(string\), which is no tensor of numbers"
    ):
        OnnxNetwork(path, NetworkDescription(INPUT, ROWS, LABELS))


@pytest.mark.parametrize(
    ("about", "says"),
    [
        (replace(INPUT, name="picture"), "has no input 'picture'; it has 'image'"),
        (replace(INPUT, width=32), r"takes 'image' as \['images', 3, 12, 16\], not \(images, 3, 12, 32\)"),
        (replace(INPUT, geometry="depth"), "has no input 'depth'"),
    ],
)
def test_input_that_is_not_as_described_is_refused(
    tmp_path: Path, about: InputDescription, says: str
) -> None:
    with pytest.raises(ConfigurationError, match=says):
        network(tmp_path, ROWS, {"rows": np.zeros((1, 6))}, about=about)


def test_missing_and_damaged_files_are_refused_with_their_names(tmp_path: Path) -> None:
    description = NetworkDescription(INPUT, ROWS, LABELS)
    with pytest.raises(ConfigurationError, match=r"there is no network file .*gone\.onnx"):
        OnnxNetwork(tmp_path / "gone.onnx", description)
    path = constant_network(tmp_path / "cut.onnx", {"rows": np.zeros((1, 6))})
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ConfigurationError, match=r"cut\.onnx is no ONNX network"):
        OnnxNetwork(path, description)


def test_bytes_are_given_only_as_they_are(tmp_path: Path) -> None:
    path = byte_network(tmp_path / "bytes.onnx")
    with pytest.raises(ConfigurationError, match=r"as bytes; give scale: 1\.0 without mean and std"):
        OnnxNetwork(path, NetworkDescription(INPUT, ROWS, ("red",), 0.1))
    one = OnnxNetwork(path, NetworkDescription(replace(INPUT, scale=1.0), ROWS, ("red",), 0.1))
    (output,) = one.detect([NetworkImage(colour_image(200))])
    assert output.objects[0].score == pytest.approx(200 / 255)


def test_image_without_the_geometry_that_a_network_takes_is_an_error(tmp_path: Path) -> None:
    one = network(tmp_path, ROWS, {"rows": np.zeros((1, 6))})
    one.description = replace(one.description, input=replace(INPUT, geometry="geometry"))
    with pytest.raises(NetworkError, match="takes the geometry"):
        found(one)


@given(st.lists(st.tuples(*[st.integers(0, 20)] * 4, st.integers(0, 2)), max_size=12))
def test_no_two_boxes_of_one_class_that_are_left_overlap_and_each_other_one_overlaps_a_better_one(
    drawn: list[tuple[int, ...]],
) -> None:
    rows = np.array([(x, y, x + w + 1, y + h + 1, 0, kind) for x, y, w, h, kind in drawn], float).reshape(
        -1, 6
    )
    left = without_doubles(rows[:, :4], rows[:, 5], 0.5).tolist()
    pairs = {
        (i, j)
        for i in range(len(rows))
        for j in range(len(rows))
        if i != j and _overlap(rows[i], rows[j]) >= 0.5
    }
    assert not any((i, j) in pairs for i in left for j in left)
    for gone in set(range(len(rows))) - set(left):
        assert any((gone, kept) in pairs and kept < gone for kept in left)


def test_of_ten_thousand_boxes_only_the_best_are_compared_with_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def counting(boxes: np.ndarray, classes: np.ndarray, overlap: float) -> np.ndarray:
        compared.append(len(boxes))
        return without_doubles(boxes, classes, overlap)

    monkeypatch.setattr(objects, "without_doubles", counting)
    rng = np.random.default_rng(0)
    rows = np.hstack(
        [
            rng.random((10_000, 2)) * 4,
            5 + rng.random((10_000, 2)) * 6,
            rng.random((10_000, 1)),
            np.zeros((10_000, 1)),
        ]
    )
    one = network(tmp_path, ROWS, {"rows": rows})
    assert len(found(one).objects) >= 1
    assert max(compared) == objects.MOST


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    """Intersection over union of two rows of one class; 0 of two classes."""
    if one[5] != other[5]:
        return 0.0
    sides = np.minimum(one[2:4], other[2:4]) - np.maximum(one[:2], other[:2])
    common = float(sides.clip(0).prod())
    return common / float((one[2:4] - one[:2]).prod() + (other[2:4] - other[:2]).prod() - common)
