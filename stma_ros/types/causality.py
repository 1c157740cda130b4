"""Ids of messages, and references from derived messages to their sources."""

from __future__ import annotations

from stma_ros.types.common import MessageRef
from stma_ros.types.message import Message


def message_id(message: Message) -> str:
    """Returns the id of a message.

    It is "<task_id>/<step>" for messages of a step, the task's id for those of a task, and otherwise the stamp [ns].
    """
    task_id = getattr(message, "task_id", None)
    step = getattr(message, "step", None)
    if task_id is not None:
        return f"{task_id}/{step}" if isinstance(step, int) else task_id
    header = getattr(message, "header", None)
    stamp = message.clock if header is None else header.stamp  # type: ignore[attr-defined]
    return str(stamp.nanoseconds)


def message_ref(topic: str, message: Message) -> MessageRef:
    """Returns the entry of `derived_from` that names this message."""
    return MessageRef(topic, message_id(message), getattr(message, "revision", 0))
