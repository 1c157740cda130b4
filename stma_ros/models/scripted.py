"""A chat model for tests that replies from a script."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TypeAlias

from stma_ros.models.chat import ChatReply, ChatRequest, Usage
from stma_ros.models.errors import CallCanceledError, FinalModelError, ModelError
from stma_ros.types.component import CancelToken

ScriptEntry: TypeAlias = "str | ChatReply | ModelError"
"""A reply, or the error that is raised in its place."""


class ScriptedModel:
    """A ChatModel that replies with the entries of a script in order, or with what a function of the request returns.

    Attributes:
        requests: what it was asked, in order.
    """

    name = "script"

    def __init__(self, lines: Iterable[ScriptEntry] | Callable[[ChatRequest], ScriptEntry]) -> None:
        self.requests: list[ChatRequest] = []
        self._lock = threading.Lock()
        self._answer = lines if callable(lines) else _reading(lines)

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Returns the next reply. Raises FinalModelError if the script has ended."""
        if token.canceled:
            raise CallCanceledError(self.name, request.role, token.reason)
        with self._lock:
            self.requests.append(request)
            line = self._answer(request)
        if isinstance(line, ModelError):
            raise line
        return line if isinstance(line, ChatReply) else ChatReply(line, usage=Usage())

    def close(self) -> None:
        pass


def _reading(lines: Iterable[ScriptEntry]) -> Callable[[ChatRequest], ScriptEntry]:
    rest = iter(lines)

    def answer(request: ChatRequest) -> ScriptEntry:
        line = next(rest, None)
        return (
            FinalModelError(ScriptedModel.name, request.role, "the script is at its end")
            if line is None
            else line
        )

    return answer
