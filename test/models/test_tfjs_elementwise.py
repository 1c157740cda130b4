"""Operations on single elements give what numpy gives, whatever the order of dimensions behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.models.vision.tfjs.conversion import convert_graph_model
from support.models.tfjs_models import TinyModel, element_type, number, results, run_network, text, texts

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: `make vision`")
onnx = pytest.importorskip("onnx", reason="onnx is not installed: `make vision`")

Reference = Callable[..., NDArray[Any]]

A = np.array([[-7.5, -1, 0, 0.5], [1, 2, 6, 9]], np.float32)
B = np.array([[2, -3, 4, 0.5], [-1, 2, -4, 7]], np.float32)
POSITIVE = np.array([0.25, 1, 2, 9], np.float32)
LEFT, RIGHT = np.array([-7, -6, 0, 7, 6], np.int32), np.array([3, -3, 5, -3, 3], np.int32)
TRUTHS = np.array([True, True, False, False]), np.array([True, False, True, False])
INTEGERS = {"T": element_type("DT_INT32")}


def elu(x: NDArray[Any]) -> NDArray[Any]:
    return np.where(x > 0, x, np.exp(x) - 1)


@pytest.mark.parametrize(
    ("op", "inputs", "reference"),
    [
        ("Abs", [A], np.abs),
        ("Add", [A, B], np.add),
        ("AddN", [A, B, A], lambda a, b, c: a + b + c),
        ("AddV2", [A, [1.0, 2.0, 3.0, 4.0]], np.add),
        ("BiasAdd", [A, [1.0, 2.0, 3.0, 4.0]], np.add),
        ("Elu", [A], elu),
        ("Equal", [A, A * [1, 0, 1, 0]], np.equal),
        ("Exp", [A], np.exp),
        ("Floor", [A], np.floor),
        ("Greater", [A, B], np.greater),
        ("GreaterEqual", [A, B], np.greater_equal),
        ("Less", [A, B], np.less),
        ("LessEqual", [A, B], np.less_equal),
        ("Log", [POSITIVE], np.log),
        ("LogicalAnd", TRUTHS, np.logical_and),
        ("LogicalNot", TRUTHS[:1], np.logical_not),
        ("LogicalOr", TRUTHS, np.logical_or),
        ("Maximum", [A, B], np.maximum),
        ("Minimum", [A, 1.5], np.minimum),
        ("Mul", [A, B], np.multiply),
        ("Neg", [A], np.negative),
        ("NotEqual", [A, A * [1, 0, 1, 0]], np.not_equal),
        ("Pow", [POSITIVE, 1.5], np.power),
        ("Prelu", [A, [0.1, 0.2, 0.3, 0.4]], lambda a, slope: np.where(a > 0, a, a * slope)),
        ("RealDiv", [A, B], np.divide),
        ("Reciprocal", [B], np.reciprocal),
        ("Relu", [A], lambda a: np.maximum(a, 0)),
        ("Relu6", [A], lambda a: np.clip(a, 0, 6)),
        ("Rsqrt", [POSITIVE], lambda a: 1 / np.sqrt(a)),
        ("Sigmoid", [A], lambda a: 1 / (1 + np.exp(-a))),
        ("Softmax", [A], lambda a: np.exp(a) / np.exp(a).sum(axis=-1, keepdims=True)),
        ("Sqrt", [POSITIVE], np.sqrt),
        ("Square", [A], np.square),
        ("SquaredDifference", [A, B], lambda a, b: (a - b) ** 2),
        ("Sub", [A, B], np.subtract),
        ("Tanh", [A], np.tanh),
    ],
)
def test_operation_on_elements_gives_what_numpy_gives(
    op: str, inputs: Sequence[Any], reference: Reference, tmp_path: Path
) -> None:
    given = [
        value.astype(np.float32) if getattr(value, "dtype", None) == np.float64 else value for value in inputs
    ]
    (result,) = results(tmp_path, op, given, {})
    expected = reference(*(np.asarray(value) for value in given))
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("op", "expected"), [("FloorDiv", LEFT // RIGHT), ("FloorMod", LEFT % RIGHT), ("Mul", LEFT * RIGHT)]
)
def test_arithmetic_of_integers_rounds_down_and_stays_in_32_bits(
    op: str, expected: NDArray[Any], tmp_path: Path
) -> None:
    (result,) = results(tmp_path, op, [LEFT, RIGHT], INTEGERS)
    assert result.dtype == np.int32
    assert result.tolist() == expected.tolist()


@pytest.mark.parametrize(("op", "expected"), [("FloorDiv", A // B), ("FloorMod", A % B)])
def test_division_of_floats_rounds_down(op: str, expected: NDArray[Any], tmp_path: Path) -> None:
    (result,) = results(tmp_path, op, [A, B], {"T": element_type("DT_FLOAT")})
    np.testing.assert_allclose(result, expected, atol=1e-6)


@pytest.mark.parametrize(("attributes", "slope"), [({"alpha": number(0.5)}, 0.5), ({}, 0.2)])
def test_leaky_relu_has_the_slope_of_its_attribute(
    attributes: dict[str, Any], slope: float, tmp_path: Path
) -> None:
    (result,) = results(tmp_path, "LeakyRelu", [A], attributes)
    np.testing.assert_allclose(result, np.where(A > 0, A, A * slope), rtol=1e-6)


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("DT_INT32", A.astype(np.int32)),
        ("DT_INT64", A.astype(np.int32)),
        ("DT_BOOL", A != 0),
        ("DT_FLOAT", A),
    ],
)
def test_cast_truncates_and_knows_no_integers_of_64_bits(
    to: str, expected: NDArray[Any], tmp_path: Path
) -> None:
    (result,) = results(tmp_path, "Cast", [A], {"DstT": element_type(to)})
    assert result.dtype == expected.dtype
    assert result.tolist() == expected.tolist()


def squeeze_and_excite(model: TinyModel, channels: int) -> str:
    """Adds two convolutions and what usually lies between them, and returns the last node: activations, constants of
    several shapes, the mean of the image, joining of channels, a border and a change of size."""
    rng = np.random.default_rng(1000)

    def convolved(image: str, name: str, inputs: int) -> str:
        filters = model.const(f"{name}/filter", rng.normal(size=(1, 1, inputs, channels)))
        return model.add("Conv2D", name, image, filters, padding=text("SAME"))

    first = convolved(model.input("image", (1, 4, 5, 3)), "first", 3)
    shifted = model.add("Add", "shifted", first, model.const("shift", rng.normal(size=channels)))
    scaled = model.add("Mul", "scaled", model.const("scale", rng.normal(size=(1, 4, 1, channels))), shifted)
    limited = model.add("Relu6", "limited", scaled)
    mean = model.add("Mean", "mean", limited, model.const("axes", [1, 2]), keep_dims={"b": True})
    excited = model.add(
        "Mul", "excited", limited, model.add("Sigmoid", "weight", convolved(mean, "second", channels))
    )
    joined = model.add("ConcatV2", "joined", excited, limited, model.const("axis", -1))
    bordered = model.add("Pad", "bordered", joined, model.const("pads", [[0, 0], [1, 0], [0, 2], [0, 0]]))
    resized = model.add("ResizeBilinear", "resized", bordered, model.const("size", [10, 14]))
    return model.add("Softmax", "y", resized)


def test_layers_between_convolutions_need_no_transposes(tmp_path: Path) -> None:
    model = TinyModel()
    squeeze_and_excite(model, channels=6)
    network = onnx.load_from_string(convert_graph_model(model.write(tmp_path)))
    transposes = [node for node in network.graph.node if node.op_type == "Transpose"]
    assert [list(node.attribute[0].ints) for node in transposes] == [[0, 3, 1, 2], [0, 2, 3, 1]]
    assert transposes[0].input[0] == "image"


@pytest.mark.parametrize(
    "output", ["shifted", "scaled", "mean", "excited", "joined", "bordered", "resized", "y"]
)
def test_order_of_dimensions_does_not_change_what_a_network_computes(output: str, tmp_path: Path) -> None:
    model = TinyModel()
    squeeze_and_excite(model, channels=6)
    image = np.random.default_rng(1001).normal(size=(1, 4, 5, 3)).astype(np.float32)
    (result,) = run_network(convert_graph_model(model.write(tmp_path), [output]), {"image": image})
    # With each layer in a model of its own, nothing but channels in the last dimension is ever seen.
    values = {"image": image}
    for node in model.nodes:
        if node["op"] in ("Const", "Placeholder"):
            continue
        single = TinyModel()
        single.content["weightsManifest"] = model.content["weightsManifest"]
        single.weights = model.weights
        for name in node["input"]:
            if name in values:
                single.input(name, values[name].shape)
            else:
                single.add("Const", name)
        single.nodes.append(node)
        given = {name: values[name] for name in node["input"] if name in values}
        (values[node["name"]],) = run_network(convert_graph_model(single.write(tmp_path)), given)
    np.testing.assert_allclose(result, values[output], rtol=1e-4, atol=1e-5)


def test_operand_of_unknown_order_brings_the_other_one_back_to_channels_last(tmp_path: Path) -> None:
    model = TinyModel()
    image = model.input("image", (1, 2, 3, 4))
    filters = model.const("filter", np.eye(4, dtype=np.float32)[None, None])
    model.add("Sub", "y", model.add("_FusedConv2D", "conv", image, filters, fused_ops=texts("Relu")), image)
    given = np.random.default_rng(1002).normal(size=(1, 2, 3, 4)).astype(np.float32)
    (result,) = run_network(convert_graph_model(model.write(tmp_path)), {"image": given})
    np.testing.assert_allclose(result, np.maximum(given, 0) - given, atol=1e-6)
