"""What logs and scorers are told about the agent's inner life; no component listens to it."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.message import Message, UInt32
from stma_ros.types.standard import Header

SUMMARISER = "summariser"
RELATION_RETRIEVER = "relation_retriever"
RELATION_AGGREGATOR = "relation_aggregator"
PLANNER = "planner"
CRITIC = "critic"
REFLECTOR = "reflector"


@dataclass(frozen=True, eq=False)
class RoleCall(Message, ros_type="stma_ros/msg/RoleCall"):
    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    revision: UInt32 = 0
    role: str = ""
    context_tokens: UInt32 = 0
    error: str = ""
    fault: str = ""
    fault_detail: str = ""
