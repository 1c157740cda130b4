"""The scene graph, the map's frontiers, and the ways to them."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Source
from stma_ros.types.message import Float32, Message, UInt32
from stma_ros.types.standard import ColorRGBA, Header, Point, Polygon, Pose, Time, Vector3


@dataclass(frozen=True, eq=False)
class ObjectNode(Message, ros_type="stma_ros/msg/ObjectNode"):
    id: str = ""
    category: str = ""
    confidence: Float32 = 0.0
    center: Point = Point()
    size: Vector3 = Vector3()
    color: ColorRGBA = ColorRGBA()
    states: tuple[str, ...] = ()
    keyframes: UInt32 = 0
    first_seen: Time = Time()
    last_seen: Time = Time()


@dataclass(frozen=True, eq=False)
class RoomNode(Message, ros_type="stma_ros/msg/RoomNode"):
    id: str = ""
    category: str = ""
    confidence: Float32 = 0.0
    center: Point = Point()
    area: Float32 = 0.0
    footprint: Polygon = Polygon()
    first_seen: Time = Time()
    last_seen: Time = Time()


@dataclass(frozen=True, eq=False)
class Triple(Message, ros_type="stma_ros/msg/Triple"):
    subject: str = ""
    predicate: str = ""
    object: str = ""
    confidence: Float32 = 1.0
    first_seen: Time = Time()
    last_seen: Time = Time()


@dataclass(frozen=True, eq=False)
class SceneGraph(Message, ros_type="stma_ros/msg/SceneGraph"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    revision: UInt32 = 0
    objects: tuple[ObjectNode, ...] = ()
    rooms: tuple[RoomNode, ...] = ()
    relations: tuple[Triple, ...] = ()
    based_on: tuple[Source, ...] = ()


@dataclass(frozen=True, eq=False)
class Frontier(Message, ros_type="stma_ros/msg/Frontier"):
    id: str = ""
    center: Point = Point()
    viewpoint: Pose = Pose()
    length: Float32 = 0.0
    unknown_area: Float32 = 0.0


@dataclass(frozen=True, eq=False)
class Frontiers(Message, ros_type="stma_ros/msg/Frontiers"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    revision: UInt32 = 0
    frontiers: tuple[Frontier, ...] = ()
    based_on: tuple[Source, ...] = ()


@dataclass(frozen=True, eq=False)
class Route(Message, ros_type="stma_ros/msg/Route"):
    target: str = ""
    goal: Pose = Pose.none()
    length: Float32 = float("nan")
    moves: tuple[str, ...] = ()
