"""Loads the network that a file describes."""

from __future__ import annotations

import logging
from pathlib import Path

from stma_ros.models.vision.box_masks import BoxMasks
from stma_ros.models.vision.description import ClassMapOutput, NetworkDescription
from stma_ros.models.vision.errors import LabelsError
from stma_ros.models.vision.masked_network import MaskedNetwork
from stma_ros.models.vision.network import ObjectNetwork
from stma_ros.models.vision.networks import HOUSE, HOUSE_LIMIT, network_path
from stma_ros.models.vision.onnx_network import OnnxNetwork
from stma_ros.models.vision.region_network import RegionNetwork, WeightedNamer
from stma_ros.models.vision.transformers_network import TransformersNetwork
from stma_ros.sensing.detectors.network_file import NetworkFile, check_categories
from stma_ros.storage.written_file import error_at

_LOG = logging.getLogger(__name__)


def load_network(file: NetworkFile, *, device: str = "cpu", threads: int = 1) -> ObjectNetwork:
    """Loads and warms up a network, and logs its time for a frame.

    Args:
        file: What is known of it.
        device: "cpu" or "cuda".
        threads: Threads of one operation on the CPU.

    Raises:
        ConfigurationError: The network cannot be used, or is not as described.
        MissingDependencyError: A library is not installed, or has no such device.
    """
    network = _network(file, device, threads)
    if file.masks is not None:
        network = MaskedNetwork(network, BoxMasks(file.masks, device=device, threads=threads))
    _LOG.info(
        "the network of %s finds %d kinds of things%s, in %.0f ms a frame on %s",
        file.path,
        len(network.labels) - _has_background(file),
        f" {HOUSE_LIMIT}" if file.path == network_path(HOUSE) else "",
        1000 * network.frame_time,
        device,
    )
    return network


def _has_background(file: NetworkFile) -> bool:
    """Whether the first of a network's labels stands for no thing."""
    return isinstance(file.description, NetworkDescription) and isinstance(
        file.description.output, ClassMapOutput
    )


def load_namer(file: NetworkFile, *, device: str = "cpu", threads: int = 1) -> WeightedNamer | None:
    """Loads and warms up the network that names the regions of another one, and logs its time; None = there is none.
    Raises as `load_network`."""
    if file.regions is None:
        return None
    assert isinstance(file.description, NetworkDescription)
    labels = file.description.labels
    network = RegionNetwork(file.regions.network, labels, device=device, threads=threads)
    _LOG.info(
        "the network of %s names regions, in %.1f ms each on %s",
        file.regions.network,
        1000 * network.region_time,
        device,
    )
    return WeightedNamer(network, file.regions.weight)


def _network(file: NetworkFile, device: str, threads: int) -> ObjectNetwork:
    if isinstance(file.description, NetworkDescription):
        return OnnxNetwork(Path(file.network), file.description, device=device, threads=threads)
    try:
        network = TransformersNetwork(file.network, file.description, device=device, threads=threads)
    except LabelsError as error:
        raise error_at(file.path, ("labels",), str(error)) from error
    check_categories(file.path, file.categories, network.labels)
    return network
