"""The client with which scorers ask a chat model."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.models.chat import ChatMessage, ChatModel, ChatReply, ChatRequest, ReplySchema
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken

_DEADLINE = 60.0  # of one call [s]


class JudgeClient:
    """A `roles.runner.ModelClient` of one model, without a cache."""

    def __init__(
        self, role: str, model: ChatModel, sampling: Sampling, token: CancelToken | None = None
    ) -> None:
        """Creates a client.

        Args:
            role: name of the role that asks.
            model: the model to ask; the caller owns it.
            sampling: how its replies are sampled.
            token: cancels its calls.
        """
        self._role = role
        self._model = model
        self._sampling = sampling
        self._token = token or CancelToken()

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        request = ChatRequest(self._role, tuple(messages), schema, self._sampling, max_tokens, _DEADLINE)
        return self._model.chat(request, self._token)

    def cache(
        self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int, reply: ChatReply
    ) -> None:
        """Nothing: sampled replies differ."""

    def reject(self, problem: str) -> None:
        """Nothing: the second reply decides."""

    def note(self, faults: str) -> None:
        """Nothing: the answers show what was used."""
