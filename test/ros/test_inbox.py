from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.ros.delivery_delay import DeliveryDelay
from stma_ros.ros.inbox import Inbox
from stma_ros.ros.worker import Worker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def drain(inbox: Inbox[str]) -> list[str]:
    count = len(inbox)
    return [item for item in (inbox.get() for _ in range(count)) if item is not None]


@given(st.lists(st.text(max_size=2)))
def test_inbox_returns_messages_in_the_order_of_arrival(items):
    inbox: Inbox[str] = Inbox(Clock())
    for item in items:
        inbox.put(item)
    assert drain(inbox) == items


def test_inbox_returns_an_alarm_between_the_messages_before_and_after_it():
    clock = Clock()
    inbox: Inbox[str] = Inbox(clock)
    inbox.set_alarm("a", 1.0, "alarm")
    inbox.put("before")
    clock.now += 2.0
    inbox.put("after")
    assert [inbox.get(), inbox.get(), inbox.get()] == ["before", "alarm", "after"]


def test_inbox_never_returns_a_cancelled_alarm_even_when_it_is_overdue():
    clock = Clock()
    inbox: Inbox[str] = Inbox(clock)
    inbox.set_alarm("a", 1.0, "alarm")
    clock.now += 2.0
    inbox.cancel_alarm("a")
    inbox.put("after")
    assert inbox.get() == "after"
    assert len(inbox) == 0


def test_an_alarm_with_the_same_key_replaces_the_earlier_one():
    clock = Clock()
    inbox: Inbox[str] = Inbox(clock)
    inbox.set_alarm("a", 1.0, "first")
    inbox.set_alarm("a", 3.0, "second")
    clock.now += 2.0
    inbox.put("message")
    clock.now += 2.0
    assert [inbox.get(), inbox.get()] == ["message", "second"]


def test_a_closed_inbox_returns_none():
    inbox: Inbox[str] = Inbox(Clock())
    inbox.put("message")
    inbox.close()
    assert inbox.get() is None


@given(st.integers(0, 5), st.lists(st.sampled_from("ab"), max_size=30))
def test_delivery_delays_preserve_the_order_within_a_topic(seed, topics):
    delay = DeliveryDelay(0.5, seed, "owner")
    released: dict[str, list[float]] = {"a": [], "b": []}
    for topic in topics:
        released[topic].append(delay(topic))
    assert all(times == sorted(times) for times in released.values())


def test_delivery_delays_differ_between_owners_and_are_reproducible():
    owners = ("planner", "planner", "critic")
    draws = [
        [delay("t") for _ in range(3)]
        for delay in (DeliveryDelay(1.0, 7, owner, Clock()) for owner in owners)
    ]
    assert draws[0] == draws[1]
    assert draws[0] != draws[2]


def test_worker_continues_after_an_error_and_ends_on_request():
    seen: list[int] = []
    errors: list[Exception] = []
    done = threading.Event()

    def handle(number: int) -> None:
        if number == 1:
            raise ValueError("one")
        seen.append(number)
        if number == 2:
            done.set()

    worker = Worker("test", handle, lambda _, error: errors.append(error))
    for number in range(3):
        worker.inbox.put(number)
    assert done.wait(10)
    assert worker.stop(10)
    assert seen == [0, 2]
    assert [str(error) for error in errors] == ["one"]
    assert worker.handled == 3
