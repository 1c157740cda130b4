"""LocalRuntime delivers messages first in, first out, to all subscribers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.agents.local_runtime import Binding, LocalRuntime
from stma_ros.types import topics
from stma_ros.types.component import Emission, OpenQuestion
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.stepped import StepStamp


class Relay:
    """Records what it receives and forwards it while its count of lives is above one."""

    def __init__(self, heard: list[tuple[str, str, str]], name: str, output: str = "") -> None:
        self._heard, self._name, self._output = heard, name, output

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, Task)
        self._heard.append((self._name, topic, message.text))
        return [(self._output, message)] if self._output else []


def run(choose=None) -> tuple[list[tuple[str, str, str]], list[tuple[str, Message]]]:  # type: ignore[no-untyped-def]
    heard: list[tuple[str, str, str]] = []
    tapped: list[tuple[str, Message]] = []
    runtime = LocalRuntime(
        [
            Binding("a", Relay(heard, "a", "y"), ("x",), ("y",)),
            Binding("b", Relay(heard, "b"), ("x", "y"), ()),
        ],
        [lambda topic, message: tapped.append((topic, message))],
        choose,
    )
    for text in ("1", "2"):
        runtime.publish("x", Task(text=text))
    runtime.run()
    return heard, tapped


def test_local_runtime_delivers_messages_in_the_order_of_publication() -> None:
    heard, tapped = run()
    assert heard == [
        ("a", "x", "1"),
        ("b", "x", "1"),
        ("a", "x", "2"),
        ("b", "x", "2"),
        ("b", "y", "1"),
        ("b", "y", "2"),
    ]
    assert [topic for topic, _ in tapped if topic != topics.JOURNAL] == ["x", "x", "y", "y"]


def test_taps_get_the_journal_entry_before_the_emissions() -> None:
    heard, tapped = run()
    lines = [message for topic, message in tapped if topic == topics.JOURNAL]
    assert [(line.component, line.topic) for line in lines] == [(name, topic) for name, topic, _ in heard]
    assert [line.index for line in lines if line.component == "b"] == [0, 1, 2, 3]
    order = [topic for topic, _ in tapped]
    assert order.index(topics.JOURNAL) < order.index("y")


@given(st.randoms(use_true_random=False))
def test_each_topic_keeps_its_order_for_each_receiver_when_the_delivery_is_shuffled(random) -> None:  # type: ignore[no-untyped-def]
    heard, _ = run(random.randrange)
    for receiver, topic in (("a", "x"), ("b", "x"), ("b", "y")):
        assert [text for name, on, text in heard if (name, on) == (receiver, topic)] == ["1", "2"]


@pytest.mark.parametrize("choose", [None, lambda count: 0])
def test_local_runtime_knows_which_topics_wait_for_a_receiver(choose) -> None:  # type: ignore[no-untyped-def]
    heard: list[tuple[str, str, str]] = []
    runtime = LocalRuntime(
        [Binding(name, Relay(heard, name), ("x",), ()) for name in ("a", "b")], choose=choose
    )
    assert not runtime.is_waiting("x")
    runtime.publish("x", Task(text="1"))
    runtime.run(until=lambda: bool(heard))
    assert (runtime.is_waiting("x"), runtime.is_waiting("y")) == (True, False)
    runtime.run()
    assert not runtime.is_waiting("x")


def test_local_runtime_stops_when_its_condition_holds() -> None:
    heard: list[tuple[str, str, str]] = []
    runtime = LocalRuntime([Binding("a", Relay(heard, "a", "x"), ("x",), ("x",))])
    runtime.publish("x", Task(text="for ever"))
    runtime.run(until=lambda: len(heard) == 3)
    assert len(heard) == 3


def test_a_component_that_publishes_on_an_undeclared_topic_is_an_error() -> None:
    runtime = LocalRuntime([Binding("a", Relay([], "a", "z"), ("x",), ("y",))])
    runtime.publish("x", Task())
    with pytest.raises(StmaError, match="a spoke on z"):
        runtime.run()


class Wondering(Relay):
    """Has an open question for each task that it receives."""

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        self._heard.append((self._name, topic, getattr(message, "text", "")))
        self._open = isinstance(message, Task)
        return ()

    def take_questions(self) -> list[OpenQuestion]:
        return [OpenQuestion("z", StepStamp(), lambda: SceneAnswer(room="kitchen"))] if self._open else []


@pytest.mark.parametrize("asks", [True, False])
def test_open_questions_are_asked_at_once_unless_somebody_else_answers(asks: bool) -> None:
    heard: list[tuple[str, str, str]] = []
    tapped: list[Message] = []
    runtime = LocalRuntime(
        [Binding("a", Wondering(heard, "a"), ("x", "z"), (), answers=("z",))],
        [lambda _, message: tapped.append(message)],
        asks=asks,
    )
    runtime.publish("x", Task(text="1"))
    runtime.run()
    answers = [message.room for message in tapped if isinstance(message, SceneAnswer)]
    assert answers == (["kitchen"] if asks else [])
    assert heard == [("a", "x", "1"), *([("a", "z", "")] if asks else [])]
