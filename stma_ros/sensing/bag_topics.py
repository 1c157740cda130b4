"""Chooses the topics of a bag from which camera frames are made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from stma_ros.sensing.frame_tree import growing_tree
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.topic_map import TopicMap, candidates, is_registered, map_topics
from stma_ros.storage.bag.messages import RawMessage
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.cdr import header_frame, header_stamp
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import CameraInfo, Image


@dataclass(frozen=True)
class ImageFormat:
    """Format of the first message of a topic of images or calibrations.

    Attributes:
        frame_id: Coordinate frame.
        width, height: Size [px].
        encoding: Encoding of the image; empty for a calibration.
    """

    frame_id: str = ""
    width: int = 0
    height: int = 0
    encoding: str = ""

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height


def recorded_types(bag: Bag) -> dict[str, str]:
    """Returns the ROS types of the topics that hold messages or whose number of messages is unknown."""
    return {name: info.ros_type for name, info in bag.topics.items() if info.count != 0}


def choose_topics(bag: Bag, mapping: BagMapping) -> TopicMap:
    """Chooses topics by the mapping and by their names; among several calibrations, one of the depth image's size.

    Where depth and colour are of two cameras, and it is known how these stand to each other, both calibrations are
    chosen.

    Raises:
        ConfigurationError: The mapping names a topic that the bag does not have, or one of the wrong type.
    """
    types = recorded_types(bag)
    chosen = map_topics(types, mapping.topics)
    calibrations = _of_two_cameras(bag, chosen, mapping, types)
    if calibrations is not None:
        return chosen.model_copy(update=calibrations)
    infos = candidates("camera_info", types, chosen.names)
    if mapping.topics.camera_info or len(infos) < 2 or not chosen.depth:
        return chosen
    formats = first_formats(bag, {chosen.depth, *infos}, types)
    depth = formats.get(chosen.depth, ImageFormat())
    fitting = [name for name in infos if name in formats and formats[name].size == depth.size]
    return chosen.model_copy(update={"camera_info": fitting[0]}) if fitting else chosen


def _of_two_cameras(
    bag: Bag, chosen: TopicMap, mapping: BagMapping, types: Mapping[str, str]
) -> dict[str, str] | None:
    """Returns the topics with the calibrations of colour and depth, if depth has to be registered to colour."""
    asked = mapping.topics
    infos = [name for name, ros_type in types.items() if ros_type == CameraInfo.ROS_TYPE]
    of_color = asked.camera_info or _of_camera(chosen.color, infos)
    of_depth = asked.depth_camera_info or _of_camera(chosen.depth, infos)
    is_asked = bool(asked.depth_camera_info or mapping.depth_to_color)
    if not of_color or not of_depth or (is_registered(chosen.depth) and not is_asked):
        return None
    calibrations = {"camera_info": of_color, "depth_camera_info": of_depth}
    if is_asked:
        return calibrations
    frames = [first_frame(bag, name) for name in (chosen.depth, of_color)]
    depth, color = (frame.lstrip("/") for frame in frames)
    if of_color == of_depth or not depth or not color or depth == color:
        return None
    are_linked = any(color in tree.connected(depth) for tree in growing_tree(bag, chosen))
    return calibrations if are_linked else None


def _of_camera(image: str, infos: Iterable[str]) -> str:
    """Returns the calibration in the namespace of an image; empty if there is none."""
    fitting = [name for name in infos if image.startswith(f"{name.rpartition('/')[0]}/")]
    longest = max((name.count("/") for name in fitting), default=0)
    nearest = [name for name in fitting if name.count("/") == longest]
    return nearest[0] if len(nearest) == 1 and longest > 1 else ""


def stamp_of(raw: RawMessage, mapping: BagMapping) -> int:
    """Returns the stamp of a message [ns]: that of its header, or the time of recording if there is none or the mapping
    file says so."""
    by_header = header_stamp(raw.data) if mapping.stamps == "header" else 0
    return by_header if by_header > 0 else raw.stamp_ns


def first_frame(bag: Bag, topic: str) -> str:
    """Returns the coordinate frame of the first message of a topic; empty if there is none."""
    messages = bag.messages(on_damage=lambda damage: None, topics={topic})
    return next((header_frame(raw.data) for raw in messages), "")


def first_formats(bag: Bag, names: Collection[str], types: Mapping[str, str]) -> dict[str, ImageFormat]:
    """Returns the formats of raw images and calibrations; topics whose first message cannot be decoded are left out."""
    waiting = {name for name in names if types.get(name) in (Image.ROS_TYPE, CameraInfo.ROS_TYPE)}
    formats: dict[str, ImageFormat] = {}
    if not waiting:
        return formats
    for raw in bag.messages(on_damage=lambda damage: None, topics=set(waiting)):
        if raw.topic in waiting:
            waiting.discard(raw.topic)
            try:
                formats[raw.topic] = _image_format(bag, raw)
            except StorageError:
                continue  # undecodable messages are reported when the whole topic is read
        if not waiting:
            break
    return formats


def _image_format(bag: Bag, raw: RawMessage) -> ImageFormat:
    frame = header_frame(raw.data)
    if raw.ros_type == Image.ROS_TYPE:
        image = bag.decode(raw, Image)
        return ImageFormat(frame, image.width, image.height, image.encoding)
    info = bag.decode(raw, CameraInfo)
    return ImageFormat(frame, info.width, info.height)
