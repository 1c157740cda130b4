"""Telemetry for logs and scorers; no component uses it."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error
from stma_ros.types.message import Float32, Int64, Message, UInt32
from stma_ros.types.standard import Header
from stma_ros.types.stepped import SteppedMessage

REPLIES_FILE = "replies.jsonl"
"""Name of the file in a run's folder that records requests to models and their replies."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RoleCall(SteppedMessage, ros_type="stma_ros/msg/RoleCall"):
    role: str = ""
    context_tokens: UInt32 = 0
    error: str = ""
    fault: str = ""
    fault_detail: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelCall(Message, ros_type="stma_ros/msg/ModelCall"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    role: str = ""
    model: str = ""
    request: str = ""
    cached: bool = False
    attempts: UInt32 = 0
    latency: Float32 = 0.0
    prompt_tokens: Int64 = -1
    cached_tokens: Int64 = -1
    reply_tokens: Int64 = -1
    images: UInt32 = 0
    images_cached: UInt32 = 0
    finish: str = ""
    error: Error = Error()
