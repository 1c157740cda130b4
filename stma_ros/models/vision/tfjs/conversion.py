"""Converts a graph model of TensorFlow.js into an ONNX model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from stma_ros.models.vision.tfjs.builder import GraphBuilder, Tensor, load_onnx
from stma_ros.models.vision.tfjs.errors import GraphModelError, UnsupportedGraphError
from stma_ros.models.vision.tfjs.graph import Graph, read_graph
from stma_ros.models.vision.tfjs.node import Node, OutputRef
from stma_ros.models.vision.tfjs.table import OPERATIONS
from stma_ros.models.vision.tfjs.weights import read_weights

OPSET = 18
"""Version of ONNX's operations: the first in which all reductions take axes alike. ONNX Runtime has it since 1.14."""

_IR_VERSION = 8  # of the file format: the one that came with that opset
_INPUT, _CONSTANT = "Placeholder", "Const"
_SAME = frozenset({"Identity", "IdentityN", "StopGradient"})


def convert_graph_model(
    path: Path, outputs: Collection[str] = (), metadata: Mapping[str, str] | None = None
) -> bytes:
    """Converts a model, with the names of its inputs and outputs and their order of dimensions.

    Args:
        path: The model's JSON file; its weights are beside it.
        outputs: Names of the outputs to compute, or of other nodes; empty = all outputs of the model.
        metadata: Texts to be stored in the file, by name.

    Returns:
        The content of the ONNX file, which has passed the checks of the library onnx.

    Raises:
        GraphModelError: The files are damaged, or not those of a graph model.
        UnsupportedGraphError: The model has an operation that cannot be converted.
        MissingDependencyError: The library onnx is not installed.
    """
    onnx = load_onnx()
    graph = read_graph(path)
    selected = graph.select(outputs)
    names = {reference.node for reference in selected.values()}
    _refuse_unknown(graph, names)
    nodes = graph.ordered(names)
    weights = read_weights(graph.manifest, path.parent, path)
    placeholders = [node for node in nodes if node.op == _INPUT]
    if inputs := [node.name for node in placeholders if node.name in selected]:
        raise GraphModelError(
            f"{path}: {inputs[0]!r} is an input and no output; its outputs are {', '.join(graph.outputs)}"
        )
    builder = GraphBuilder({*(node.name for node in placeholders), *selected})
    tensors = _add_nodes(nodes, weights, builder, path)
    for name, reference in selected.items():
        builder.add_output(name, _resolved(reference, tensors, path))
    network = onnx.helper.make_graph(
        builder.nodes,
        path.stem,
        [_input_info(node, onnx) for node in placeholders],
        [onnx.helper.make_empty_tensor_value_info(name) for name in selected],
        builder.initializers,
    )
    model = onnx.helper.make_model(
        network,
        producer_name="stma_ros",
        ir_version=_IR_VERSION,
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
    )
    onnx.helper.set_model_props(model, dict(metadata or {}))
    return _checked(model, onnx, path)


def _refuse_unknown(graph: Graph, names: Collection[str]) -> None:
    """Raises UnsupportedGraphError with one node for each operation that cannot be converted."""
    known = OPERATIONS.keys() | _SAME | {_INPUT, _CONSTANT}
    unknown: dict[str, Node] = {}
    for node in graph.needed(names).values():
        if node.op not in known:
            unknown.setdefault(node.op, node)
    if unknown:
        listed = ", ".join(str(unknown[op]) for op in sorted(unknown))
        raise UnsupportedGraphError(
            f"{graph.source} has operations that cannot be converted: {listed}; convert outputs that do not need them "
            "(outputs=), or add a function and a row in stma_ros/models/vision/tfjs/table.py for each"
        )


def _add_nodes(
    nodes: Sequence[Node], weights: Mapping[str, NDArray[Any]], builder: GraphBuilder, path: Path
) -> dict[str, Sequence[Tensor]]:
    """Adds the nodes to the ONNX graph. Returns the outputs of each by its name."""
    tensors: dict[str, Sequence[Tensor]] = {}
    for node in nodes:
        if node.op == _INPUT:
            tensors[node.name] = (Tensor(node.name),)
            continue
        if node.op == _CONSTANT:
            if node.name not in weights:
                raise GraphModelError(
                    f"{path}: the weightsManifest has no value for the operation {node}; get the file anew"
                )
            tensors[node.name] = (Tensor(node.name, constant=weights[node.name]),)
            continue
        inputs = [_resolved(reference, tensors, path) for reference in node.inputs]
        if node.op in _SAME:
            tensors[node.name] = inputs
            continue
        try:
            tensors[node.name] = OPERATIONS[node.op](node, inputs, builder)
        except (IndexError, ValueError) as error:  # too few inputs, or constants of another shape
            raise GraphModelError(
                f"{path}: the operation {node} has inputs that it cannot have ({error}); get the file anew"
            ) from error
    return tensors


def _resolved(reference: OutputRef, tensors: Mapping[str, Sequence[Tensor]], path: Path) -> Tensor:
    outputs = tensors[reference.node]
    if reference.index >= len(outputs):
        raise GraphModelError(
            f"{path}: output {reference.index} of the node {reference.node!r} is wanted, which has {len(outputs)}; "
            "get the file anew"
        )
    return outputs[reference.index]


def _input_info(node: Node, onnx: Any) -> Any:
    """Describes an input; sizes that are not fixed get names."""
    shape = node.shape("shape")
    if shape is None:
        raise node.unsupported(
            "an unknown number of dimensions", "export the model with the shape of its input"
        )
    sizes = [f"{node.name}_{axis}" if size < 0 else size for axis, size in enumerate(shape)]
    dtype = onnx.helper.np_dtype_to_tensor_dtype(node.dtype("dtype"))
    return onnx.helper.make_tensor_value_info(node.name, dtype, sizes)


def _checked(model: Any, onnx: Any, path: Path) -> bytes:
    """Returns the content of the file with the types and shapes of the outputs. Raises GraphModelError."""
    try:
        model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        del model.graph.value_info[:]  # readers infer those of inner tensors themselves
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        raise GraphModelError(
            f"{path}: shapes or types in the graph contradict each other ({error}); get the file anew"
        ) from error
    content: bytes = model.SerializeToString()
    return content
