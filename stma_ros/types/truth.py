"""The true state of a simulated world, for scorers and reports. No component of the agent uses it."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.boxes import BoundingBox3D, Boxed
from stma_ros.types.message import Float32, Message, UInt32
from stma_ros.types.standard import ColorRGBA, Header, Polygon, Pose


@dataclass(frozen=True, eq=False, kw_only=True)
class GroundTruthRoom(Message, ros_type="stma_ros/msg/GroundTruthRoom"):
    name: str = ""
    category: str = ""
    footprint: Polygon = Polygon()


@dataclass(frozen=True, eq=False, kw_only=True)
class GroundTruthObject(Boxed, Message, ros_type="stma_ros/msg/GroundTruthObject"):
    name: str = ""
    category: str = ""
    box: BoundingBox3D = BoundingBox3D()
    color: ColorRGBA = ColorRGBA()
    material: str = ""
    room: str = ""
    support: str = ""
    inside: bool = False
    hidden: bool = False
    fixed: bool = False
    seen_pixels: UInt32 = 0
    states: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class GroundTruth(Message, ros_type="stma_ros/msg/GroundTruth"):
    header: Header = Header()
    scene: str = ""
    robot: Pose = Pose()
    room: str = ""
    rooms: tuple[GroundTruthRoom, ...] = ()
    objects: tuple[GroundTruthObject, ...] = ()
    score: Float32 = 0.0
    max_score: Float32 = 0.0
