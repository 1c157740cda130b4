"""Camera frames from bags of other robots, synchronised by approximate stamps."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TypeVar

import numpy as np

from stma_ros.mapping.floor_plane import FloorPlane
from stma_ros.sensing.bag_topics import choose_topics, recorded_types, stamp_of
from stma_ros.sensing.calibration import with_header
from stma_ros.sensing.camera_frame import CameraFrame, frame_of
from stma_ros.sensing.carrier import is_mounted
from stma_ros.sensing.edge_survey import EdgeSurvey, offset_note
from stma_ros.sensing.external.bag_detections import BagDetections, ImagePlace
from stma_ros.sensing.external_images import check_sizes, color_image, depth_image, segmentation_image
from stma_ros.sensing.frame_source import FrameTally
from stma_ros.sensing.levelling import DOWN, PERIOD, FloorSurvey, floor_notes, level_of, upright
from stma_ros.sensing.mapping_file import BagMapping, read_mapping
from stma_ros.sensing.pose_sources import PoseSources, find_pose_sources
from stma_ros.sensing.poses import PoseTracker
from stma_ros.sensing.recorded_cameras import RecordedCameras
from stma_ros.sensing.synchroniser import Matched, Skipped, Synchroniser
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.sensing.transforms import Rigid
from stma_ros.storage.bag.messages import Damage, RawMessage
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.cdr import header_frame, header_stamp
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.errors import BadImageError, ConfigurationError, StmaError, StorageError
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabel, SegmentLabels
from stma_ros.types.standard import (
    NANOSECONDS_PER_SECOND,
    CameraInfo,
    CompressedImage,
    Header,
    Image,
    Odometry,
    TFMessage,
    Time,
)

MessageT = TypeVar("MessageT", bound=Message)

_MAX_OFFSETS = 100_000

COLOR, SEGMENTATION, LABELS = "color", "segmentation", "segmentation_labels"


@dataclass
class Tally(FrameTally):
    """Statistics of reading a recording.

    Attributes:
        undecodable: Number of messages that could not be decoded, by topic.
        offsets: Differences between the stamps of depth and colour [ns], of the newest frames.
        damages: Places of the bag that cannot be read.
        notes: Further remarks, in order.
        floor: The floor that was seen, in the map; None = none was.
    """

    undecodable: Counter[str] = field(default_factory=Counter)
    offsets: deque[int] = field(default_factory=lambda: deque(maxlen=_MAX_OFFSETS))
    damages: list[Damage] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    floor: FloorPlane | None = None


class ExternalBagFrames:
    """A FrameSource that makes frames while the bag is read, in the order of their stamps.

    The frames have all parts of topics.FRAME and, where the recording has detections, these as a further part
    (topics.DETECTIONS).

    Attributes:
        tally: Counts of frames and of skipped depth images with the reasons.
    """

    def __init__(
        self,
        bag: Bag,
        chosen: TopicMap,
        mapping: BagMapping,
        period: int = 0,
        sources: PoseSources | None = None,
    ) -> None:
        """Prepares to read a bag.

        Args:
            bag: The recording.
            chosen: Its topics.
            mapping: What the mapping file says of it.
            period: Least time between two frames [ns]; depth images in between are passed over.
            sources: Where poses come from; None finds it out.
        """
        self.tally = Tally()
        self._period = period
        self._bag = bag
        self._chosen = chosen
        self._mapping = mapping
        self._sources = find_pose_sources(bag, chosen, mapping) if sources is None else sources
        about = self._sources
        self._poses = PoseTracker(
            about.frames, mapping.camera, about.has_odometry, about.carrier, about.is_localized
        )
        self.tally.notes.update(dict.fromkeys(filter(None, (about.carrier.note, about.note))))
        self._cameras = RecordedCameras(chosen, mapping)
        if mapping.camera is not None and "rpy" not in mapping.camera.model_fields_set:
            way = "up" if mapping.camera.optical else "straight ahead"
            self.tally.notes[f"camera.rpy is not said: the camera is taken to look {way}"] = None
        self._labels = tuple(
            SegmentLabel(id=id_, category=name) for id_, name in mapping.segmentation_labels.items()
        )
        self._detections = BagDetections(bag, chosen, mapping)
        if self._detections.note:
            self.tally.notes[self._detections.note] = None
        optional = [name for name in (SEGMENTATION, LABELS) if getattr(chosen, name)]
        self._streams = {
            getattr(chosen, kind): kind for kind in (*optional, *self._detections.streams, COLOR)
        }
        self._sync: Synchroniser[RawMessage] = Synchroniser(
            (COLOR,),
            (*optional, *self._detections.streams),
            round(mapping.tolerance * NANOSECONDS_PER_SECOND),
            self._can_be_placed,
            self._poses.forget_after,
            mapping.part,
            awaits_next=self._detections.are_recorded,
        )

    def __iter__(self) -> Iterator[CameraFrame]:
        """Yields the frames.

        Raises:
            ConfigurationError: The camera cannot be used, or, at the end, the mapping asks for a part that the
                recording does not have.
        """
        self._poses.level = self._level()
        survey, edges = FloorSurvey(), EdgeSurvey()
        last: int | None = None
        names = set(self._chosen.names.values()) - {self._chosen.detections, self._chosen.detections_labels}
        messages = self._bag.messages(on_damage=self.tally.damages.append, topics=names)
        for matched in chain(chain.from_iterable(map(self._take, messages)), self._sync.finish()):
            is_early = last is not None and matched.stamp < last + self._period
            if is_early and isinstance(matched, Matched):
                continue
            frame = self._frame(matched)
            if frame is not None:
                last = matched.stamp
                self.tally.frames += 1
                survey.take(frame)
                edges.take(frame)
                yield frame
        parts, wanted = self._sync.part, self._mapping.part
        if wanted > parts:
            there = "there is 1 part only; leave `part` out" if parts == 1 else f"there are {parts} parts"
            raise ConfigurationError(f"part: {wanted} in the mapping file, but {there}")
        for before, after in self._sync.jumps:
            self.tally.notes[
                f"time was set back from {_seconds(before)} to {_seconds(after)}: the recording falls into parts, of "
                f"which part {self._mapping.part} was taken (`part` in a mapping file chooses)"
            ] = None
        for topic, count in self.tally.undecodable.items():
            self.tally.notes[f"{count} messages on {topic} could not be decoded"] = None
        self.tally.notes.update(dict.fromkeys(self._detections.unjoined()))
        if self._poses.unusable:
            self.tally.notes[f"{self._poses.unusable} poses were not numbers and are left out"] = None
        self.tally.floor = survey.floor()
        if self.tally.floor is not None:
            self.tally.notes.update(dict.fromkeys(floor_notes(self.tally.floor)))
        if (offset := edges.offset()) is not None:
            self.tally.notes[offset_note(*offset)] = None

    def _level(self) -> Rigid | None:
        """Returns the transform into a map with z up and the floor at z = 0; None if it is the recording's own."""
        mapping = self._mapping
        if mapping.floor != "auto":
            if mapping.floor is None and mapping.gravity is None:
                return None
            return upright(mapping.gravity or DOWN, mapping.floor or 0.0)
        # Without `floor` the frames are as recorded, but turned by `gravity`.
        unplaced = mapping.model_copy(update={"floor": None})
        frames = ExternalBagFrames(self._bag, self._chosen, unplaced, PERIOD, self._sources)
        found, note = level_of(frames, mapping.gravity)
        if note:
            self.tally.notes[note] = None
        return found

    def _take(self, raw: RawMessage) -> Iterator[Matched[RawMessage] | Skipped]:
        chosen = self._chosen
        try:
            if raw.topic == chosen.depth:
                yield from self._sync.add_depth(self._stamp(raw), raw)
            elif raw.topic == chosen.odometry:
                self._poses.add_odometry(self._stamp(raw), self._bag.decode(raw, Odometry))
            elif raw.topic in (chosen.tf, chosen.tf_static):
                by_header = self._mapping.stamps == "header"
                static = raw.topic == chosen.tf_static
                self._poses.add_transforms(self._bag.decode(raw, TFMessage), static, raw.stamp_ns, by_header)
            elif raw.topic in self._cameras.topics:
                self._calibrate(raw)
            else:
                self._sync.add(self._streams[raw.topic], self._stamp(raw), raw)
        except StorageError:  # the bytes are not a message of that type
            self.tally.undecodable[raw.topic] += 1
        yield from self._sync.ready()

    def _can_be_placed(self, stamp: int, depth: RawMessage) -> bool:
        if not self._cameras.are_calibrated:
            return False
        recorded = header_frame(depth.data)
        is_linked = self._cameras.are_linked(recorded, stamp, self._poses.transforms)
        return is_linked and self._poses.is_complete_at(stamp, self._cameras.optical(recorded))

    def _stamp(self, raw: RawMessage) -> int:
        return stamp_of(raw, self._mapping)

    def _calibrate(self, raw: RawMessage) -> None:
        if self._cameras.knows(raw.topic):
            return
        self._cameras.add(raw.topic, self._bag.decode(raw, CameraInfo))
        if self._cameras.are_distorted:
            self.tally.notes["the images are distorted: the distortion was taken out of them"] = None

    def _frame(self, matched: Matched[RawMessage] | Skipped) -> CameraFrame | None:
        """Makes a frame, or counts the reason why there is none."""
        if isinstance(matched, Skipped):
            self.tally.skipped[matched.reason] += 1
            return None
        if not self._cameras.are_calibrated:
            self.tally.skipped["no camera_info had come yet"] += 1
            return None
        try:
            return frame_of(dict(self._parts(matched)))
        except ConfigurationError:
            raise
        except StorageError:
            self.tally.skipped["one of its messages cannot be decoded"] += 1
        except StmaError as error:
            self.tally.skipped[str(error)] += 1
        return None

    def _parts(self, matched: Matched[RawMessage]) -> Iterator[Emission]:
        """Yields the parts of a frame.

        Raises:
            StmaError: An image cannot be used, the images do not fit one another, or a pose is unknown.
        """
        stamp = Time.from_nanoseconds(matched.stamp)
        recorded = header_frame(matched.depth.data)
        optical = self._cameras.optical(recorded)
        where = self._poses.at(matched.stamp, optical)
        header = Header(stamp, self._mapping.frames.camera or optical)
        with _naming(matched.depth.topic):
            depth = depth_image(self._image(matched.depth), header, self._mapping.depth_rule)
        with _naming(matched.others[COLOR].topic):
            color = color_image(self._image(matched.others[COLOR]), header)
        self._cameras.fit(self._chosen.depth, depth)
        self._cameras.fit(self._chosen.color, color)
        camera = self._cameras.calibration
        if self._cameras.are_two:
            with _naming(matched.depth.topic):
                depth = self._rectified_depth(matched, depth)
            self.tally.notes[f"depth, in {recorded!r}, is registered to colour, in {optical!r}"] = None
        check_sizes(depth, color, camera.info)
        self._note_registration(optical, header_frame(matched.others[COLOR].data))
        segmentation, labels = self._segmentation(matched.others, header, depth)
        self.tally.offsets.append(abs(self._stamp(matched.others[COLOR]) - matched.stamp))
        place = ImagePlace(header, optical, camera, self._poses.transforms)
        found = self._detections.of(matched, place)
        if found is not None:  # before the parts with which the frame is complete
            yield topics.DETECTIONS, found
        yield topics.COLOR, camera.rectified(color)
        yield topics.DEPTH, depth if self._cameras.are_two else self._rectified_depth(matched, depth)
        yield topics.SEGMENTATION, camera.rectified(segmentation)
        yield topics.SEGMENTATION_LABELS, SegmentLabels(header=header, labels=labels)
        yield topics.CAMERA_INFO, with_header(camera.info, header)
        yield from where.parts(stamp, self._mapping.frames.map)

    def _rectified_depth(self, matched: Matched[RawMessage], depth: Image) -> Image:
        recorded = header_frame(matched.depth.data)
        return self._cameras.rectified_depth(depth, recorded, matched.stamp, self._poses.transforms)

    def _segmentation(
        self, others: Mapping[str, RawMessage], header: Header, depth: Image
    ) -> tuple[Image, tuple[SegmentLabel, ...]]:
        """Returns the segmentation and its labels; all ids are 0 if no segmentation or no labels were recorded, or the
        labels are of another image, in which ids are others."""
        labels = self._labels
        if LABELS in others and not labels and self._is_of_image(others[LABELS], others.get(SEGMENTATION)):
            labels = self._bag.decode(others[LABELS], SegmentLabels).labels
        if SEGMENTATION not in others or not labels:
            unknown: np.ndarray[tuple[int, int], np.dtype[np.uint16]]
            unknown = np.zeros((depth.height, depth.width), np.uint16)
            return Image.from_array(header, unknown, "16UC1"), ()
        with _naming(others[SEGMENTATION].topic):
            return segmentation_image(self._image(others[SEGMENTATION]), header), labels

    @staticmethod
    def _is_of_image(labels: RawMessage, segmentation: RawMessage | None) -> bool:
        """Whether labels have the stamp of a segmentation, where both have one: in another image ids are others."""
        if segmentation is None:
            return False
        stamps = header_stamp(labels.data), header_stamp(segmentation.data)
        return min(stamps) <= 0 or stamps[0] == stamps[1]

    def _image(self, raw: RawMessage) -> Image | CompressedImage:
        kind: type[Image] | type[CompressedImage]
        kind = Image if raw.ros_type == Image.ROS_TYPE else CompressedImage
        return self._bag.decode(raw, kind)

    def _note_registration(self, depth: str, color: str) -> None:
        if depth and color and depth != color:
            self.tally.notes[
                f"depth is in {depth!r}, colour in {color!r}: where depth is not registered to colour, what is seen is "
                "placed a little beside where it is; record the registered depth (aligned_depth_to_color, say)"
            ] = None


def load_bag(bag: str | PathLike[str], mapping: str | PathLike[str] | None = None) -> ExternalBagFrames:
    """Opens a robot's recording (rosbag2, mcap or sqlite3) as frames in the order of their stamps.

    Args:
        bag: Folder or file of the bag.
        mapping: YAML file that describes the topics, frames and camera mount where the bag alone does not
            (docs/howto/foreign_bags.md).

    Returns:
        An iterable of frames, made while the bag is read; its `tally` counts frames, skipped depth images and errors.

    Raises:
        ConfigurationError: A required part is missing, or the mapping file cannot be used.
        StorageError: The bag cannot be read.
    """
    about = read_mapping(None if mapping is None else Path(mapping))
    opened = Bag(Path(bag))
    chosen = choose_topics(opened, about)
    chosen.check(recorded_types(opened), is_mounted(opened, chosen, about), Path(bag))
    return ExternalBagFrames(opened, chosen, about)


@contextmanager
def _naming(topic: str) -> Iterator[None]:
    """Puts the topic before the text of a BadImageError."""
    try:
        yield
    except BadImageError as error:
        raise BadImageError(f"{topic}: {error}") from error


def _seconds(stamp: int) -> str:
    return f"{stamp / NANOSECONDS_PER_SECOND:.1f} s"
