"""Brings a question about a step together with the two beliefs of that step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from stma_ros.components.join import StepKey, StepStore, step_key
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.message import Message

_STEPS = 8  # how many steps are kept; a question that never gets its beliefs is forgotten with its step
QuestionT = TypeVar("QuestionT", bound=Message)


class BeliefJoin(Generic[QuestionT]):
    """Keeps what has come until a question and both beliefs of its step are there."""

    def __init__(self, question_topic: str) -> None:
        self._topic = question_topic
        self._store = StepStore(_STEPS)
        self._open: dict[StepKey, list[QuestionT]] = {}

    def add(self, topic: str, message: Message) -> Iterator[tuple[QuestionT, TemporalBelief, SpatialBelief]]:
        """Take a message; yields the questions that it completes, in the order in which they came."""
        if not self._store.put(topic, message):
            return
        key = step_key(message)
        if topic == self._topic:
            self._open.setdefault(key, []).append(cast(QuestionT, message))
            while len(self._open) > _STEPS:
                del self._open[next(iter(self._open))]
        temporal = self._store.get(topics.TEMPORAL_BELIEF, TemporalBelief, key)
        spatial = self._store.get(topics.SPATIAL_BELIEF, SpatialBelief, key)
        if temporal is not None and spatial is not None:
            for question in self._open.pop(key, ()):
                yield question, temporal, spatial
