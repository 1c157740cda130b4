"""Access to a scripted model, for tests of prompted roles."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, ReplySchema
from stma_ros.models.scripted import ScriptedModel, ScriptEntry
from stma_ros.roles.prompt import Prompt, find_prompt
from stma_ros.roles.registry import ROLES
from stma_ros.roles.reply_form import ReplyForm
from stma_ros.roles.runner import ModelClient, PromptedRole
from stma_ros.types.component import CancelToken

COOKING, HOUSEHOLD = "stma_ros.domains.cooking", "stma_ros.domains.household"
PDDL = "stma_ros.domains.pddl"


def prompted(role: Any, line: ModelClient, rules: Any = None, domain: str = COOKING) -> Any:
    """Returns a role that a model answers with the prompt of a domain."""
    return PromptedRole(role, line, find_prompt(role.name, domain), rules)


def prompt_of(name: str) -> Prompt:
    """Returns the prompt of a role in a domain: "cooking/planner"."""
    domain, _, role = name.partition("/")
    return find_prompt(role, f"stma_ros.domains.{domain}")


def text_of(question: object) -> str:
    """Returns the text of a question to any role; roles with the same type of question render it alike."""
    (text,) = {role.text(question) for role in ROLES if type(question) is role.question}
    return text


def read_reply(form: type, text: str) -> Any:
    """Returns the reply in a JSON text.

    Raises:
        UnusableReplyError: the text is no such reply.
    """
    return ReplyForm(form).read(json.loads(text))


class ScriptedClient:
    """A RoleClient whose model replies with one line of a script after the other, an object as JSON.

    Attributes:
        cached: the usable replies.
        rejected: the reasons why others were unusable.
        noted: what was left out of replies that were usable in part.
    """

    def __init__(
        self,
        *lines: ScriptEntry | Mapping[str, object],
        answer: Callable[[ChatRequest], ScriptEntry] | None = None,
    ) -> None:
        """Makes a client.

        Args:
            answer: replies in place of the lines.
        """
        texts = [json.dumps(line) if isinstance(line, Mapping) else line for line in lines]
        self.cached: list[ChatReply] = []
        self.rejected: list[str] = []
        self.noted: list[str] = []
        self._model = ScriptedModel(answer or texts)

    @property
    def requests(self) -> list[ChatRequest]:
        return self._model.requests

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        request = ChatRequest("tested role", tuple(messages), schema, max_tokens=max_tokens)
        return self._model.chat(request, CancelToken())

    def cache(
        self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int, reply: ChatReply
    ) -> None:
        self.cached.append(reply)

    def reject(self, problem: str) -> None:
        self.rejected.append(problem)

    def note(self, faults: str) -> None:
        self.noted.append(faults)
