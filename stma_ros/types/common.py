"""Messages that are parts of other messages."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.message import Message, UInt32


@dataclass(frozen=True, eq=False)
class MessageRef(Message, ros_type="stma_ros/msg/MessageRef"):
    topic: str = ""
    id: str = ""
    revision: UInt32 = 0


@dataclass(frozen=True, eq=False)
class Error(Message, ros_type="stma_ros/msg/Error"):
    code: ErrorCode = ErrorCode.NONE
    text: str = ""

    @classmethod
    def of(cls, error: StmaError) -> Error:
        return cls(error.code, str(error))

    def __bool__(self) -> bool:
        return self.code != ErrorCode.NONE
