"""Detections of other nodes and of a file, for the frames of a recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.calibration import Calibration
from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.jsonl_file import read_detections_file
from stma_ros.sensing.external.vision_messages import READERS, labels_of, mask_of
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.timeline import Timeline
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.sensing.transforms import NoTransformError, Rigid, TransformBuffer, product
from stma_ros.sensing.vision_definitions import vision_definition
from stma_ros.storage.bag.messages import RawMessage
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import BadImageError, ErrorCode, StorageError
from stma_ros.types.message import MessageError
from stma_ros.types.sensing import ExternalDetection, ExternalDetections
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, CompressedImage, Header, Image

DETECTIONS, CLASS_MASK = "detections", "class_mask"


@dataclass(frozen=True)
class ImagePlace:
    """The image of a frame.

    Attributes:
        header: Header of the frame's images.
        optical: Name of the camera's frame in the recording.
        camera: Calibration.
        transforms: Transforms over time.
    """

    header: Header
    optical: str
    camera: Calibration
    transforms: TransformBuffer


class BagDetections:
    """Detections for the frames of a recording: of at most one topic of boxes, one of masks, and one file.

    Attributes:
        streams: Kinds of topics whose messages are joined with depth images.
        note: Remark about the file; empty if there is none.
    """

    def __init__(self, bag: Bag, chosen: TopicMap, mapping: BagMapping) -> None:
        """Reads the file of detections, if there is one.

        Args:
            bag: The recording.
            chosen: Its topics.
            mapping: What the mapping file says of it.

        Raises:
            ConfigurationError: The file cannot be used.
        """
        self._bag = bag
        self._tolerance = round(mapping.tolerance * NANOSECONDS_PER_SECOND)
        self.streams = tuple(kind for kind in (DETECTIONS, CLASS_MASK) if getattr(chosen, kind))
        self._names = _named(bag, chosen.detections_labels, mapping.detection_names)
        self._images: Timeline[ExternalDetections] | None = None
        self.note = ""
        if mapping.detections:
            path = Path(mapping.detections)
            found = read_detections_file(path, self._names)
            self.note = found.note(path)
            self._images = Timeline(len(found.images))
            for stamp, image in found.images.items():
                self._images.add(stamp, image)

    def of(
        self, stamp: int, others: Mapping[str, RawMessage], place: ImagePlace
    ) -> ExternalDetections | None:
        """Returns the detections in an image, with an error if there are none near its stamp; None if the recording
        has no detections.

        Args:
            stamp: Stamp of the image [ns].
            others: Messages that join it, by stream.
            place: The image.
        """
        if not self.streams and self._images is None:
            return None
        try:
            parts = list(self._parts(stamp, others, place))
        except (BadImageError, MessageError, StorageError) as error:
            reason = f"detections cannot be used: {error}"
            return ExternalDetections(header=place.header, error=Error(ErrorCode.DETECTOR_FAILED, reason))
        if not parts:
            within = f"{self._tolerance / NANOSECONDS_PER_SECOND:g} s"
            reason = f"no detections within {within} of the image (`tolerance` in a mapping file)"
            return ExternalDetections(header=place.header, error=Error(ErrorCode.DETECTOR_FAILED, reason))
        return _merged(place, parts)

    def _parts(
        self, stamp: int, others: Mapping[str, RawMessage], place: ImagePlace
    ) -> Iterator[ExternalDetections]:
        if DETECTIONS in others:
            raw = others[DETECTIONS]
            message = self._bag.decode_plain(raw, vision_definition(raw.ros_type))
            yield _in_camera(READERS[raw.ros_type](message, self._names), stamp, place)
        if CLASS_MASK in others:
            raw = others[CLASS_MASK]
            kind: type[Image] | type[CompressedImage]
            kind = Image if raw.ros_type == Image.ROS_TYPE else CompressedImage
            found = mask_of(self._bag.decode(raw, kind), place.header, self._names)
            yield replace(found, class_mask=place.camera.rectified(found.class_mask))
        near = None if self._images is None else self._images.nearest(stamp, self._tolerance)
        if near is not None:
            yield near


def _named(bag: Bag, topic: str, names: DetectionNames) -> DetectionNames:
    """Returns the names with the labels of the first message of a topic, if the mapping file gives none."""
    if not topic or names.labels:
        return names
    for raw in bag.messages(on_damage=lambda damage: None, topics={topic}):
        with suppress(StorageError):  # the next message may be whole
            return replace(names, labels=labels_of(bag.decode_plain(raw, vision_definition(raw.ros_type))))
    return names


def _merged(place: ImagePlace, parts: list[ExternalDetections]) -> ExternalDetections:
    frames = [part.header.frame_id for part in parts if part.header.frame_id]
    masks = [part for part in parts if part.class_mask.data.size]
    found = tuple(_without_distortion(item, place.camera) for part in parts for item in part.detections)
    return ExternalDetections(
        header=Header(place.header.stamp, frames[0] if frames else place.header.frame_id),
        detections=found,
        class_mask=masks[0].class_mask if masks else Image(),
        labels=masks[0].labels if masks else (),
        incomplete=next((part.incomplete for part in parts if part.incomplete), Error()),
    )


def _in_camera(found: ExternalDetections, stamp: int, place: ImagePlace) -> ExternalDetections:
    """Returns detections with their boxes in space in the camera's frame, where the transforms of the recording tell
    where that is; otherwise they stay in their own."""
    frame = found.header.frame_id.lstrip("/")
    header = Header(found.header.stamp, place.header.frame_id)
    if frame in ("", place.optical.lstrip("/")):
        return replace(found, header=header)
    try:
        steps = place.transforms.steps(frame, place.optical, stamp)
    except NoTransformError:
        return found
    return replace(
        found, header=header, detections=tuple(_moved(item, product(*steps)) for item in found.detections)
    )


def _moved(item: ExternalDetection, pose: Rigid) -> ExternalDetection:
    if not item.box.center.given:
        return item
    center = pose.then(Rigid.of_pose(item.box.center)).pose
    return replace(item, box=BoundingBox3D(center=center, size=item.box.size))


def _without_distortion(item: ExternalDetection, camera: Calibration) -> ExternalDetection:
    """Returns a detection with its box in the image round the same pixels without distortion."""
    if camera.pixels is None or not np.isfinite(item.edges).all():
        return item
    rows, columns = camera.pixels
    inside = (columns >= item.left) & (columns < item.right) & (rows >= item.top) & (rows < item.bottom)
    inside &= rows >= 0
    if not inside.any():
        return item
    (top, bottom), (left, right) = (_span(inside.any(axis=axis)) for axis in (1, 0))
    return replace(item, left=left, top=top, right=right, bottom=bottom)


def _span(flags: NDArray[np.bool_]) -> tuple[int, int]:
    found = np.flatnonzero(flags)
    return int(found[0]), int(found[-1]) + 1
