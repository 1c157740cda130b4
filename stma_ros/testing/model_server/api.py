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
_MESSAGE_ROLES = tuple(role.value for role in MessageRole)


class RefusedError(Exception):
    """A request is answered with an error.

    Attributes:
        status: HTTP status.
        code: OpenAI's code of the cause; None if it has none.
    """

    def __init__(self, status: int, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.code = code

    @property
    def body(self) -> Mapping[str, Any]:
        """Body of the response."""
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
            self.status, "server_error" if self.status >= 500 else "invalid_request_error"
        )
        return {"error": {"message": str(self), "type": kind, "param": None, "code": self.code}}


@dataclass(frozen=True)
class ChatCall:
    """A valid request.

    Attributes:
        model: Name of the model.
        messages: Messages, in order.
        max_tokens: Largest length of the reply; None = unlimited.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int | None

    @property
    def prompt(self) -> str:
        """The text of all messages, in which keys represent pictures."""
        return "".join(f"<{message.role.value}>\n{_text_of(message)}\n" for message in self.messages)


def _text_of(message: ChatMessage) -> str:
    return "\n".join(f"<image {part.key}>" if isinstance(part, Picture) else part for part in message.parts)


@dataclass(frozen=True)
class Completion:
    """The reply to a request.

    Attributes:
        text: Text of the reply.
        finish: Reason why it ends.
        prompt_tokens: Tokens of the request.
        cached_tokens: Tokens of the request that were in the prefix cache.
        reply_tokens: Tokens of the reply.
    """

    text: str
    finish: Finish
    prompt_tokens: int
    cached_tokens: int
    reply_tokens: int


def read_call(body: bytes) -> ChatCall:
    """Parses the body of a chat request.

    Raises:
        RefusedError: The request is invalid.
    """
    try:
        fields = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"The body is not JSON in UTF-8: {error}", "invalid_json") from None
    if not isinstance(fields, dict):
        raise RefusedError(400, "The body has to be a JSON object.")
    model, messages = fields.get("model"), fields.get("messages")
    if not isinstance(model, str):
        raise RefusedError(400, "'model' has to be the name of a model.")
    if not isinstance(messages, list) or not messages:
        raise RefusedError(400, "'messages' has to be a list of at least one message.")
    if fields.get("stream"):
        raise RefusedError(400, "This server does not stream; leave 'stream' out.")
    max_tokens = fields.get("max_completion_tokens", fields.get("max_tokens"))
    if max_tokens is not None and (not isinstance(max_tokens, int) or max_tokens < 1):
        raise RefusedError(400, "'max_tokens' has to be a number from 1 on.")
    return ChatCall(model, tuple(map(_message, messages)), max_tokens)


def _message(message: Any) -> ChatMessage:
    if not isinstance(message, dict) or message.get("role") not in _MESSAGE_ROLES:
        raise RefusedError(400, "A message needs a 'role': system, user or assistant.")
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(parts, list):
        raise RefusedError(400, "The 'content' of a message has to be text, or a list of parts.")
    return ChatMessage(MessageRole(message["role"]), tuple(map(_part, parts)))


def _part(part: Any) -> Part:
    match part:
        case {"type": "text", "text": str(text)}:
            return _valid_text(text)
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return _picture(url)
    raise RefusedError(400, "A part of a message has to be a text, or an image_url.")


def _valid_text(text: str) -> str:
    """Returns the text.

    Raises:
        RefusedError: The text contains a lone surrogate, which JSON can spell but UTF-8 cannot encode.
    """
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
    """Returns the body of the response that lists the models."""
    return {
        "object": "list",
        "data": [{"id": name, "object": "model", "created": 0, "owned_by": "stma_ros"} for name in names],
    }


def reply_body(number: int, model: str, completion: Completion) -> Mapping[str, Any]:
    """Returns the body of the response to a chat request.

    Args:
        number: Number of the request, counted from 1.
        model: Name of the model.
        completion: The reply.
    """
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
