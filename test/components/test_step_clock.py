"""Tests of the clock that begins steps by the stamps of frames while no task runs."""

from __future__ import annotations

import pytest

from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.executor_config import ExecutorConfig
from stma_ros.components.decision.scene_grounding import SceneGrounding
from stma_ros.components.decision.step_clock import PATIENCE
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.control import Alarm, Cancel, Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import SkillRequest, Task, TaskResult
from stma_ros.types.sensing import Step
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from support.components.household_components import HOUSEHOLD


class Idler:
    """An executor and the alarm that it has set."""

    def __init__(self, period: float = 2.0) -> None:
        self.executor = Executor(ExecutorConfig(idle_step_period=period), SceneGrounding(HOUSEHOLD))
        self.alarm = Alarm(id="first_frame", due=Time(0, 1))

    def deliver(self, topic: str, message: object) -> list[Emission]:
        emissions = list(self.executor.handle(topic, message))  # type: ignore[arg-type]
        alarms = [each for _, each in emissions if isinstance(each, Alarm) and each.due != Time()]
        if alarms:
            (self.alarm,) = alarms
        return emissions

    def expire(self, second: int) -> list[Step]:
        alarm = Alarm(
            header=Header(Time(second)), component=self.alarm.component, id=self.alarm.id, due=self.alarm.due
        )
        emissions = self.deliver(topics.ALARM_EXPIRED, alarm)
        return [each for _, each in emissions if isinstance(each, Step)]

    def believe(self, step: int, task_id: str = "") -> None:
        """Delivers the belief of a step."""
        stamp = StepStamp(header=Header(), task_id=task_id, step=step)
        self.deliver(topics.SPATIAL_BELIEF, SpatialBelief(at=stamp))


def test_step_clock_begins_a_step_with_the_first_frame_and_after_each_period() -> None:
    idler = Idler()
    (first,) = idler.expire(7)
    assert (first.task_id, first.step, first.watermark) == ("", 0, Time(7))
    assert idler.alarm.due == Time(9)
    idler.believe(0)
    (second,) = idler.expire(12)  # the first frame that came after 9 s
    assert (second.step, second.watermark, idler.alarm.due) == (1, Time(12), Time(14))
    assert second.derived_from[0].topic == topics.ALARM_EXPIRED


def test_step_clock_begins_a_late_step_with_the_belief_of_the_step_before() -> None:
    idler = Idler()
    idler.expire(7)
    assert idler.expire(9) == []
    idler.believe(0)
    assert idler.alarm.due == Time(9)  # is over: it expires at once, with the newest frame
    (second,) = idler.expire(10)
    assert (second.step, second.watermark, idler.alarm.due) == (1, Time(10), Time(12))


@pytest.mark.parametrize(("step", "task_id"), [(0, ""), (1, "t")])
def test_step_clock_goes_on_waiting_after_the_belief_of_another_step(step: int, task_id: str) -> None:
    idler = Idler()
    idler.expire(7)
    idler.believe(0)
    idler.expire(9)
    idler.believe(step, task_id)
    assert idler.expire(11) == []


def test_step_clock_does_not_wait_for_ever_for_a_belief() -> None:
    idler = Idler()
    idler.expire(7)
    assert idler.expire(9) == []
    assert idler.alarm.due == Time(7 + int(PATIENCE))
    (second,) = idler.expire(7 + int(PATIENCE))
    assert second.step == 1


def test_step_clock_without_a_period_begins_no_step() -> None:
    idler = Idler(period=0.0)
    assert idler.expire(7) == []
    assert idler.alarm.due == Time(0, 1)  # the alarm of the start, no further one


def test_step_clock_begins_no_step_while_a_task_runs() -> None:
    idler = Idler()
    idler.expire(7)
    emissions = idler.deliver(topics.TASK, Task(header=Header(Time(3)), task_id="t", text="find the mug"))
    (request,) = [each for _, each in emissions if isinstance(each, SkillRequest)]
    assert request.header.stamp == Time(7)
    assert idler.expire(9) == []
    emissions = idler.deliver(topics.CANCEL, Cancel(header=Header(), task_id="t"))
    assert not any(isinstance(each, TaskResult) for _, each in emissions)  # the skill is to stop first


def test_step_clock_begins_steps_again_after_a_task() -> None:
    idler = Idler()
    idler.deliver(topics.TASK, Task(header=Header(), task_id="t", text="find the mug"))
    assert idler.expire(5) == []
    died = Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, "planner died"))
    emissions = idler.deliver(topics.FAULT, died)
    assert any(isinstance(each, TaskResult) for _, each in emissions)
    assert len(idler.expire(8)) == 1


def test_step_clock_waits_for_no_belief_of_a_step_before_a_task() -> None:
    idler = Idler()
    idler.expire(3)
    idler.deliver(topics.TASK, Task(header=Header(), task_id="t", text="find the mug"))
    died = Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, "planner died"))
    idler.deliver(topics.FAULT, died)
    assert len(idler.expire(6)) == 1
