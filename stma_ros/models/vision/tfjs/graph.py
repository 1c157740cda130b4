"""Reads the JSON file of a graph model."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stma_ros.models.vision.tfjs.errors import GraphModelError
from stma_ros.models.vision.tfjs.node import Node, OutputRef

_EXPORT = "export it with `tensorflowjs_converter --output_format=tfjs_graph_model`"


@dataclass(frozen=True)
class Graph:
    """The graph of a model.

    Attributes:
        source: The JSON file.
        nodes: The nodes by name.
        outputs: Outputs by their public names: those of the signature, or of all nodes that no other node reads.
        manifest: The groups of weights, as in the file.
    """

    source: Path
    nodes: Mapping[str, Node]
    outputs: Mapping[str, OutputRef]
    manifest: tuple[Mapping[str, Any], ...]

    def select(self, names: Collection[str]) -> dict[str, OutputRef]:
        """Returns outputs by name. A name may be that of any node; none = all of `outputs`.

        Raises:
            GraphModelError: There is no such node.
        """
        selected: dict[str, OutputRef] = {}
        for name in names or self.outputs:
            reference = self.outputs.get(name) or OutputRef.parse(name)
            if reference.node not in self.nodes:
                raise GraphModelError(
                    f"{self.source} has no output {name!r}; its outputs are {', '.join(self.outputs)}"
                )
            selected[name] = reference
        return selected

    def needed(self, names: Iterable[str]) -> dict[str, Node]:
        """Returns the nodes on which the named nodes depend, these included."""
        found: dict[str, Node] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.nodes[name]
                waiting += [reference.node for reference in found[name].inputs]
        return found

    def ordered(self, names: Iterable[str]) -> list[Node]:
        """Returns the nodes on which the named nodes depend, each after all that it reads.

        Raises:
            GraphModelError: Nodes depend on themselves.
        """
        needed = self.needed(names)
        readers: dict[str, list[str]] = {name: [] for name in needed}
        missing = {name: len(node.inputs) for name, node in needed.items()}
        for name, node in needed.items():
            for reference in node.inputs:
                readers[reference.node].append(name)
        ready = [name for name, count in missing.items() if not count]
        order: list[Node] = []
        while ready:
            name = ready.pop()
            order.append(needed[name])
            for reader in readers[name]:
                missing[reader] -= 1
                if not missing[reader]:
                    ready.append(reader)
        if len(order) < len(needed):
            stuck = min(name for name, count in missing.items() if count)
            raise GraphModelError(
                f"{self.source}: the node {stuck!r} depends on itself; loops cannot be converted"
            )
        return order


def read_graph(path: Path) -> Graph:
    """Reads a model's JSON file.

    Raises:
        GraphModelError: The file cannot be read, or is not that of a graph model.
    """
    content = _read_json(path)
    kind = content.get("format", "graph-model")
    if kind != "graph-model":
        raise GraphModelError(f"{path} is a {kind} and not a graph model; {_EXPORT}")
    topology = content.get("modelTopology")
    listed = topology.get("node") if isinstance(topology, dict) else None
    manifest = content.get("weightsManifest")
    if not isinstance(listed, list) or not listed or not isinstance(manifest, list):
        raise GraphModelError(
            f"{path} is not a graph model of TensorFlow.js: it has no modelTopology.node or no "
            f"weightsManifest; {_EXPORT}"
        )
    if not all(isinstance(group, dict) for group in manifest):
        raise GraphModelError(f"{path}: the weightsManifest is malformed; {_EXPORT}")
    nodes = _read_nodes(listed, path)
    return Graph(path, nodes, _outputs(content, nodes, path), tuple(manifest))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise GraphModelError(
            f"{path} cannot be read ({error.strerror}); give the JSON file of a graph model"
        ) from error
    except (ValueError, RecursionError) as error:
        raise GraphModelError(f"{path} is not JSON ({error}); get the file anew") from error
    if not isinstance(content, dict):
        raise GraphModelError(f"{path} is not a model of TensorFlow.js; {_EXPORT}")
    return content


def _read_nodes(listed: list[Any], path: Path) -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    for entry in listed:
        try:
            name, op = str(entry["name"]), str(entry["op"])
            inputs = tuple(
                OutputRef.parse(text) for text in entry.get("input", []) if not text.startswith("^")
            )
            attributes = dict(entry.get("attr", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise GraphModelError(
                f"{path}: a node is malformed: {str(entry)[:200]}; get the file anew"
            ) from error
        if name in nodes:
            raise GraphModelError(f"{path}: two nodes are called {name!r}; get the file anew")
        nodes[name] = Node(name, op, inputs, attributes)
    for node in nodes.values():
        for reference in node.inputs:
            if reference.node not in nodes:
                raise GraphModelError(
                    f"{path}: the operation {node} reads {reference.node!r}, which the file does not contain; "
                    "get the file anew"
                )
    return nodes


def _outputs(content: Mapping[str, Any], nodes: Mapping[str, Node], path: Path) -> dict[str, OutputRef]:
    try:
        stored = content.get("userDefinedMetadata") or {}  # where older files have it
        signature = content.get("signature") or stored.get("signature") or {}
        declared = {
            name: OutputRef.parse(info.get("name", name))
            for name, info in (signature.get("outputs") or {}).items()
        }
    except AttributeError as error:
        raise GraphModelError(f"{path}: the signature is malformed; {_EXPORT}") from error
    if unknown := [reference.node for reference in declared.values() if reference.node not in nodes]:
        raise GraphModelError(
            f"{path}: the signature names {unknown[0]!r}, which is no node; get the file anew"
        )
    if declared:
        return declared
    read = {reference.node for node in nodes.values() for reference in node.inputs}
    return {name: OutputRef(name) for name in nodes if name not in read}
