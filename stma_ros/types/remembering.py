"""Queries to the spatial memory, and requests to save or forget."""

from __future__ import annotations

from dataclasses import dataclass, field

from stma_ros.types.common import Error
from stma_ros.types.message import Constants, Float32, Message, UInt32
from stma_ros.types.standard import ColorRGBA, CompressedImage, Header, Point, Pose, Time


@dataclass(frozen=True, eq=False, kw_only=True)
class Sighting(Message, ros_type="stma_ros/msg/Sighting"):
    object_id: str = ""
    category: str = ""
    color: ColorRGBA = ColorRGBA()
    first_seen: Time = Time()
    last_seen: Time = Time()
    position: Point = Point()
    place: str = ""
    present: bool = False
    confidence: Float32 = 0.0
    picture: CompressedImage = field(default_factory=CompressedImage)
    camera: Pose = Pose.none()


@dataclass(frozen=True, eq=False, kw_only=True)
class ObjectQuery(Message, ros_type="stma_ros/msg/ObjectQuery"):
    header: Header = Header()
    request_id: str = ""
    description: str = ""
    limit: UInt32 = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class ObjectQueryResult(Message, ros_type="stma_ros/msg/ObjectQueryResult"):
    header: Header = Header()
    request_id: str = ""
    text: str = ""
    sightings: tuple[Sighting, ...] = ()
    error: Error = Error()


@dataclass(frozen=True, eq=False, kw_only=True)
class MemoryQuestion(Message, ros_type="stma_ros/msg/MemoryQuestion"):
    header: Header = Header()
    request_id: str = ""
    question: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class MemoryAnswer(Message, ros_type="stma_ros/msg/MemoryAnswer"):
    header: Header = Header()
    request_id: str = ""
    answer: str = ""
    is_sure: bool = False
    text: str = ""
    evidence: tuple[Sighting, ...] = ()
    error: Error = Error()


class MemoryAction(Constants):
    UNKNOWN = 0
    SAVE = 1
    FORGET = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class MemoryRequest(Message, ros_type="stma_ros/msg/MemoryRequest"):
    header: Header = Header()
    request_id: str = ""
    kind: MemoryAction = MemoryAction.UNKNOWN
    subject: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class MemoryReply(Message, ros_type="stma_ros/msg/MemoryReply"):
    header: Header = Header()
    request_id: str = ""
    text: str = ""
    error: Error = Error()
