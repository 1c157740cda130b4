"""A detector that uses a network in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_channels import depth_channels
from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.segments import Segment
from stma_ros.mapping.thing_regions import PixelClasses, ThingRegions, thing_regions
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.states import dimension
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import BoxedObject, ClassMap, NetworkImage, ObjectNetwork
from stma_ros.models.vision.region_network import WeightedNamer, pooled, unsure_regions
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.detection_names import renamed
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.categories import thing_category
from stma_ros.sensing.detectors.depth_segments import DepthLimits, depth_segments
from stma_ros.sensing.detectors.mask_grounding import ground_masks
from stma_ros.sensing.detectors.port import DetectedObject, Detector, DetectorOutput, PixelBox, pixel_box
from stma_ros.types.common import Error
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.sensing import ObjectHypothesis

LEAST_SURE = 0.5
"""Probability below which a state is not reported."""

HYPOTHESES, LEAST_LIKELY = 5, 0.02
"""Number of categories that are told of an object, and the least probability of those after the first."""


class NetworkDetector(Detector):
    """Asks a network about each keyframe, and finds the surfaces of what it names in the depth image.

    The surface of an object is what its mask shows, or the foreground in its box where the network makes no masks.
    """

    def __init__(
        self,
        network: ObjectNetwork,
        knowledge: CategoryKnowledge,
        limits: DepthLimits,
        categories: Mapping[str, str] | None = None,
        min_score: float = 0.0,
        recall: float | None = None,
        namer: WeightedNamer | None = None,
    ) -> None:
        """Makes a detector.

        Args:
            network: The network; it is not shared.
            knowledge: Knowledge of categories.
            limits: Limits for depth to be used in a detection.
            categories: Category by label of the network, where it is another word; empty = not remembered.
            min_score: Least probability that a region is one of the categories that are told of it; boxes have passed
                the network's own.
            recall: As of Detector.
            namer: Names the regions of the network's class map once more, where that is unsure; None = nothing does.
        """
        self._network = network
        self._limits = limits
        self._min_score = min_score
        self._recall = recall
        self._namer = namer
        named = {label: renamed(label, categories or {}) for label in network.labels}
        self._categories = {label: name and thing_category(name, knowledge) for label, name in named.items()}

    @property
    def recall(self) -> float | None:
        return self._recall

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        view, colour = frame.view, frame.color
        assert view is not None
        assert colour is not None
        geometry = None
        if self._network.geometry_size is not None:
            width, height = self._network.geometry_size
            every = max(1, min(view.camera.width // width, view.camera.height // height))
            floor = frame.pose.base.position.z if frame.pose is not None and frame.pose.has_base else 0.0
            geometry = depth_channels(view.depth_mm, view.camera, view.camera_pose, floor, every)
        image = NetworkImage(colour, geometry)
        try:
            (output,) = self._network.detect([image])
            if output.class_map is not None:
                return DetectorOutput(tuple(self._in_regions(view, image, output.class_map)))
        except NetworkError as error:
            return DetectorOutput(error=Error.of(error))
        return DetectorOutput(tuple(self._in_boxes(view, output.objects)))

    def _in_boxes(self, view: DepthView, objects: Sequence[BoxedObject]) -> Iterator[DetectedObject]:
        wanted = [item for item in objects if self._categories[item.label]]
        boxes = [pixel_box(item.box, view.depth_mm.shape) for item in wanted]
        segments = self._surfaces(view, boxes, [item.mask for item in wanted])
        for item, box, segment in zip(wanted, boxes, segments, strict=True):
            yield DetectedObject(self._categories[item.label], item.score, box, segment)

    def _surfaces(
        self, view: DepthView, boxes: Sequence[PixelBox], masks: Sequence[NDArray[np.bool_] | None]
    ) -> Iterator[Segment | None]:
        """Yields the surface of the object with each mask; where there is none, that of the object in the box."""
        known = [mask for mask in masks if mask is not None]
        unknown = [box for box, mask in zip(boxes, masks, strict=True) if mask is None]
        masked = iter(ground_masks(view, known, self._limits) if known else ())
        boxed = iter(ground_boxes(view, unknown, self._limits) if unknown else ())
        for mask in masks:
            yield next(boxed if mask is None else masked)

    def _in_regions(self, view: DepthView, image: NetworkImage, found: ClassMap) -> Iterator[DetectedObject]:
        categories = [self._categories[label] for label in found.labels]
        noise = noise_level(view.depth_mm)
        classes = PixelClasses(_of_things(found.probabilities, categories), found.cells, found.middles)
        regions = thing_regions(classes, view.depth_mm, view.camera, noise, self._limits.min_pixels)
        numbers = (np.flatnonzero(regions.presence >= self._min_score) + 1).tolist()
        segments = list(depth_segments(view, regions.ids, numbers, self._limits, noise))
        probabilities = self._named_again(image, regions, [each.id - 1 for each in segments], categories)
        for segment in segments:
            index = segment.id - 1
            hypotheses = _hypotheses(probabilities[index] * regions.wholeness[index], categories)
            if sum(each.score for each in hypotheses) < self._min_score:
                continue  # it may be nearly anything; where such regions were remembered, fewer things were found
            first, *others = hypotheses
            yield DetectedObject(
                first.category,
                first.score,
                (segment.rows, segment.columns),
                segment,
                states=() if found.states is None else _states(found, segment.index),
                alternatives=tuple(others),
            )

    def _named_again(
        self, image: NetworkImage, regions: ThingRegions, chosen: Sequence[int], categories: Sequence[str]
    ) -> NDArray[np.float32]:
        """Returns (R, C) what regions are, by the network and, of some, by the namer as well.

        Args:
            image: The image.
            regions: Its regions.
            chosen: Indices of those of interest.
            categories: Category of each class.
        """
        if self._namer is None:
            return regions.probabilities
        indices = np.array(chosen, np.intp)
        unsure = indices[unsure_regions(regions.probabilities[indices], regions.presence[indices])]
        named = self._namer.namer.probabilities(image, regions.ids, (unsure + 1).tolist())
        probabilities = regions.probabilities.copy()
        probabilities[unsure] = pooled(
            regions.probabilities[unsure], _of_things(named, categories), self._namer.weight
        )
        return probabilities


def _of_things(probabilities: NDArray[np.float32], categories: Sequence[str]) -> NDArray[np.float32]:
    """Returns probabilities (N, C) of which class 0 has those of all classes that are not remembered, too."""
    ignored = [number for number, category in enumerate(categories) if number and not category]
    if not ignored:
        return probabilities
    left = probabilities.copy()
    left[:, 0] += left[:, ignored].sum(axis=1)
    left[:, ignored] = 0
    return left


def _hypotheses(probabilities: NDArray[np.float32], categories: Sequence[str]) -> list[ObjectHypothesis]:
    """Returns what a region may be, the likeliest first; at least one."""
    scores: dict[str, float] = {}
    for category, probability in zip(categories[1:], probabilities[1:].tolist(), strict=True):
        if category:
            scores[category] = scores.get(category, 0.0) + probability
    first, *others = sorted(scores.items(), key=lambda item: -item[1])
    kept = [first, *(each for each in others[: HYPOTHESES - 1] if each[1] >= LEAST_LIKELY)]
    return [ObjectHypothesis(category=category, score=score) for category, score in kept]


def _states(found: ClassMap, pixels: NDArray[np.int32]) -> tuple[StateEstimate, ...]:
    """Returns the likelier state of each dimension of which one is likely in the mean over some pixels."""
    assert found.states is not None
    shares = found.states[found.cells.ravel()[pixels]].mean(axis=0).tolist()
    best: dict[str, tuple[float, str]] = {}
    for name, share in zip(found.state_names, shares, strict=True):
        kind = dimension(name)
        if share >= LEAST_SURE and share > best.get(kind, (0.0, ""))[0]:
            best[kind] = share, name
    return tuple(
        StateEstimate(state=name, source=EvidenceSource.DETECTOR, confidence=share)
        for share, name in best.values()
    )
