"""What bounds a call of a model in this process: its deadline, its cancel, its turn, its cores and its seed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from stma_ros.models.chat import ChatRequest
from stma_ros.models.errors import CallCanceledError, DeadlineError, ModelError
from stma_ros.types.component import CancelToken

_E = TypeVar("_E", bound=ModelError)


@dataclass(frozen=True)
class Call:
    """A request that is being answered. start: when it was made, on the monotonic clock [s]."""

    model: str
    request: ChatRequest
    token: CancelToken
    start: float

    @property
    def left(self) -> float:
        """[s], below zero when the deadline has passed."""
        return self.start + self.request.deadline - time.monotonic()

    def check(self) -> None:
        """Raises CallCanceledError or DeadlineError when it is over."""
        if self.token.canceled:
            raise self.failed(CallCanceledError, self.token.reason or "it was canceled")
        if self.left <= 0.0:
            raise self.failed(
                DeadlineError,
                f"it took more than {self.request.deadline:g} s",
                "allow more time, ask for shorter replies, or take a smaller model",
            )

    def failed(self, kind: type[_E], cause: str, remedy: str = "") -> _E:
        return kind(self.model, self.request.role, cause, remedy)


class Gate:
    """Lets one call through at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False

    @contextmanager
    def passing(self, call: Call) -> Iterator[None]:
        """Waits for the call's turn. Raises CallCanceledError or DeadlineError when it is over before that."""
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
    """While in the block, `check` is called before each layer of the network runs, and may raise.

    transformers itself looks only between tokens; the first one can take most of the time, because all of the prompt
    is read for it. Every network there keeps its layers in lists.
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


@contextmanager
def on_most_cores() -> Iterator[None]:
    """Lets torch use the cores that this process may run on, but for one. Others in the process, such as the sentence
    encoder, set it to what suits them.

    All threads wait for the last one after every product of matrices: with none left for the rest of the robot, a
    single busy neighbour makes a model several times slower than one core alone would.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(max(1, len(os.sched_getaffinity(0)) - 1))
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def seeded(seed: int | None, device: Any) -> Iterator[None]:
    """Draws in the block follow from the seed, and leave no trace outside. None: as chance will have it."""
    if seed is None:
        yield
        return
    import torch

    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield
