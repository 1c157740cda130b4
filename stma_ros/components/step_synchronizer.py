"""Joins messages by task, step and revision over the topics that a component declares, whatever order they come in."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, cast

from stma_ros.types import topics
from stma_ros.types.causality import source
from stma_ros.types.common import Source
from stma_ros.types.message import Message
from stma_ros.types.sensing import Observation

STEPS = 8
"""Steps kept; a question that never gets its inputs is forgotten with its step."""

_ASKED = 64  # questions kept to know duplicates by

MessageT = TypeVar("MessageT", bound=Message)
QuestionT = TypeVar("QuestionT", bound=Message)

StepKey: TypeAlias = tuple[str, int]
"""Task id and step."""


def step_key(message: Message) -> StepKey:
    """(task id, step) of a stepped message."""
    return message.task_id, message.step  # type: ignore[attr-defined]


@dataclass(frozen=True)
class StepInputs:
    """The messages that a step is decided from, by topic, in the order in which the topics were declared."""

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
        """References to all messages except the outcome, which is the cause of the step."""
        return tuple(source(t, message) for t, message in self.messages.items() if t != topics.OUTCOME)


class StepBuffer:
    """The messages of the last steps, one for each declared topic, step and revision.

    A consumer stores what it cannot use yet and asks again on each arrival; nothing here waits.
    """

    def __init__(self, declared: Collection[str], keep: int = STEPS) -> None:
        """
        Args:
            declared: topics of stepped messages; their types are those of `types.topics`.
            keep: number of steps, of all tasks together.
        """
        self._declared = tuple(declared)
        self._keep = keep
        self._steps: OrderedDict[StepKey, dict[tuple[str, int], Message]] = OrderedDict()

    def put(self, topic: str, message: Message) -> bool:
        """Stores a message.

        Returns:
            False for a topic that is not declared, and for a duplicate: the same topic, step and revision.
        """
        if topic not in self._declared:
            return False
        step = self._steps.setdefault(step_key(message), {})
        entry = (topic, getattr(message, "revision", 0))
        if entry in step:
            return False
        step[entry] = message
        while len(self._steps) > self._keep:
            self._steps.popitem(last=False)
        return True

    def get(self, topic: str, kind: type[MessageT], key: StepKey, revision: int = 0) -> MessageT | None:
        """The message of that topic, step and revision, or None while it has not come."""
        return cast("MessageT | None", self._steps.get(key, {}).get((topic, revision)))

    def inputs(self, key: StepKey) -> StepInputs | None:
        """All that is declared of a step; None while something of it has not come."""
        if self.missing(key):
            return None
        step = self._steps[key]
        return StepInputs({topic: step[topic, 0] for topic in self._declared})

    def missing(self, key: StepKey) -> tuple[str, ...]:
        """The declared topics on which nothing has come yet for a step."""
        step = self._steps.get(key, {})
        return tuple(topic for topic in self._declared if (topic, 0) not in step)


class StepSynchronizer(Generic[QuestionT]):
    """Brings a question about a step together with the inputs that it is to be answered from."""

    def __init__(
        self, question: str, inputs: Collection[str], step_of: Callable[[QuestionT], StepKey] = step_key
    ) -> None:
        """
        Args:
            question: the topic of the questions.
            inputs: the topics of which one message each is needed.
            step_of: the step that the inputs of a question belong to.
        """
        self._question = question
        self._step_of = step_of
        self._inputs = StepBuffer(inputs)
        self._open: dict[StepKey, list[QuestionT]] = {}
        self._asked: deque[tuple[str, int, int]] = deque(maxlen=_ASKED)

    def add(self, topic: str, message: Message) -> Iterator[tuple[QuestionT, StepInputs]]:
        """Takes a message; yields the questions that it completes, in the order in which they came."""
        if topic == self._question:
            question = cast(QuestionT, message)
            asked = (*step_key(message), question.revision)  # type: ignore[attr-defined]
            if asked in self._asked:
                return
            self._asked.append(asked)
            key = self._step_of(question)
            self._open.setdefault(key, []).append(question)
            while len(self._open) > STEPS:
                del self._open[next(iter(self._open))]
        elif self._inputs.put(topic, message):
            key = step_key(message)
        else:
            return
        inputs = self._inputs.inputs(key)
        if inputs is not None:
            for question in self._open.pop(key, ()):
                yield question, inputs
