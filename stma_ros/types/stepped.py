"""The common part of messages about one step of a task."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stma_ros.types.message import Message, MessagePart, UInt32
from stma_ros.types.standard import Header


@dataclass(frozen=True, eq=False, kw_only=True)
class StepStamp(MessagePart):
    """Task, step and time of a message.

    Attributes:
        header: Stamp of the step's last frame or observation, and the message's coordinate frame.
        task_id: Id of the task.
        step: Step of the task, counted from 0.
        revision: Number of the message among those of its topic and step, counted from 0.
    """

    header: Header = Header()
    task_id: str = ""
    step: UInt32 = 0
    revision: UInt32 = 0

    def without_frame(self) -> StepStamp:
        """Returns the stamp for a message without coordinates, whose header names no frame."""
        return replace(self, header=Header(self.header.stamp))


@dataclass(frozen=True, eq=False, kw_only=True)
class SteppedMessage(Message):
    """Base of messages that are joined by task, step and revision."""

    at: StepStamp = StepStamp()

    @property
    def header(self) -> Header:
        return self.at.header

    @property
    def task_id(self) -> str:
        return self.at.task_id

    @property
    def step(self) -> int:
        return self.at.step

    @property
    def revision(self) -> int:
        return self.at.revision
