"""Convolutions, pooling and products of matrices give what their definitions give."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.models.vision.tfjs.conversion import convert_graph_model
from stma_ros.models.vision.tfjs.errors import UnsupportedGraphError
from support.models.tfjs_models import TinyModel, flag, integers, results, run_network, text, texts

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: `make vision`")
pytest.importorskip("onnx", reason="onnx is not installed: `make vision`")

Array = NDArray[Any]


def windows(
    image: Array, kernel: tuple[int, int], stride: int, padding: str, dilation: int = 1, fill: float = 0.0
) -> Array:
    """Returns the pixels under a moving window: (batch, rows, columns, kernel rows, kernel columns, channels).

    SAME gives as many windows as there are strides in the image; of an odd border, the larger half is behind.
    """
    reach = [(size - 1) * dilation + 1 for size in kernel]
    if padding == "SAME":
        counts = [-(-size // stride) for size in image.shape[1:3]]
        border = [
            max((count - 1) * stride + extent - size, 0)
            for count, extent, size in zip(counts, reach, image.shape[1:3], strict=True)
        ]
    else:
        counts = [(size - extent) // stride + 1 for size, extent in zip(image.shape[1:3], reach, strict=True)]
        border = [0, 0]
    sides = [(0, 0), *((size // 2, size - size // 2) for size in border), (0, 0)]
    wide = np.pad(image, sides, constant_values=fill)
    return np.stack(
        [
            np.stack(
                [
                    wide[
                        :,
                        row * stride : row * stride + reach[0] : dilation,
                        column * stride : column * stride + reach[1] : dilation,
                    ]
                    for column in range(counts[1])
                ],
                axis=1,
            )
            for row in range(counts[0])
        ],
        axis=1,
    )


def convolved(image: Array, filters: Array, stride: int, padding: str, dilation: int = 1) -> Array:
    seen = windows(image, filters.shape[:2], stride, padding, dilation)
    return np.einsum("brcijk,ijko->brco", seen, filters)


def convolved_by_channel(image: Array, filters: Array, stride: int, padding: str, dilation: int = 1) -> Array:
    result = np.einsum(
        "brcijk,ijkm->brckm", windows(image, filters.shape[:2], stride, padding, dilation), filters
    )
    return result.reshape(*result.shape[:3], -1)


def spatial(value: int | tuple[int, int]) -> dict[str, Any]:
    rows, columns = (value, value) if isinstance(value, int) else value
    return integers(1, rows, columns, 1)


def drawn(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


sizes = st.integers(1, 9)
kernels = st.integers(1, 5)


@pytest.mark.parametrize(
    ("op", "reference", "last"),
    [
        ("Conv2D", convolved, 3),
        ("_FusedConv2D", convolved, 3),
        ("DepthwiseConv2dNative", convolved_by_channel, 2),
        ("FusedDepthwiseConv2dNative", convolved_by_channel, 1),
    ],
)
@given(
    rows=sizes,
    columns=sizes,
    high=kernels,
    wide=kernels,
    stride=st.integers(1, 3),
    padding=st.sampled_from(["SAME", "VALID"]),
)
@settings(max_examples=25)
def test_convolution_agrees_with_its_definition_for_all_sizes(
    op: str,
    reference: Callable[..., Array],
    last: int,
    rows: int,
    columns: int,
    high: int,
    wide: int,
    stride: int,
    padding: str,
) -> None:
    image = drawn(1000, 2, max(rows, high), max(columns, wide), 3)
    filters = drawn(1001, high, wide, 3, last)
    attributes = {"strides": spatial(stride), "padding": text(padding)}
    with tempfile.TemporaryDirectory() as folder:
        (result,) = results(Path(folder), op, [image, filters.tolist()], attributes)
    np.testing.assert_allclose(result, reference(image, filters, stride, padding), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(
    ("op", "reference"), [("Conv2D", convolved), ("DepthwiseConv2dNative", convolved_by_channel)]
)
def test_dilated_convolution_agrees_with_its_definition(
    op: str, reference: Callable[..., Array], padding: str, tmp_path: Path
) -> None:
    image, filters = drawn(1000, 1, 8, 9, 2), drawn(1001, 3, 2, 2, 2)
    attributes = {"strides": spatial(1), "padding": text(padding), "dilations": spatial(2)}
    (result,) = results(tmp_path, op, [image, filters.tolist()], attributes)
    np.testing.assert_allclose(result, reference(image, filters, 1, padding, 2), rtol=1e-4, atol=1e-4)


def test_convolution_pads_as_its_attribute_says(tmp_path: Path) -> None:
    image, filters = drawn(1000, 1, 4, 5, 2), drawn(1001, 3, 3, 2, 4)
    attributes = {"padding": text("EXPLICIT"), "explicit_paddings": integers(0, 0, 2, 0, 1, 3, 0, 0)}
    (result,) = results(tmp_path, "Conv2D", [image, filters.tolist()], attributes)
    wide = np.pad(image, [(0, 0), (2, 0), (1, 3), (0, 0)])
    np.testing.assert_allclose(result, convolved(wide, filters, 1, "VALID"), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("rows", [6, 7])
def test_convolution_takes_images_of_any_size_where_the_model_leaves_it_open(
    rows: int, tmp_path: Path
) -> None:
    model = TinyModel()
    image = model.input("image", (-1, -1, -1, 2))
    filters = drawn(1001, 3, 3, 2, 4)
    model.add("Conv2D", "y", image, model.const("filter", filters), strides=spatial(2), padding=text("SAME"))
    pixels = drawn(1000, 2, rows, 5, 2)
    (result,) = run_network(convert_graph_model(model.write(tmp_path)), {"image": pixels})
    np.testing.assert_allclose(result, convolved(pixels, filters, 2, "SAME"), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("activation", "others", "reference"),
    [
        ((), (), lambda a: a),
        (("Relu",), (), lambda a: np.maximum(a, 0)),
        (("Relu6",), (), lambda a: np.clip(a, 0, 6)),
        (("Elu",), (), lambda a: np.where(a > 0, a, np.exp(a) - 1)),
        (("Sigmoid",), (), lambda a: 1 / (1 + np.exp(-a))),
        (("Prelu",), ([[[0.1, 0.2, 0.3, 0.4]]],), lambda a: np.where(a > 0, a, a * [0.1, 0.2, 0.3, 0.4])),
    ],
)
@pytest.mark.parametrize("op", ["_FusedConv2D", "_FusedMatMul"])
def test_fused_bias_and_activation_follow_the_layer(
    op: str, activation: tuple[str, ...], others: Any, reference: Callable[[Array], Array], tmp_path: Path
) -> None:
    bias = [3.0, -3.0, 1.0, 0.0]
    if op == "_FusedConv2D":
        image, filters = drawn(1000, 1, 4, 5, 2), drawn(1001, 3, 3, 2, 4)
        plain = convolved(image, filters, 1, "SAME")
    else:
        image, filters = drawn(1000, 3, 2), drawn(1001, 2, 4)
        plain = image @ filters
        others = [np.array(other).ravel().tolist() for other in others]
    attributes = {"padding": text("SAME"), "fused_ops": texts("BiasAdd", *activation)}
    (result,) = results(tmp_path, op, [image, filters.tolist(), bias, *others], attributes)
    np.testing.assert_allclose(result, reference(plain + bias), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_product_of_matrices_transposes_its_factors(left: bool, right: bool, tmp_path: Path) -> None:
    a, b = drawn(1000, 3, 2), drawn(1001, 2, 4)
    given_a, given_b = (np.ascontiguousarray(m.T if t else m) for m, t in ((a, left), (b, right)))
    attributes = {"transpose_a": flag(left), "transpose_b": flag(right)}
    (result,) = results(tmp_path, "MatMul", [given_a, given_b], attributes)
    np.testing.assert_allclose(result, a @ b, rtol=1e-5)


@given(
    rows=sizes,
    columns=sizes,
    size=st.integers(1, 4),
    stride=st.integers(1, 3),
    padding=st.sampled_from(["SAME", "VALID"]),
)
@settings(max_examples=25)
def test_pooling_agrees_with_its_definition_for_all_sizes(
    rows: int, columns: int, size: int, stride: int, padding: str
) -> None:
    assume(padding == "VALID" or size == 1 or size >= stride)
    image = drawn(1000, 1, max(rows, size), max(columns, size), 3)
    attributes = {"ksize": spatial(size), "strides": spatial(stride), "padding": text(padding)}
    seen = windows(image, (size, size), stride, padding, fill=np.nan)
    with tempfile.TemporaryDirectory() as folder:
        (largest,) = results(Path(folder), "MaxPool", [image], attributes)
        (mean,) = results(Path(folder), "AvgPool", [image], attributes)
    np.testing.assert_allclose(largest, np.nanmax(seen, axis=(3, 4)))
    np.testing.assert_allclose(mean, np.nanmean(seen, axis=(3, 4)), rtol=1e-4, atol=1e-5)


FILTER = np.zeros((3, 3, 2, 4)).tolist()
IMAGE = np.zeros((1, 4, 4, 2), np.float32)


@pytest.mark.parametrize(
    ("op", "inputs", "attributes", "cause"),
    [
        ("Conv2D", [IMAGE, FILTER], {"data_format": text("NCHW")}, "data_format=NCHW"),
        ("Conv2D", [IMAGE, FILTER], {"strides": integers(2, 1, 1, 1)}, "strides"),
        ("Conv2D", [IMAGE, FILTER], {"padding": text("FULL")}, "padding=FULL"),
        (
            "Conv2D",
            [IMAGE, FILTER],
            {"padding": text("SAME"), "strides": spatial(2), "dilations": spatial(2)},
            "dilations",
        ),
        (
            "Conv2D",
            [IMAGE, FILTER],
            {"padding": text("EXPLICIT"), "explicit_paddings": integers(1, 0, 0, 0, 0, 0, 0, 0)},
            "explicit_paddings",
        ),
        ("Conv2D", [IMAGE, np.zeros((3, 3, 2, 4), np.float32)], {}, "a filter that is no constant"),
        ("_FusedConv2D", [IMAGE, FILTER], {"fused_ops": texts("FusedBatchNorm")}, "FusedBatchNorm"),
        ("_FusedConv2D", [IMAGE, FILTER], {"fused_ops": texts("Relu", "Relu")}, "fused_ops"),
        ("MaxPool", [IMAGE], {"ksize": integers(1, 2, 2, 2)}, "ksize"),
        (
            "MaxPool",
            [IMAGE],
            {"ksize": spatial(2), "strides": spatial(3), "padding": text("SAME")},
            "below strides",
        ),
    ],
)
def test_unknown_form_of_a_layer_is_refused_with_the_name_of_its_node(
    op: str, inputs: list[Any], attributes: dict[str, Any], cause: str, tmp_path: Path
) -> None:
    with pytest.raises(UnsupportedGraphError, match=cause) as refused:
        results(tmp_path, op, inputs, attributes)
    assert f"{op} 'y'" in str(refused.value)
