"""The way to a scripted model, for tests of prompted roles."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from stma_ros.models.chat import ChatReply, ChatRequest, ReplySchema, Turn
from stma_ros.models.scripted import Line as ScriptLine
from stma_ros.models.scripted import ScriptedModel
from stma_ros.types.component import CancelToken


class ScriptedLine:
    """A Line whose model says one line of a script after the other, an object as JSON.

    kept: the replies that were of use; refused: why others were not.
    """

    def __init__(
        self,
        *lines: ScriptLine | Mapping[str, object],
        role: str = "tested role",
        answer: Callable[[ChatRequest], ScriptLine] | None = None,
    ) -> None:
        """answer: says it instead of the lines."""
        texts = [json.dumps(line) if isinstance(line, Mapping) else line for line in lines]
        self.role = role
        self.kept: list[ChatReply] = []
        self.refused: list[str] = []
        self._model = ScriptedModel(answer or texts)

    @property
    def requests(self) -> list[ChatRequest]:
        return self._model.requests

    def ask(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int) -> ChatReply:
        request = ChatRequest(self.role, tuple(turns), schema, max_tokens=max_tokens)
        return self._model.chat(request, CancelToken())

    def keep(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int, reply: ChatReply) -> None:
        self.kept.append(reply)

    def refuse(self, problem: str) -> None:
        self.refused.append(problem)
