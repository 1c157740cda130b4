"""Requests and replies of OpenAI's chat API."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stma_ros.models.chat import ChatMessage, Finish, MessageRole, Part
from stma_ros.models.images import Picture, read_picture
from stma_ros.types.errors import BadImageError

_DATA = re.compile(r"data:image/[\w.+-]+;base64,(?P<data>.*)", re.DOTALL)
_ROLES_OF_MESSAGES = tuple(speaker.value for speaker in MessageRole)


class RefusedError(Exception):
    """A request that gets an error for an answer. status: of HTTP; code: as OpenAI names the cause."""

    def __init__(self, status: int, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.code = code

    @property
    def body(self) -> Mapping[str, Any]:
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
            self.status, "server_error" if self.status >= 500 else "invalid_request_error"
        )
        return {"error": {"message": str(self), "type": kind, "param": None, "code": self.code}}


@dataclass(frozen=True)
class ChatCall:
    """A request that was understood. max_tokens: None = as many as it takes."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int | None

    @property
    def prompt(self) -> str:
        """All that the model reads, one turn after the other; of a picture its key."""
        return "".join(f"<{message.role.value}>\n{_read(message)}\n" for message in self.messages)


def _read(message: ChatMessage) -> str:
    return "\n".join(f"<image {part.key}>" if isinstance(part, Picture) else part for part in message.parts)


@dataclass(frozen=True)
class Completion:
    """The model's answer to a request. cached_tokens: prompt tokens that it had read before."""

    text: str
    finish: Finish
    prompt_tokens: int
    cached_tokens: int
    reply_tokens: int


def read_call(body: bytes) -> ChatCall:
    """Raises RefusedError for anything that is no chat."""
    try:
        told = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"The body is not JSON in UTF-8: {error}", "invalid_json") from None
    if not isinstance(told, dict):
        raise RefusedError(400, "The body has to be a JSON object.")
    model, messages = told.get("model"), told.get("messages")
    if not isinstance(model, str):
        raise RefusedError(400, "'model' has to be the name of a model.")
    if not isinstance(messages, list) or not messages:
        raise RefusedError(400, "'messages' has to be a list of at least one message.")
    if told.get("stream"):
        raise RefusedError(400, "This server does not stream; leave 'stream' out.")
    most = told.get("max_completion_tokens", told.get("max_tokens"))
    if most is not None and (not isinstance(most, int) or most < 1):
        raise RefusedError(400, "'max_tokens' has to be a number from 1 on.")
    return ChatCall(model, tuple(map(_message, messages)), most)


def _message(message: Any) -> ChatMessage:
    if not isinstance(message, dict) or message.get("role") not in _ROLES_OF_MESSAGES:
        raise RefusedError(400, "A message needs a 'role': system, user or assistant.")
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(parts, list):
        raise RefusedError(400, "The 'content' of a message has to be text, or a list of parts.")
    return ChatMessage(MessageRole(message["role"]), tuple(map(_part, parts)))


def _part(part: Any) -> Part:
    match part:
        case {"type": "text", "text": str(text)}:
            return _whole(text)
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return _picture(url)
    raise RefusedError(400, "A part of a message has to be a text, or an image_url.")


def _whole(text: str) -> str:
    """Raises RefusedError for one with half a character in it: JSON can spell what no text can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusedError(400, "A text holds half a character (a lone surrogate).") from None
    return text


def _picture(url: str) -> Picture:
    data = _DATA.fullmatch(url)
    if data is None:
        raise RefusedError(
            400, "An image has to come as data:image/png;base64,... or likewise.", "invalid_image"
        )
    try:
        return read_picture(base64.b64decode(data["data"], validate=True))
    except (binascii.Error, ValueError, BadImageError) as error:
        raise RefusedError(400, f"An image cannot be read: {error}", "invalid_image") from None


def models_body(names: tuple[str, ...]) -> Mapping[str, Any]:
    return {
        "object": "list",
        "data": [{"id": name, "object": "model", "created": 0, "owned_by": "stma_ros"} for name in names],
    }


def reply_body(number: int, model: str, completion: Completion) -> Mapping[str, Any]:
    """number: of the chat, from 1 on."""
    message = {"role": MessageRole.ASSISTANT.value, "content": completion.text, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": completion.finish.value}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.reply_tokens,
            "total_tokens": completion.prompt_tokens + completion.reply_tokens,
            "prompt_tokens_details": {"cached_tokens": completion.cached_tokens},
        },
    }
