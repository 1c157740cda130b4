"""The detectors by name, for the setting `perception.source`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stma_ros.components.perception.scene_model import SceneModel
from stma_ros.models.vision.networks import HOUSE, network_path
from stma_ros.sensing.detectors.names import DETECTIONS, MODEL, NETWORK, SEGMENTATION
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError

# Every node reads this registry for the topics of detectors; their modules are imported only where they are made.
if TYPE_CHECKING:
    from stma_ros.memory.category_knowledge import CategoryKnowledge
    from stma_ros.sensing.detectors.depth_segments import DepthLimits
    from stma_ros.sensing.detectors.port import Detector
    from stma_ros.types.evidence import Masks


@dataclass(frozen=True)
class NetworkChoice:
    """A network and where it runs.

    Attributes:
        name: Name of a network of this package, or the YAML file that describes one.
        device: "cpu" or "cuda".
        threads: Threads of one operation on the CPU.
    """

    name: str = HOUSE
    device: str = "cpu"
    threads: int = 1


@dataclass(frozen=True)
class DetectionsChoice:
    """How detections of other nodes are joined with frames.

    Attributes:
        tolerance: Largest difference of stamps [s].
        wait: Time for which a keyframe waits, by stamps of later messages [s].
    """

    tolerance: float = 0.05
    wait: float = 1.0


@dataclass(frozen=True)
class DetectorResources:
    """Resources that detectors are made from.

    Attributes:
        source: Value of the setting, for error messages.
        knowledge: Knowledge of categories.
        limits: Limits for depth to be used in a detection.
        masks: Shape of the segments.
        scene_model: Model that names the objects in pictures; None = there is none.
        network: Network that finds objects in images.
        detections: How detections of other nodes are joined with frames.
    """

    source: str
    knowledge: CategoryKnowledge
    limits: DepthLimits
    masks: Masks
    scene_model: SceneModel | None = None
    network: NetworkChoice = NetworkChoice()
    detections: DetectionsChoice = DetectionsChoice()


@dataclass(frozen=True)
class DetectorSpec:
    """An entry of the registry.

    Attributes:
        make: Makes the detector; raises ConfigurationError if a resource is missing.
        recall: Share of the things in plain view that it usually finds, where nobody has measured it.
        parts: Parts of a frame that it uses besides colour, depth and poses.
        inputs: Topics that it receives besides frames; their publishers wait for perception's subscription.
    """

    make: Callable[[DetectorResources], Detector]
    recall: float
    parts: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


def _segmentation(resources: DetectorResources) -> Detector:
    from stma_ros.sensing.detectors.segmentation import SegmentationDetector

    return SegmentationDetector(resources.limits, resources.knowledge, resources.masks)


def _model(resources: DetectorResources) -> Detector:
    from stma_ros.components.perception.background_vlm_detector import BackgroundVlmDetector
    from stma_ros.components.perception.vlm_detector import VlmDetector

    model = resources.scene_model
    if model is None:
        raise ConfigurationError(
            f"perception.source={resources.source} needs a model that sees: name one with model.scene_graph, or leave "
            f"perception.source at {SEGMENTATION!r}"
        )
    detector = VlmDetector if model.wait is None else BackgroundVlmDetector
    return detector(model, resources.knowledge, resources.limits)


def _network(resources: DetectorResources) -> Detector:
    from stma_ros.sensing.detectors.network import NetworkDetector
    from stma_ros.sensing.detectors.network_file import read_network_file
    from stma_ros.sensing.detectors.network_loading import load_namer, load_network

    choice = resources.network
    found = read_network_file(network_path(choice.name))
    network = load_network(found, device=choice.device, threads=choice.threads)
    return NetworkDetector(
        network,
        resources.knowledge,
        resources.limits,
        found.categories,
        found.description.min_score,
        found.recall,
        load_namer(found, device=choice.device, threads=choice.threads),
    )


def _detections(resources: DetectorResources) -> Detector:
    from stma_ros.sensing.detectors.external import ExternalDetector

    choice = resources.detections
    return ExternalDetector(resources.knowledge, resources.limits, choice.tolerance, choice.wait)


def detector_inputs() -> tuple[str, ...]:
    """Returns the topics that any detector of the registry receives besides frames; perception subscribes to all of
    them."""
    return tuple(dict.fromkeys(topic for spec in DETECTORS.values() for topic in spec.inputs))


DETECTORS: dict[str, DetectorSpec] = {
    SEGMENTATION: DetectorSpec(_segmentation, recall=0.8, parts=topics.MASKS),
    MODEL: DetectorSpec(
        _model, recall=0.6, inputs=(topics.TASK, topics.OBSERVATION, topics.STEP, topics.SCENE_ANSWER)
    ),
    NETWORK: DetectorSpec(_network, recall=0.75),
    DETECTIONS: DetectorSpec(_detections, recall=0.75, inputs=(topics.DETECTIONS,)),
}
