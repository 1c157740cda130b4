"""Limits of calls to a model: time, attempts, concurrent requests, and the budget of a task."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tenacity import RetryCallState, Retrying, retry_if_exception, wait_exponential

from stma_ros.models.chat import ChatModel, ChatReply, ChatRequest, Usage
from stma_ros.models.errors import (
    BudgetSpentError,
    CallCanceledError,
    ConnectionLostError,
    DeadlineError,
    ModelError,
    PassingModelError,
    UnreadableReplyError,
)
from stma_ros.types.component import CancelToken

_LETTERS_PER_TOKEN = 4  # about, in English
_PIXELS_PER_TOKEN = 28 * 28  # about, in vision encoders of Qwen's models
_TOKENS_PER_PRICE = 1e6
# After these errors the model has probably read the prompt, whose cost is due even without a reply.
_PROMPT_WAS_READ = (ConnectionLostError, UnreadableReplyError, DeadlineError, CallCanceledError)


@dataclass(frozen=True)
class Limits:
    """Limits of calls.

    Attributes:
        attempts: largest number of sends of one request.
        backoff: pause after the first failure [s]; it doubles each time.
        longest_backoff: largest pause [s].
        concurrency: largest number of requests at once.
        tokens: largest number of tokens of a task, prompts and replies; 0 = any number.
        money: largest cost of a task; 0 = any.
        idle_tokens: largest number of tokens between two tasks; 0 = any number, -1 = as `tokens`.
        idle_money: largest cost between two tasks; 0 = any, -1 = as `money`.
        price_in: price of a million tokens of prompts.
        price_out: price of a million tokens of replies.
    """

    attempts: int = 4
    backoff: float = 0.5
    longest_backoff: float = 8.0
    concurrency: int = 4
    tokens: int = 0
    money: float = 0.0
    idle_tokens: int = -1
    idle_money: float = -1.0
    price_in: float = 0.0
    price_out: float = 0.0


@dataclass
class _Account:
    """Use of models: tokens of prompts and replies, and their cost."""

    tokens: int = 0
    money: float = 0.0


class Budget:
    """The use of models by the running task, summed over the models that share the budget. Thread-safe.

    Between two tasks, a separate account is used.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.restart()

    def restart(self) -> None:
        """Sets all accounts to zero. Calls before the first `begin` are counted as those of a task."""
        with self._lock:
            self._task_id = ""
            self._task, self._idle = _Account(), _Account()
            self._is_idle = False

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self._current.tokens

    @property
    def money(self) -> float:
        """Cost, in the currency of the prices."""
        return self._current.money

    def begin(self, task_id: str) -> None:
        """Assigns the following calls to a task; an empty id means that no task runs. A new task starts at zero."""
        with self._lock:
            self._is_idle = not task_id
            if task_id and task_id != self._task_id:
                self._task_id, self._task, self._idle = task_id, _Account(), _Account()

    def spend(self, usage: Usage, limits: Limits) -> None:
        """Adds the usage of a call, at the prices of these limits."""
        read, written = usage.prompt_tokens or 0, usage.reply_tokens or 0
        with self._lock:
            account = self._current
            account.tokens += read + written
            account.money += (read * limits.price_in + written * limits.price_out) / _TOKENS_PER_PRICE

    def check(self, limits: Limits, model: str, role: str) -> None:
        """Checks that the budget is not spent. Calls that are in progress may still exceed the limits.

        Raises:
            BudgetSpentError: nothing is left.
        """
        account, prefix, subject = self._current, "", "the task has"
        tokens, money = limits.tokens, limits.money
        if self._is_idle:
            prefix, subject = "idle_", "between the last task and the next, steps of no task have"
            tokens = tokens if limits.idle_tokens < 0 else limits.idle_tokens
            money = money if limits.idle_money < 0 else limits.idle_money
        if tokens and account.tokens >= tokens:
            raise BudgetSpentError(
                model,
                role,
                f"{subject} taken {account.tokens} of {tokens} tokens",
                f"Raise model.{prefix}tokens (0 = any number)",
            )
        if money and account.money >= money:
            raise BudgetSpentError(
                model,
                role,
                f"{subject} taken {account.money:.4g} of {money:g} in money",
                f"Raise model.{prefix}money (0 = any sum)",
            )

    @property
    def _current(self) -> _Account:
        return self._idle if self._is_idle else self._task


class LimitedModel:
    """A ChatModel that asks another one within limits.

    The deadline of a request covers all of its attempts, the pauses between them, and the wait for other requests.
    """

    def __init__(
        self,
        model: ChatModel,
        limits: Limits,
        budget: Budget,
        *,
        grace_period: float = 0.0,
        jitter: random.Random | None = None,
    ) -> None:
        """Makes a limited model.

        Args:
            model: the model; it is closed with this one.
            limits: the limits.
            budget: shared budget.
            grace_period: time after the deadline in which a failed request is repeated, any number of times [s].
            jitter: random numbers for the length of pauses.
        """
        self._model = model
        self._limits = limits
        self._budget = budget
        self._grace_period = grace_period
        self._jitter = jitter or random.Random()
        self._slots = _Slots(limits.concurrency)

    @property
    def name(self) -> str:
        return self._model.name

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Asks the model, again after errors that may pass.

        Raises:
            BudgetSpentError: the budget is spent; the model is not asked.
            DeadlineError: the deadline has passed; the text includes the last cause.
            CallCanceledError: the token was canceled.
            ModelError: the last attempt failed.
        """
        call = _Attempts(request, token, time.monotonic(), request.deadline + self._grace_period)
        retrying = Retrying(
            retry=retry_if_exception(_may_retry),
            wait=self._pause,
            stop=lambda state: self._is_last(call, state),
            retry_error_callback=lambda state: self._give_up(call, state),
            sleep=lambda seconds: self._sleep(call, seconds),
        )
        try:
            reply: ChatReply = retrying(self._send, call)
        except ModelError as error:
            error.attempts = call.failed
            raise
        return replace(reply, attempts=call.failed + reply.attempts, latency=time.monotonic() - call.begun)

    def close(self) -> None:
        self._model.close()

    def _send(self, call: _Attempts) -> ChatReply:
        """Makes one attempt."""
        request = call.request
        with self._slots.taken(call.left, call.token) as free:
            if call.token.canceled:
                raise CallCanceledError(self.name, request.role, call.token.reason)
            if not free:
                raise self._too_late(call)
            self._budget.check(self._limits, self.name, request.role)
            try:
                reply = self._model.chat(
                    replace(request, deadline=min(request.deadline, call.left)), call.token
                )
            except ModelError as error:
                call.failed += 1
                if isinstance(error, PassingModelError):
                    call.last_cause = error.cause
                if isinstance(error, _PROMPT_WAS_READ):
                    self._budget.spend(Usage(_tokens_of(request), 0), self._limits)
                raise
        if reply.attempts:
            self._budget.spend(_completed(reply, request), self._limits)
        return reply

    def _pause(self, state: RetryCallState) -> float:
        """Returns the pause before the next attempt [s].

        It grows exponentially and is random, so that requests that failed together are not repeated together.
        """
        limits = self._limits
        growing = wait_exponential(multiplier=limits.backoff, max=limits.longest_backoff)(state)
        error = _error_of(state)
        asked_for = error.retry_after if isinstance(error, PassingModelError) else 0.0
        return max(asked_for, growing * self._jitter.uniform(0.5, 1.0))

    def _is_last(self, call: _Attempts, state: RetryCallState) -> bool:
        return self._is_exhausted(state) or state.upcoming_sleep >= call.left

    def _is_exhausted(self, state: RetryCallState) -> bool:
        if self._grace_period:
            return False
        return state.attempt_number >= self._limits.attempts or isinstance(_error_of(state), DeadlineError)

    def _give_up(self, call: _Attempts, state: RetryCallState) -> ChatReply:
        error = _error_of(state)
        if isinstance(error, DeadlineError) or not self._is_exhausted(state):
            raise self._too_late(call)
        raise error

    def _sleep(self, call: _Attempts, seconds: float) -> None:
        if call.token.wait(seconds):
            raise CallCanceledError(self.name, call.request.role, call.token.reason)

    def _too_late(self, call: _Attempts) -> DeadlineError:
        return DeadlineError(
            self.name,
            call.request.role,
            f"no answer within {call.seconds:g} s" + (f", {call.last_cause}" if call.last_cause else ""),
            "Raise model.deadline, or see what keeps the server so long",
        )


@dataclass
class _Attempts:
    """The attempts of one request.

    Attributes:
        request: the request.
        token: token that cancels it.
        begun: time of the first attempt on the monotonic clock [s].
        seconds: time for all attempts [s].
        failed: number of failed attempts.
        last_cause: cause of the last failure that may pass.
    """

    request: ChatRequest
    token: CancelToken
    begun: float
    seconds: float
    failed: int = 0
    last_cause: str = ""

    @property
    def left(self) -> float:
        """Remaining time [s], never negative."""
        return max(0.0, self.begun + self.seconds - time.monotonic())


@dataclass
class _Slots:
    """A limited number of slots; other threads wait."""

    free: int
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def taken(self, seconds: float, token: CancelToken) -> Iterator[bool]:
        """Takes a slot for the block. Waits at most this long [s], or until the token is canceled.

        Yields:
            Whether a slot was taken.
        """
        with token.stopping(self._wake), self._changed:
            is_taken = self._changed.wait_for(lambda: token.canceled or self.free > 0, seconds)
            is_taken = is_taken and not token.canceled
            self.free -= is_taken
        try:
            yield is_taken
        finally:
            with self._changed:
                self.free += is_taken
                self._changed.notify()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _may_retry(error: BaseException) -> bool:
    return isinstance(error, ModelError) and (error.may_pass or isinstance(error, DeadlineError))


def _error_of(state: RetryCallState) -> BaseException:
    error = state.outcome.exception() if state.outcome else None
    assert error is not None  # tenacity calls this only after a failure
    return error


def _completed(reply: ChatReply, request: ChatRequest) -> Usage:
    """Returns the usage that the server reports; missing numbers are estimated."""
    usage = reply.usage
    return replace(
        usage,
        prompt_tokens=_tokens_of(request) if usage.prompt_tokens is None else usage.prompt_tokens,
        reply_tokens=len(reply.text) // _LETTERS_PER_TOKEN
        if usage.reply_tokens is None
        else usage.reply_tokens,
    )


def _tokens_of(request: ChatRequest) -> int:
    """Estimates the number of tokens of a request, by the letters of its texts and the pixels of its pictures."""
    letters = sum(len(message.text) for message in request.messages)
    pixels = sum(picture.width * picture.height for picture in request.pictures)
    return letters // _LETTERS_PER_TOKEN + pixels // _PIXELS_PER_TOKEN
