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
        requests: the requests that it received, in order.
    """

    name = "script"

    def __init__(self, script: Iterable[ScriptEntry] | Callable[[ChatRequest], ScriptEntry]) -> None:
        self.requests: list[ChatRequest] = []
        self._lock = threading.Lock()
        self._answer = script if callable(script) else _in_order(script)

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Returns the next reply.

        Raises:
            CallCanceledError: the token was canceled.
            FinalModelError: the script has no more entries.
            ModelError: the entry is an error.
        """
        if token.canceled:
            raise CallCanceledError(self.name, request.role, token.reason)
        with self._lock:
            self.requests.append(request)
            entry = self._answer(request)
        if isinstance(entry, ModelError):
            raise entry
        return entry if isinstance(entry, ChatReply) else ChatReply(entry, usage=Usage())

    def close(self) -> None:
        pass


def _in_order(script: Iterable[ScriptEntry]) -> Callable[[ChatRequest], ScriptEntry]:
    rest = iter(script)

    def answer(request: ChatRequest) -> ScriptEntry:
        entry = next(rest, None)
        return (
            FinalModelError(ScriptedModel.name, request.role, "the script is at its end")
            if entry is None
            else entry
        )

    return answer
