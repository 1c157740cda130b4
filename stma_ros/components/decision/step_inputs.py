"""Everything that has come for one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from stma_ros.components.join import StepKey, StepStore
from stma_ros.types import topics
from stma_ros.types.causality import source
from stma_ros.types.common import Source
from stma_ros.types.message import Message
from stma_ros.types.sensing import Observation

MessageT = TypeVar("MessageT", bound=Message)


@dataclass(frozen=True)
class StepInputs:
    """The messages that a step is decided from, by topic."""

    messages: Mapping[str, Message]

    def get(self, topic: str, kind: type[MessageT]) -> MessageT:
        message = self.messages[topic]
        assert isinstance(message, kind)
        return message

    @property
    def observation(self) -> Observation:
        return self.get(topics.OBSERVATION, Observation)

    @property
    def sources(self) -> tuple[Source, ...]:
        """All but the outcome, which is the cause of the step."""
        return tuple(source(t, message) for t, message in self.messages.items() if t != topics.OUTCOME)


def inputs_of_step(
    store: StepStore, key: StepKey, expected: Mapping[str, type[Message]]
) -> StepInputs | None:
    """None while something of the step has not come."""
    found = {topic: store.get(topic, kind, key) for topic, kind in expected.items()}
    messages = {topic: message for topic, message in found.items() if message is not None}
    return StepInputs(messages) if len(messages) == len(found) else None


def missing_topics(store: StepStore, key: StepKey, expected: Mapping[str, type[Message]]) -> tuple[str, ...]:
    """The topics on which nothing has come yet."""
    return tuple(topic for topic, kind in expected.items() if store.get(topic, kind, key) is None)
