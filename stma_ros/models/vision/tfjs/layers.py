"""Convolutions, pooling and products of matrices, with the bias and the activation that may be fused with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.tfjs import elementwise
from stma_ros.models.vision.tfjs.builder import GraphBuilder, Tensor
from stma_ros.models.vision.tfjs.elementwise import Conversion
from stma_ros.models.vision.tfjs.node import Node

_BIAS = "BiasAdd"
_ACTIVATIONS: Mapping[str, Conversion] = {
    "Relu": elementwise.elementwise("Relu"),
    "Relu6": elementwise.relu6,
    "Elu": elementwise.elementwise("Elu"),
    "Sigmoid": elementwise.elementwise("Sigmoid"),
    "Prelu": elementwise.elementwise("PRelu"),
}


def conv2d(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """A convolution; the filter has the dimensions rows, columns, input channels, output channels."""
    weights = np.transpose(_weights(node, inputs), (3, 2, 0, 1))
    return _convolution(node, inputs, graph, weights, groups=1)


def depthwise_conv2d(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """A convolution of each channel by itself; the filter has the dimensions rows, columns, input channels, output
    channels for each of these."""
    filters = _weights(node, inputs)
    rows, columns, channels, multiplier = filters.shape
    weights = np.transpose(filters, (2, 3, 0, 1)).reshape(channels * multiplier, 1, rows, columns)
    return _convolution(node, inputs, graph, weights, groups=channels)


def max_pool(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    return _pooling("MaxPool", node, inputs, graph)


def average_pool(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """The mean of the pixels of a window; those beyond the border do not count."""
    return _pooling("AveragePool", node, inputs, graph, count_include_pad=0)


def matrix_product(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """A product of two matrices, with a bias and an activation if these are fused."""
    factors: list[str] = []
    for tensor, side in zip(inputs[:2], ("a", "b"), strict=True):
        name = graph.channels_last(tensor)
        if node.flag(f"transpose_{side}"):
            name = graph.add("Transpose", [name], node.name, perm=(1, 0)).name
        factors.append(name)
    result = graph.add("MatMul", factors, node.name)
    bias, activation, others = _fused(node, inputs)
    if bias is not None:
        result = graph.add("Add", [result.name, graph.channels_last(bias)], node.name)
    return _activated(node, result, activation, others, graph)


def _convolution(
    node: Node, inputs: Sequence[Tensor], graph: GraphBuilder, weights: NDArray[Any], groups: int
) -> Sequence[Tensor]:
    bias, activation, others = _fused(node, inputs)
    names = [graph.channels_first(inputs[0]), graph.constant(weights, f"{node.name}/weights")]
    if bias is not None:
        names.append(graph.channels_last(bias))
    result = graph.add(
        "Conv",
        names,
        node.name,
        channels_first=True,
        group=groups,
        **_window(node, weights.shape[2:], _spatial(node, "dilations")),
    )
    return _activated(node, result, activation, others, graph)


def _pooling(
    kind: str, node: Node, inputs: Sequence[Tensor], graph: GraphBuilder, **attributes: Any
) -> Sequence[Tensor]:
    kernel = _spatial(node, "ksize")
    window = _window(node, kernel, (1, 1))
    if "auto_pad" in window and any(
        size < step for size, step in zip(kernel, window["strides"], strict=True)
    ):
        raise node.unsupported(f"ksize={list(kernel)} below strides={window['strides']} and padding=SAME")
    image = graph.channels_first(inputs[0])
    return (graph.add(kind, [image], node.name, channels_first=True, **window, **attributes),)


def _weights(node: Node, inputs: Sequence[Tensor]) -> NDArray[Any]:
    value = inputs[1].constant
    if value is None or value.ndim != 4:
        raise node.unsupported("a filter that is no constant of four dimensions")
    return value


def _window(node: Node, kernel: Sequence[int], dilations: tuple[int, int]) -> dict[str, Any]:
    """Returns ONNX's attributes of a moving window.

    With the stride 1 or a kernel of one pixel, the padding SAME does not depend on the size of the image. Otherwise
    ONNX derives it, by the same rule: what is odd goes to the lower right.
    """
    strides = _spatial(node, "strides")
    window: dict[str, Any] = {"kernel_shape": list(kernel), "strides": list(strides)}
    if dilations != (1, 1):
        window["dilations"] = list(dilations)
    padding = node.text("padding", "VALID")
    if padding == "SAME" and (1, 1) in (strides, tuple(kernel)):
        whole = [(size - 1) * dilation for size, dilation in zip(kernel, dilations, strict=True)]
        before = [size // 2 for size in whole]
        window["pads"] = before + [size - half for size, half in zip(whole, before, strict=True)]
    elif padding == "SAME" and dilations == (1, 1):
        window["auto_pad"] = "SAME_UPPER"
    elif padding == "EXPLICIT":
        explicit = node.integers("explicit_paddings")
        if len(explicit) != 8 or any(explicit[:2] + explicit[6:]):
            raise node.unsupported(f"explicit_paddings={list(explicit)}")
        window["pads"] = [explicit[2], explicit[4], explicit[3], explicit[5]]
    elif padding != "VALID":
        raise node.unsupported(f"padding={padding}, strides={list(strides)}, dilations={list(dilations)}")
    return window


def _spatial(node: Node, key: str) -> tuple[int, int]:
    """Returns rows and columns of an attribute that has a value for each dimension of an image."""
    if (data_format := node.text("data_format", "NHWC")) != "NHWC":
        raise node.unsupported(
            f"data_format={data_format}", "export the model with the channels in the last dimension"
        )
    values = node.integers(key) or (1, 1, 1, 1)
    if len(values) != 4 or (values[0], values[3]) != (1, 1):
        raise node.unsupported(f"{key}={list(values)}")
    return values[1], values[2]


def _fused(node: Node, inputs: Sequence[Tensor]) -> tuple[Tensor | None, str, Sequence[Tensor]]:
    """Returns what is fused with a layer: the bias, the activation (empty = none), and its further inputs."""
    fused = list(node.texts("fused_ops"))
    others = list(inputs[2:])
    bias = others.pop(0) if fused[:1] == [_BIAS] and others else None
    activations = fused[1:] if bias is not None else fused
    if len(activations) > 1 or not {*activations} <= _ACTIVATIONS.keys():
        raise node.unsupported(f"fused_ops={fused}")
    return bias, activations[0] if activations else "", others


def _activated(
    node: Node, result: Tensor, activation: str, others: Sequence[Tensor], graph: GraphBuilder
) -> Sequence[Tensor]:
    return _ACTIVATIONS[activation](node, [result, *others], graph) if activation else (result,)
