"""The pool of models that the roles of one process share."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from stma_ros.models.back_ends import make_model
from stma_ros.models.box_convention import BoxConvention
from stma_ros.models.call_log import CallLog, PendingCall, StepContext
from stma_ros.models.chat import ChatMessage, ChatModel, ChatReply, ChatRequest, ReplySchema, Usage
from stma_ros.models.errors import ModelError
from stma_ros.models.images import Picture, scaled
from stma_ros.models.limited_model import Budget
from stma_ros.models.replies import RecordedModel, ReplyRecorder, request_key
from stma_ros.models.settings import RULES, ModelConfig
from stma_ros.types.component import CancelToken
from stma_ros.types.standard import Header
from stma_ros.types.telemetry import REPLIES_FILE, ModelCall

Make: TypeAlias = Callable[[str, ModelConfig, Budget], ChatModel]

_MAX_CANCELED = 16  # canceled tasks that are remembered
_CLOSE_TIMEOUT = 5.0  # time for canceled calls to end [s]


class ModelPool:
    """The models that a configuration names, each made when it is first needed.

    A component asks in its own thread, through `client`, or aside in any other one; any thread may cancel calls.

    Attributes:
        config: the settings.
        budget: tokens and money that the running task has used.
        log: log of the calls.
    """

    def __init__(self, config: ModelConfig, make: Make = make_model) -> None:
        """Creates a pool without models.

        Args:
            config: settings with the model of each role.
            make: factory of the model of a specification.

        Raises:
            ConfigurationError: a specification is invalid.
        """
        config.check()
        self.config = config
        self.budget = Budget()
        self.log = CallLog()
        self._make = make
        self._models: dict[str, ChatModel] = {}
        self._folder: Path | None = None
        self._recorder: ReplyRecorder | None = None
        # The fields below are shared with threads that cancel calls, and guarded by this condition.
        self._changed = threading.Condition()
        self._cache: OrderedDict[str, ChatReply] = OrderedDict()
        self._context = StepContext()
        self._token = CancelToken()
        self._aside_tokens: set[CancelToken] = set()
        self._canceled: deque[tuple[str, str]] = deque(maxlen=_MAX_CANCELED)  # tasks with reasons
        self._pending = 0
        self._closed = ""  # reason why later calls are refused
        self._thread = _Thread()

    def client(self, role: str) -> RoleClient | None:
        """Returns the client of a role; None if rules answer it.

        Raises:
            StmaError: the model cannot be made (`make_model`), or its recording cannot be read.
        """
        spec = self.config.of(role)
        if spec == RULES:
            return None
        if spec not in self._models:
            model = self._make(spec, self.config, self.budget)
            if isinstance(model, RecordedModel):
                model.start(self._folder)
            self._models[spec] = model
        return RoleClient(role, self._models[spec], self)

    def start(self, folder: Path | None) -> None:
        """Begins an episode.

        Cached replies and cancels of the episode before are dropped, because its tasks may have had the same ids.

        Args:
            folder: folder in which calls are recorded; None = they are not recorded.

        Raises:
            StorageError: the folder cannot be written to.
        """
        with self._changed:
            self._cache.clear()
            self._canceled.clear()
            self._context = StepContext()
            self._token = self._new_token("")
        self.log.take()
        self.budget.restart()
        self._stop_recording()
        self._folder = folder
        for model in self._models.values():
            if isinstance(model, RecordedModel):
                model.start(folder)
        if folder is not None and self.config.model_roles:
            self._recorder = ReplyRecorder(folder / REPLIES_FILE)

    def begin(self, header: Header, task_id: str, step: int) -> None:
        """Begins a step; the following calls belong to it."""
        with self._changed:
            if task_id != self._context.task_id:
                self.budget.begin(task_id)
                self._token = self._new_token(task_id)
            elif self._token.canceled:
                self._token = self._new_token(task_id)
            self._context = StepContext(header, task_id, step)

    def cancel(self, reason: str, task_id: str) -> None:
        """Cancels the present and later calls of a task. Thread-safe.

        Cached replies are still returned, so that a replay, in which the time of the cancel is unknown, does the same.
        """
        with self._changed:
            self._canceled.append((task_id, reason))
            token = self._token if self._context.task_id == task_id else None
        if token is not None:
            token.cancel(reason)

    def interrupt(self, reason: str, task_id: str = "") -> None:
        """Cancels the calls of a task, or of any with an empty id, until the next step begins. Thread-safe.

        What is asked aside is of use after its task, too, and is not canceled.
        """
        with self._changed:
            token = self._token if task_id in ("", self._context.task_id) else None
        if token is not None:
            token.cancel(reason)

    def interrupt_all(self, reason: str) -> None:
        """Cancels all calls, those aside as well. Thread-safe."""
        with self._changed:
            tokens = [self._token, *self._aside_tokens]
        for token in tokens:
            token.cancel(reason)

    @contextmanager
    def aside(self, context: StepContext) -> Iterator[list[ModelCall]]:
        """Returns a context in which this thread asks by the side of the component, which goes on meanwhile.

        Args:
            context: the step that the calls belong to.

        Yields:
            The calls so far; `log.take` does not return them.
        """
        token = CancelToken()
        with self._changed:
            if self._closed:
                token.cancel(self._closed)
            self._aside_tokens.add(token)
        self._thread.aside = context, token
        try:
            with self.log.aside() as calls:
                yield calls
        finally:
            self._thread.aside = None
            with self._changed:
                self._aside_tokens.discard(token)

    def close(self) -> None:
        """Cancels all calls, refuses later ones, and closes the models."""
        with self._changed:
            self._closed = "the models are closed"
        self.interrupt_all(self._closed)
        with self._changed:  # models are closed after their calls have ended
            self._changed.wait_for(lambda: not self._pending, _CLOSE_TIMEOUT)
        for model in self._models.values():
            model.close()
        self._models.clear()
        self._stop_recording()

    # -- called by RoleClient

    def ask(self, model: ChatModel, request: ChatRequest) -> ChatReply:
        """Asks a model, or returns the cached reply.

        Raises:
            ModelError: there is no reply.
        """
        with self._changed:
            context, token = self._thread.aside or (self._context, self._token)
            call = PendingCall(context, model.name, request, request_key(request))
            cached = self._cache.get(call.key)
            if cached is not None:
                self._cache.move_to_end(call.key)
                reply = replace(cached, usage=Usage(), attempts=0)
                self.log.record_cached(call, reply)
                return reply
            self._pending += 1
        begun = time.monotonic()
        try:
            reply = model.chat(request, token)
        except ModelError as error:
            self._record(call, error, time.monotonic() - begun)
            raise
        finally:
            with self._changed:
                self._pending -= 1
                self._changed.notify_all()
        self._record(call, reply, reply.latency)
        return reply

    def cache(self, request: ChatRequest, reply: ChatReply) -> None:
        """Caches a valid reply to a request for the rest of the episode."""
        with self._changed:
            self._cache[request_key(request)] = reply
            while len(self._cache) > self.config.cache_size:
                self._cache.popitem(last=False)

    def _record(self, call: PendingCall, outcome: ChatReply | ModelError, latency: float) -> None:
        self.log.record(call, outcome, latency)
        recorder = self._recorder
        if recorder is not None:
            recorder.write(call, outcome)

    def _new_token(self, task_id: str) -> CancelToken:
        token = CancelToken()
        reason = self._closed or next((reason for task, reason in self._canceled if task == task_id), None)
        if reason is not None:
            token.cancel(reason)
        return token

    def _stop_recording(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.close()


class _Thread(threading.local):
    """What belongs to the present thread: the step and the token of what it asks aside."""

    aside: tuple[StepContext, CancelToken] | None = None


@dataclass(frozen=True)
class RoleClient:
    """The client of one role.

    Attributes:
        role: name of the role.
        model: model that answers it.
        models: pool that the model belongs to.
    """

    role: str
    model: ChatModel
    models: ModelPool

    @property
    def boxes(self) -> BoxConvention:
        """The convention in which the model draws boxes; that of the recorded model if its replies are replayed."""
        recorded = self.model.recorded_name(self.role) if isinstance(self.model, RecordedModel) else ""
        return self.models.config.boxes_of(recorded or self.model.name)

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        """Returns the model's reply, or the cached reply to the same messages.

        Raises:
            ModelError: there is no reply.
        """
        return self.models.ask(self.model, self._request(messages, schema, max_tokens))

    def cache(
        self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int, reply: ChatReply
    ) -> None:
        """Caches a valid reply, which answers the same messages for the rest of the episode.

        Replies are cached only at temperature 0.
        """
        if self.models.config.sampling_of(self.role).temperature == 0.0:
            self.models.cache(self._request(messages, schema, max_tokens), reply)

    def reject(self, problem: str) -> None:
        """Records the last reply as a failure because it was invalid."""
        self.models.log.reject_last(self.model.name, problem)

    def note(self, faults: str) -> None:
        """Records the last reply as useful in part."""
        self.models.log.note_last(self.model.name, faults)

    def _request(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatRequest:
        config = self.models.config
        sampling = config.sampling_of(self.role)
        fitting = tuple(_with_pictures_of(config.image_pixels, message) for message in messages)
        return ChatRequest(self.role, fitting, schema, sampling, max_tokens, config.deadline)


def _with_pictures_of(max_pixels: int, message: ChatMessage) -> ChatMessage:
    """Returns a message with its pictures scaled down to a number of pixels."""
    parts = tuple(scaled(part, max_pixels) if isinstance(part, Picture) else part for part in message.parts)
    return replace(message, parts=parts)
