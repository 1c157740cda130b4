"""Reads the output tensors of a network: one function for each kind of output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.description import (
    BoxUnits,
    ClassMapOutput,
    GridOutput,
    NetworkDescription,
    QueriesOutput,
    RowsOutput,
)
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import BoxedObject, ClassMap, NetworkOutput
from stma_ros.models.vision.preparation import Fit, map_in_image

Tensors = Mapping[str, NDArray[Any]]
"""The output tensors of one image by name, without the dimension of the batch."""


def decoded(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    """Returns what the output tensors of one image say.

    Args:
        tensors: The tensors.
        fit: How the image lies in the input.
        description: Of the network.

    Raises:
        NetworkError: A tensor has another shape than its description says, or there are fewer labels than classes.
    """
    return _DECODERS[type(description.output)](tensors, fit, description)


def _rows(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: RowsOutput = description.output  # type: ignore[assignment]
    rows = _table(tensors[output.rows], 6, output.rows)
    boxes = rows[:, :4]
    if output.boxes is BoxUnits.NORMALISED:
        boxes = boxes * _size(description)
    classes = rows[:, 5]
    if not np.isfinite(classes).all():
        raise NetworkError(f"tensor {output.rows!r} has classes that are no numbers; is its file damaged?")
    return _without_doubles(boxes, rows[:, 4], classes.astype(np.intp), output.overlap, fit, description)


def _queries(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: QueriesOutput = description.output  # type: ignore[assignment]
    logits = _table(tensors[output.logits], len(description.labels) + output.no_object, output.logits)
    boxes = _table(tensors[output.boxes], 4, output.boxes)
    if len(logits) != len(boxes):
        raise NetworkError(
            f"tensor {output.logits!r} has {len(logits)} rows, {output.boxes!r} {len(boxes)}; name the tensors of one "
            "head under outputs"
        )
    scores = _softmax(logits)[:, :-1] if output.no_object else _sigmoid(logits)
    classes = scores.argmax(axis=1)
    best = scores[np.arange(len(scores)), classes]
    return _objects(_corners(boxes) * _size(description), best, classes, fit, description)


def _grid(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: GridOutput = description.output  # type: ignore[assignment]
    cells = tensors[output.cells]
    if output.channels_first and cells.ndim == 2:
        cells = cells.T
    cells = _table(cells, 4 + output.objectness + len(description.labels), output.cells)
    scores = cells[:, 4 + output.objectness :]
    if output.objectness:
        scores = scores * cells[:, 4:5]
    classes = scores.argmax(axis=1)
    best = scores[np.arange(len(scores)), classes]
    return _without_doubles(_corners(cells[:, :4]), best, classes, output.overlap, fit, description)


def _class_map(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: ClassMapOutput = description.output  # type: ignore[assignment]
    logits = _maps(tensors[output.logits], len(description.labels), output.logits)
    classes = logits.argmax(axis=0)
    scores = np.exp(-np.log(np.exp(logits - logits.max(axis=0)).sum(axis=0)))
    parts = [classes[None].astype(np.float32), scores[None].astype(np.float32)]
    if output.states:
        parts.append(_sigmoid(_maps(tensors[output.states], len(output.state_names), output.states)))
    if output.middles:
        parts.append(_maps(tensors[output.middles], 2, output.middles))
    if len({part.shape[1:] for part in parts}) > 1:
        raise NetworkError(
            f"tensors {', '.join(map(repr, output.tensors))} have maps of different sizes; name those of one head"
        )
    in_image = map_in_image(np.concatenate(parts), fit, description.input)
    end = 2 + len(output.state_names)
    return NetworkOutput(
        class_map=ClassMap(
            in_image[0].astype(np.uint16),
            in_image[1],
            np.ascontiguousarray(in_image[2:end].transpose(1, 2, 0)) if output.states else None,
            description.labels,
            output.state_names,
            _middles(in_image[end:], fit, output.middle_unit) if output.middles else None,
        )
    )


def _middles(displacements: NDArray[np.float32], fit: Fit, unit: float) -> NDArray[np.float32]:
    """Returns the columns and rows (H, W, 2) [px] to which displacements (2, H, W) lead."""
    rows, columns = np.mgrid[: fit.height, : fit.width].astype(np.float32)
    scale_x, scale_y = np.float32(unit / fit.scale_x), np.float32(unit / fit.scale_y)
    return np.stack((columns + displacements[0] * scale_x, rows + displacements[1] * scale_y), axis=-1)


_DECODERS: dict[type, Callable[[Tensors, Fit, NetworkDescription], NetworkOutput]] = {
    RowsOutput: _rows,
    QueriesOutput: _queries,
    GridOutput: _grid,
    ClassMapOutput: _class_map,
}


def suppressed(
    boxes: NDArray[Any], scores: NDArray[Any], classes: NDArray[Any], overlap: float
) -> NDArray[np.intp]:
    """Returns the indices of the boxes (N, 4) that no box of the same class with a higher score overlaps, best first.

    Args:
        boxes: Left, top, right, bottom.
        scores: (N,); of equal scores, the first box is the higher one.
        classes: (N,).
        overlap: Intersection over union from which on boxes overlap.
    """
    kept: list[int] = []
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for index in np.argsort(-scores, kind="stable").tolist():
        rivals = [other for other in kept if classes[other] == classes[index]]
        if rivals:
            low = np.maximum(boxes[rivals, :2], boxes[index, :2])
            high = np.minimum(boxes[rivals, 2:], boxes[index, 2:])
            common = (high - low).clip(0).prod(axis=1)
            if (common >= overlap * (areas[rivals] + areas[index] - common)).any():
                continue
        kept.append(index)
    return np.array(kept, np.intp)


def _without_doubles(
    boxes: NDArray[Any],
    scores: NDArray[Any],
    classes: NDArray[Any],
    overlap: float,
    fit: Fit,
    description: NetworkDescription,
) -> NetworkOutput:
    """Returns the objects as `_objects` does, without those that a better one of the same class overlaps."""
    likely = np.flatnonzero(scores >= description.min_score)
    boxes, scores, classes = boxes[likely], scores[likely], classes[likely]
    kept = suppressed(boxes, scores, classes, overlap)
    return _objects(boxes[kept], scores[kept], classes[kept], fit, description)


def _objects(
    boxes: NDArray[Any],
    scores: NDArray[Any],
    classes: NDArray[Any],
    fit: Fit,
    description: NetworkDescription,
) -> NetworkOutput:
    """Returns the objects of enough score and of some area in the image, best first.

    Args:
        boxes: (N, 4) left, top, right, bottom [px of the input].
        scores, classes: (N,).
        fit: How the image lies in the input.
        description: Of the network.
    """
    labels = description.labels
    sound = np.isfinite(boxes).all(axis=1) & (scores >= description.min_score)
    boxes, scores, classes = fit.to_image(boxes[sound]), scores[sound], classes[sound]
    if len(classes) and not 0 <= classes.min() <= classes.max() < len(labels):
        raise NetworkError(
            f"the network names class {classes.max()}, but there are {len(labels)} labels, counted from 0: correct the "
            "labels in the file that describes the network"
        )
    order = np.argsort(-scores, kind="stable")
    return NetworkOutput(
        tuple(
            BoxedObject(labels[classes[index]], min(float(scores[index]), 1.0), (left, top, right, bottom))
            for index in order.tolist()
            for left, top, right, bottom in [boxes[index].tolist()]
            if left < right and top < bottom
        )
    )


def _table(tensor: NDArray[Any], columns: int, name: str) -> NDArray[np.float64]:
    if tensor.ndim != 2 or tensor.shape[1] != columns:
        raise NetworkError(
            f"tensor {name!r} has the shape {tensor.shape} for one image; its description and the labels say (N, "
            f"{columns}): correct outputs or labels in the file that describes the network"
        )
    return tensor.astype(np.float64)


def _maps(tensor: NDArray[Any], count: int, name: str) -> NDArray[np.float32]:
    if tensor.ndim != 3 or tensor.shape[0] != count or not tensor.size:
        raise NetworkError(
            f"tensor {name!r} has the shape {tensor.shape} for one image; its description and the labels say ({count}, "
            "height, width): correct outputs or labels in the file that describes the network"
        )
    return tensor.astype(np.float32, copy=False)


def _size(description: NetworkDescription) -> NDArray[np.float64]:
    width, height = description.input.width, description.input.height
    return np.array((width, height, width, height), float)


def _corners(boxes: NDArray[Any]) -> NDArray[Any]:
    """Returns left, top, right and bottom of boxes (N, 4) given by centre, width and height."""
    half = boxes[:, 2:] / 2
    corners: NDArray[Any] = np.hstack([boxes[:, :2] - half, boxes[:, :2] + half])
    return corners


def _sigmoid(logits: NDArray[Any]) -> NDArray[Any]:
    values: NDArray[Any] = 0.5 * (1 + np.tanh(0.5 * logits))  # does not overflow
    return values


def _softmax(logits: NDArray[Any]) -> NDArray[Any]:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[Any] = weights / weights.sum(axis=1, keepdims=True)
    return shares
