"""Writes trained networks as ONNX files, and their description."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import torch
import yaml
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from stma_ros.apps.training.labelled_images import STATES
from stma_ros.apps.training.pixel_network import MIDDLE_UNIT, PixelNetwork
from stma_ros.apps.training.region_classifier import RegionClassifier
from stma_ros.models.vision.onnx_labels import LABELS
from stma_ros.models.vision.region_crops import CHANNELS as REGION_CHANNELS
from stma_ros.models.vision.region_crops import SIZE as REGION_SIZE
from stma_ros.models.vision.region_network import CLASSES as REGION_CLASSES
from stma_ros.models.vision.region_network import CROPS
from stma_ros.storage.files import write_atomically

COLOUR, GEOMETRY, CLASSES, STATE_MAPS, MIDDLES = "colour", "geometry", "classes", "states", "middles"
"""Names of the tensors."""

OPSET = 17

PACKED_FROM = 256
"""Numbers from which on a constant is stored with 8 bits each."""

LARGEST = 127
"""Largest number of 8 bits, which stands for the largest weight of an output channel."""


class _Exported(nn.Module):
    """The network with the preparation of colours [0..1] as a part of it."""

    def __init__(self, network: PixelNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, colour: Tensor, geometry: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        outputs: tuple[Tensor, Tensor, Tensor] = self.network(colour * 2 - 1, geometry)
        return outputs


def write_pixels(network: PixelNetwork, size: tuple[int, int], path: Path) -> None:
    """Writes the ONNX file of a network of pixels; it is in evaluation mode afterwards.

    Args:
        network: The network.
        size: Width and height of the images [px].
        path: The file.
    """
    width, height = size
    examples = tuple(torch.zeros(1, 3, height, width) for _ in range(2))
    _write(_Exported(network), examples, (COLOUR, GEOMETRY), (CLASSES, STATE_MAPS, MIDDLES), path)


def write_region_classifier(network: RegionClassifier, labels: Sequence[str], path: Path) -> None:
    """Writes the ONNX file of a network that names regions, with the names of its classes; it is in evaluation mode
    afterwards."""
    crops = (torch.zeros(1, REGION_CHANNELS, REGION_SIZE, REGION_SIZE),)
    any_number = {name: {0: "regions"} for name in (CROPS, REGION_CLASSES)}
    about = {LABELS: json.dumps(list(labels))}
    _write(network, crops, (CROPS,), (REGION_CLASSES,), path, any_number, about)


def write_description(
    path: Path,
    network: Path,
    labels: Sequence[str],
    size: tuple[int, int],
    min_score: float,
    recall: float,
    about: Mapping[str, str],
    regions: tuple[Path, float] | None = None,
) -> None:
    """Writes the YAML file that describes a network of pixels.

    Args:
        path: The file.
        network: The ONNX file, in the same folder.
        labels: Names of the classes, the first one for no thing.
        size: Width and height of the images [px].
        min_score: Smallest mean score of a thing.
        recall: Share of the visible things that it finds in single views [0..1].
        about: Further keys and values, as `source`.
        regions: ONNX file and weight of the network that names its regions; None = there is none.
    """
    content: dict[str, Any] = {
        "network": network.name,
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
        **({"regions": {"network": regions[0].name, "weight": regions[1]}} if regions else {}),
        **about,
    }
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=120)
    write_atomically(path, text)


def _write(
    network: nn.Module,
    examples: tuple[Tensor, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    path: Path,
    dynamic_axes: Mapping[str, Mapping[int, str]] | None = None,
    about: Mapping[str, str] | None = None,
) -> None:
    """Writes a network as an ONNX file with small constants and some metadata."""
    network.eval()
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            network.to(memory_format=torch.contiguous_format),
            examples,
            str(plain),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=dynamic_axes,
            opset_version=OPSET,
            dynamo=False,  # the other exporter needs one more library
        )
        model = _packed(onnx.load(plain))
    helper.set_model_props(model, dict(about or {}))
    write_atomically(path, model.SerializeToString())


def _packed(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns a model whose large constants take a quarter of the space: they are stored with 8 bits, and a scale for
    each output channel, and widened when the network is loaded."""
    graph = model.graph
    kept, widened = [], []
    for constant in graph.initializer:
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < PACKED_FROM or values.ndim < 2:
            kept.append(constant)
            continue
        flat = np.abs(values).reshape(len(values), -1).max(axis=1)
        scales = np.where(flat > 0, flat / LARGEST, 1.0).astype(np.float32)
        scales = scales.reshape(-1, *[1] * (values.ndim - 1))
        names = f"{constant.name}_8", f"{constant.name}_scale", f"{constant.name}_wide"
        kept.append(numpy_helper.from_array(np.round(values / scales).astype(np.int8), names[0]))
        kept.append(numpy_helper.from_array(scales, names[1]))
        widened.append(helper.make_node("Cast", [names[0]], [names[2]], to=TensorProto.FLOAT))
        widened.append(helper.make_node("Mul", [names[2], names[1]], [constant.name]))
    nodes = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend([*widened, *nodes])
    onnx.checker.check_model(model)
    return model
