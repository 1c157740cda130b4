"""Objects of boxes with scores and classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.description import NetworkDescription
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import BoxedObject
from stma_ros.models.vision.preparation import Fit

MOST = 1000
"""Boxes of an image at most, the best ones: every cell of a network with a score is no result."""

ROUNDING = 1e-3
"""Excess of a score above 1 that is rounding."""


def objects_in(
    boxes: NDArray[Any],
    scores: NDArray[Any],
    classes: NDArray[np.intp],
    overlap: float | None,
    fit: Fit,
    description: NetworkDescription,
) -> tuple[BoxedObject, ...]:
    """Returns the objects of enough score and of some area in the image, best first.

    Args:
        boxes: (N, 4) left, top, right, bottom [px of the input]; reversed and infinite ones are left out.
        scores: (N,).
        classes: (N,).
        overlap: Intersection over union from which on a box is left out for a better one of its class; None = any.
        fit: How the image lies in the input.
        description: Of the network.

    Raises:
        NetworkError: A score is no number or above 1, or a class has no label.
    """
    _check(scores, classes, description)
    is_box = np.isfinite(boxes).all(axis=1) & (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    likely = np.flatnonzero(is_box & (scores >= description.min_score))
    best = likely[np.argsort(-scores[likely], kind="stable")][:MOST]
    if overlap is not None:
        best = best[without_doubles(boxes[best], classes[best], overlap)]
    return tuple(
        BoxedObject(
            description.labels[classes[index]], min(float(scores[index]), 1.0), (left, top, right, bottom)
        )
        for index, (left, top, right, bottom) in zip(
            best.tolist(), fit.to_image(boxes[best]).tolist(), strict=True
        )
        if left < right and top < bottom
    )


def without_doubles(boxes: NDArray[Any], classes: NDArray[Any], overlap: float) -> NDArray[np.intp]:
    """Returns the indices of the boxes that no box before them, of the same class and itself returned, overlaps.

    Args:
        boxes: (N, 4) left, top, right, bottom, best first.
        classes: (N,).
        overlap: Intersection over union from which on boxes overlap.
    """
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    left = np.ones(len(boxes), bool)
    for index in range(len(boxes)):
        if not left[index]:
            continue
        worse = np.flatnonzero(left[index + 1 :] & (classes[index + 1 :] == classes[index])) + index + 1
        low = np.maximum(boxes[worse, :2], boxes[index, :2])
        high = np.minimum(boxes[worse, 2:], boxes[index, 2:])
        common = (high - low).clip(0).prod(axis=1)
        left[worse] = common < overlap * (areas[worse] + areas[index] - common)
    return np.flatnonzero(left)


def _check(scores: NDArray[Any], classes: NDArray[np.intp], description: NetworkDescription) -> None:
    if np.isnan(scores).any():
        raise NetworkError("the network returns scores that are no numbers; is its file damaged?")
    if len(scores) and scores.max() > 1 + ROUNDING:
        raise NetworkError(
            f"the network returns a score of {scores.max():.3g}; scores are from 0 to 1: export it with its last "
            "sigmoid or softmax, or correct outputs in the file that describes it"
        )
    named = classes[scores >= description.min_score]
    unknown = named[(named < 0) | (named >= len(description.labels))]
    if len(unknown):
        raise NetworkError(
            f"the network names class {unknown[0]}, but there are {len(description.labels)} labels, counted from 0: "
            "correct the labels in the file that describes it"
        )
