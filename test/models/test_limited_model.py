"""What bounds a call: how often and how long a server is asked, by how many at once, and what a task may take."""

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
    def test_what_may_pass_is_tried_again(self, failure: Answer) -> None:
        with bounded(in_turn(failure, failure, YES)) as (model, server):
            reply = ask(model)

            assert (reply.text, reply.attempts, len(server.asked)) == ("yes", 3, 3)

    def test_a_reply_at_once_is_one_attempt(self) -> None:
        with bounded(YES) as (model, _):
            assert ask(model).attempts == 1

    def test_a_server_that_comes_up_later_is_found(self) -> None:
        with ChatServer(YES) as gone:
            address = gone.address
        model = LimitedModel(OpenAiModel("small", address), QUICK, Budget())
        with pytest.raises(UnreachableError):
            ask(model)

        with ChatServer(YES, port=gone.port):
            assert ask(model).text == "yes"
            model.close()

    def test_after_the_last_attempt_its_error_is_told(self) -> None:
        with bounded(in_turn(fails(500, "first"), fails(500, "last")), replace(QUICK, attempts=3)) as (
            model,
            server,
        ):
            with pytest.raises(ServerFailedError, match="last"):
                ask(model)

            assert len(server.asked) == 3

    @pytest.mark.parametrize("status", [400, 401, 404])
    def test_what_would_fail_again_is_not_repeated(self, status: int) -> None:
        def answer(asked: Asked) -> Answer:
            return fails(status, "no")

        with bounded(answer, grace_period=5.0) as (model, server):
            with pytest.raises(Exception, match="no") as caught:
                ask(model)

            assert not getattr(caught.value, "may_pass", True)
            assert [asked.path for asked in server.asked].count("/v1/chat/completions") == 1

    def test_a_server_is_left_alone_as_long_as_it_asks(self) -> None:
        with bounded(in_turn(fails(429, "slow down", retry_after="0.3"), YES)) as (model, _):
            begun = time.monotonic()
            reply = ask(model)

            assert time.monotonic() - begun >= 0.3
            assert reply.latency >= 0.3

    @pytest.mark.parametrize(
        ("share", "pauses"), [(1.0, (0.1, 0.2, 0.3, 0.3)), (0.0, (0.05, 0.1, 0.15, 0.15))]
    )
    def test_the_pauses_double_up_to_the_longest_and_are_random_by_half(
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
    def test_the_deadline_is_for_all_attempts_together(self) -> None:
        limits = Limits(attempts=100, backoff=0.01, longest_backoff=0.01)
        with bounded(BUSY, limits) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 0\.3 s.*still loading"):
                ask(model, deadline=0.3)

            assert time.monotonic() - begun < 2.0
            assert 2 < len(server.asked) < 100

    def test_an_attempt_gets_what_is_left(self) -> None:
        with bounded(in_turn(fails(429, "slow down", retry_after="0.7"), Hold())) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 1 s.*slow down"):
                ask(model, deadline=1.0)

            assert time.monotonic() - begun < 1.7  # and not the whole deadline again
            assert len(server.asked) == 2

    def test_a_pause_beyond_the_deadline_is_not_waited_for(self) -> None:
        with bounded(fails(429, "slow down", retry_after="60")) as (model, _):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match="slow down"):
                ask(model)

            assert time.monotonic() - begun < 5.0

    def test_the_only_attempt_tells_its_own_error_however_long_the_pause(self) -> None:
        limits, answer = replace(QUICK, attempts=1), fails(429, "slow down", retry_after="60")
        with bounded(answer, limits) as (model, _), pytest.raises(RateLimitedError):
            ask(model)

    def test_a_missed_deadline_is_not_tried_again(self) -> None:
        with bounded(Hold()) as (model, server):
            with pytest.raises(DeadlineError):
                ask(model, deadline=0.1)

            assert len(server.asked) == 1

    def test_a_cancel_ends_a_pause(self) -> None:
        limits = Limits(backoff=30.0, longest_backoff=30.0)
        with bounded(BUSY, limits) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(deadline=300.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            begun = time.monotonic()
            token.cancel("another task came")

            assert isinstance(call.exception(timeout=20), CallCanceledError)
            assert time.monotonic() - begun < 0.5

    def test_a_cancel_ends_a_call_of_thirty_seconds(self) -> None:
        with bounded(Hold()) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(deadline=30.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            begun = time.monotonic()
            token.cancel("another task came")

            assert isinstance(call.exception(timeout=20), CallCanceledError)
            assert time.monotonic() - begun < 0.5
            assert server.wait(lambda server: server.hung_up == 1, 0.5)


class TestPatience:
    def test_what_may_pass_is_tried_beyond_the_attempts(self) -> None:
        with bounded(in_turn(*[BUSY] * 6, YES), replace(QUICK, attempts=2), grace_period=20.0) as (model, _):
            assert ask(model).attempts == 7

    def test_a_server_that_hangs_is_asked_again(self) -> None:
        with bounded(in_turn(Hold(), YES), grace_period=20.0) as (model, _):
            reply = ask(model, deadline=0.1)

            assert (reply.text, reply.attempts) == ("yes", 2)
            assert reply.latency >= 0.1

    def test_it_ends(self) -> None:
        with bounded(Hold(), grace_period=0.3) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 0\.4 s"):
                ask(model, deadline=0.1)

            assert 0.3 <= time.monotonic() - begun < 2.0
            assert len(server.asked) > 1

    def test_a_cancel_ends_it(self) -> None:
        with bounded(BUSY, grace_period=300.0) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(), token)
            assert server.wait(lambda server: len(server.asked) > 5)

            token.cancel("enough")

            assert isinstance(call.exception(timeout=20), CallCanceledError)


class TestAtOnce:
    def test_no_more_are_asked_at_once_than_allowed(self) -> None:
        three = threading.Barrier(3, timeout=20)

        def answer(asked: Asked) -> Answer:
            three.wait()  # so many do come at once, or it breaks
            return YES

        with bounded(answer, replace(QUICK, concurrency=3)) as (model, server), ThreadPoolExecutor(9) as pool:
            replies = list(pool.map(lambda _: ask(model).text, range(9)))

            assert replies == ["yes"] * 9
            assert server.most_at_once == 3

    def test_who_waits_for_a_place_waits_no_longer_than_the_deadline(self) -> None:
        with bounded(Hold(), replace(QUICK, concurrency=1)) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            first = pool.submit(model.chat, request(), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            with pytest.raises(DeadlineError):
                ask(model, deadline=0.1)

            assert len(server.asked) == 1
            token.cancel("enough")
            first.exception(timeout=20)

    def test_a_cancel_ends_the_wait_for_a_place_and_no_other_wait(self) -> None:
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

    def test_who_pauses_leaves_the_place_to_others(self) -> None:
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
    def test_tokens_run_out(self) -> None:
        budget = Budget()
        with bounded(counted(80, 20), replace(QUICK, tokens=150), budget) as (model, server):
            ask(model)
            assert budget.tokens == 100
            ask(model)
            with pytest.raises(BudgetSpentError, match=r"200 of 150 tokens.*model\.tokens"):
                ask(model)

            assert len(server.asked) == 2

    def test_money_runs_out(self) -> None:
        budget = Budget()
        limits = replace(QUICK, money=0.01, price_in=10.0, price_out=100.0)
        with bounded(counted(800, 20), limits, budget) as (model, server):
            ask(model)
            assert budget.money == pytest.approx(0.01)
            with pytest.raises(BudgetSpentError, match=r"model\.money"):
                ask(model)

            assert len(server.asked) == 1

    def test_without_limits_it_is_counted_all_the_same(self) -> None:
        budget = Budget()
        with bounded(counted(10**9, 5), QUICK, budget) as (model, _):
            for _ in range(2):
                ask(model)

        assert (budget.tokens, budget.money) == (2 * (10**9 + 5), 0.0)

    def test_another_task_begins_with_nothing_taken(self) -> None:
        budget = Budget()
        budget.begin("a")
        budget.spend(Usage(5, 6), Limits(price_in=1.0))
        budget.begin("a")
        assert budget.tokens == 11
        assert budget.money > 0.0

        budget.begin("b")

        assert (budget.tokens, budget.money) == (0, 0.0)

    def test_steps_of_no_task_have_a_budget_of_their_own(self) -> None:
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
    def test_asking_for_no_task_ends_when_its_budget_is_spent(self, limits: Limits, spent: str) -> None:
        budget = Budget()
        budget.begin("")
        budget.spend(Usage(60, 0), limits)
        if not spent:
            budget.check(limits, "small", "planner")
            return
        with pytest.raises(BudgetSpentError, match=spent.replace(".", "\\.")):
            budget.check(limits, "small", "planner")

    def test_the_budget_of_a_task_does_not_bound_steps_of_no_task(self) -> None:
        budget, limits = Budget(), Limits(tokens=50, idle_tokens=100)
        budget.begin("a")
        budget.spend(Usage(60, 0), limits)
        with pytest.raises(BudgetSpentError, match="the task has taken 60 of 50 tokens"):
            budget.check(limits, "small", "planner")
        budget.begin("")
        budget.check(limits, "small", "planner")

    def test_models_share_it(self) -> None:
        budget, limits = Budget(), replace(QUICK, tokens=50)
        with (
            bounded(counted(60, 0), limits, budget) as (one, _),
            bounded(YES, limits, budget) as (other, server),
        ):
            ask(one)
            with pytest.raises(BudgetSpentError):
                ask(other)

            assert not server.asked

    def test_what_a_server_does_not_tell_is_estimated(self) -> None:
        budget = Budget()
        with bounded(says("y" * 40), QUICK, budget) as (model, _):
            reply = ask(model, "x" * 400)

        assert budget.tokens == 100 + 10
        assert reply.usage == Usage()  # what is told of the call is not made up

    def test_an_image_is_estimated_by_its_size(self) -> None:
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
    def test_a_failed_call_takes_what_was_read_of_it(
        self, answer: Answer, error: type[Exception], taken: int
    ) -> None:
        budget = Budget()
        with bounded(answer, replace(QUICK, attempts=1), budget) as (model, _), pytest.raises(error):
            ask(model, "x" * 400, deadline=0.2 if isinstance(answer, Hold) else 20.0)

        assert budget.tokens == taken

    def test_every_attempt_is_checked(self) -> None:
        with bounded(HangUp(), replace(QUICK, attempts=9, tokens=150)) as (model, server):
            with pytest.raises(BudgetSpentError):
                ask(model, "x" * 400)

            assert len(server.asked) == 2


class TestOverAnyModel:
    def asked(self, lines: Sequence[ScriptEntry], limits: Limits = QUICK) -> tuple[ChatReply, Budget]:
        budget = Budget()
        return ask(LimitedModel(ScriptedModel(lines), limits, budget)), budget

    def test_a_reply_that_was_known_before_takes_nothing(self) -> None:
        reply, budget = self.asked([ChatReply("yes", usage=Usage(7, 7), attempts=0)])

        assert reply.attempts == 0
        assert budget.tokens == 0

    def test_its_name_is_that_of_the_model(self) -> None:
        assert LimitedModel(ScriptedModel([]), QUICK, Budget()).name == ScriptedModel.name

    def test_an_error_that_is_no_models_is_not_hidden(self) -> None:
        def broken(request: ChatRequest) -> ScriptEntry:
            raise ZeroDivisionError

        model = LimitedModel(ScriptedModel(broken), replace(QUICK, concurrency=1), Budget())
        for _ in range(2):  # and leaves its place
            with pytest.raises(ZeroDivisionError):
                ask(model, deadline=1.0)
