"""Tiny graph models of TensorFlow.js, written as files and run with ONNX Runtime."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Attributes = Mapping[str, dict[str, Any]]

_TYPES = {"f": "DT_FLOAT", "i": "DT_INT32", "b": "DT_BOOL"}


def text(value: str) -> dict[str, Any]:
    """Returns an attribute as the file has it; so do the functions below."""
    return {"s": base64.b64encode(value.encode()).decode()}


def texts(*values: str) -> dict[str, Any]:
    return {"list": {"s": [text(value)["s"] for value in values]}}


def integer(value: int) -> dict[str, Any]:
    return {"i": str(value)}


def integers(*values: int) -> dict[str, Any]:
    return {"list": {"i": [str(value) for value in values]}}


def number(value: float) -> dict[str, Any]:
    return {"f": value}


def flag(value: bool) -> dict[str, Any]:
    return {"b": value}


def element_type(name: str) -> dict[str, Any]:
    return {"type": name}


class TinyModel:
    """A graph model that is put together node by node.

    Attributes:
        content: The JSON file.
        weights: The weights file.
    """

    def __init__(self) -> None:
        self.content: dict[str, Any] = {
            "format": "graph-model",
            "modelTopology": {"node": []},
            "weightsManifest": [{"paths": ["tiny.bin"], "weights": []}],
        }
        self.weights = b""

    @property
    def nodes(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.content["modelTopology"]["node"]
        return listed

    @property
    def entries(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.content["weightsManifest"][0]["weights"]
        return listed

    def add(self, op: str, name: str, *inputs: str, **attributes: dict[str, Any]) -> str:
        """Adds a node and returns its name."""
        self.nodes.append({"name": name, "op": op, "input": list(inputs), "attr": attributes})
        return name

    def input(self, name: str, shape: Sequence[int], dtype: str = "DT_FLOAT") -> str:
        sizes = {"dim": [{"size": str(size)} for size in shape]}
        return self.add("Placeholder", name, shape={"shape": sizes}, dtype=element_type(dtype))

    def const(self, name: str, value: Any) -> str:
        """Adds a constant, stored as it is: floats in 32 bits, integers in 32 bits, or bool."""
        array = np.asarray(value)
        stored = array.astype({"f": "<f4", "i": "<i4", "b": "u1"}[array.dtype.kind])
        kind = {"f": "float32", "i": "int32", "b": "bool"}[array.dtype.kind]
        return self.stored(name, stored, dtype=kind)

    def stored(self, name: str, array: NDArray[Any], **entry: Any) -> str:
        """Adds a constant whose bytes are those of an array. entry: more of its entry in the manifest."""
        self.weights += array.tobytes()
        self.entries.append({"name": name, "shape": list(array.shape), **entry})
        return self.add("Const", name, dtype=element_type("DT_FLOAT"))

    def write(self, folder: Path) -> Path:
        """Writes the two files and returns that of the graph."""
        path = folder / "tiny.json"
        path.write_text(json.dumps(self.content))
        (folder / "tiny.bin").write_bytes(self.weights)
        return path


def run_network(network: bytes, inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
    """Returns the outputs of an ONNX network."""
    import onnxruntime

    session = onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])
    outputs: list[NDArray[Any]] = session.run(None, dict(inputs))
    return outputs


def results(
    folder: Path, op: str, inputs: Sequence[Any], attributes: Attributes, outputs: Sequence[str] = ("y",)
) -> list[NDArray[Any]]:
    """Converts and runs a model of a single operation.

    Args:
        folder: Where the model is written.
        op: The operation; its node is called y.
        inputs: What it reads: an array becomes an input of the model, a list or a number a constant.
        attributes: Of the operation.
        outputs: Those to be computed.
    """
    from stma_ros.models.vision.tfjs.conversion import convert_graph_model

    model = TinyModel()
    given: dict[str, NDArray[Any]] = {}
    names: list[str] = []
    for index, value in enumerate(inputs):
        name = f"x{index}"
        if isinstance(value, np.ndarray):
            given[name] = value
            names.append(model.input(name, value.shape, _TYPES[value.dtype.kind]))
        else:
            names.append(model.const(name, value))
    model.add(op, "y", *names, **attributes)
    return run_network(convert_graph_model(model.write(folder), outputs), given)
