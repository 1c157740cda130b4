"""The stand-in for a model, asked directly."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.models.chat import ChatMessage, ChatReply, ReplySchema
from stma_ros.roles.reply import reply_json
from stma_ros.testing.model_server.role_answers import Answering

ANSWERING = Answering()


class Served:
    """A ModelClient that asks the stand-in's rules directly, without the server."""

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        reply = ANSWERING.answer(messages)
        assert reply is not None
        return ChatReply(reply_json(reply))

    def cache(self, *cached: object) -> None:
        pass

    def reject(self, problem: str) -> None:
        raise AssertionError(problem)

    def note(self, faults: str) -> None:
        raise AssertionError(faults)
