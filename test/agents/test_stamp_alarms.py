"""Alarms that are due by the stamps of frames go off with the first frame at or after their time."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.agents.local_runtime import Binding, LocalRuntime
from stma_ros.agents.stamp_alarms import FIRST_FRAME, StampAlarms
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.control import Alarm
from stma_ros.types.message import Message
from stma_ros.types.standard import Header, Odometry, Time


def alarm(name: str, second: int) -> Alarm:
    return Alarm(component="c", id=name, due=Time(second))


def names(expired: Iterable[Alarm]) -> list[str]:
    return [each.id for each in expired]


def started() -> StampAlarms:
    alarms = StampAlarms("c", topics.ODOMETRY)
    (first,) = alarms.advance(Time(1))
    assert first.id == FIRST_FRAME
    alarms.handled(first)
    return alarms


def test_an_alarm_goes_off_once_with_the_stamp_of_its_frame() -> None:
    alarms = started()
    assert list(alarms.set(alarm("a", 3))) == []
    assert names(alarms.advance(Time(2))) == []
    (expired,) = alarms.advance(Time(4))
    assert (expired.id, expired.header.stamp, expired.due) == ("a", Time(4), Time(3))
    assert names(alarms.advance(Time(5))) == []


def test_alarms_go_off_in_the_order_in_which_they_are_due() -> None:
    alarms = started()
    for name, second in (("late", 3), ("early", 2), ("never", 99)):
        assert list(alarms.set(alarm(name, second))) == []
    assert names(alarms.advance(Time(9))) == ["early", "late"]


def test_an_alarm_that_is_due_already_goes_off_at_once() -> None:
    alarms = started()
    assert list(alarms.advance(Time(9))) == []
    (expired,) = alarms.set(alarm("a", 3))
    assert expired.header.stamp == Time(9)


def test_an_alarm_can_be_replaced_and_cancelled() -> None:
    alarms = started()
    list(alarms.set(alarm("a", 3)))
    list(alarms.set(alarm("a", 5)))
    assert names(alarms.advance(Time(4))) == []
    list(alarms.set(Alarm(component="c", id="a")))
    assert names(alarms.advance(Time(9))) == []


def test_an_unhandled_alarm_goes_off_again_when_it_is_restored() -> None:
    alarms = started()
    list(alarms.set(alarm("a", 3)))
    (lost,) = alarms.advance(Time(4))
    assert names(alarms.advance(Time(5))) == []
    alarms.restore()
    (expired,) = alarms.advance(Time(6))
    assert (expired.id, expired.header.stamp, expired.due) == ("a", Time(6), Time(3))
    alarms.handled(lost)
    alarms.restore()
    assert names(alarms.advance(Time(7))) == ["a"], "what was handled is another one"


def test_a_handled_replaced_or_cancelled_alarm_is_not_restored() -> None:
    alarms = started()
    for name in ("handled", "replaced", "taken back"):
        list(alarms.set(alarm(name, 3)))
    handled, *_ = alarms.advance(Time(4))
    alarms.handled(handled)
    list(alarms.set(alarm("replaced", 9)))
    list(alarms.set(Alarm(component="c", id="taken back")))
    alarms.restore()
    assert names(alarms.advance(Time(8))) == []
    assert names(alarms.advance(Time(9))) == ["replaced"]


class Clock:
    """Asks for an alarm each second."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, Alarm)
        self.heard.append(message.header.stamp.sec)
        yield topics.ALARM, alarm("tick", message.header.stamp.sec + 1)


def test_runtime_records_alarms_and_does_not_pass_odometry_to_the_component() -> None:
    clock, said = Clock(), []
    inputs, outputs = (topics.ALARM_EXPIRED,), (topics.ALARM,)
    attached = Binding("c", clock, inputs, outputs, alarms=StampAlarms("c", topics.ODOMETRY))
    runtime = LocalRuntime([attached], [lambda topic, message: said.append(topic)])
    for second in (1, 2, 4):
        runtime.publish(topics.ODOMETRY, Odometry(Header(Time(second))))
        runtime.run()
    assert clock.heard == [1, 2, 4]
    once = [topics.ODOMETRY, topics.ALARM_EXPIRED, topics.JOURNAL, topics.ALARM]
    assert said == 3 * once
