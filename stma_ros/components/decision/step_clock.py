"""Begins steps while no task runs, so that a robot that is driven by a person maps and remembers."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.control import Alarm
from stma_ros.types.sensing import Step
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time

_ALARM = "idle_step"

PATIENCE = 5.0
"""Longest wait for the belief of a step before the next one is begun [s], by the stamps of frames: the spatial memory
may have died with the step."""


class StepClock:
    """Begins steps by alarms that are due by the stamps of camera frames.

    A step that is due before there is a belief of the last one begins with that belief, so that steps do not queue up
    where the spatial memory is slower than asked.

    Attributes:
        reached: Stamp up to which steps were begun here; steps that are begun elsewhere must not be before it.
    """

    def __init__(self, component: str, period: float) -> None:
        """Creates a clock.

        Args:
            component: name of the component that sets the alarms.
            period: time between two steps, by the stamps of frames [s]; 0 = no steps are begun.
        """
        self._component = component
        self._period = round(period * NANOSECONDS_PER_SECOND)
        self._steps = 0
        self._runs = False
        self._is_answered = True  # whether there is a belief of the last step
        self._is_late = False  # whether a step is due that waits for it
        self.reached = Time()

    def expired(self, alarm: Alarm, idle: bool) -> Iterator[Emission]:
        """Handles an alarm that is due by stamps; the first one comes with the first frame.

        Args:
            alarm: the alarm.
            idle: whether no task runs. Otherwise no step is begun until `resume`.
        """
        if not self._period:
            return
        self._runs = True
        if not idle:
            return
        stamp = alarm.header.stamp
        latest = self.reached.nanoseconds + round(PATIENCE * NANOSECONDS_PER_SECOND)
        if not self._is_answered and stamp.nanoseconds < latest:
            self._is_late = True
            yield self._alarm(stamp, latest)
            return
        self._is_answered = self._is_late = False
        self.reached = stamp
        derived_from = (message_ref(topics.ALARM_EXPIRED, alarm),)
        yield (
            topics.STEP,
            Step(
                header=Header(stamp), task_id="", step=self._steps, watermark=stamp, derived_from=derived_from
            ),
        )
        self._steps += 1
        yield self._next(stamp)

    def answered(self, step: int) -> Iterator[Emission]:
        """Takes notice of the belief of a step that was begun here, and begins the next one if that is due."""
        if step != self._steps - 1:
            return
        self._is_answered = True
        if self._is_late:
            self._is_late = False
            yield self._next(self.reached)

    def resume(self, stamp: Time) -> Iterator[Emission]:
        """Resumes after a task whose last frame has this stamp; there are beliefs of its steps."""
        self._is_answered, self._is_late = True, False
        if self._runs:
            yield self._next(max(stamp, self.reached))

    def _next(self, last: Time) -> Emission:
        return self._alarm(last, last.nanoseconds + self._period)

    def _alarm(self, now: Time, due: int) -> Emission:
        """due: stamp [ns]."""
        return topics.ALARM, Alarm(
            header=Header(now),
            component=self._component,
            id=_ALARM,
            waiting_for="the next step",
            due=Time.from_nanoseconds(due),
        )
