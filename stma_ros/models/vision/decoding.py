"""Reads the output tensors of a network: one function for each kind of output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.description import (
    BoxUnits,
    ClassMapOutput,
    DetectionsOutput,
    GridOutput,
    NetworkDescription,
    QueriesOutput,
    RowsOutput,
)
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import BoxedObject, ClassMap, NetworkOutput
from stma_ros.models.vision.objects import objects_in
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


def objects_of_queries(
    scores: NDArray[Any],
    boxes: NDArray[Any],
    fit: Fit,
    description: NetworkDescription,
    overlap: float | None = None,
) -> tuple[BoxedObject, ...]:
    """Returns the objects of the best class of each query of DETR and its kin, best first.

    Args:
        scores: (N, C) score of each class.
        boxes: (N, 4) centre x and y, width and height; the input is 1 wide and 1 high.
        fit: How the image lies in the input.
        description: Of the network.
        overlap: Intersection over union from which on a box is left out for a better one of its class; None = any.

    Raises:
        NetworkError: A score is no number or above 1.
    """
    classes = scores.argmax(axis=1)
    best = scores[np.arange(len(scores)), classes]
    return objects_in(_corners(boxes) * _size(description), best, classes, overlap, fit, description)


def _rows(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: RowsOutput = description.output  # type: ignore[assignment]
    rows = _table(tensors[output.rows], 6, output.rows)
    boxes = rows[:, :4]
    if output.boxes is BoxUnits.NORMALISED:
        boxes = boxes * _size(description)
    return _found(boxes, rows[:, 4], _numbers(rows[:, 5]), fit, description, output.overlap)


def _queries(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: QueriesOutput = description.output  # type: ignore[assignment]
    logits = _table(tensors[output.logits], len(description.labels) + output.no_object, output.logits)
    boxes = _table(tensors[output.boxes], 4, output.boxes)
    if len(logits) != len(boxes):
        raise NetworkError(
            f"tensor {output.logits!r} has {len(logits)} rows, {output.boxes!r} {len(boxes)}; name the tensors of one "
            "head under outputs"
        )
    scores = _softmax(logits, axis=1)[:, :-1] if output.no_object else _sigmoid(logits)
    return NetworkOutput(objects_of_queries(scores, boxes, fit, description))


def _detections(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: DetectionsOutput = description.output  # type: ignore[assignment]
    boxes = _table(tensors[output.boxes], 4, output.boxes)
    labels, scores = (tensors[name].astype(np.float64) for name in (output.labels, output.scores))
    for name, column in ((output.labels, labels), (output.scores, scores)):
        if column.shape != (len(boxes),):
            raise NetworkError(
                f"tensor {name!r} has the shape {column.shape} for one image with {len(boxes)} boxes; name the tensors "
                "of one head under outputs"
            )
    # A query may be there with several classes; it is of the best one, as elsewhere.
    best = np.argsort(-scores, kind="stable")
    best = best[np.unique(boxes[best], axis=0, return_index=True)[1]]
    return _found(boxes[best], scores[best], _numbers(labels[best]), fit, description)


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
    return _found(_corners(cells[:, :4]), best, classes, fit, description, output.overlap)


def _class_map(tensors: Tensors, fit: Fit, description: NetworkDescription) -> NetworkOutput:
    output: ClassMapOutput = description.output  # type: ignore[assignment]
    logits = _maps(tensors[output.logits], len(description.labels), output.logits)
    maps = []
    if output.states:
        maps.append(_sigmoid(_maps(tensors[output.states], len(output.state_names), output.states)))
    if output.middles:
        displacements = _maps(tensors[output.middles], 2, output.middles)
        maps.append(_middles(displacements * np.float32(output.middle_unit), fit, description))
    if any(each.shape[1:] != logits.shape[1:] for each in maps):
        raise NetworkError(
            f"tensors {', '.join(map(repr, output.tensors))} have maps of different sizes; name those of one head"
        )
    numbers = np.arange(logits[0].size, dtype=np.int32).reshape(1, *logits.shape[1:])
    (cells,) = map_in_image(numbers, fit, description.input)
    of_cells = [_by_cell(each) for each in maps]
    return NetworkOutput(
        class_map=ClassMap(
            _by_cell(_softmax(logits, axis=0)),
            cells,
            of_cells[0] if output.states else None,
            description.labels,
            output.state_names,
            of_cells[-1] if output.middles else None,
        )
    )


def _by_cell(maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns maps (C, h, w) as values by cell (h * w, C)."""
    return np.ascontiguousarray(maps.reshape(len(maps), -1).T)


def _middles(
    displacements: NDArray[np.float32], fit: Fit, description: NetworkDescription
) -> NDArray[np.float32]:
    """Returns the columns and rows (2, h, w) of the image [px] to which displacements lead that are counted from the
    middle of each cell of the map [px of the input]."""
    _, rows, columns = displacements.shape
    u = (np.arange(columns) + 0.5) * (description.input.width / columns) - 0.5
    v = (np.arange(rows) + 0.5) * (description.input.height / rows) - 0.5
    led = np.stack((displacements[0] + u, displacements[1] + v[:, None]))
    scales = np.array((fit.scale_x, fit.scale_y)).reshape(2, 1, 1)
    in_image: NDArray[np.float32] = ((led + 0.5) / scales - 0.5).astype(np.float32)
    return in_image


def _found(
    boxes: NDArray[Any],
    scores: NDArray[Any],
    classes: NDArray[np.intp],
    fit: Fit,
    description: NetworkDescription,
    overlap: float | None = None,
) -> NetworkOutput:
    return NetworkOutput(objects_in(boxes, scores, classes, overlap, fit, description))


_DECODERS: dict[type, Callable[[Tensors, Fit, NetworkDescription], NetworkOutput]] = {
    RowsOutput: _rows,
    QueriesOutput: _queries,
    DetectionsOutput: _detections,
    GridOutput: _grid,
    ClassMapOutput: _class_map,
}


def _table(tensor: NDArray[Any], columns: int, name: str) -> NDArray[np.float64]:
    if tensor.ndim != 2 or tensor.shape[1] != columns:
        raise NetworkError(
            f"tensor {name!r} has the shape {tensor.shape} for one image; its description and the labels say (N, "
            f"{columns}): correct outputs or labels in the file that describes the network"
        )
    return tensor.astype(np.float64)


def _numbers(classes: NDArray[np.float64]) -> NDArray[np.intp]:
    numbers: NDArray[np.intp] = np.rint(np.nan_to_num(classes, nan=-1)).astype(np.intp)
    return numbers


def _maps(tensor: NDArray[Any], count: int, name: str) -> NDArray[np.float32]:
    if tensor.ndim != 3 or tensor.shape[0] != count or not tensor.size:
        raise NetworkError(
            f"tensor {name!r} has the shape {tensor.shape} for one image; its description and the labels say ({count}, "
            "height, width): correct outputs or labels in the file that describes the network"
        )
    if np.isnan(tensor).any():
        raise NetworkError(f"tensor {name!r} has values that are no numbers; is the network's file damaged?")
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


def _softmax(logits: NDArray[Any], axis: int) -> NDArray[Any]:
    weights: NDArray[Any] = logits - logits.max(axis=axis, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights
