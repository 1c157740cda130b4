"""All models that the roles of one process ask, while it lives: who asks whom, what came of it, and its end."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from stma_ros.models.back_ends import make_model
from stma_ros.models.bounds import Budget
from stma_ros.models.chat import ChatModel, ChatReply, ChatRequest, ReplySchema, Sampling, Turn, Usage
from stma_ros.models.errors import CallCanceledError, ModelError
from stma_ros.models.replies import RecordedModel, ReplyRecorder, request_key
from stma_ros.models.settings import RULES, ModelConfig
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode
from stma_ros.types.standard import Header
from stma_ros.types.telemetry import REPLIES_FILE, ModelCall

Make: TypeAlias = Callable[[str, ModelConfig, Budget], ChatModel]

_LATENCIES = 256  # over which the median goes
_CANCELED = 16  # tasks that are remembered as canceled
_ENDED_WITHIN = 5.0  # calls that are canceled [s]


@dataclass(frozen=True)
class _Moment:
    """For what it is asked."""

    header: Header = Header()
    task_id: str = ""
    step: int = 0


@dataclass
class _Health:
    """How a model does."""

    calls: int = 0
    failures: int = 0
    tokens: int = 0
    trouble: str = ""  # of the newest call, if it failed
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES))

    def note(self, outcome: ChatReply | ModelError) -> None:
        self.calls += 1
        if isinstance(outcome, CallCanceledError):
            return  # says nothing about the model
        if isinstance(outcome, ModelError):
            self.failures += 1
            self.trouble = str(outcome)
            return
        self.trouble = ""
        self.latencies.append(outcome.latency)
        self.tokens += (outcome.usage.prompt_tokens or 0) + (outcome.usage.reply_tokens or 0)

    def refuse(self, problem: str) -> None:
        """The last answer was of no use."""
        self.failures += 1
        self.trouble = problem

    @property
    def told(self) -> str:
        ordered = sorted(self.latencies)
        median = ordered[len(ordered) // 2] if ordered else float("nan")
        return f"{self.calls} calls, {self.failures} failed, {self.tokens} tokens, median {median:.2f} s"


class ChatModels:
    """The models that a configuration names, each made once, when it is first needed.

    A component asks in its own thread, through `line`; any other thread may end what is under way, and look how the
    models do.
    """

    def __init__(self, config: ModelConfig, make: Make = make_model) -> None:
        """Raises ConfigurationError for a specification that cannot be read."""
        config.check()
        self.config = config
        self.budget = Budget()
        self._make = make
        self._models: dict[str, ChatModel] = {}
        self._folder: Path | None = None
        self._recorder: ReplyRecorder | None = None
        # What follows is shared with those who end calls and look at them.
        self._changed = threading.Condition()
        self._health: dict[str, _Health] = {}
        self._kept: OrderedDict[str, ChatReply] = OrderedDict()
        self._hits = 0
        self._asked = 0
        self._calls: list[ModelCall] = []
        self._moment = _Moment()
        self._token = CancelToken()
        self._canceled: deque[tuple[str, str]] = deque(maxlen=_CANCELED)  # tasks, and why
        self._under_way = 0
        self._closed = ""  # and why

    def line(self, role: str) -> RoleModel | None:
        """The way to the model of a role; None where rules answer it. Raises as `make_model` does, and StorageError for
        a recording that cannot be read."""
        spec = self.config.of(role)
        if spec == RULES:
            return None
        if spec not in self._models:
            model = self._make(spec, self.config, self.budget)
            if isinstance(model, RecordedModel):
                model.start(self._folder)
            self._models[spec] = model
        return RoleModel(role, self._models[spec], self)

    def start(self, folder: Path | None) -> None:
        """An episode begins: nothing is known of the one before, whose tasks may have had the same names, and what is
        asked is recorded in the folder, or not. Raises StorageError."""
        with self._changed:
            self._kept.clear()
            self._calls.clear()
            self._canceled.clear()
            self._moment = _Moment()
            self._token = self._new_token("")
        self.budget.begin("")
        self._stop_recording()
        self._folder = folder
        for model in self._models.values():
            if isinstance(model, RecordedModel):
                model.start(folder)
        if folder is not None and self.config.asked:
            self._recorder = ReplyRecorder(folder / REPLIES_FILE)

    def begin(self, header: Header, task_id: str, step: int) -> None:
        """What follows is asked for this step."""
        with self._changed:
            if task_id != self._moment.task_id:
                self.budget.begin(task_id)
                self._token = self._new_token(task_id)
            self._moment = _Moment(header, task_id, step)

    def cancel(self, reason: str, task_id: str) -> None:
        """Ends what is under way for a task, and refuses what is asked for it from now on. Any thread."""
        with self._changed:
            self._canceled.append((task_id, reason))
            token = self._token if self._moment.task_id == task_id else None
        if token is not None:
            token.cancel(reason)

    def interrupt(self, reason: str, task_id: str = "") -> None:
        """Ends what is under way, for this task or for any. What is asked next is asked. Any thread."""
        with self._changed:
            if task_id not in ("", self._moment.task_id) or self._token.canceled:
                return
            token, self._token = self._token, self._new_token(self._moment.task_id)
        token.cancel(reason)

    def take(self) -> tuple[ModelCall, ...]:
        """What was asked since the last time."""
        with self._changed:
            calls, self._calls = tuple(self._calls), []
        return calls

    @property
    def trouble(self) -> str:
        """What is wrong with the models that failed when they were last asked; empty = nothing. Any thread."""
        with self._changed:
            return "; ".join(
                dict.fromkeys(health.trouble for health in self._health.values() if health.trouble)
            )

    @property
    def health(self) -> Mapping[str, str]:
        """How the models do, for people. Any thread."""
        with self._changed:
            told = {f"model {name}": health.told for name, health in self._health.items()}
            if self._asked:
                told["answers kept"] = f"{self._hits} of {self._asked} questions"
        return told

    def close(self) -> None:
        """Ends what is under way, refuses all that is asked from now on, and gives everything back."""
        with self._changed:
            self._closed = "the models are closed"
            token = self._token
        token.cancel(self._closed)
        with self._changed:  # no model is taken away from under a call
            self._changed.wait_for(lambda: not self._under_way, _ENDED_WITHIN)
        for model in self._models.values():
            model.close()
        self._models.clear()
        self._stop_recording()

    # -- for RoleModel

    def ask(self, model: ChatModel, request: ChatRequest) -> ChatReply:
        key = request_key(request)
        with self._changed:
            moment, token = self._moment, self._token
            self._asked += 1
            kept = None if token.canceled else self._kept.get(key)
            if kept is not None:
                self._hits += 1
                self._kept.move_to_end(key)
                known = replace(kept, usage=Usage(), attempts=0)
                self._calls.append(_call(moment, model, request, key, known, 0.0))
                return known
            self._under_way += 1
        begun = time.monotonic()
        try:
            try:
                reply = model.chat(request, token)
            except ModelError as error:
                self._settle(moment, model, request, key, error, time.monotonic() - begun)
                raise
            self._settle(moment, model, request, key, reply, reply.latency)
            return reply
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def refuse(self, model: ChatModel, problem: str) -> None:
        """The reply that came last was of no use."""
        *before, last = self._calls
        self._calls = [*before, replace(last, error=Error(ErrorCode.ROLE_FAILED, problem))]
        self._health[model.name].refuse(problem)

    def keep(self, request: ChatRequest, reply: ChatReply) -> None:
        with self._changed:
            self._kept[request_key(request)] = reply
            while len(self._kept) > self.config.kept:
                self._kept.popitem(last=False)

    def _settle(
        self,
        moment: _Moment,
        model: ChatModel,
        request: ChatRequest,
        key: str,
        outcome: ChatReply | ModelError,
        latency: float,
    ) -> None:
        with self._changed:
            self._health.setdefault(model.name, _Health()).note(outcome)
            self._calls.append(_call(moment, model, request, key, outcome, latency))
            recorder = self._recorder
        if recorder is not None:
            recorder.write(request, model.name, outcome)

    def _new_token(self, task_id: str) -> CancelToken:
        token = CancelToken()
        reason = self._closed or next((why for task, why in self._canceled if task == task_id), None)
        if reason is not None:
            token.cancel(reason)
        return token

    def _stop_recording(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.close()


@dataclass(frozen=True)
class RoleModel:
    """The way of one role to its model."""

    role: str
    model: ChatModel
    models: ChatModels

    def ask(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int) -> ChatReply:
        """The answer; of a question that was answered usefully before, the same again. Raises ModelError."""
        return self.models.ask(self.model, self._request(turns, schema, max_tokens))

    def keep(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int, reply: ChatReply) -> None:
        """The reply was of use: it answers the same question from now on, in this episode."""
        if self.models.config.temperature == 0.0:
            self.models.keep(self._request(turns, schema, max_tokens), reply)

    def refuse(self, problem: str) -> None:
        """The last reply was of no use: it counts as a failure."""
        self.models.refuse(self.model, problem)

    def _request(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int) -> ChatRequest:
        config = self.models.config
        seed = config.seed if config.seed >= 0 else None
        sampling = Sampling(config.temperature, config.top_p, seed)
        return ChatRequest(self.role, tuple(turns), schema, sampling, max_tokens, config.deadline)


def _call(
    moment: _Moment,
    model: ChatModel,
    request: ChatRequest,
    key: str,
    outcome: ChatReply | ModelError,
    latency: float,
) -> ModelCall:
    error = Error.of(outcome) if isinstance(outcome, ModelError) else Error()
    reply = outcome if isinstance(outcome, ChatReply) else ChatReply("", attempts=0)
    return ModelCall(
        moment.header,
        moment.task_id,
        moment.step,
        request.role,
        model.name,
        key,
        kept=not error and reply.attempts == 0,
        attempts=reply.attempts,
        latency=latency,
        prompt_tokens=_told(reply.usage.prompt_tokens),
        cached_tokens=_told(reply.usage.cached_tokens),
        reply_tokens=_told(reply.usage.reply_tokens),
        images=len(request.pictures),
        images_kept=reply.usage.images_kept,
        finish="" if error else reply.finish.value,
        error=error,
    )


def _told(count: int | None) -> int:
    return -1 if count is None else count
