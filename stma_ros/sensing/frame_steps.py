"""Assigns camera frames to steps of tasks."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Observation, Step
from stma_ros.types.standard import Time

_MAX_TASKS, _MAX_OBSERVATIONS = 8, 64  # stored at once


@dataclass(frozen=True)
class FrameStep:
    """The step that a frame belongs to.

    Attributes:
        task_id: Id of the task; empty outside of tasks.
        step: Number of the step.
        text: Text of the task.
        sources: References to the messages that it was derived from.
        end: Stamp of the last frame of the step; 0 = not known.
        begin: Stamp of the last frame of the step before it; 0 = there is none.
    """

    task_id: str = ""
    step: int = 0
    text: str = ""
    sources: tuple[MessageRef, ...] = ()
    end: Time = Time()
    begin: Time = Time()


class FrameSteps:
    """Finds the step of a frame by its stamp.

    A frame carries no step. An observation names its task and the stamp of the last frame of its step (the
    watermark): a frame belongs to the first observation whose watermark is not before it, so the result does not
    depend on the order in which messages arrive. Outside of tasks, Step messages are used instead of observations.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._observed: deque[Observation | Step] = deque(maxlen=_MAX_OBSERVATIONS)
        self._begin = Time()  # the watermark before those observed

    def take(self, message: Task | Observation | Step) -> None:
        if isinstance(message, Observation | Step):
            in_order = sorted((*self._observed, message), key=_order)  # they come on two topics
            self._observed = deque(in_order, maxlen=_MAX_OBSERVATIONS)
            return
        self._tasks.setdefault(message.task_id, message)
        while len(self._tasks) > _MAX_TASKS:
            del self._tasks[next(iter(self._tasks))]

    def of(self, stamp: Time) -> FrameStep | None:
        """Returns the step of the frame with that stamp, or None while it is not known yet.

        Calls must come in the order of stamps.
        """
        while self._observed and self._observed[0].watermark < stamp:
            self._begin = self._observed.popleft().watermark
        if not self._observed:
            return None
        observed = self._observed[0]
        if isinstance(observed, Step):
            source = message_ref(topics.STEP, observed)
            return FrameStep("", observed.step, "", (source,), observed.watermark, self._begin)
        task = self._tasks.get(observed.task_id)
        if task is None:
            return None
        sources = message_ref(topics.TASK, task), message_ref(topics.OBSERVATION, observed)
        return FrameStep(task.task_id, observed.step, task.text, sources, observed.watermark, self._begin)


def _order(message: Observation | Step) -> tuple[int, bool]:
    """Sort key: the watermark, then steps outside of tasks before observations."""
    return message.watermark.nanoseconds, isinstance(message, Observation)
