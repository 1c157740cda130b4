"""A cancel token stops work in another thread."""

from __future__ import annotations

import threading

import pytest

from stma_ros.types.component import CancelToken

SOON = 10.0  # [s]


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()


def test_cancel_token_holds_the_first_reason(token: CancelToken) -> None:
    assert not token.canceled
    assert token.reason == ""
    token.cancel("the user")
    token.cancel("the end")
    assert token.canceled
    assert token.reason == "the user"


def test_cancel_wakes_a_waiting_thread(token: CancelToken) -> None:
    woken: list[bool] = []
    waiting = threading.Thread(target=lambda: woken.append(token.wait(SOON)))
    waiting.start()
    token.cancel("enough")
    waiting.join(SOON)
    assert woken == [True]


def test_wait_returns_false_when_the_time_passes_without_a_cancel(token: CancelToken) -> None:
    assert token.wait(0.001) is False


class TestStopping:
    def test_a_cancel_calls_each_stop_once_in_its_own_thread(self, token: CancelToken) -> None:
        called: list[tuple[str, str]] = []

        def stop(name: str) -> None:
            called.append((name, threading.current_thread().name))

        with token.stopping(lambda: stop("outer")), token.stopping(lambda: stop("inner")):
            canceler = threading.Thread(target=token.cancel, args=("enough",), name="canceler")
            canceler.start()
            canceler.join(SOON)
            token.cancel("again")

        assert called == [("outer", "canceler"), ("inner", "canceler")]

    def test_a_stop_is_called_at_once_when_the_token_is_canceled_already(self, token: CancelToken) -> None:
        called: list[str] = []
        token.cancel("enough")
        with token.stopping(lambda: called.append(token.reason)):
            assert called == ["enough"]
        assert called == ["enough"]

    def test_a_stop_is_not_called_after_its_block_has_ended(self, token: CancelToken) -> None:
        called: list[str] = []

        def broken() -> None:
            with token.stopping(lambda: called.append("broken")):
                raise ValueError("broken")

        with token.stopping(lambda: called.append("whole")):
            pass
        with pytest.raises(ValueError, match="broken"):
            broken()
        token.cancel("enough")
        assert called == []

    def test_a_stop_can_read_the_token(self, token: CancelToken) -> None:
        seen: list[bool] = []
        with token.stopping(lambda: seen.append(token.canceled and token.wait(0.0))):
            token.cancel("enough")
        assert seen == [True]

    def test_a_cancel_at_the_start_of_the_block_calls_the_stop_exactly_once(self) -> None:
        for _ in range(300):
            token = CancelToken()
            stopped = threading.Semaphore(0)
            both = threading.Barrier(2)

            def cancel(token: CancelToken = token, both: threading.Barrier = both) -> None:
                both.wait(SOON)
                token.cancel("now")

            canceler = threading.Thread(target=cancel)
            canceler.start()
            both.wait(SOON)
            with token.stopping(stopped.release):
                assert stopped.acquire(timeout=SOON)
            canceler.join(SOON)
            assert not stopped.acquire(blocking=False)
