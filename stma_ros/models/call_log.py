"""A log of model calls and of the models' health, for logs, scorers and diagnostics."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from stma_ros.models.chat import ChatReply, ChatRequest
from stma_ros.models.errors import ModelError
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.standard import Header
from stma_ros.types.telemetry import ModelCall

_LATENCIES = 256  # number of latencies that the median is taken of


@dataclass(frozen=True)
class StepContext:
    """The step that a model call belongs to."""

    header: Header = Header()
    task_id: str = ""
    step: int = 0


@dataclass(frozen=True)
class PendingCall:
    """A request that was sent.

    Attributes:
        context: the step that it belongs to.
        model: name of the model.
        request: the request.
        key: key of the request (replies.request_key).
    """

    context: StepContext
    model: str
    request: ChatRequest
    key: str


class CallLog:
    """Calls and health of models. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[ModelCall] = []
        self._thread = _Thread()
        self._health: dict[str, _Health] = {}
        self._total = 0
        self._cached = 0

    def record(self, question: PendingCall, outcome: ChatReply | ModelError, latency: float) -> None:
        """Records a call with its reply or error, and its latency [s]."""
        with self._lock:
            self._total += 1
            self._health.setdefault(question.model, _Health()).record(outcome)
            self._current.append(_call(question, outcome, latency))

    def record_cached(self, question: PendingCall, reply: ChatReply) -> None:
        """Records a cached reply."""
        with self._lock:
            self._total += 1
            self._cached += 1
            self._current.append(_call(question, reply, 0.0))

    def reject_last(self, model: str, problem: str) -> None:
        """Records the last reply as a failure, as when its content is invalid."""
        with self._lock:
            calls = self._current
            calls[-1] = replace(calls[-1], error=Error(ErrorCode.ROLE_FAILED, problem))
            self._health[model].reject(problem)

    def note_last(self, model: str, faults: str) -> None:
        """Records that the last reply of a model was useful in part only."""
        with self._lock:
            self._health.setdefault(model, _Health()).note(faults)

    @contextmanager
    def aside(self) -> Iterator[list[ModelCall]]:
        """Returns a context in which the calls of this thread are collected in a list, and `take` does not return
        them."""
        calls: list[ModelCall] = []
        self._thread.calls = calls
        try:
            yield calls
        finally:
            self._thread.calls = None

    @property
    def _current(self) -> list[ModelCall]:
        aside = self._thread.calls
        return self._calls if aside is None else aside

    def take(self) -> tuple[ModelCall, ...]:
        """Returns the calls since the last `take`."""
        with self._lock:
            calls, self._calls = tuple(self._calls), []
        return calls

    @property
    def trouble(self) -> str:
        """The errors of models whose last call failed or whose reply was used in part; empty if there are none."""
        with self._lock:
            troubles = [health.trouble for health in self._health.values() if health.trouble]
        return "; ".join(dict.fromkeys(troubles))

    @property
    def health(self) -> Mapping[str, str]:
        """A summary for users by model."""
        with self._lock:
            entries = {f"model {name}": health.summary for name, health in self._health.items()}
            if self._total:
                entries["answers cached"] = f"{self._cached} of {self._total} questions"
        return entries


class _Thread(threading.local):
    """What belongs to the present thread: its calls, where they are collected apart."""

    calls: list[ModelCall] | None = None


@dataclass
class _Health:
    """Health of one model."""

    calls: int = 0
    failures: int = 0
    tokens: int = 0
    used_in_part: int = 0
    trouble: str = ""  # error of the last call, or what was left out of its reply; empty if there is none
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES))

    def record(self, outcome: ChatReply | ModelError) -> None:
        self.calls += 1
        if isinstance(outcome, ModelError):
            if outcome.is_canceled:
                return  # a cancel does not count as a failure of the model
            self.reject(str(outcome))
            return
        self.trouble = ""
        self.latencies.append(outcome.latency)
        self.tokens += (outcome.usage.prompt_tokens or 0) + (outcome.usage.reply_tokens or 0)

    def reject(self, problem: str) -> None:
        self.failures += 1
        self.trouble = problem

    def note(self, faults: str) -> None:
        self.used_in_part += 1
        self.trouble = faults

    @property
    def summary(self) -> str:
        ordered = sorted(self.latencies)
        median = ordered[len(ordered) // 2] if ordered else float("nan")
        in_part = f", {self.used_in_part} used in part" if self.used_in_part else ""
        return f"{self.calls} calls, {self.failures} failed{in_part}, {self.tokens} tokens, median {median:.2f} s"


def _call(question: PendingCall, outcome: ChatReply | ModelError, latency: float) -> ModelCall:
    context, request = question.context, question.request
    call = ModelCall(
        header=context.header,
        task_id=context.task_id,
        step=context.step,
        role=request.role,
        model=question.model,
        request=question.key,
        attempts=outcome.attempts,
        latency=latency,
        images=len(request.pictures),
    )
    if isinstance(outcome, ModelError):
        return replace(call, error=Error.of(outcome))
    usage = outcome.usage
    return replace(
        call,
        cached=outcome.attempts == 0,
        prompt_tokens=_or_unknown(usage.prompt_tokens),
        cached_tokens=_or_unknown(usage.cached_tokens),
        reply_tokens=_or_unknown(usage.reply_tokens),
        images_cached=usage.images_kept,
        finish=outcome.finish.value,
    )


def _or_unknown(count: int | None) -> int:
    return -1 if count is None else count
