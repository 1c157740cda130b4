"""Detections of other nodes and of a file, for the frames of a recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.bag_topics import stamp_of
from stma_ros.sensing.calibration import Calibration
from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.jsonl_file import read_detections_file
from stma_ros.sensing.external.vision_messages import READERS, labels_of, mask_of
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.synchroniser import WAITING, Matched
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

SET_BACK = 10 * NANOSECONDS_PER_SECOND
"""Detections that go back by more than this [ns] are of another part of the recording. If by less, they only come late,
from a detector that works on several images at once."""


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

    Each belongs to the depth image that is nearest to its stamp. All boxes are read first: however late a detector was,
    the stamps tell which image it saw.

    Attributes:
        streams: Kinds of topics whose messages are joined with depth images when they come.
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
        self._chosen = chosen
        self._mapping = mapping
        self._joined: Counter[str] = Counter()  # number of messages that were used, by topic
        self._tolerance = round(mapping.tolerance * NANOSECONDS_PER_SECOND)
        self.streams = (CLASS_MASK,) if chosen.class_mask else ()
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

    @property
    def are_recorded(self) -> bool:
        """Whether the recording has detections."""
        return bool(self._chosen.detections or self.streams) or self._images is not None

    def unjoined(self) -> Iterator[str]:
        """Yields remarks about the messages that belonged to no frame, once all frames are made."""
        for topic in filter(None, (self._chosen.detections, self._chosen.class_mask)):
            count = self._bag.topics[topic].count
            left = count - self._joined[topic]
            is_mask = topic == self._chosen.class_mask
            late = f", or it came more than {WAITING} depth images after its own" if is_mask else ""
            if left > 0:
                yield (
                    f"{left} of {count} messages on {topic} joined no frame: none is within "
                    f"{self._mapping.tolerance:g} s of it and nearest to it (`tolerance` in a mapping file){late}"
                )

    def of(self, matched: Matched[RawMessage], place: ImagePlace) -> ExternalDetections | None:
        """Returns the detections in an image, with an error if none belong to it; None if the recording has no
        detections.

        Args:
            matched: The depth image, and messages that join it.
            place: The image.
        """
        if not self.are_recorded:
            return None
        try:
            parts = list(self._parts(matched, place))
        except (BadImageError, MessageError, StorageError) as error:
            reason = f"detections cannot be used: {error}"
            return ExternalDetections(header=place.header, error=Error(ErrorCode.DETECTOR_FAILED, reason))
        if not parts:
            within = f"{self._tolerance / NANOSECONDS_PER_SECOND:g} s"
            reason = (
                f"no detections within {within} of the image that are not of a nearer one (`tolerance` in a mapping "
                "file)"
            )
            return ExternalDetections(header=place.header, error=Error(ErrorCode.DETECTOR_FAILED, reason))
        return _merged(place, parts)

    @cached_property
    def _boxes(self) -> Timeline[RawMessage]:
        """The messages with boxes of the part of the recording that is used."""
        parts = _parts_of(self._bag, self._chosen.detections, self._mapping)
        wanted = parts[min(self._mapping.part, len(parts)) - 1]
        found: Timeline[RawMessage] = Timeline(len(wanted))
        for raw in wanted:
            found.add(stamp_of(raw, self._mapping), raw)
        return found

    def _parts(self, matched: Matched[RawMessage], place: ImagePlace) -> Iterator[ExternalDetections]:
        stamp = matched.stamp
        raw = self._boxes.nearest(stamp, self._tolerance) if self._chosen.detections else None
        if raw is not None and self._joins(matched, raw):
            message = self._bag.decode_plain(raw, vision_definition(raw.ros_type))
            yield _in_camera(READERS[raw.ros_type](message, self._names), stamp, place)
        raw = matched.others.get(CLASS_MASK)
        if raw is not None and self._joins(matched, raw):
            kind: type[Image] | type[CompressedImage]
            kind = Image if raw.ros_type == Image.ROS_TYPE else CompressedImage
            found = mask_of(self._bag.decode(raw, kind), place.header, self._names)
            yield replace(found, class_mask=place.camera.rectified(found.class_mask))
        near = None if self._images is None else self._images.nearest(stamp, self._tolerance)
        if near is not None and matched.is_nearest(near.header.stamp.nanoseconds):
            yield near

    def _joins(self, matched: Matched[RawMessage], raw: RawMessage) -> bool:
        joins = matched.is_nearest(stamp_of(raw, self._mapping))
        self._joined[raw.topic] += joins
        return joins


def _parts_of(bag: Bag, topic: str, mapping: BagMapping) -> list[list[RawMessage]]:
    """Returns the messages of a topic by the parts of the recording, which begin where two in a row are set back."""
    parts: list[list[RawMessage]] = [[]]
    latest = [-1, -1]  # the second latest counts: a single stamp from the future is an outlier
    was_early = False
    for raw in bag.messages(on_damage=lambda damage: None, topics={topic}):
        with suppress(StorageError):  # without a header it joins no image
            stamp = stamp_of(raw, mapping)
            is_early = stamp < latest[0] - SET_BACK
            if is_early and was_early:
                parts.append([parts[-1].pop()])
                latest = [-1, -1]
                is_early = False
            latest = sorted((*latest, stamp))[1:]
            parts[-1].append(raw)
            was_early = is_early
    return parts


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
