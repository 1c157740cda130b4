"""The interface of chat models: a server, a model in this process, or a recording."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from stma_ros.models.images import Picture
from stma_ros.models.json_text import JsonObjects, read_all_json, read_json
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken

Part: TypeAlias = "str | Picture"


class MessageRole(str, enum.Enum):
    """Author of a message, as chat APIs spell it."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class ChatMessage:
    """One message: texts and pictures, in order."""

    role: MessageRole
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The texts, one to a line."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True)
class ReplySchema:
    """JSON schema of the reply, for models with constrained decoding.

    Attributes:
        name: letters, digits and "_".
        schema: the schema.
    """

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class ChatRequest:
    """One request. Messages that never change come first, so that a prefix cache can hold them.

    Attributes:
        role: name of the role that asks.
        messages: messages, in order.
        schema: form of the reply; None = free.
        sampling: how the reply is sampled.
        max_tokens: largest length of the reply.
        deadline: time limit of all attempts together [s].
    """

    role: str
    messages: tuple[ChatMessage, ...]
    schema: ReplySchema | None = None
    sampling: Sampling = Sampling()
    max_tokens: int = 1024
    deadline: float = 60.0

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all messages, in order."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Picture))


class Finish(str, enum.Enum):
    """Reason why a reply ends."""

    STOP = "stop"  # the model ended it
    LENGTH = "length"  # it was truncated at the largest length
    OTHER = "other"  # any other reason, such as a content filter


@dataclass(frozen=True)
class Usage:
    """Token counts of a call; None if the model does not report them.

    Attributes:
        prompt_tokens: tokens of the request.
        reply_tokens: tokens of the reply.
        cached_tokens: tokens of the request that were in the model's prefix cache.
        images_kept: number of pictures whose encoding was cached, for models in this process.
    """

    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    cached_tokens: int | None = None
    images_kept: int = 0


@dataclass(frozen=True)
class ChatReply:
    """A reply.

    Attributes:
        text: text of the reply.
        finish: reason why it ends.
        usage: token counts of the call.
        latency: latency of the call [s].
        attempts: number of sends; 0 = the reply was cached.
    """

    text: str
    finish: Finish = Finish.STOP
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    attempts: int = 1

    @cached_property
    def parsed(self) -> Any:
        """The JSON object in the text, leniently read; None if there is none."""
        return read_json(self.text)

    @cached_property
    def objects(self) -> JsonObjects:
        """All JSON objects in the text."""
        return read_all_json(self.text)


class ChatModel(Protocol):
    """Answers requests. Thread-safe."""

    @property
    def name(self) -> str:
        """The model and its address for users, without the key."""
        ...

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Sends a request and waits for the reply; a cancel ends the wait and the underlying call.

        Raises:
            ModelError: there is no reply (models.errors).
        """
        ...

    def close(self) -> None:
        """Releases connections and memory; called after the last request."""
        ...
