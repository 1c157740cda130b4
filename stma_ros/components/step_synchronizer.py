"""Joins messages of several topics by task, step and revision, in whatever order they come."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, cast

from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.message import Message
from stma_ros.types.sensing import Observation

STEPS = 8
"""Number of steps stored; a request that never gets its inputs is dropped with its step."""

_MAX_KNOWN = 64  # requests that are remembered to recognise duplicates

MessageT = TypeVar("MessageT", bound=Message)
QuestionT = TypeVar("QuestionT", bound=Message)

StepKey: TypeAlias = tuple[str, int]
"""Task id and step."""

BeliefKey: TypeAlias = tuple[str, int, int]
"""Task id and step of beliefs, and their revision."""


def step_key(message: Message) -> StepKey:
    """Returns (task id, step) of a message."""
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
    def sources(self) -> tuple[MessageRef, ...]:
        """References to all messages except the outcome, which is the cause of the step."""
        return tuple(message_ref(t, message) for t, message in self.messages.items() if t != topics.OUTCOME)


class StepBuffer:
    """The messages of the last steps, one for each declared topic, step and revision.

    A consumer stores messages that it cannot use yet, and asks again at each arrival; the buffer never blocks.
    """

    def __init__(self, declared: Collection[str], keep: int = STEPS) -> None:
        """Makes an empty buffer.

        Args:
            declared: topics of stepped messages; their types are those of `types.topics`.
            keep: number of steps of all tasks that are stored.
        """
        self._declared = tuple(declared)
        self._keep = keep
        self._steps: OrderedDict[StepKey, dict[tuple[str, int], Message]] = OrderedDict()

    def put(self, topic: str, message: Message) -> bool:
        """Stores a message.

        Returns:
            False if the message is ignored: its topic is not declared, its step is outside of tasks, or it is a
                duplicate (the same topic, step and revision).
        """
        if topic not in self._declared or not step_key(message)[0]:
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
        """Returns the message of a topic, step and revision; None if it has not come yet."""
        return cast("MessageT | None", self._steps.get(key, {}).get((topic, revision)))

    def inputs(self, key: StepKey, revision: int = 0) -> StepInputs | None:
        """Returns all declared messages of a step, with the beliefs of a revision; None while one is missing."""
        if self.missing(key, revision):
            return None
        step = self._steps[key]
        return StepInputs({topic: step[_entry(topic, revision)] for topic in self._declared})

    def missing(self, key: StepKey, revision: int = 0) -> tuple[str, ...]:
        """Returns the declared topics without a message of a step and a revision of its beliefs."""
        step = self._steps.get(key, {})
        return tuple(topic for topic in self._declared if _entry(topic, revision) not in step)

    def revisions(self, key: StepKey) -> tuple[int, ...]:
        """Returns the revisions of a step's beliefs of which a message has come, in order."""
        step = self._steps.get(key, {})
        return tuple(sorted({revision for topic, revision in step if topic in topics.BELIEFS}))


def _entry(topic: str, revision: int) -> tuple[str, int]:
    """Under which topic and revision a message is stored that belongs to a revision of the beliefs."""
    return topic, revision if topic in topics.BELIEFS else 0


class StepSynchronizer(Generic[QuestionT]):
    """Joins requests about steps with the inputs that are required to answer them."""

    def __init__(
        self, question: str, inputs: Collection[str], beliefs_of: Callable[[QuestionT], BeliefKey]
    ) -> None:
        """Makes a synchronizer.

        Args:
            question: topic of the requests.
            inputs: topics of which one message each is required.
            beliefs_of: step and revision of the beliefs for a request; all other inputs are of the request's own step.
        """
        self._question = question
        self._beliefs_of = beliefs_of
        self._inputs = StepBuffer(inputs)
        self._open: dict[BeliefKey, list[QuestionT]] = {}
        self._known: deque[tuple[str, int, int]] = deque(maxlen=_MAX_KNOWN)

    def add(self, topic: str, message: Message) -> Iterator[tuple[QuestionT, StepInputs]]:
        """Takes a message, and yields the requests that it completes, in the order in which they came."""
        if topic == self._question:
            question = cast(QuestionT, message)
            key = (*step_key(message), question.revision)  # type: ignore[attr-defined]
            if key in self._known:
                return
            self._known.append(key)
            self._open.setdefault(self._beliefs_of(question), []).append(question)
            while len(self._open) > STEPS:
                del self._open[next(iter(self._open))]
        elif not self._inputs.put(topic, message):
            return
        for key in tuple(self._open):
            inputs = self._inputs.inputs(key[:2], key[2])
            if inputs is not None:
                for question in self._open.pop(key):
                    yield question, inputs
