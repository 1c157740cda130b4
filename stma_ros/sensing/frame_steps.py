"""To which step of which task a camera frame belongs."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Observation, Step
from stma_ros.types.standard import Time

_TASKS, _OBSERVATIONS = 8, 64  # that are kept


@dataclass(frozen=True)
class FrameStep:
    """text: of the task. sources: the messages that say so."""

    task_id: str = ""
    step: int = 0
    text: str = ""
    sources: tuple[MessageRef, ...] = ()


class FrameSteps:
    """A frame does not say for what it was taken. But an observation names the last frame of its step, and its task: a
    frame belongs to the first observation whose watermark is not before it. So the answer is the same in whatever order
    the messages come. While nobody plans, steps of no task take the place of observations."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._observed: deque[Observation | Step] = deque(maxlen=_OBSERVATIONS)

    def take(self, message: Task | Observation | Step) -> None:
        if isinstance(message, Observation | Step):
            in_order = sorted((*self._observed, message), key=_order)  # they come on two topics
            self._observed = deque(in_order, maxlen=_OBSERVATIONS)
            return
        self._tasks.setdefault(message.task_id, message)
        while len(self._tasks) > _TASKS:
            del self._tasks[next(iter(self._tasks))]

    def of(self, stamp: Time) -> FrameStep | None:
        """None while it is not known. Call it in the order of stamps."""
        while self._observed and self._observed[0].watermark < stamp:
            self._observed.popleft()
        if not self._observed:
            return None
        observed = self._observed[0]
        if isinstance(observed, Step):
            return FrameStep(step=observed.step, sources=(message_ref(topics.STEP, observed),))
        task = self._tasks.get(observed.task_id)
        if task is None:
            return None
        sources = message_ref(topics.TASK, task), message_ref(topics.OBSERVATION, observed)
        return FrameStep(task.task_id, observed.step, task.text, sources)


def _order(message: Observation | Step) -> tuple[int, bool]:
    """By watermark; a task's step begins after a step of no task."""
    return message.watermark.nanoseconds, isinstance(message, Observation)
