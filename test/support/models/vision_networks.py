"""Tiny ONNX networks that return what a test gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from stma_ros.models.vision.description import InputDescription

WIDTH, HEIGHT = 16, 12
INPUT = InputDescription("image", WIDTH, HEIGHT)


def constant_network(path: Path, outputs: Mapping[str, Any]) -> Path:
    """Writes a network whose outputs (without the dimension of the images) are the same for every image."""
    nodes = [helper.make_node("Shape", ["image"], ["shape"], start=0, end=1)]
    initializers = []
    for name, value in outputs.items():
        array = np.asarray(value, np.float32)[None]
        initializers.append(numpy_helper.from_array(array, f"{name}_value"))
        ones = np.ones(array.ndim - 1, np.int64)
        initializers.append(numpy_helper.from_array(ones, f"{name}_ones"))
        nodes.append(helper.make_node("Concat", ["shape", f"{name}_ones"], [f"{name}_times"], axis=0))
        nodes.append(helper.make_node("Tile", [f"{name}_value", f"{name}_times"], [name]))
    ranks = {name: np.ndim(value) + 1 for name, value in outputs.items()}
    return _written(path, nodes, ranks, initializers)


def mean_colour_network(path: Path, batch: int | str = "images") -> Path:
    """Writes a network with one row for an image: a box around it, of class 0, whose score is the mean of red."""
    edges = np.array([[[0, 0, WIDTH, HEIGHT]]], np.float32)
    nodes = [
        helper.make_node("ReduceMean", ["image", "axes"], ["means"], keepdims=0),
        helper.make_node("Slice", ["means", "zero", "one", "one"], ["red"]),
        helper.make_node("Unsqueeze", ["red", "one"], ["score"]),
        helper.make_node("Mul", ["score", "nothing"], ["class"]),
        helper.make_node("Mul", ["class", "edges"], ["no_edges"]),
        helper.make_node("Add", ["no_edges", "edges"], ["box"]),
        helper.make_node("Concat", ["box", "score", "class"], ["rows"], axis=2),
    ]
    initializers = [
        numpy_helper.from_array(np.array([2, 3], np.int64), "axes"),
        numpy_helper.from_array(np.array([0], np.int64), "zero"),
        numpy_helper.from_array(np.array([1], np.int64), "one"),
        numpy_helper.from_array(np.float32(0), "nothing"),
        numpy_helper.from_array(edges, "edges"),
    ]
    return _written(path, nodes, {"rows": 3}, initializers, batch)


def scaled_boxes_network(path: Path, classes: Any, shares: Any, scores: Any) -> Path:
    """Writes a network for one image as RT-DETR's tools export it: its boxes, in shares of the image, are scaled to the
    sizes in a second input."""
    image = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    sizes = helper.make_tensor_value_info("orig_target_sizes", TensorProto.INT64, [1, 2])
    count = len(classes)
    nodes = [
        helper.make_node("Cast", ["orig_target_sizes"], ["size"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["size", "size"], ["scale"], axis=1),
        helper.make_node("Mul", ["shares", "scale"], ["boxes"]),
        helper.make_node("Identity", ["classes"], ["labels"]),
        helper.make_node("Identity", ["values"], ["scores"]),
    ]
    outputs = [
        helper.make_tensor_value_info("labels", TensorProto.INT64, [1, count]),
        helper.make_tensor_value_info("boxes", TensorProto.FLOAT, [1, count, 4]),
        helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, count]),
    ]
    constants = [
        numpy_helper.from_array(np.array([classes], np.int64), "classes"),
        numpy_helper.from_array(np.array([shares], np.float32), "shares"),
        numpy_helper.from_array(np.array([scores], np.float32), "values"),
    ]
    graph = helper.make_graph(nodes, "tiny", [image, sizes], outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def text_network(path: Path) -> Path:
    """Writes the network of `mean_colour_network` with its numbers as texts."""
    model = onnx.load(mean_colour_network(path))
    (rows,) = model.graph.output
    model.graph.node[-1].output[0] = "numbers"
    model.graph.node.append(helper.make_node("Cast", ["numbers"], ["rows"], to=TensorProto.STRING))
    rows.type.tensor_type.elem_type = TensorProto.STRING
    onnx.save(model, path)
    return path


def byte_network(path: Path) -> Path:
    """Writes the network of `mean_colour_network` for bytes."""
    model = onnx.load(mean_colour_network(path))
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.UINT8
    scale = numpy_helper.from_array(np.float32(1 / 255), "scale")
    cast = helper.make_node("Cast", ["image"], ["bytes"], to=TensorProto.FLOAT)
    shares = helper.make_node("Mul", ["bytes", "scale"], ["shares"])
    model.graph.node[0].input[0] = "shares"
    nodes = [cast, shares, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.append(scale)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def _written(
    path: Path,
    nodes: Sequence[onnx.NodeProto],
    ranks: Mapping[str, int],
    initializers: Sequence[onnx.TensorProto],
    batch: int | str = "images",
) -> Path:
    """Writes a network. ranks: dimensions of its outputs by name."""
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [batch, 3, HEIGHT, WIDTH])
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}_{side}" for side in range(rank)])
        for name, rank in ranks.items()
    ]
    graph = helper.make_graph(nodes, "tiny", [image], outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def colour_image(red: int, height: int = HEIGHT, width: int = WIDTH) -> NDArray[np.uint8]:
    """Returns an image (H, W, 3) of one colour."""
    image = np.zeros((height, width, 3), np.uint8)
    image[..., 0] = red
    return image
