"""The files of graph models: what is read, what is stored in the network, and what is refused."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.models.vision.tfjs.conversion import convert_graph_model
from stma_ros.models.vision.tfjs.errors import GraphModelError, UnsupportedGraphError
from stma_ros.models.vision.tfjs.weights import read_weights
from stma_ros.types.errors import MissingDependencyError
from support.models.tfjs_models import TinyModel, run_network

onnx = pytest.importorskip("onnx", reason="onnx is not installed: `make vision`")


def small_model() -> TinyModel:
    """Returns y = (x + 1) * 2 for two numbers, with a control input that means nothing."""
    model = TinyModel()
    one, two = model.const("one", [1.0]), model.const("two", [2.0])
    model.add("Mul", "y", model.add("Add", "sum", model.input("x", (2,)), one, f"^{two}"), two)
    return model


def test_network_has_the_names_of_the_model_and_the_given_metadata(tmp_path: Path) -> None:
    content = convert_graph_model(
        small_model().write(tmp_path), metadata={"licence": "MIT", "labels": '["a"]'}
    )
    network = onnx.load_from_string(content)
    assert [value.name for value in network.graph.input] == ["x"]
    (output,) = network.graph.output
    assert (output.name, [size.dim_value for size in output.type.tensor_type.shape.dim]) == ("y", [2])
    assert {entry.key: entry.value for entry in network.metadata_props} == {
        "licence": "MIT",
        "labels": '["a"]',
    }


def test_outputs_are_those_of_the_signature_or_any_that_are_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: `make vision`")
    model = small_model()
    model.content["signature"] = {"outputs": {"doubled": {"name": "y:0"}}}
    path = model.write(tmp_path)
    x = {"x": np.array([1, 5], np.float32)}
    for outputs, expected in (((), [[4, 12]]), (("sum", "doubled"), [[2, 6], [4, 12]])):
        network = convert_graph_model(path, outputs)
        assert [result.tolist() for result in run_network(network, x)] == expected
    with pytest.raises(GraphModelError, match=r"tiny\.json has no output 'z'; its outputs are doubled"):
        convert_graph_model(path, ["z"])
    with pytest.raises(GraphModelError, match="'x' is an input and no output"):
        convert_graph_model(path, ["x"])


def test_nodes_may_be_listed_in_any_order(tmp_path: Path) -> None:
    model = small_model()
    forwards = convert_graph_model(model.write(tmp_path))
    model.nodes.reverse()
    backwards = convert_graph_model(model.write(tmp_path))
    assert {node.name for node in onnx.load_from_string(forwards).graph.node} == {
        node.name for node in onnx.load_from_string(backwards).graph.node
    }


def read_back(stored: np.ndarray[Any, Any], **entry: Any) -> np.ndarray[Any, Any]:
    model = TinyModel()
    model.stored("w", stored, **entry)
    with tempfile.TemporaryDirectory() as folder:
        path = model.write(Path(folder))
        return read_weights(model.content["weightsManifest"], path.parent, path)["w"]


shapes = st.lists(st.integers(0, 4), max_size=3)


@given(shapes, st.sampled_from(["<f2", "u1", "<u2"]), st.floats(0.001, 10), st.floats(-100, 100))
def test_weights_in_fewer_bits_are_restored(shape: list[int], kind: str, scale: float, least: float) -> None:
    stored = np.random.default_rng(1000).integers(0, 200, shape).astype(kind)
    name = np.dtype(kind).name
    quantization = {"dtype": name} | ({} if kind == "<f2" else {"scale": scale, "min": least})
    loaded = read_back(stored, dtype="float32", quantization=quantization)
    expected = stored if kind == "<f2" else stored.astype(float) * scale + least
    assert (loaded.dtype, loaded.shape) == (np.float32, tuple(shape))
    np.testing.assert_allclose(loaded, expected, rtol=1e-6, atol=1e-6)


def test_integers_in_fewer_bits_are_rounded() -> None:
    stored = np.array([0, 1, 3], np.uint8)
    loaded = read_back(stored, dtype="int32", quantization={"dtype": "uint8", "scale": 0.5, "min": -4})
    assert (loaded.dtype, loaded.tolist()) == (np.int32, [-4, -3, -2])


def test_group_of_weights_continues_from_one_file_to_the_next(tmp_path: Path) -> None:
    numbers = np.arange(6, dtype="<i4")
    (tmp_path / "a").write_bytes(numbers.tobytes()[:7])
    (tmp_path / "b").write_bytes(numbers.tobytes()[7:])
    manifest = [{"paths": ["a", "b"], "weights": [{"name": "w", "shape": [2, 3], "dtype": "int32"}]}]
    weights = read_weights(manifest, tmp_path, tmp_path / "model.json")
    assert weights["w"].tolist() == [[0, 1, 2], [3, 4, 5]]


def changed(change: Callable[[TinyModel], Any], folder: Path) -> Path:
    model = small_model()
    change(model)
    return model.write(folder)


def shorten(model: TinyModel) -> None:
    model.weights = model.weights[:-1]


def add_loop(model: TinyModel) -> None:
    model.add("Add", "a", "b", "y")
    model.add("Add", "b", "a", "y")
    model.add("Relu", "z", "b")


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (shorten, r"tiny\.bin: 7 bytes instead of the 8 that tiny\.json describes"),
        (lambda model: setattr(model, "weights", model.weights * 2), "16 bytes instead of the 8"),
        (lambda model: model.content.update(format="layers-model"), r"tiny\.json is a layers-model"),
        (lambda model: model.content.pop("weightsManifest"), "not a graph model"),
        (lambda model: model.content.update(modelTopology={"model_config": {}}), "not a graph model"),
        (lambda model: model.content.update(signature={"outputs": [1]}), "signature is malformed"),
        (lambda model: model.content.update(signature={"outputs": {"q": {}}}), "names 'q', which is no node"),
        (lambda model: model.entries.pop(), "4 that tiny.json describes"),
        (lambda model: model.entries[0].update(name="other"), "no value for the operation Const 'one'"),
        (lambda model: model.entries[0].update(dtype="complex64"), "malformed or of an unknown type"),
        (lambda model: model.entries[0].update(shape=[-1]), r"'one' has the shape \(-1,\)"),
        (
            lambda model: model.entries[0].update(shape=[4], quantization={"dtype": "uint8"}),
            "'one' is stored in fewer bits without a scale",
        ),
        (
            lambda model: model.content["weightsManifest"][0].update(paths=["../tiny.bin"]),
            r"beside this file, and not in '\.\./tiny\.bin'",
        ),
        (
            lambda model: model.content["weightsManifest"][0].update(paths=["none.bin"]),
            r"none\.bin cannot be read",
        ),
        (lambda model: model.nodes[0].pop("op"), "a node is malformed"),
        (lambda model: model.nodes.append(model.nodes[0]), "two nodes are called 'one'"),
        (lambda model: model.nodes[-1].update(input=["sum", "gone"]), "Mul 'y' reads 'gone'"),
        (
            lambda model: model.nodes[-1].update(input=["sum:1", "two"]),
            "output 1 of the node 'sum' is wanted",
        ),
        (
            lambda model: model.add("FloorMod", "z", "y", "y", T=7),
            "attribute T of the operation FloorMod 'z'",
        ),
        (lambda model: model.add("Relu6", "z"), "Relu6 'z' has inputs that it cannot have"),
        (lambda model: model.add("Squeeze", "z", "y", squeeze_dims={"list": 3}), "attribute squeeze_dims"),
        (lambda model: model.add("LogicalAnd", "z", "y", "y"), "contradict each other"),
        (add_loop, "depends on itself"),
    ],
)
def test_damaged_model_is_refused_with_its_file_and_cause(
    change: Callable[[TinyModel], Any], cause: str, tmp_path: Path
) -> None:
    with pytest.raises(GraphModelError, match=cause):
        convert_graph_model(changed(change, tmp_path))


def test_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    with pytest.raises(GraphModelError, match=r"model\.json cannot be read"):
        convert_graph_model(path)
    for content, cause in (("{", "is not JSON"), ("[]", "is not a model"), ("[" * 100_000, "is not JSON")):
        path.write_text(content)
        with pytest.raises(GraphModelError, match=cause):
            convert_graph_model(path)


def test_unknown_operations_are_named_with_a_node_each_and_the_remedy(tmp_path: Path) -> None:
    model = small_model()
    model.add("NonMaxSuppressionV5", "best", model.add("Where", "found", "y"))
    path = model.write(tmp_path)
    with pytest.raises(UnsupportedGraphError, match=r"NonMaxSuppressionV5 'best', Where 'found'.*table\.py"):
        convert_graph_model(path)
    assert convert_graph_model(path, ["y"])


def test_input_without_a_number_of_dimensions_is_refused(tmp_path: Path) -> None:
    model = TinyModel()
    model.add("Relu", "y", model.add("Placeholder", "x", shape={"shape": {"unknownRank": True}}))
    with pytest.raises(UnsupportedGraphError, match=r"Placeholder 'x'.*unknown number of dimensions"):
        convert_graph_model(model.write(tmp_path))


def test_missing_onnx_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"stma_ros\[vision\].*make vision"):
        convert_graph_model(small_model().write(tmp_path))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["list", "i", "s", "dim", "name"]), inner)
    ),
    max_leaves=4,
)


@given(st.data())
@settings(max_examples=200)
def test_any_change_of_the_file_gives_a_network_or_a_typed_error(data: st.DataObject) -> None:
    model = small_model()
    model.add(
        "StridedSlice", "z", "y", *(model.const(f"c{index}", [1]) for index in range(3)), end_mask={"i": "1"}
    )
    place: Any = model.content
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.integers(0, 5)) == 0:
            break
        place = place[key]
    place[key] = data.draw(json_values)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tiny.json"
        path.write_text(json.dumps(model.content))
        (Path(folder) / "tiny.bin").write_bytes(model.weights)
        with suppress(GraphModelError, UnsupportedGraphError):
            assert convert_graph_model(path)
