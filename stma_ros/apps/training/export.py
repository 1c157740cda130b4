"""Writes a trained network as an ONNX file, with its description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import yaml
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from stma_ros.apps.training.labelled_images import STATES
from stma_ros.apps.training.pixel_network import MIDDLE_UNIT, PixelNetwork
from stma_ros.storage.files import write_atomically

COLOUR, GEOMETRY, CLASSES, STATE_MAPS, MIDDLES = "colour", "geometry", "classes", "states", "middles"
"""Names of the tensors."""

OPSET = 17

HALVED_FROM = 256
"""Numbers from which on a constant is stored with 16 bits."""


class _Exported(nn.Module):
    """The network with the preparation of colours [0..1] as a part of it."""

    def __init__(self, network: PixelNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, colour: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        outputs: tuple[Tensor, Tensor, Tensor] = self.network(colour * 2 - 1, geometry)
        return outputs


def write_network(
    network: PixelNetwork,
    labels: Sequence[str],
    size: tuple[int, int],
    min_score: float,
    recall: float,
    path: Path,
    about: Mapping[str, str],
) -> None:
    """Writes the ONNX file and, beside it, the YAML file that describes it.

    Args:
        network: The network; it is in evaluation mode afterwards.
        labels: Names of the classes, the first one for no thing.
        size: Width and height of the images [px].
        min_score: Smallest mean score of a thing.
        recall: Share of the visible things that it finds in single views [0..1].
        path: The YAML file; the network has the same name with the ending .onnx.
        about: Further keys and values of the description, as `source`.
    """
    width, height = size
    examples = tuple(torch.zeros(1, 3, height, width) for _ in range(2))
    network.eval()
    plain = path.with_suffix(".float32.onnx")
    torch.onnx.export(
        _Exported(network).to(memory_format=torch.contiguous_format),
        examples,
        str(plain),
        input_names=[COLOUR, GEOMETRY],
        output_names=[CLASSES, STATE_MAPS, MIDDLES],
        opset_version=OPSET,
        dynamo=False,  # the other exporter needs one more library
    )
    write_atomically(path.with_suffix(".onnx"), _halved(onnx.load(plain)).SerializeToString())
    plain.unlink()
    content: dict[str, Any] = {
        "network": path.with_suffix(".onnx").name,
        "input": {"name": COLOUR, "size": list(size), "geometry": GEOMETRY},
        "outputs": {
            "kind": "class_map",
            "logits": CLASSES,
            "states": STATE_MAPS,
            "state_names": list(STATES),
            "middles": MIDDLES,
            "middle_unit": MIDDLE_UNIT,
        },
        "labels": list(labels),
        "min_score": min_score,
        "recall": round(recall, 2),
        **about,
    }
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=120)
    write_atomically(path, text)


def _halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns a model whose large constants take half of the space: they are stored with 16 bits, and widened when the
    network is loaded."""
    graph = model.graph
    kept, widened = [], []
    for constant in graph.initializer:
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < HALVED_FROM:
            kept.append(constant)
            continue
        stored = f"{constant.name}_16"
        kept.append(numpy_helper.from_array(values.astype(np.float16), stored))
        widened.append(helper.make_node("Cast", [stored], [constant.name], to=TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend([*widened, *nodes])
    onnx.checker.check_model(model)
    return model
