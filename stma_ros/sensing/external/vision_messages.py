"""Converts messages of vision_msgs, and masks of classes, to detections.

The messages are objects with their fields as attributes, from a bag or from the ROS graph: no package is needed. Fields
that differ between the versions of vision_msgs are found by their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.gathering import DetectionGatherer, Edges
from stma_ros.sensing.external_images import segmentation_image
from stma_ros.sensing.vision_definitions import DETECTION_2D_ARRAY, DETECTION_3D_ARRAY
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import BadImageError
from stma_ros.types.sensing import ExternalDetections, SegmentLabel
from stma_ros.types.standard import CompressedImage, Header, Image
from stma_ros.types.wire import from_wire


def boxes_of(message: Any, names: DetectionNames) -> ExternalDetections:
    """Converts a Detection2DArray. What cannot be used is left out, and counted in `incomplete`."""
    gatherer = DetectionGatherer(names)
    for item in message.detections:
        gatherer.add(_hypotheses(item), _edges(item.bbox))
    return gatherer.gathered(from_wire(message.header, Header))


def space_boxes_of(message: Any, names: DetectionNames) -> ExternalDetections:
    """Converts a Detection3DArray. What cannot be used is left out, and counted in `incomplete`.

    The boxes are in the frame of the array's header or, where it names none, of the first detection's.
    """
    gatherer = DetectionGatherer(names)
    header = from_wire(message.header, Header)
    frame = header.frame_id
    for item in message.detections:
        own = str(item.header.frame_id)
        frame = frame or own
        if own and own != frame:
            gatherer.leave_out("boxes of one message are in several frames; publish one message for each")
        else:
            gatherer.add(_hypotheses(item), box=from_wire(item.bbox, BoundingBox3D))
    return gatherer.gathered(Header(header.stamp, frame))


READERS: Mapping[str, Callable[[Any, DetectionNames], ExternalDetections]] = {
    DETECTION_2D_ARRAY: boxes_of,
    DETECTION_3D_ARRAY: space_boxes_of,
}
"""Functions that convert messages, by ROS type."""


def mask_of(image: Image | CompressedImage, header: Header, names: DetectionNames) -> ExternalDetections:
    """Converts an image whose pixels are numbers of classes.

    Args:
        image: The image.
        header: Header of the result.
        names: Labels of the classes.

    Raises:
        BadImageError: The image cannot be used, or no class has a label.
    """
    if not names.labels:
        raise BadImageError(
            "nothing says what the classes of the mask are: list their labels as detections_labels in the mapping "
            "file, or give the topic of a vision_msgs/LabelInfo"
        )
    labels = tuple(
        SegmentLabel(id=number, category=category, confidence=math.nan)
        for number in names.labels
        if 0 <= number <= 0xFFFF and (category := names.category(str(number)))
    )
    return ExternalDetections(header=header, class_mask=segmentation_image(image, header), labels=labels)


def labels_of(message: Any) -> dict[int, str]:
    """Returns the labels by class number of a LabelInfo."""
    return {int(item.class_id): str(item.class_name) for item in message.class_map}


def _hypotheses(item: Any) -> list[tuple[str, float]]:
    found = [getattr(result, "hypothesis", result) for result in item.results]
    # `id` until Foxy.
    return [
        (str(getattr(each, "class_id", None) or getattr(each, "id", "")), float(each.score)) for each in found
    ]


def _edges(box: Any) -> Edges:
    """Returns the edges round a box, which may be turned in the image."""
    middle = getattr(box.center, "position", box.center)  # the centre itself until Galactic
    cos, sin = _turn(float(box.center.theta))
    width, height = float(box.size_x), float(box.size_y)
    if width < 0 or height < 0:
        return _around(middle, width, height)  # reversed
    return _around(middle, cos * width + sin * height, sin * width + cos * height)


def _turn(theta: float) -> tuple[float, float]:
    if not math.isfinite(theta):
        return math.nan, math.nan
    return abs(math.cos(theta)), abs(math.sin(theta))


def _around(middle: Any, width: float, height: float) -> Edges:
    x, y = float(middle.x), float(middle.y)
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2
