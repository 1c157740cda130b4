"""What a model that sees answered about a camera frame."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error
from stma_ros.types.message import Message, UInt16
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header
from stma_ros.types.telemetry import ModelCall


@dataclass(frozen=True, eq=False, kw_only=True)
class PicturedObject(Message, ros_type="stma_ros/msg/PicturedObject"):
    label: str = ""
    name: str = ""
    left: UInt16 = 0
    top: UInt16 = 0
    right: UInt16 = 0
    bottom: UInt16 = 0
    states: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class SceneAnswer(Message, ros_type="stma_ros/msg/SceneAnswer"):
    header: Header = Header()
    room: str = ""
    near: tuple[str, ...] = ()
    objects: tuple[PicturedObject, ...] = ()
    rooms: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    faults: str = ""
    error: Error = Error()
    is_canceled: bool = False
    calls: tuple[ModelCall, ...] = ()
