"""Tests of the limits of calls: retries, deadlines, concurrency and budgets."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, MessageRole, Usage
from stma_ros.models.errors import (
    BudgetSpentError,
    CallCanceledError,
    ConnectionLostError,
    DeadlineError,
    RateLimitedError,
    ServerFailedError,
    UnreachableError,
    UnreadableReplyError,
    WrongKeyError,
)
from stma_ros.models.images import picture
from stma_ros.models.limited_model import Budget, LimitedModel, Limits
from stma_ros.models.openai.server import OpenAiModel
from stma_ros.models.scripted import ScriptedModel, ScriptEntry
from stma_ros.types.component import CancelToken
from support.models.chat_server import (
    Answer,
    Asked,
    ChatServer,
    Handle,
    HangUp,
    Hold,
    Send,
    fails,
    in_turn,
    says,
)

QUICK = Limits(backoff=0.01, longest_backoff=0.02)
BUSY = fails(503, "still loading")
YES = says("yes")


def request(text: str = "What now?", deadline: float = 20.0) -> ChatRequest:
    return ChatRequest("planner", (ChatMessage(MessageRole.USER, (text,)),), deadline=deadline)


@contextmanager
def bounded(
    handle: Handle | Answer, limits: Limits = QUICK, budget: Budget | None = None, **options: Any
) -> Iterator[tuple[LimitedModel, ChatServer]]:
    with ChatServer(handle) as server:
        own = OpenAiModel("small", server.address)
        model = LimitedModel(own, limits, budget or Budget(), **options)
        try:
            yield model, server
        finally:
            model.close()


def ask(model: LimitedModel, text: str = "What now?", deadline: float = 20.0) -> ChatReply:
    return model.chat(request(text, deadline), CancelToken())


class TestRepetitions:
    @pytest.mark.parametrize(
        "failure",
        [BUSY, fails(500, "oops"), fails(429, "slow down"), HangUp(), Send(YES.body, drop_after=20)],
    )
    def test_temporary_failure_is_retried(self, failure: Answer) -> None:
        with bounded(in_turn(failure, failure, YES)) as (model, server):
            reply = ask(model)

            assert (reply.text, reply.attempts, len(server.asked)) == ("yes", 3, 3)

    def test_immediate_reply_counts_one_attempt(self) -> None:
        with bounded(YES) as (model, _):
            assert ask(model).attempts == 1

    def test_server_that_comes_up_later_is_found(self) -> None:
        with ChatServer(YES) as gone:
            address = gone.address
        model = LimitedModel(OpenAiModel("small", address), QUICK, Budget())
        with pytest.raises(UnreachableError):
            ask(model)

        with ChatServer(YES, port=gone.port):
            assert ask(model).text == "yes"
            model.close()

    def test_error_of_the_last_attempt_is_raised(self) -> None:
        with bounded(in_turn(fails(500, "first"), fails(500, "last")), replace(QUICK, attempts=3)) as (
            model,
            server,
        ):
            with pytest.raises(ServerFailedError, match="last"):
                ask(model)

            assert len(server.asked) == 3

    @pytest.mark.parametrize("status", [400, 401, 404])
    def test_permanent_failure_is_not_retried(self, status: int) -> None:
        def answer(asked: Asked) -> Answer:
            return fails(status, "no")

        with bounded(answer, grace_period=5.0) as (model, server):
            with pytest.raises(Exception, match="no") as caught:
                ask(model)

            assert not getattr(caught.value, "may_pass", True)
            assert [asked.path for asked in server.asked].count("/v1/chat/completions") == 1

    def test_retry_waits_as_long_as_the_server_asks(self) -> None:
        with bounded(in_turn(fails(429, "slow down", retry_after="0.3"), YES)) as (model, _):
            begun = time.monotonic()
            reply = ask(model)

            assert time.monotonic() - begun >= 0.3
            assert reply.latency >= 0.3

    @pytest.mark.parametrize(
        ("share", "pauses"), [(1.0, (0.1, 0.2, 0.3, 0.3)), (0.0, (0.05, 0.1, 0.15, 0.15))]
    )
    def test_pauses_between_retries_double_up_to_the_longest_with_jitter(
        self, share: float, pauses: Sequence[float]
    ) -> None:
        came: list[float] = []

        def answer(asked: Asked) -> Answer:
            came.append(time.monotonic())
            return BUSY

        limits = Limits(attempts=5, backoff=0.1, longest_backoff=0.3)
        with bounded(answer, limits, jitter=_Always(share)) as (model, _), pytest.raises(ServerFailedError):
            ask(model)

        between = [after - before for before, after in itertools.pairwise(came)]
        assert all(real >= pause for real, pause in zip(between, pauses, strict=True))
        assert sum(between) < 2 * sum(pauses)


class _Always(random.Random):
    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value

    def random(self) -> float:
        return self._value


class TestTime:
    def test_deadline_covers_all_attempts_together(self) -> None:
        limits = Limits(attempts=100, backoff=0.01, longest_backoff=0.01)
        with bounded(BUSY, limits) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 0\.3 s.*still loading"):
                ask(model, deadline=0.3)

            assert time.monotonic() - begun < 2.0
            assert 2 < len(server.asked) < 100

    def test_later_attempt_has_the_remaining_time_as_its_deadline(self) -> None:
        with bounded(in_turn(fails(429, "slow down", retry_after="0.7"), Hold())) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 1 s.*slow down"):
                ask(model, deadline=1.0)

            assert time.monotonic() - begun < 1.7  # the second attempt does not have the whole deadline
            assert len(server.asked) == 2

    def test_pause_beyond_the_deadline_fails_at_once(self) -> None:
        with bounded(fails(429, "slow down", retry_after="60")) as (model, _):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match="slow down"):
                ask(model)

            assert time.monotonic() - begun < 5.0

    def test_only_attempt_raises_its_own_error_despite_a_long_pause(self) -> None:
        limits, answer = replace(QUICK, attempts=1), fails(429, "slow down", retry_after="60")
        with bounded(answer, limits) as (model, _), pytest.raises(RateLimitedError):
            ask(model)

    def test_missed_deadline_is_not_retried(self) -> None:
        with bounded(Hold()) as (model, server):
            with pytest.raises(DeadlineError):
                ask(model, deadline=0.1)

            assert len(server.asked) == 1

    def test_cancel_ends_a_pause_between_retries(self) -> None:
        limits = Limits(backoff=30.0, longest_backoff=30.0)
        with bounded(BUSY, limits) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(deadline=300.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            begun = time.monotonic()
            token.cancel("another task came")

            assert isinstance(call.exception(timeout=20), CallCanceledError)
            assert time.monotonic() - begun < 0.5

    def test_cancel_ends_a_long_call(self) -> None:
        with bounded(Hold()) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(deadline=30.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            begun = time.monotonic()
            token.cancel("another task came")

            assert isinstance(call.exception(timeout=20), CallCanceledError)
            assert time.monotonic() - begun < 0.5
            assert server.wait(lambda server: server.hung_up == 1, 0.5)


class TestGracePeriod:
    def test_grace_period_retries_beyond_the_number_of_attempts(self) -> None:
        with bounded(in_turn(*[BUSY] * 6, YES), replace(QUICK, attempts=2), grace_period=20.0) as (model, _):
            assert ask(model).attempts == 7

    def test_grace_period_retries_a_server_that_hangs(self) -> None:
        with bounded(in_turn(Hold(), YES), grace_period=20.0) as (model, _):
            reply = ask(model, deadline=0.1)

            assert (reply.text, reply.attempts) == ("yes", 2)
            assert reply.latency >= 0.1

    def test_grace_period_ends(self) -> None:
        with bounded(Hold(), grace_period=0.3) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 0\.4 s"):
                ask(model, deadline=0.1)

            assert 0.3 <= time.monotonic() - begun < 2.0
            assert len(server.asked) > 1

    def test_cancel_ends_the_grace_period(self) -> None:
        with bounded(BUSY, grace_period=300.0) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(), token)
            assert server.wait(lambda server: len(server.asked) > 5)

            token.cancel("enough")

            assert isinstance(call.exception(timeout=20), CallCanceledError)


class TestConcurrency:
    def test_number_of_concurrent_calls_is_limited(self) -> None:
        three = threading.Barrier(3, timeout=20)

        def answer(asked: Asked) -> Answer:
            three.wait()  # breaks unless three requests arrive at once
            return YES

        with bounded(answer, replace(QUICK, concurrency=3)) as (model, server), ThreadPoolExecutor(9) as pool:
            replies = list(pool.map(lambda _: ask(model).text, range(9)))

            assert replies == ["yes"] * 9
            assert server.most_at_once == 3

    def test_deadline_covers_the_wait_for_a_free_slot(self) -> None:
        with bounded(Hold(), replace(QUICK, concurrency=1)) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            first = pool.submit(model.chat, request(), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            with pytest.raises(DeadlineError):
                ask(model, deadline=0.1)

            assert len(server.asked) == 1
            token.cancel("enough")
            first.exception(timeout=20)

    def test_cancel_ends_the_wait_for_a_free_slot_and_no_other_wait(self) -> None:
        with (
            bounded(in_turn(Hold(), YES), replace(QUICK, concurrency=1)) as (model, server),
            ThreadPoolExecutor() as pool,
        ):
            holding, waiting = CancelToken(), CancelToken()
            first = pool.submit(model.chat, request(), holding)
            assert server.wait(lambda server: len(server.asked) == 1)
            second = pool.submit(model.chat, request(), waiting)
            third = pool.submit(model.chat, request(), CancelToken())

            waiting.cancel("enough")
            assert isinstance(second.exception(timeout=20), CallCanceledError)
            holding.cancel("enough")

            assert third.result(timeout=20).text == "yes"
            assert isinstance(first.exception(timeout=20), CallCanceledError)
            assert len(server.asked) == 2

    def test_slot_is_free_during_a_pause(self) -> None:
        limits = Limits(backoff=30.0, longest_backoff=30.0, concurrency=1)
        with bounded(in_turn(BUSY, YES), limits) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            first = pool.submit(model.chat, request(deadline=300.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            assert ask(model).text == "yes"

            token.cancel("enough")
            first.exception(timeout=20)


def counted(prompt: int, reply: int) -> Send:
    return says("yes", usage={"prompt_tokens": prompt, "completion_tokens": reply})


class TestBudget:
    def test_budget_of_tokens_ends_the_calls_when_it_is_spent(self) -> None:
        budget = Budget()
        with bounded(counted(80, 20), replace(QUICK, tokens=150), budget) as (model, server):
            ask(model)
            assert budget.tokens == 100
            ask(model)
            with pytest.raises(BudgetSpentError, match=r"200 of 150 tokens.*model\.tokens"):
                ask(model)

            assert len(server.asked) == 2

    def test_budget_of_money_ends_the_calls_when_it_is_spent(self) -> None:
        budget = Budget()
        limits = replace(QUICK, money=0.01, price_in=10.0, price_out=100.0)
        with bounded(counted(800, 20), limits, budget) as (model, server):
            ask(model)
            assert budget.money == pytest.approx(0.01)
            with pytest.raises(BudgetSpentError, match=r"model\.money"):
                ask(model)

            assert len(server.asked) == 1

    def test_budget_counts_tokens_without_limits(self) -> None:
        budget = Budget()
        with bounded(counted(10**9, 5), QUICK, budget) as (model, _):
            for _ in range(2):
                ask(model)

        assert (budget.tokens, budget.money) == (2 * (10**9 + 5), 0.0)

    def test_budget_starts_at_zero_for_another_task(self) -> None:
        budget = Budget()
        budget.begin("a")
        budget.spend(Usage(5, 6), Limits(price_in=1.0))
        budget.begin("a")
        assert budget.tokens == 11
        assert budget.money > 0.0

        budget.begin("b")

        assert (budget.tokens, budget.money) == (0, 0.0)

    def test_budget_counts_steps_without_a_task_separately(self) -> None:
        budget, prices = Budget(), Limits(price_in=1.0)
        budget.begin("a")
        budget.spend(Usage(5, 6), prices)
        budget.begin("")
        assert (budget.tokens, budget.money) == (0, 0.0)
        budget.spend(Usage(100, 0), prices)
        budget.begin("a")
        assert budget.tokens == 11
        budget.begin("")
        assert budget.tokens == 100
        budget.begin("b")
        budget.begin("")
        assert budget.tokens == 0

    @pytest.mark.parametrize(
        ("limits", "spent"),
        [
            (Limits(tokens=50), "have taken 60 of 50 tokens. Raise model.idle_tokens"),
            (Limits(tokens=90, idle_tokens=50), "have taken 60 of 50 tokens. Raise model.idle_tokens"),
            (
                Limits(money=5, idle_money=1, price_in=1e6),
                "have taken 60 of 1 in money. Raise model.idle_money",
            ),
            (Limits(tokens=50, idle_tokens=0), ""),
            (Limits(tokens=50, idle_tokens=61), ""),
        ],
    )
    def test_budget_of_steps_without_a_task_ends_their_calls_when_it_is_spent(
        self, limits: Limits, spent: str
    ) -> None:
        budget = Budget()
        budget.begin("")
        budget.spend(Usage(60, 0), limits)
        if not spent:
            budget.check(limits, "small", "planner")
            return
        with pytest.raises(BudgetSpentError, match=spent.replace(".", "\\.")):
            budget.check(limits, "small", "planner")

    def test_budget_of_a_task_does_not_bound_steps_without_a_task(self) -> None:
        budget, limits = Budget(), Limits(tokens=50, idle_tokens=100)
        budget.begin("a")
        budget.spend(Usage(60, 0), limits)
        with pytest.raises(BudgetSpentError, match="the task has taken 60 of 50 tokens"):
            budget.check(limits, "small", "planner")
        budget.begin("")
        budget.check(limits, "small", "planner")

    def test_budget_is_shared_by_models(self) -> None:
        budget, limits = Budget(), replace(QUICK, tokens=50)
        with (
            bounded(counted(60, 0), limits, budget) as (one, _),
            bounded(YES, limits, budget) as (other, server),
        ):
            ask(one)
            with pytest.raises(BudgetSpentError):
                ask(other)

            assert not server.asked

    def test_budget_estimates_tokens_that_the_server_does_not_report(self) -> None:
        budget = Budget()
        with bounded(says("y" * 40), QUICK, budget) as (model, _):
            reply = ask(model, "x" * 400)

        assert budget.tokens == 100 + 10
        assert reply.usage == Usage()  # the estimate is not reported as measured

    def test_budget_estimates_an_image_by_its_size(self) -> None:
        budget = Budget()
        image = picture(np.zeros((280, 56, 3), np.uint8))
        with bounded(says(""), QUICK, budget) as (model, _):
            model.chat(replace(request(), messages=(ChatMessage(MessageRole.USER, (image,)),)), CancelToken())

        assert budget.tokens == 10 * 2

    @pytest.mark.parametrize(
        ("answer", "error", "taken"),
        [
            (Send(YES.body, drop_after=20), ConnectionLostError, 100),
            (Send(b"nothing"), UnreadableReplyError, 100),
            (Hold(), DeadlineError, 100),
            (fails(429, "no"), RateLimitedError, 0),
            (fails(401, "no"), WrongKeyError, 0),
        ],
    )
    def test_budget_counts_the_prompt_of_a_failed_call_that_was_read(
        self, answer: Answer, error: type[Exception], taken: int
    ) -> None:
        budget = Budget()
        with bounded(answer, replace(QUICK, attempts=1), budget) as (model, _), pytest.raises(error):
            ask(model, "x" * 400, deadline=0.2 if isinstance(answer, Hold) else 20.0)

        assert budget.tokens == taken

    def test_budget_is_checked_before_every_attempt(self) -> None:
        with bounded(HangUp(), replace(QUICK, attempts=9, tokens=150)) as (model, server):
            with pytest.raises(BudgetSpentError):
                ask(model, "x" * 400)

            assert len(server.asked) == 2


class TestAnyModel:
    def asked(self, lines: Sequence[ScriptEntry], limits: Limits = QUICK) -> tuple[ChatReply, Budget]:
        budget = Budget()
        return ask(LimitedModel(ScriptedModel(lines), limits, budget)), budget

    def test_known_reply_costs_no_tokens(self) -> None:
        reply, budget = self.asked([ChatReply("yes", usage=Usage(7, 7), attempts=0)])

        assert reply.attempts == 0
        assert budget.tokens == 0

    def test_limited_model_has_the_name_of_its_model(self) -> None:
        assert LimitedModel(ScriptedModel([]), QUICK, Budget()).name == ScriptedModel.name

    def test_unexpected_error_is_raised_and_frees_its_slot(self) -> None:
        def broken(request: ChatRequest) -> ScriptEntry:
            raise ZeroDivisionError

        model = LimitedModel(ScriptedModel(broken), replace(QUICK, concurrency=1), Budget())
        for _ in range(2):  # the second call needs the slot of the first
            with pytest.raises(ZeroDivisionError):
                ask(model, deadline=1.0)
