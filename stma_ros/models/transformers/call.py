"""Controls a call of a model in this process: deadline, cancellation, mutual exclusion, CPU cores and random seed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from stma_ros.models.chat import ChatRequest
from stma_ros.models.errors import CallCanceledError, DeadlineError, ModelError
from stma_ros.models.transformers.runtime import on_threads
from stma_ros.types.component import CancelToken

_E = TypeVar("_E", bound=ModelError)


@dataclass(frozen=True)
class Call:
    """A request that is being answered.

    Attributes:
        model: Name of the model.
        request: The request.
        token: Token that cancels the call.
        start: Time of the request on the monotonic clock [s].
    """

    model: str
    request: ChatRequest
    token: CancelToken
    start: float

    @property
    def left(self) -> float:
        """Remaining time [s]; negative after the deadline."""
        return self.start + self.request.deadline - time.monotonic()

    def check(self) -> None:
        """Checks that the call may go on.

        Raises:
            CallCanceledError: The call was canceled.
            DeadlineError: The deadline has passed.
        """
        if self.token.canceled:
            raise self.failed(CallCanceledError, self.token.reason or "it was canceled")
        if self.left <= 0.0:
            raise self.failed(
                DeadlineError,
                f"it took more than {self.request.deadline:g} s",
                "allow more time, ask for shorter replies, or take a smaller model",
            )

    def failed(self, kind: type[_E], cause: str, remedy: str = "") -> _E:
        """Returns an error of this call."""
        return kind(self.model, self.request.role, cause, remedy)


class Gate:
    """A lock that admits one call at a time, and stops waiting at a call's deadline or cancel."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False

    @contextmanager
    def passing(self, call: Call) -> Iterator[None]:
        """Waits until no other call runs, and holds the lock during the block.

        Raises:
            CallCanceledError: The call was canceled during the wait.
            DeadlineError: The deadline passed during the wait.
        """
        with call.token.stopping(self._wake), self._changed:
            call.check()
            while self._taken:
                self._changed.wait(call.left)
                call.check()
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


@contextmanager
def checked_at_every_layer(network: Any, check: Callable[[], None]) -> Iterator[None]:
    """Calls `check`, which may raise, before each layer of the network during the block.

    transformers itself checks stopping criteria only between tokens, and the first token can take most of the time
    because the whole prompt is read for it. The layers are found in the network's module lists.
    """
    import torch

    def before(*_: object) -> None:
        check()

    layers = [layer for part in network.modules() if isinstance(part, torch.nn.ModuleList) for layer in part]
    hooks = [layer.register_forward_pre_hook(before) for layer in layers]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def on_most_cores() -> AbstractContextManager[None]:
    """Lets torch use all but one of the cores that this process may run on during the block.

    After every matrix product, all threads wait for the last one: without a free core, a single busy process elsewhere
    makes a model several times slower than it would be on one core.
    """
    return on_threads(max(1, len(os.sched_getaffinity(0)) - 1))


@contextmanager
def seeded(seed: int | None, device: Any) -> Iterator[None]:
    """Seeds torch's random numbers during the block, and restores their state afterwards; None changes nothing."""
    if seed is None:
        yield
        return
    import torch

    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield
