"""Measures the processing time of each component from the log times of a bag."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from stma_ros.agents.registry import AGENTS
from stma_ros.roles.registry import ROLE_NAMES
from stma_ros.types import topics
from stma_ros.types.common import MessageRef
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest
from stma_ros.types.sensing import Observation
from stma_ros.types.telemetry import ModelCall

_NOT_MEASURED = (topics.ROLE_CALLS, topics.MODEL_CALL, topics.ALARM)
_REORDER_WINDOW = 500  # number of messages within which a journal entry may follow the answer to its input
_MAX_INPUTS = (
    2 * _REORDER_WINDOW
)  # inputs of each component among which the sources of an answer are searched
_SIMULATED_SHARE = 0.5

_Input: TypeAlias = tuple[str, str, int]


@dataclass(frozen=True)
class Latency:
    """Latencies of one kind of answer [s]."""

    count: int
    p50: float
    p95: float
    max: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        p50, p95 = (float(value) for value in np.percentile(seconds, (50, 95)))
        return cls(len(seconds), p50, p95, float(max(seconds)))


class _Answer(NamedTuple):
    """An answer. last_ns: log time of the journal's last entry before it."""

    number: int
    speaker: str
    topic: str
    time_ns: int
    last_ns: int | None
    named: tuple[_Input, ...]


class LatencyMeter:
    """Takes the messages of a bag in the order of the recording.

    A component's answer took the time between the log time of the last entry in its journal and its own. Topics are
    recorded in parallel: the entry of an input that the answer names in `derived_from` may follow, and an entry that
    was logged after the answer means a negligible time. Log times that are the messages' own stamps, as in runs in one
    process, carry no information about elapsed time.
    """

    def __init__(self) -> None:
        self._speakers = dict(_speakers())
        self._inputs: dict[str, dict[_Input, int]] = defaultdict(dict)
        self._waiting: deque[_Answer] = deque()
        self._taken = 0
        self._answers: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._models: dict[str, list[float]] = defaultdict(list)
        self._observed: dict[tuple[str, int], int] = {}
        self._steps: list[float] = []
        self._newest_stamp = 0
        self._stamped = self._simulated = 0

    def take(self, topic: str, time_ns: int, message: Message) -> None:
        self._look_at_clock(time_ns, message)
        self._taken += 1
        self._settle(self._taken - _REORDER_WINDOW)
        if isinstance(message, JournalEntry):
            inputs = self._inputs[message.component]
            inputs[message.topic, message.id, message.revision] = time_ns
            if len(inputs) > _MAX_INPUTS:
                del inputs[next(iter(inputs))]
        elif isinstance(message, ModelCall) and not message.cached:
            self._models[message.role].append(message.latency)
        elif topic in self._speakers:
            self._put(topic, self._speakers[topic], time_ns, message)
        if isinstance(message, Observation):
            self._observed[message.task_id, message.step] = time_ns
        elif isinstance(message, SkillRequest):
            before = self._observed.pop((message.task_id, message.step - 1), None)
            if before is not None:
                self._steps.append((time_ns - before) / 1e9)

    @property
    def is_simulated(self) -> bool:
        """Whether the log times are the messages' own stamps."""
        return self._simulated > _SIMULATED_SHARE * self._stamped

    def components(self) -> Mapping[tuple[str, str], Latency]:
        """Returns latencies by component and topic; empty where the log times are simulated or no journal was
        recorded."""
        if self.is_simulated:
            return {}
        self._settle(self._taken)
        return {key: Latency.of(seconds) for key, seconds in sorted(self._answers.items())}

    def models(self) -> Mapping[str, Latency]:
        """Returns latencies of the requests that were sent, by role, as measured by the caller, independent of the log
        times."""
        order = {role: number for number, role in enumerate(ROLE_NAMES)}
        roles = sorted(self._models, key=lambda role: order.get(role, len(order)))
        return {role: Latency.of(self._models[role]) for role in roles}

    def step(self) -> Latency | None:
        """Returns the latency from each observation to the next skill request."""
        return Latency.of(self._steps) if self._steps and not self.is_simulated else None

    def _look_at_clock(self, time_ns: int, message: Message) -> None:
        header = getattr(message, "header", None)
        if header is not None and header.stamp.nanoseconds:
            self._newest_stamp = max(self._newest_stamp, header.stamp.nanoseconds)
            self._stamped += 1
            self._simulated += time_ns == self._newest_stamp

    def _put(self, topic: str, speaker: str, time_ns: int, message: Message) -> None:
        sources: Sequence[MessageRef] = getattr(message, "derived_from", ())
        named = tuple((source.topic, source.id, source.revision) for source in sources)
        last = next(reversed(self._inputs[speaker].values()), None)
        self._waiting.append(_Answer(self._taken, speaker, topic, time_ns, last, named))

    def _settle(self, until: int) -> None:
        """Settles the answers that arrived until then, by the number of messages."""
        while self._waiting and self._waiting[0].number <= until:
            answer = self._waiting.popleft()
            inputs = self._inputs[answer.speaker]
            lines = [inputs[name] for name in answer.named if name in inputs]
            lines += [] if answer.last_ns is None else [answer.last_ns]
            if lines:
                self._answers[answer.speaker, answer.topic].append(max(0, answer.time_ns - max(lines)) / 1e9)


def _speakers() -> Iterator[tuple[str, str]]:
    """Yields the only publisher of each topic."""
    for agent in AGENTS.agents.values():
        for wiring in agent.wirings:
            for name, spec in wiring.components.items():
                yield from ((topic, name) for topic in spec.outputs if topic not in _NOT_MEASURED)
