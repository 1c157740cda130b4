"""The scene graph, the frontiers of the map, routes to them, and free places on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D, Boxed
from stma_ros.types.common import MessageRef
from stma_ros.types.evidence import EvidenceSource, Stated, StateEstimate
from stma_ros.types.message import Float32, Message, UInt32
from stma_ros.types.standard import ColorRGBA, Point, Polygon, Pose, Time
from stma_ros.types.stepped import SteppedMessage


@dataclass(frozen=True, eq=False, kw_only=True)
class ObjectNode(Boxed, Stated, Message, ros_type="stma_ros/msg/ObjectNode"):
    id: str = ""
    category: str = ""
    confidence: Float32 = 0.0
    box: BoundingBox3D = BoundingBox3D()
    color: ColorRGBA = ColorRGBA()
    states: tuple[StateEstimate, ...] = ()
    keyframes: UInt32 = 0
    first_seen: Time = Time()
    last_seen: Time = Time()
    detectors: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether it was looked for where it should be, and not found there."""
        return words.STATE_MISSING in self.state_names


@dataclass(frozen=True, eq=False, kw_only=True)
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
class Relation(Message, ros_type="stma_ros/msg/Relation"):
    subject: str = ""
    predicate: str = ""
    object: str = ""
    source: EvidenceSource = field(default=EvidenceSource.UNKNOWN, kw_only=True)
    confidence: Float32 = field(default=1.0, kw_only=True)
    first_seen: Time = field(default=Time(), kw_only=True)
    last_seen: Time = field(default=Time(), kw_only=True)
    detectors: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class SceneGraph(SteppedMessage, ros_type="stma_ros/msg/SceneGraph"):
    objects: tuple[ObjectNode, ...] = ()
    unconfirmed: tuple[ObjectNode, ...] = ()
    rooms: tuple[RoomNode, ...] = ()
    relations: tuple[Relation, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Frontier(Message, ros_type="stma_ros/msg/Frontier"):
    id: str = ""
    center: Point = Point()
    viewpoint: Pose = Pose()
    length: Float32 = 0.0
    unknown_area: Float32 = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Frontiers(SteppedMessage, ros_type="stma_ros/msg/Frontiers"):
    frontiers: tuple[Frontier, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class FreePlace(Message, ros_type="stma_ros/msg/FreePlace"):
    target: str = ""
    skill: str = ""
    pose: Pose = Pose()


@dataclass(frozen=True, eq=False, kw_only=True)
class Route(Message, ros_type="stma_ros/msg/Route"):
    target: str = ""
    goal: Pose = Pose.none()
    length: Float32 = float("nan")
    moves: tuple[str, ...] = ()
