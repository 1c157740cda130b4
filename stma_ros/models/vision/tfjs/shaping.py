"""Operations that change shapes, and those that select, resize or summarise parts of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stma_ros.models.vision.tfjs.builder import TO_CHANNELS_FIRST, GraphBuilder, Tensor
from stma_ros.models.vision.tfjs.elementwise import Conversion
from stma_ros.models.vision.tfjs.node import Node

_INT32 = np.dtype(np.int32)
_LAST = int(np.iinfo(np.int32).max)  # beyond the end of any dimension


def constant_integers(node: Node, tensor: Tensor, what: str) -> list[int]:
    """Returns the elements of an input that has to be known before the network runs.

    Raises:
        UnsupportedGraphError: It is calculated by the network.
    """
    if tensor.constant is None:
        raise node.unsupported(f"a calculated {what} ({tensor.name!r})")
    return [int(value) for value in tensor.constant.ravel()]


def reshape(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    names = [graph.channels_last(inputs[0]), graph.sizes(inputs[1])]
    return (graph.add("Reshape", names, node.name, allowzero=1),)  # in ONNX, 0 may mean the old size


def expand_dims(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    axis = constant_integers(node, inputs[1], "axis")
    return (_unsqueezed(graph.channels_last(inputs[0]), axis, node, graph),)


def squeeze(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    axes = list(node.integers("squeeze_dims") or node.integers("axis"))
    return (_squeezed(graph.channels_last(inputs[0]), axes, node, graph),)


def transpose(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    order = constant_integers(node, inputs[1], "permutation")
    return (graph.add("Transpose", [graph.channels_last(inputs[0])], node.name, perm=order),)


def shape(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    sizes = graph.add("Shape", [graph.channels_last(inputs[0])], node.name)
    return (graph.cast(sizes, _INT32, node.name),)


def concat(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    *parts, last = inputs
    (axis,) = constant_integers(node, last, "axis")
    if all(part.channels_first for part in parts):
        names = [part.name for part in parts]
        return (graph.add("Concat", names, node.name, channels_first=True, axis=_moved(axis)),)
    return (graph.add("Concat", [graph.channels_last(part) for part in parts], node.name, axis=axis),)


def pack(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    axis = node.integer("axis")
    parts = [_unsqueezed(graph.channels_last(part), [axis], node, graph).name for part in inputs]
    return (graph.add("Concat", parts, node.name, axis=axis),)


def unpack(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    axis, count = node.integer("axis"), node.integer("num")
    parts = _parts(inputs[0], axis, count, node, graph)
    return tuple(_squeezed(part.name, [axis], node, graph) for part in parts)


def split(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    (axis,) = constant_integers(node, inputs[0], "axis")
    return _parts(inputs[1], axis, node.integer("num_split"), node, graph)


def slice_(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    begin = constant_integers(node, inputs[1], "begin")
    size = constant_integers(node, inputs[2], "size")
    ends = [_LAST if length == -1 else first + length for first, length in zip(begin, size, strict=True)]
    return (_sliced(graph.channels_last(inputs[0]), begin, ends, [1] * len(begin), node, graph),)


def strided_slice(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """A slice as in numpy. Bit i of a mask says of entry i that its begin or end is left out, that it is an ellipsis,
    adds a dimension or, being a single index, takes one away."""
    begin, end, strides = (
        constant_integers(node, tensor, what)
        for tensor, what in zip(inputs[1:], ("begin", "end", "stride"), strict=True)
    )

    def is_set(mask: str, entry: int) -> bool:
        return bool(node.integer(f"{mask}_mask") >> entry & 1)

    count = len(begin)
    ellipsis = next((entry for entry in range(count) if is_set("ellipsis", entry)), count)
    slices: list[tuple[int, int, int, int]] = []  # begin, end, stride, axis
    added: list[int] = []
    removed: list[int] = []
    # From the front to the ellipsis, then from the back to it, where axes count from the end.
    for entries, step in ((range(ellipsis), 1), (range(count - 1, ellipsis, -1), -1)):
        axis = position = 0 if step == 1 else -1  # in the input, and in the output before single indices go
        for entry in entries:
            if is_set("new_axis", entry):
                added.append(position)
                position += step
                continue
            first, last, stride = begin[entry], end[entry], strides[entry]
            if is_set("shrink_axis", entry):
                removed.append(position)
                last = _LAST if first == -1 else first + 1
            else:
                if is_set("begin", entry):
                    first = 0 if stride > 0 else _LAST
                if is_set("end", entry):
                    last = _LAST if stride > 0 else -_LAST
            slices.append((first, last, stride, axis))
            axis += step
            position += step
    result = graph.channels_last(inputs[0])
    if slices:
        firsts, lasts, steps, axes = (list(column) for column in zip(*slices, strict=True))
        result = _sliced(result, firsts, lasts, steps, node, graph, axes).name
    if added:
        result = _unsqueezed(result, added, node, graph).name
    if removed:
        result = _squeezed(result, removed, node, graph).name
    return (Tensor(result),)


def pad(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    amounts = np.array(constant_integers(node, inputs[1], "padding"), np.int64).reshape(-1, 2)
    first = inputs[0].channels_first
    if first:
        amounts = amounts[list(TO_CHANNELS_FIRST)]
    image = inputs[0].name if first else graph.channels_last(inputs[0])
    names = [image, graph.constant(amounts.T.ravel(), f"{node.name}/pads")]
    if len(inputs) > 2:
        names.append(graph.channels_last(inputs[2]))
    return (graph.add("Pad", names, node.name, channels_first=first),)


def reduction(kind: str) -> Conversion:
    """Returns the conversion of an operation that summarises a tensor over some dimensions."""

    def convert(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
        axes = constant_integers(node, inputs[1], "axis")
        keeps = node.flag("keep_dims")
        image = inputs[0]
        first = image.channels_first and keeps
        if first:
            axes = [_moved(axis) for axis in axes]
        names = [
            image.name if first else graph.channels_last(image),
            graph.constant(np.array(axes, np.int64), f"{node.name}/axes"),
        ]
        return (graph.add(kind, names, node.name, channels_first=first, keepdims=int(keeps)),)

    return convert


def arg_max(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    (axis,) = constant_integers(node, inputs[1], "axis")
    index = graph.add("ArgMax", [graph.channels_last(inputs[0])], node.name, axis=axis, keepdims=0)
    return (graph.cast(index, _INT32, node.name),)


def top_k(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    """The largest elements of the last dimension, and their indices; of equal ones, those in front."""
    count = np.array(constant_integers(node, inputs[1], "k"), np.int64).reshape(1)
    names = [graph.channels_last(inputs[0]), graph.constant(count, f"{node.name}/k")]
    values, indices = graph.add_several("TopK", names, node.name, 2)
    return values, graph.cast(indices, _INT32, node.name)


def gather(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    if node.integer("batch_dims"):
        raise node.unsupported(f"batch_dims={node.integer('batch_dims')}")
    (axis,) = constant_integers(node, inputs[2], "axis")
    names = [graph.channels_last(tensor) for tensor in inputs[:2]]
    return (graph.add("Gather", names, node.name, axis=axis),)


def gather_nd(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
    names = [graph.channels_last(inputs[0]), graph.sizes(inputs[1])]
    return (graph.add("GatherND", names, node.name),)


def resize(mode: str) -> Conversion:
    """Returns the conversion of a change of an image's size. mode: linear or nearest."""

    def convert(node: Node, inputs: Sequence[Tensor], graph: GraphBuilder) -> Sequence[Tensor]:
        if node.flag("align_corners"):
            pixels, rounding = "align_corners", "round_prefer_ceil"
        elif node.flag("half_pixel_centers"):
            pixels, rounding = "half_pixel", "round_prefer_ceil"
        else:
            pixels, rounding = "asymmetric", "floor"
        attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": pixels}
        if mode == "nearest":
            attributes["nearest_mode"] = rounding
        image = graph.channels_first(inputs[0])
        # All four sizes: ONNX Runtime moves transposes past an operation on some axes only, without moving these.
        others = graph.add("Shape", [image], f"{node.name}/others", start=0, end=2)
        sizes = graph.add("Concat", [others.name, graph.sizes(inputs[1])], f"{node.name}/sizes", axis=0)
        names = [image, "", "", sizes.name]
        return (graph.add("Resize", names, node.name, channels_first=True, **attributes),)

    return convert


def _moved(axis: int) -> int:
    """Returns where a dimension of an image is once the channels are in the second one."""
    return TO_CHANNELS_FIRST.index(axis % 4)


def _unsqueezed(name: str, axes: list[int], node: Node, graph: GraphBuilder) -> Tensor:
    return graph.add("Unsqueeze", [name, _axes(axes, node, graph)], node.name)


def _squeezed(name: str, axes: list[int], node: Node, graph: GraphBuilder) -> Tensor:
    """Takes dimensions of size 1 away. axes: which; empty = all of them."""
    return graph.add("Squeeze", [name, _axes(axes, node, graph)] if axes else [name], node.name)


def _axes(axes: list[int], node: Node, graph: GraphBuilder) -> str:
    return graph.constant(np.array(axes, np.int64), f"{node.name}/axes")


def _parts(tensor: Tensor, axis: int, count: int, node: Node, graph: GraphBuilder) -> tuple[Tensor, ...]:
    """Splits a tensor into equal parts."""
    name = graph.channels_last(tensor)
    return graph.add_several("Split", [name], node.name, count, axis=axis, num_outputs=count)


def _sliced(
    name: str,
    begin: list[int],
    end: list[int],
    stride: list[int],
    node: Node,
    graph: GraphBuilder,
    axes: list[int] | None = None,
) -> Tensor:
    columns = {
        "begin": begin,
        "end": end,
        "axes": list(range(len(begin))) if axes is None else axes,
        "stride": stride,
    }
    names = [
        graph.constant(np.array(column, np.int64), f"{node.name}/{what}") for what, column in columns.items()
    ]
    return graph.add("Slice", [name, *names], node.name)
