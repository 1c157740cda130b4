"""The detectors by name, for the setting `perception.source`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stma_ros.components.perception.question_budget import QuestionLimits
from stma_ros.models.box_convention import BoxConvention
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError

# Every node reads this registry for the topics of detectors; their modules are imported only where they are made.
if TYPE_CHECKING:
    from stma_ros.memory.category_knowledge import CategoryKnowledge
    from stma_ros.roles.scene_graph import SceneGraphRole
    from stma_ros.sensing.detectors.depth_segments import DepthLimits
    from stma_ros.sensing.detectors.port import Detector
    from stma_ros.types.evidence import Masks

SEGMENTATION, MODEL, FUSED, NETWORK = "segmentation", "model", "fused", "network"
DETECTIONS = "detections"


@dataclass(frozen=True)
class NetworkChoice:
    """A network and where it runs.

    Attributes:
        file: YAML file that describes it; empty = none is chosen.
        device: Device, as in models.vision.onnx_network.
        threads: Threads of one operation on the CPU.
    """

    file: str = ""
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
        image_pixels: Largest number of pixels of a picture for a model.
        scene_graph: Role that names the objects in pictures; None if no model answers it.
        network: Network that finds objects in images.
        boxes: Convention in which that model draws boxes.
        questions: Limits of the questions to it.
        detections: How detections of other nodes are joined with frames.
    """

    source: str
    knowledge: CategoryKnowledge
    limits: DepthLimits
    masks: Masks
    image_pixels: int
    scene_graph: SceneGraphRole | None = None
    network: NetworkChoice = NetworkChoice()
    boxes: BoxConvention = BoxConvention.THOUSANDTHS
    questions: QuestionLimits = QuestionLimits()
    detections: DetectionsChoice = DetectionsChoice()


@dataclass(frozen=True)
class DetectorSpec:
    """An entry of the registry.

    Attributes:
        make: Makes the detector; raises ConfigurationError if a resource is missing.
        parts: Parts of a frame that it uses besides colour, depth and poses.
        inputs: Topics that it receives besides frames; their publishers wait for perception's subscription.
    """

    make: Callable[[DetectorResources], Detector]
    parts: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


def _segmentation(resources: DetectorResources) -> Detector:
    from stma_ros.sensing.detectors.segmentation import SegmentationDetector

    return SegmentationDetector(resources.limits, resources.masks)


def _model(resources: DetectorResources) -> Detector:
    from stma_ros.components.perception.vlm_detector import VlmDetector

    role = resources.scene_graph
    if role is None:
        raise ConfigurationError(
            f"perception.source={resources.source} needs a model that sees: name one with model.scene_graph, or leave "
            f"perception.source at {SEGMENTATION!r}"
        )
    return VlmDetector(
        role,
        resources.knowledge,
        resources.limits,
        resources.image_pixels,
        resources.boxes,
        resources.questions,
    )


def _network(resources: DetectorResources) -> Detector:
    from stma_ros.models.vision.onnx_network import OnnxNetwork
    from stma_ros.sensing.detectors.network import NetworkDetector
    from stma_ros.sensing.detectors.network_file import read_network_file

    choice = resources.network
    if not choice.file:
        raise ConfigurationError(
            f"perception.source={resources.source} needs a network: name the YAML file that describes it with "
            f"perception.network, or leave perception.source at {SEGMENTATION!r}"
        )
    found = read_network_file(Path(choice.file))
    network = OnnxNetwork(found.network, found.description, device=choice.device, threads=choice.threads)
    return NetworkDetector(
        network, resources.knowledge, resources.limits, found.categories, found.description.min_score
    )


def _detections(resources: DetectorResources) -> Detector:
    from stma_ros.sensing.detectors.external import ExternalDetector

    choice = resources.detections
    return ExternalDetector(resources.knowledge, resources.limits, choice.tolerance, choice.wait)


def fused(*specs: DetectorSpec) -> DetectorSpec:
    """Makes the entry of a detector that fuses several others; earlier ones take precedence."""

    def make(resources: DetectorResources) -> Detector:
        from stma_ros.sensing.detectors.fused import FusedDetector

        return FusedDetector([spec.make(resources) for spec in specs], resources.knowledge)

    parts = dict.fromkeys(part for spec in specs for part in spec.parts)
    return DetectorSpec(make, tuple(parts), _inputs_of(specs))


def detector_inputs() -> tuple[str, ...]:
    """Returns the topics that any detector of the registry receives besides frames; perception subscribes to all of
    them."""
    return _inputs_of(DETECTORS.values())


def _inputs_of(specs: Iterable[DetectorSpec]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(topic for spec in specs for topic in spec.inputs))


_SEGMENTATION = DetectorSpec(_segmentation, (topics.SEGMENTATION, topics.SEGMENTATION_LABELS))
_MODEL = DetectorSpec(_model, inputs=(topics.TASK, topics.OBSERVATION, topics.STEP))

DETECTORS: dict[str, DetectorSpec] = {
    SEGMENTATION: _SEGMENTATION,
    MODEL: _MODEL,
    NETWORK: DetectorSpec(_network),
    DETECTIONS: DetectorSpec(_detections, inputs=(topics.DETECTIONS,)),
    FUSED: fused(_SEGMENTATION, _MODEL),
}
