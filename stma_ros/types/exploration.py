"""What an exploring agent has seen and plans: snapshots, views of frontiers, the checklist (Pred-EQA, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from stma_ros.types.common import MessageRef
from stma_ros.types.message import Constants, Float32, Message
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import CompressedImage, Point, Pose, Time
from stma_ros.types.stepped import SteppedMessage


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot(Message, ros_type="stma_ros/msg/Snapshot"):
    id: str = ""
    stamp: Time = Time()
    camera: Pose = Pose()
    picture: CompressedImage = field(default_factory=CompressedImage)
    detections: tuple[Detection, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class FrontierView(Message, ros_type="stma_ros/msg/FrontierView"):
    frontier: str = ""
    center: Point = Point()
    unknown_area: Float32 = float("nan")
    length: Float32 = float("nan")
    view: Snapshot = field(default_factory=Snapshot)


@dataclass(frozen=True, eq=False, kw_only=True)
class VisualBelief(SteppedMessage, ros_type="stma_ros/msg/VisualBelief"):
    snapshots: tuple[Snapshot, ...] = ()
    frontiers: tuple[FrontierView, ...] = ()
    text: str = ""
    derived_from: tuple[MessageRef, ...] = ()


class ItemState(Constants):
    """State of an item of the checklist. COMPLETED: it is done, or it was eliminated, and the reason says why."""

    PENDING = 0
    IN_PROGRESS = 1
    COMPLETED = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class ChecklistItem(Message, ros_type="stma_ros/msg/ChecklistItem"):
    text: str = ""
    state: ItemState = ItemState.PENDING
    reason: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplorationPlan(SteppedMessage, ros_type="stma_ros/msg/ExplorationPlan"):
    question: str = ""
    items: tuple[ChecklistItem, ...] = ()
    assessment: str = ""
    reasoning: str = ""
    derived_from: tuple[MessageRef, ...] = ()
