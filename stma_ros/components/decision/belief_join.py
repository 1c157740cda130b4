"""Brings a question about a step together with the two beliefs of that step."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from stma_ros.components.join import StepKey, StepStore, step_key
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.message import Message

_STEPS = (
    8  # how many steps' beliefs are kept; a question that never gets its beliefs is forgotten with its step
)
_ASKED = 64  # how many questions are kept to know duplicates by
QuestionT = TypeVar("QuestionT", bound=Message)


class BeliefJoin(Generic[QuestionT]):
    """Keeps what has come until a question and both beliefs that it is to be judged by are there."""

    def __init__(self, question_topic: str) -> None:
        self._topic = question_topic
        self._beliefs = StepStore(_STEPS)
        self._open: dict[StepKey, list[QuestionT]] = {}
        self._asked: deque[tuple[str, int, int]] = deque(maxlen=_ASKED)

    def add(self, topic: str, message: Message) -> Iterator[tuple[QuestionT, TemporalBelief, SpatialBelief]]:
        """Take a message; yields the questions that it completes, in the order in which they came."""
        key = _belief_key(message)
        if topic == self._topic:
            question = cast(QuestionT, message)
            asked = (*step_key(message), question.revision)  # type: ignore[attr-defined]
            if asked in self._asked:
                return
            self._asked.append(asked)
            self._open.setdefault(key, []).append(question)
            while len(self._open) > _STEPS:
                del self._open[next(iter(self._open))]
        elif not self._beliefs.put(topic, message):
            return
        temporal = self._beliefs.get(topics.TEMPORAL_BELIEF, TemporalBelief, key)
        spatial = self._beliefs.get(topics.SPATIAL_BELIEF, SpatialBelief, key)
        if temporal is not None and spatial is not None:
            for question in self._open.pop(key, ()):
                yield question, temporal, spatial


def _belief_key(message: Message) -> StepKey:
    """The step whose beliefs count: its own, unless the message names another."""
    task_id, step = step_key(message)
    return task_id, getattr(message, "belief_step", step)
