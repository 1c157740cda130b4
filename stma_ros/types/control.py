"""Control messages between hosts and components, and records for replays: cancels, alarms, faults, configurations and
journals."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error
from stma_ros.types.message import Message, UInt32, UInt64
from stma_ros.types.standard import Header, KeyValue, Time


@dataclass(frozen=True, eq=False, kw_only=True)
class Cancel(Message, ros_type="stma_ros/msg/Cancel"):
    header: Header = Header()
    task_id: str = ""
    reason: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Alarm(Message, ros_type="stma_ros/msg/Alarm"):
    header: Header = Header()
    component: str = ""
    id: str = ""
    duration: float = 0.0
    waiting_for: str = ""
    due: Time = Time()


@dataclass(frozen=True, eq=False, kw_only=True)
class Fault(Message, ros_type="stma_ros/msg/Fault"):
    header: Header = Header()
    node: str = ""
    fatal: bool = False
    error: Error = Error()


@dataclass(frozen=True, eq=False, kw_only=True)
class JournalEntry(Message, ros_type="stma_ros/msg/JournalEntry"):
    header: Header = Header()
    component: str = ""
    index: UInt64 = 0
    topic: str = ""
    id: str = ""
    revision: UInt32 = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(Message, ros_type="stma_ros/msg/Configuration"):
    header: Header = Header()
    component: str = ""
    agent: str = ""
    wiring: str = ""
    domain: str = ""
    settings: tuple[KeyValue, ...] = ()
    resumed_from: str = ""
    models: tuple[KeyValue, ...] = ()
