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


class StepClock:
    """Begins steps by alarms that are due by the stamps of camera frames.

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
        stamp = self.reached = alarm.header.stamp
        derived_from = (message_ref(topics.ALARM_EXPIRED, alarm),)
        yield (
            topics.STEP,
            Step(
                header=Header(stamp), task_id="", step=self._steps, watermark=stamp, derived_from=derived_from
            ),
        )
        self._steps += 1
        yield self._alarm(stamp)

    def resume(self, stamp: Time) -> Iterator[Emission]:
        """Resumes after a task whose last frame has this stamp."""
        if self._runs:
            yield self._alarm(max(stamp, self.reached))

    def _alarm(self, last: Time) -> Emission:
        due = Time.from_nanoseconds(last.nanoseconds + self._period)
        return topics.ALARM, Alarm(
            header=Header(last), component=self._component, id=_ALARM, waiting_for="the next step", due=due
        )
