"""Operations that change, select or summarise parts of tensors give what numpy gives."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.models.vision.tfjs.conversion import convert_graph_model
from stma_ros.models.vision.tfjs.errors import UnsupportedGraphError
from support.models.tfjs_models import TinyModel, flag, integer, integers, results, run_network

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: `make vision`")
pytest.importorskip("onnx", reason="onnx is not installed: `make vision`")

Array = NDArray[Any]

CUBE = np.random.default_rng(1000).permutation(24).reshape(2, 3, 4).astype(np.float32)
ROWS = np.array([2, 0, 2], np.int32)


@pytest.mark.parametrize(
    ("op", "inputs", "attributes", "expected"),
    [
        ("ConcatV2", [CUBE, CUBE, 1], {}, np.concatenate([CUBE, CUBE], 1)),
        ("ConcatV2", [CUBE, CUBE, -1], {}, np.concatenate([CUBE, CUBE], -1)),
        ("ExpandDims", [CUBE, 1], {}, CUBE[:, None]),
        ("ExpandDims", [CUBE, -1], {}, CUBE[..., None]),
        ("GatherNd", [CUBE, np.array([[0, 2], [1, 1]], np.int32)], {}, CUBE[[0, 1], [2, 1]]),
        ("GatherV2", [CUBE, ROWS, 1], {}, CUBE[:, ROWS]),
        ("GatherV2", [CUBE, ROWS, -1], {}, CUBE[..., ROWS]),
        ("Max", [CUBE, [0, 2]], {}, CUBE.max((0, 2))),
        ("Mean", [CUBE, [1]], {"keep_dims": flag(True)}, CUBE.mean(1, keepdims=True)),
        ("Min", [CUBE, [-1]], {}, CUBE.min(-1)),
        ("Pack", [CUBE, CUBE + 1], {"axis": integer(1)}, np.stack([CUBE, CUBE + 1], 1)),
        ("Pack", [CUBE, CUBE + 1], {"axis": integer(-1)}, np.stack([CUBE, CUBE + 1], -1)),
        ("Pad", [CUBE, [[0, 1], [2, 0], [0, 0]]], {}, np.pad(CUBE, [(0, 1), (2, 0), (0, 0)])),
        (
            "PadV2",
            [CUBE, [[0, 1], [2, 0], [0, 0]], 7.0],
            {},
            np.pad(CUBE, [(0, 1), (2, 0), (0, 0)], constant_values=7),
        ),
        ("Reshape", [CUBE, [4, -1]], {}, CUBE.reshape(4, 6)),
        ("Reshape", [CUBE, np.array([6, 4], np.int32)], {}, CUBE.reshape(6, 4)),
        ("Reshape", [CUBE[:0], [3, 0]], {}, np.zeros((3, 0), np.float32)),
        ("Shape", [CUBE], {}, np.array([2, 3, 4], np.int32)),
        ("Slice", [CUBE, [0, 1, 2], [2, -1, 1]], {}, CUBE[0:2, 1:, 2:3]),
        ("Squeeze", [CUBE[:1, :, None]], {}, CUBE[0]),
        ("Squeeze", [CUBE[:1, :, None]], {"squeeze_dims": integers(2)}, CUBE[:1]),
        ("Sum", [CUBE, [0, 1, 2]], {}, CUBE.sum()),
        ("Transpose", [CUBE, [2, 0, 1]], {}, CUBE.transpose(2, 0, 1)),
    ],
)
def test_operation_on_shapes_gives_what_numpy_gives(
    op: str, inputs: list[Any], attributes: dict[str, Any], expected: Array, tmp_path: Path
) -> None:
    (result,) = results(tmp_path, op, inputs, attributes)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_split_and_unpack_give_all_parts(tmp_path: Path) -> None:
    halves = results(tmp_path, "Split", [2, CUBE], {"num_split": integer(2)}, ["y", "y:1"])
    slices = results(tmp_path, "Unpack", [CUBE], {"num": integer(3), "axis": integer(1)}, ["y:2", "y:0"])
    np.testing.assert_array_equal(halves, np.split(CUBE, 2, 2))
    np.testing.assert_array_equal(slices, [CUBE[:, 2], CUBE[:, 0]])


def test_top_k_and_arg_max_take_the_first_of_equal_elements(tmp_path: Path) -> None:
    values = np.array([[1, 5, 5, 3, 5], [2, 2, 2, 2, 2]], np.float32)
    largest, indices = results(tmp_path, "TopKV2", [values, 3], {"sorted": flag(True)}, ["y", "y:1"])
    (best,) = results(tmp_path, "ArgMax", [values, 1], {})
    assert largest.tolist() == [[5, 5, 5], [2, 2, 2]]
    assert (indices.dtype, indices.tolist()) == (np.int32, [[1, 2, 4], [0, 1, 2]])
    assert (best.dtype, best.tolist()) == (np.int32, [1, 0])


@pytest.mark.parametrize("op", ["Mean", "Max"])
@pytest.mark.parametrize("axes", [[1, 2], [3], [-1], [0]])
@pytest.mark.parametrize("keeps", [True, False])
def test_summary_of_an_image_behind_a_convolution_takes_the_same_axes(
    op: str, axes: list[int], keeps: bool, tmp_path: Path
) -> None:
    model = TinyModel()
    pooled = model.add("MaxPool", "pooled", model.input("image", (2, 3, 4, 5)), ksize=integers(1, 1, 1, 1))
    model.add(op, "y", pooled, model.const("axes", axes), keep_dims=flag(keeps))
    image = np.random.default_rng(1001).normal(size=(2, 3, 4, 5)).astype(np.float32)
    (result,) = run_network(convert_graph_model(model.write(tmp_path)), {"image": image})
    expected = (image.mean if op == "Mean" else image.max)(axis=tuple(axes), keepdims=keeps)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-6)


def resized(image: Array, size: tuple[int, int], align: bool, centres: bool, nearest: bool) -> Array:
    """Changes the size of an image, one dimension after the other."""
    for axis, count in zip((1, 2), size, strict=True):
        length = image.shape[axis]
        scale = (length - 1) / max(count - 1, 1) if align else length / count
        place = (np.arange(count) + 0.5) * scale - 0.5 if centres else np.arange(count) * scale
        if nearest:
            index = np.floor(place + 0.5) if align or centres else np.floor(place)
            image = image.take(np.clip(index, 0, length - 1).astype(int), axis)
            continue
        place = np.clip(place, 0, length - 1)
        low = np.floor(place).astype(int)
        part = (place - low).reshape([-1 if dimension == axis else 1 for dimension in range(4)])
        high = np.minimum(low + 1, length - 1)
        image = image.take(low, axis) * (1 - part) + image.take(high, axis) * part
    return image


@pytest.mark.parametrize("op", ["ResizeBilinear", "ResizeNearestNeighbor"])
@pytest.mark.parametrize(("align", "centres"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("size", [(6, 8), (7, 5), (3, 4), (2, 9)])
def test_resize_agrees_with_its_definition(
    op: str, align: bool, centres: bool, size: tuple[int, int], tmp_path: Path
) -> None:
    image = np.random.default_rng(1000).normal(size=(2, 3, 4, 5)).astype(np.float32)
    attributes = {"align_corners": flag(align), "half_pixel_centers": flag(centres)}
    (result,) = results(tmp_path, op, [image, list(size)], attributes)
    expected = resized(image, size, align, centres, op == "ResizeNearestNeighbor")
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


def test_resize_takes_a_size_that_the_network_computes(tmp_path: Path) -> None:
    image = np.random.default_rng(1000).normal(size=(1, 2, 2, 3)).astype(np.float32)
    (result,) = results(tmp_path, "ResizeBilinear", [image, np.array([4, 6], np.int32)], {})
    np.testing.assert_allclose(result, resized(image, (4, 6), False, False, False), rtol=1e-4, atol=1e-5)


BITS = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}


@st.composite
def slice_specs(draw: st.DrawFn) -> tuple[Any, ...]:
    """Draws an index of numpy for an array of three dimensions that leaves nothing empty."""
    whole = st.just(slice(None))
    steps = st.sampled_from([None, 1, 2, -1, -2])
    some = st.builds(slice, st.sampled_from([None, 0]), st.sampled_from([None, 2, -1]), st.just(1))
    dimension = st.one_of(whole, st.builds(slice, st.none(), st.none(), steps), some, st.integers(-2, 1))
    entries = draw(st.lists(dimension, min_size=1, max_size=3))
    for _ in range(draw(st.integers(0, 2))):
        entries.insert(draw(st.integers(0, len(entries))), None)
    if draw(st.booleans()):
        entries.insert(draw(st.integers(0, len(entries))), Ellipsis)
    return tuple(entries)


@given(slice_specs())
@settings(max_examples=60)
def test_strided_slice_selects_what_the_same_index_of_numpy_selects(spec: tuple[Any, ...]) -> None:
    begin, end, strides = [], [], []
    masks = dict(BITS)
    for bit, entry in enumerate(spec):
        first, last, step = 0, 0, 1
        if entry is Ellipsis:
            masks["ellipsis_mask"] |= 1 << bit
        elif entry is None:
            masks["new_axis_mask"] |= 1 << bit
        elif isinstance(entry, int):
            masks["shrink_axis_mask"] |= 1 << bit
            first, last = entry, entry + 1
        else:
            step = entry.step or 1
            first, last = entry.start or 0, entry.stop or 0
            masks["begin_mask"] |= (entry.start is None) << bit
            masks["end_mask"] |= (entry.stop is None) << bit
        begin.append(first)
        end.append(last)
        strides.append(step)
    attributes = {name: integer(mask) for name, mask in masks.items()}
    with tempfile.TemporaryDirectory() as folder:
        (result,) = results(Path(folder), "StridedSlice", [CUBE, begin, end, strides], attributes)
    expected = CUBE[spec]
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("op", "inputs", "attributes", "cause"),
    [
        ("GatherV2", [CUBE, ROWS, 1], {"batch_dims": integer(1)}, "batch_dims=1"),
        ("Mean", [CUBE, np.array([1], np.int32)], {}, "a calculated axis .'x1'."),
        ("TopKV2", [CUBE, np.array([1], np.int32)], {}, "a calculated k"),
        ("StridedSlice", [CUBE, np.array([1], np.int32), [2], [1]], {}, "a calculated begin"),
        ("Cast", [CUBE], {"DstT": {"type": "DT_STRING"}}, "DstT=DT_STRING"),
    ],
)
def test_form_that_depends_on_the_run_is_refused_with_the_name_of_its_node(
    op: str, inputs: list[Any], attributes: dict[str, Any], cause: str, tmp_path: Path
) -> None:
    with pytest.raises(UnsupportedGraphError, match=cause) as refused:
        results(tmp_path, op, inputs, attributes)
    assert f"{op} 'y'" in str(refused.value)
