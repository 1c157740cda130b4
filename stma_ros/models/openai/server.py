"""A client of models behind OpenAI's chat completions API: hosted ones, vLLM, llama.cpp, Ollama and others."""

from __future__ import annotations

import asyncio
import base64
import enum
import json
import threading
import time
from concurrent.futures import CancelledError
from typing import Any
from urllib.parse import urlsplit

from openai import APIConnectionError, APIStatusError, AsyncOpenAI, OpenAIError

from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, Finish, Part, Usage
from stma_ros.models.error_mapping import ErrorResponse, RequestContext
from stma_ros.models.errors import (
    CallCanceledError,
    ConnectionLostError,
    DeadlineError,
    ModelError,
    UnreachableError,
    UnreadableReplyError,
)
from stma_ros.models.images import Picture
from stma_ros.models.openai.connection import Connection, max_response_bytes
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError

_BYTES_PER_TOKEN = 64  # in JSON, where one letter may take twelve
_EXTRA_BYTES = 256 * 1024  # of a response besides the text of the reply
_LIST_TIMEOUT = 2.0  # for the list of a server's models [s]
_MAX_LISTED = 8
# Names of errors: openai 2 is based on httpx and openai 3 on httpx2, whose error classes have the same names.
_UNREACHABLE_ERRORS = ("ConnectError", "ConnectTimeout", "ProxyError", "SSLCertVerificationError")
_DECODING_ERRORS = ("DecodingError",)


class Structured(str, enum.Enum):
    """The form of replies that a server is asked to enforce if the request has a schema."""

    SCHEMA = "schema"
    JSON = "json"  # any JSON object
    NONE = "none"


class OpenAiModel:
    """A ChatModel that sends each request once, without retries (those are in models.limited_model).

    The largest length of a reply is sent as `max_tokens`. If the server requires `max_completion_tokens`, the request
    is repeated with it immediately, and later requests use it from the start.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str = "",
        *,
        structured: Structured = Structured.SCHEMA,
        key_name: str = "",
    ) -> None:
        """Makes a client; it connects at the first request.

        Args:
            model: Name of the model on the server.
            base_url: Address of the API, http://HOST:PORT/v1.
            key: API key; empty = none.
            structured: Form of replies that the server is asked to enforce.
            key_name: Environment variable that the key comes from, for error messages.

        Raises:
            ConfigurationError: The address is invalid or contains a password, or the key cannot be sent.
        """
        _check_address(base_url)
        key = key.strip()
        if not all("!" <= letter <= "~" for letter in key):
            raise ConfigurationError(
                f"the key for {base_url} holds characters that no key has: correct {key_name or 'it'}"
            )
        self.name = f"{model} at {base_url}"
        self._model = model
        self._base_url = base_url
        self._key = key
        self._key_name = key_name
        self._structured = structured
        self._limit_name = "max_tokens"
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Sends a request. A cancel closes the connection, which lets the server stop generating.

        Raises:
            ModelError: There is no reply.
        """
        outcome = self._outcome(request, token)
        if isinstance(outcome, ModelError):
            raise outcome  # here, where no exception is being handled: its context might contain the key
        return outcome

    def close(self) -> None:
        """Cancels pending requests and closes the connection."""
        with self._lock:
            self._closed = True
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _outcome(self, request: ChatRequest, token: CancelToken) -> ChatReply | ModelError:
        with self._lock:
            if self._closed or token.canceled:
                return self._canceled(request, token)
            if self._connection is None:
                self._connection = Connection(self._base_url, self._key)
            connection = self._connection
            future = asyncio.run_coroutine_threadsafe(
                self._answer(connection.client, request), connection.loop
            )
        try:
            with token.stopping(future.cancel):
                return future.result()
        except CancelledError:
            return self._canceled(request, token)
        finally:
            future.cancel()  # after an interrupt (Ctrl-C) during the wait

    def _canceled(self, request: ChatRequest, token: CancelToken) -> CallCanceledError:
        return CallCanceledError(self.name, request.role, token.reason or "the model was closed")

    async def _answer(self, client: AsyncOpenAI, request: ChatRequest) -> ChatReply | ModelError:
        begun = time.monotonic()
        try:
            return await asyncio.wait_for(self._ask(client, request, begun), request.deadline)
        except asyncio.TimeoutError:
            return DeadlineError(
                self.name,
                request.role,
                f"no answer within {request.deadline:g} s",
                "Raise model.deadline, or see what keeps the server so long",
            )

    async def _ask(self, client: AsyncOpenAI, request: ChatRequest, begun: float) -> ChatReply | ModelError:
        max_bytes = _EXTRA_BYTES + _BYTES_PER_TOKEN * request.max_tokens
        max_response_bytes.set(max_bytes)
        limit_name = self._limit_name
        try:
            raw = await client.chat.completions.with_raw_response.create(**self._body(request, limit_name))
        except APIStatusError as error:
            response = ErrorResponse.read(error.status_code, error.response.headers, error.response.text)
        except OpenAIError as error:
            return self._connection_error(request, error)
        else:
            return self._read(request, raw.content, max_bytes, begun)
        if response.rejects_max_tokens and limit_name == "max_tokens":
            self._limit_name = "max_completion_tokens"
            return await self._ask(client, request, begun)
        context = self._context(request)
        models = ""
        if response.status == 404:
            left = request.deadline - (time.monotonic() - begun)
            models = context.quote(await _models(client, min(_LIST_TIMEOUT, left / 2)))
        return context.error(response, models)

    def _body(self, request: ChatRequest, limit_name: str) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [_message(message) for message in request.messages],
            "temperature": sampling.temperature,
            limit_name: request.max_tokens,
        }
        if sampling.top_p != 1.0:
            body["top_p"] = sampling.top_p
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if sampling.presence_penalty:
            body["presence_penalty"] = sampling.presence_penalty
        if sampling.top_k:
            body["extra_body"] = {
                "top_k": sampling.top_k
            }  # vLLM, llama.cpp and others know it; the client does not
        if request.schema is not None and self._structured is Structured.SCHEMA:
            schema = {"name": request.schema.name, "schema": dict(request.schema.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and self._structured is Structured.JSON:
            body["response_format"] = {"type": "json_object"}
        return body

    def _context(self, request: ChatRequest) -> RequestContext:
        is_structured = request.schema is not None and self._structured is not Structured.NONE
        return RequestContext(
            self.name,
            request.role,
            bool(request.pictures),
            self._structured.value if is_structured else "",
            self._key_name,
            (self._key,) if self._key else (),
        )

    def _connection_error(self, request: ChatRequest, error: OpenAIError) -> ModelError:
        """Returns the error for a request without any response."""
        reason: BaseException = error.__cause__ or error
        kind = type(reason).__name__
        cause = self._context(request).quote(f"{kind}: {reason}" if str(reason) else kind)
        if kind in _UNREACHABLE_ERRORS:
            return UnreachableError(
                self.name,
                request.role,
                f"no connection ({cause})",
                "Is the server running, and is the address right, with its /v1?",
            )
        if kind in _DECODING_ERRORS or not isinstance(error, APIConnectionError):
            return self._unreadable(request, f"what came back cannot be read ({cause})")
        return ConnectionLostError(
            self.name, request.role, f"the connection broke off ({cause})", "See the server's own log"
        )

    def _read(
        self, request: ChatRequest, content: bytes, max_bytes: int, begun: float
    ) -> ChatReply | ModelError:
        """Returns the reply in the body of a response."""
        if len(content) > max_bytes:
            return self._unreadable(
                request,
                f"the reply goes on after {max_bytes} bytes, though {request.max_tokens} tokens were asked for",
            )
        try:
            body = json.loads(content.decode("utf-8"))
        except UnicodeDecodeError:
            return self._unreadable(request, "the reply is not UTF-8")
        except (ValueError, RecursionError):
            start = self._context(request).quote(content.decode("utf-8"))
            return self._unreadable(request, f'the reply is not JSON: "{start}"')
        choice = _first(_field(body, "choices"))
        message = _field(choice, "message")
        if message is None:
            return self._unreadable(request, "the reply holds no message")
        text = _field(message, "content")
        if not isinstance(text, str) or _field(message, "refusal"):
            return self._unreadable(request, self._missing_text(request, choice, message))
        finish = _FINISHES.get(str(_field(choice, "finish_reason")), Finish.OTHER)
        return ChatReply(text, finish, _usage(_field(body, "usage")), time.monotonic() - begun)

    def _missing_text(self, request: ChatRequest, choice: object, message: object) -> str:
        """Returns the reason why a message has no text, for an error message."""
        quote = self._context(request).quote
        if refusal := _field(message, "refusal"):
            return f'the model refuses: "{quote(str(refusal))}"'
        if call := _first(_field(message, "tool_calls")):
            return f'the model calls a tool, "{quote(str(_field(_field(call, "function"), "name")))}"'
        return f'the reply holds no text, and ends by "{quote(str(_field(choice, "finish_reason")))}"'

    def _unreadable(self, request: ChatRequest, cause: str) -> UnreadableReplyError:
        return UnreadableReplyError(
            self.name, request.role, cause, "See whether the server and its model fit each other"
        )


_FINISHES = {"stop": Finish.STOP, "length": Finish.LENGTH}


async def _models(client: AsyncOpenAI, seconds: float) -> str:
    """Returns the names of a server's models for an error message; empty if it does not list them in time."""
    try:
        raw = await asyncio.wait_for(client.models.with_raw_response.list(), seconds)
        found = json.loads(raw.content)
    except (OpenAIError, asyncio.TimeoutError, ValueError, RecursionError):
        return ""
    listed = _field(found, "data")
    names = [str(_field(each, "id")) for each in listed] if isinstance(listed, list) else []
    more = [f"{len(names) - _MAX_LISTED} more"] if len(names) > _MAX_LISTED else []
    return ", ".join([*names[:_MAX_LISTED], *more])


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_valid = (
            parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ConfigurationError("the address of a model's server must be like http://HOST:PORT/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            f"the address of the model's server at {parts.hostname} must hold no user, password, query or fragment: "
            "it is shown and logged. Give a key as a key"
        )


def _message(message: ChatMessage) -> dict[str, Any]:
    if all(isinstance(part, str) for part in message.parts):
        return {"role": message.role.value, "content": message.text}
    return {"role": message.role.value, "content": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Picture):
        data = base64.b64encode(part.png).decode("ascii")
        return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    return {"type": "text", "text": part}


def _usage(usage: object) -> Usage:
    return Usage(
        _count(_field(usage, "prompt_tokens")),
        _count(_field(usage, "completion_tokens")),
        _count(_field(_field(usage, "prompt_tokens_details"), "cached_tokens")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _field(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _first(values: object) -> Any:
    return values[0] if isinstance(values, list) and values else None
