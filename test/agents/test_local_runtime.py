"""First in, first out, to everyone who listens."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.agents.local_runtime import Attached, LocalRuntime
from stma_ros.types.component import Emission
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import Task


class Relay:
    """Writes down what it hears and passes it on while it has more than one life."""

    def __init__(self, heard: list[tuple[str, str, str]], name: str, output: str = "") -> None:
        self._heard, self._name, self._output = heard, name, output

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, Task)
        self._heard.append((self._name, topic, message.text))
        return [(self._output, message)] if self._output else []


def run(choose=None) -> tuple[list[tuple[str, str, str]], list[str]]:  # type: ignore[no-untyped-def]
    heard: list[tuple[str, str, str]] = []
    tapped: list[str] = []
    runtime = LocalRuntime(
        [
            Attached("a", Relay(heard, "a", "y"), ("x",), ("y",)),
            Attached("b", Relay(heard, "b"), ("x", "y"), ()),
        ],
        [lambda topic, message: tapped.append(topic)],
        choose,
    )
    for text in ("1", "2"):
        runtime.publish("x", Task(text=text))
    runtime.run()
    return heard, tapped


def test_messages_are_delivered_in_the_order_of_publication() -> None:
    heard, tapped = run()
    assert heard == [
        ("a", "x", "1"),
        ("b", "x", "1"),
        ("a", "x", "2"),
        ("b", "x", "2"),
        ("b", "y", "1"),
        ("b", "y", "2"),
    ]
    assert tapped == ["x", "x", "y", "y"]


@given(st.randoms(use_true_random=False))
def test_whatever_is_chosen_each_topic_keeps_its_order_for_each_receiver(random) -> None:  # type: ignore[no-untyped-def]
    heard, _ = run(random.randrange)
    for receiver, topic in (("a", "x"), ("b", "x"), ("b", "y")):
        assert [text for name, on, text in heard if (name, on) == (receiver, topic)] == ["1", "2"]


def test_it_stops_as_soon_as_it_may() -> None:
    heard: list[tuple[str, str, str]] = []
    runtime = LocalRuntime([Attached("a", Relay(heard, "a", "x"), ("x",), ("x",))])
    runtime.publish("x", Task(text="for ever"))
    runtime.run(until=lambda: len(heard) == 3)
    assert len(heard) == 3


def test_a_component_that_speaks_out_of_turn_is_caught() -> None:
    runtime = LocalRuntime([Attached("a", Relay([], "a", "z"), ("x",), ("y",))])
    runtime.publish("x", Task())
    with pytest.raises(StmaError, match="a spoke on z"):
        runtime.run()
