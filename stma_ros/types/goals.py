"""The goals of a task, as read from its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stma_ros.types.message import Constants, Message, UInt32

ALL: Final = 0
"""Value of `Goal.count` that means all objects that match."""


class GoalKind(Constants):
    UNKNOWN = 0
    FIND = 1
    PLACE = 2
    STATE = 3
    ANSWER = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class ThingDescription(Message, ros_type="stma_ros/msg/ThingDescription"):
    category: str = ""
    colours: tuple[str, ...] = ()
    size: str = ""
    relation: str = ""
    id: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Goal(Message, ros_type="stma_ros/msg/Goal"):
    kind: GoalKind = GoalKind.UNKNOWN
    what: tuple[ThingDescription, ...] = ()
    count: UInt32 = 1
    another: bool = False
    together: UInt32 = 0
    apart: tuple[UInt32, ...] = ()
    each: bool = False
    beside: bool = False
    relation: str = ""
    destination: tuple[ThingDescription, ...] = ()
    state: str = ""
    question: str = ""
