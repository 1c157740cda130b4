"""The port through which roles ask chat models, whatever answers: a server, a model in this process, a record."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from stma_ros.models.images import Picture
from stma_ros.models.json_text import read_json
from stma_ros.types.component import CancelToken

Part: TypeAlias = "str | Picture"


class MessageRole(str, enum.Enum):
    """Whose words a turn holds, as chat APIs spell it."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class ChatMessage:
    """What one side says: texts and pictures, in order."""

    role: MessageRole
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True)
class ReplySchema:
    """The form of the reply as a JSON schema, for models that can be held to one. name: letters, digits and "_"."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Sampling:
    """How the words of the reply are chosen. temperature 0: always the likeliest. seed: None = the model's choice."""

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None


@dataclass(frozen=True)
class ChatRequest:
    """One question. The turns that never change come first: what a model has read before, it need not read again.

    max_tokens: longest reply. deadline: time for all of it, repetitions included [s].
    """

    role: str
    messages: tuple[ChatMessage, ...]
    schema: ReplySchema | None = None
    sampling: Sampling = Sampling()
    max_tokens: int = 1024
    deadline: float = 60.0

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Picture))


class Finish(str, enum.Enum):
    """Why a reply ends."""

    STOP = "stop"  # the model had no more to say
    LENGTH = "length"  # it was cut off
    OTHER = "other"  # anything else, such as a filter of contents


@dataclass(frozen=True)
class Usage:
    """What a call took. None = the model does not tell. cached_tokens: of the prompt, what came out of the model's
    prefix cache. images_kept: pictures that were encoded before, where the model runs in this process."""

    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    cached_tokens: int | None = None
    images_kept: int = 0


@dataclass(frozen=True)
class ChatReply:
    """An answer. latency: of the call that brought it [s]. attempts: how often it was sent; 0 = it was known before."""

    text: str
    finish: Finish = Finish.STOP
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    attempts: int = 1

    @cached_property
    def parsed(self) -> Any:
        """The JSON object in the text, leniently read; None where there is none."""
        return read_json(self.text)


class ChatModel(Protocol):
    """Answers requests; from any thread, also several at once."""

    @property
    def name(self) -> str:
        """Which model and where, for people; never with a key in it."""
        ...

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Asks and waits. Raises ModelError (models.errors); a cancel ends the wait, and the call behind it."""
        ...

    def close(self) -> None:
        """Gives connections and memory back; nothing is asked afterwards."""
        ...
