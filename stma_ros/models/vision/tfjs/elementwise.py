"""Operations on single elements: they leave the order of dimensions as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from stma_ros.models.vision.tfjs.builder import GraphBuilder, Tensor
from stma_ros.models.vision.tfjs.node import Node

Conversion: TypeAlias = Callable[[Node, Sequence[Tensor], GraphBuilder], Sequence[Tensor]]
"""Adds the ONNX nodes of a node: of the node, its inputs and the graph to the node's outputs."""


def elementwise(kind: str, **attributes: Any) -> Conversion:
    """Returns the conversion of an operation that ONNX has under the name `kind`."""

    def convert(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
        names, first = graph.aligned(inputs)
        return (graph.add(kind, names, node.name, channels_first=first, **attributes),)

    return convert


def chained(*kinds: str) -> Conversion:
    """Returns the conversion of an operation that is several of ONNX, each on the result of the one before."""

    def convert(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
        names, first = graph.aligned(inputs)
        for kind in kinds:
            result = graph.add(kind, names, node.name, channels_first=first)
            names = [result.name]
        return (result,)

    return convert


def relu6(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    names, first = graph.aligned([inputs[0]])
    limits = [graph.constant(np.array(limit, np.float32), f"{node.name}/limit") for limit in (0, 6)]
    return (graph.add("Clip", [*names, *limits], node.name, channels_first=first),)


def leaky_relu(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    return elementwise("LeakyRelu", alpha=node.number("alpha", 0.2))(node, inputs, graph)


def square(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    return elementwise("Mul")(node, [*inputs, *inputs], graph)


def squared_difference(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    return square(node, elementwise("Sub")(node, inputs, graph), graph)


def floor_mod(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """The remainder, which has the sign of the divisor."""
    if node.dtype("T").kind == "i":
        return elementwise("Mod", fmod=0)(node, inputs, graph)
    quotient = floor_div(node, inputs, graph)
    product = elementwise("Mul")(node, [*quotient, inputs[1]], graph)
    return elementwise("Sub")(node, [inputs[0], *product], graph)


def floor_div(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """The quotient, rounded down; ONNX rounds that of integers towards zero."""
    if node.dtype("T").kind == "f":
        return chained("Div", "Floor")(node, inputs, graph)
    remainder = elementwise("Mod", fmod=0)(node, inputs, graph)
    divisible = elementwise("Sub")(node, [inputs[0], *remainder], graph)
    return elementwise("Div")(node, [*divisible, inputs[1]], graph)


def cast(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    return (graph.cast(inputs[0], node.dtype("DstT"), node.name),)


def softmax(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """Over the channels, or the last dimension of what is no image."""
    first = inputs[0].channels_first
    name = inputs[0].name if first else graph.channels_last(inputs[0])
    return (graph.add("Softmax", [name], node.name, channels_first=first, axis=1 if first else -1),)
