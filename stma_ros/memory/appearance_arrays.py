"""Detections and tracked objects as arrays by which they are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.assignment import Appearances
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.sensing import Detection


class AppearanceArrays:
    """Makes the arrays; stateless but for the numbers of categories."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._kinds: dict[str, tuple[int, bool]] = {}

    def is_small(self, category: str) -> bool:
        """Whether a category is of small things, which can be moved and which their colour tells apart."""
        return self._kind(category)[1]

    def of_detections(self, detections: Sequence[Detection]) -> Appearances:
        """Returns N detections as arrays."""
        kinds = [self._kind(detection.category) for detection in detections]
        return Appearances(
            np.array([number for number, _ in kinds], np.int64),
            BoxArray.of(Box.of(detection.box) for detection in detections),
            [detection.color for detection in detections],
            np.array([detection.truncated for detection in detections], np.bool_),
            np.array([small for _, small in kinds], np.bool_),
            np.zeros(len(detections)),
        )

    def of_objects(self, things: Sequence[TrackedObject]) -> Appearances:
        """Returns N tracked objects, in their present shapes, as arrays."""
        kinds = [self._kind(item.category) for item in things]
        shapes = [item.shape for item in things]
        sides = np.array([shape.support for shape in shapes]).reshape(-1, 2, 3)[:, :, :2]
        return Appearances(
            np.array([number for number, _ in kinds], np.int64),
            BoxArray.of(shape.box for shape in shapes),
            [item.color for item in things],
            (sides == 0).any(axis=(1, 2)),  # some side has never been shown: there may be more of it
            np.array([small for _, small in kinds], np.bool_),
            self._lengths(things),
        )

    def _lengths(self, things: Sequence[TrackedObject]) -> NDArray[np.float64]:
        """Returns (N,) the lengths of the small things that the robot has put somewhere, where only parts of them may
        show: as they were seen before, or as long as others of the category are [m]; 0 for all else."""
        lengths = np.zeros(len(things))
        placed = [
            index
            for index, item in enumerate(things)
            if item.placement is not None and self.is_small(item.category)
        ]
        kinds = {things[index].category for index in placed}
        longest: dict[str, float] = {}
        for item in (each for each in things if each.category in kinds):
            longest[item.category] = max(longest.get(item.category, 0.0), item.shape.box.longest)
        for index in placed:
            item = things[index]
            earlier = (each.box.longest for each in item.place_history[:-1] if each.box is not None)
            lengths[index] = max((longest[item.category], *earlier))
        return lengths

    def _kind(self, category: str) -> tuple[int, bool]:
        if category not in self._kinds:
            self._kinds[category] = len(self._kinds), not self._knowledge.is_furniture(category)
        return self._kinds[category]
