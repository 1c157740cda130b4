"""Joins inputs by task and step, whatever order they come in."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar, cast

from stma_ros.types.message import Message

MessageT = TypeVar("MessageT", bound=Message)
StepKey = tuple[str, int]


def step_key(message: Message) -> StepKey:
    """(task id, step) of a stepped message."""
    return message.task_id, message.step  # type: ignore[attr-defined]


class StepStore:
    """Keeps the stepped messages of the last few steps, one for each topic, step and revision.

    A consumer stores what it cannot use yet and asks again on each arrival; nothing here waits.
    """

    def __init__(self, keep: int = 8) -> None:
        self.keep = keep
        self._steps: OrderedDict[StepKey, dict[tuple[str, int], Message]] = OrderedDict()

    def put(self, topic: str, message: Message) -> bool:
        """Store a message; False when the same (topic, step, revision) was stored before."""
        step = self._steps.setdefault(step_key(message), {})
        entry = (topic, getattr(message, "revision", 0))
        if entry in step:
            return False
        step[entry] = message
        while len(self._steps) > self.keep:
            self._steps.popitem(last=False)
        return True

    def get(self, topic: str, kind: type[MessageT], key: StepKey, revision: int = 0) -> MessageT | None:
        """The message of that topic, step and revision, or None while it has not come."""
        return cast("MessageT | None", self._steps.get(key, {}).get((topic, revision)))
