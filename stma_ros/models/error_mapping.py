"""Maps error responses of OpenAI-compatible servers to model errors."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from stma_ros.models.errors import (
    BadRequestError,
    ContextOverflowError,
    ImageRefusedError,
    ModelError,
    RateLimitedError,
    SchemaRefusedError,
    ServerFailedError,
    UnknownModelError,
    WrongKeyError,
)

_MAX_QUOTE = 300  # characters of a server's message in an error
# Phrases of hosted APIs, vLLM, llama.cpp, Ollama and text-generation-inference.
_TOO_LONG = re.compile(
    r"context.{0,2}length|maximum context|too many tokens|exceeds the available context size|prompt is too long|"
    r"inputs. tokens \+ .max_new_tokens",
    re.IGNORECASE,
)
_OF_SCHEMA = re.compile(r"response_format|schema|grammar", re.IGNORECASE)
_OF_IMAGES = re.compile(
    r"image|vision|multi-?modal|mmproj|content.{0,60}(must be|expected) a string", re.IGNORECASE | re.DOTALL
)
_NO_IMAGES_AT_ALL = re.compile(r"image input is not supported", re.IGNORECASE)  # llama.cpp, with a 500
_NOT_SUPPORTED = re.compile(r"unsupported|not supported", re.IGNORECASE)


@dataclass(frozen=True)
class ErrorResponse:
    """A response with an error status.

    Attributes:
        status: HTTP status.
        text: the server's message, which may contain a key.
        retry_after: pause that the server asks for [s]; 0 = not given.
    """

    status: int
    text: str
    retry_after: float = 0.0

    @classmethod
    def read(cls, status: int, headers: Mapping[str, str], body: str) -> ErrorResponse:
        text = f"go to {headers['location']}" if "location" in headers else _message(body)
        return cls(status, text, _seconds(headers.get("retry-after", "")))

    @property
    def rejects_max_tokens(self) -> bool:
        """Whether the server requires another name for the largest length of the reply."""
        return (
            self.status == 400
            and "max_tokens" in self.text
            and _NOT_SUPPORTED.search(self.text) is not None
            and not _TOO_LONG.search(self.text)
        )


@dataclass(frozen=True)
class RequestContext:
    """The properties of a request that decide what an error response means.

    Attributes:
        model: name of the model for users.
        role: name of the role that asked.
        pictures: whether the request has pictures.
        structured: value of the setting `structured`; empty if no form of the reply was requested.
        key_name: environment variable with the key.
        secrets: texts that error messages must not show.
    """

    model: str
    role: str
    pictures: bool
    structured: str
    key_name: str
    secrets: tuple[str, ...]

    def quote(self, text: str) -> str:
        """Returns a server's text on one line, without secrets and shortened.

        Secrets are removed before the text is shortened, so that no part of a key remains.
        """
        for secret in self.secrets:
            text = text.replace(secret, "***")
        line = " ".join(text.split())
        return line if len(line) <= _MAX_QUOTE else f"{line[: _MAX_QUOTE - 3]}..."

    def error(self, response: ErrorResponse, models: str = "") -> ModelError:
        """Returns the error for a response.

        Args:
            response: the response.
            models: names of the server's models, for the error message.
        """
        status = response.status
        cause = f"the server says {status}" + (f' "{text}"' if (text := self.quote(response.text)) else "")
        if status == 429:
            return RateLimitedError(
                self.model,
                self.role,
                cause,
                "Ask less at once (model.concurrency), or see what your account may ask",
                response.retry_after,
            )
        if status == 500 and self.pictures and _NO_IMAGES_AT_ALL.search(response.text):
            return self._image_refused(cause)
        if status >= 500:
            return ServerFailedError(
                self.model, self.role, cause, "See the server's own log", response.retry_after
            )
        if status in (401, 403):
            where = f"the environment variable {self.key_name}" if self.key_name else "the setting of the key"
            return WrongKeyError(self.model, self.role, cause, f"Put a key that it accepts into {where}")
        if status == 404:
            remedy = f"It has: {models}" if models else "Is the address right, with its /v1, and the name?"
            return UnknownModelError(self.model, self.role, cause, remedy)
        return self._refused_request(response, cause)

    def _refused_request(self, response: ErrorResponse, cause: str) -> ModelError:
        status, text = response.status, response.text
        if status in (400, 413, 422) and _TOO_LONG.search(text):
            return ContextOverflowError(
                self.model,
                self.role,
                cause,
                "Start the server with a longer context, or ask a model that has one",
            )
        if status in (400, 422) and self.structured and _OF_SCHEMA.search(text):
            others = (
                "model.structured=json or none" if self.structured == "schema" else "model.structured=none"
            )
            return SchemaRefusedError(self.model, self.role, cause, f"Set {others}")
        if self.pictures and (status in (413, 415) or (status in (400, 422) and _OF_IMAGES.search(text))):
            return self._image_refused(cause)
        redirected = status < 400
        remedy = (
            "Set that address" if redirected else "Correct what it objects to, in the settings of `model`"
        )
        return BadRequestError(self.model, self.role, cause, remedy)

    def _image_refused(self, cause: str) -> ImageRefusedError:
        return ImageRefusedError(
            self.model, self.role, cause, "Ask a model that takes images, or lower model.image_pixels"
        )


def _message(body: str) -> str:
    """Returns the message in the body of an error response, which servers put into different fields, or the body."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if isinstance(found, dict) and isinstance(found.get("error"), dict):
        found = found["error"]
    if not isinstance(found, dict):
        return body
    candidates = [found.get(name) for name in ("message", "error", "detail", "code")]
    texts = [text for text in candidates if isinstance(text, str) and text]
    return " ".join(texts) or body


def _seconds(header: str) -> float:
    """Returns the pause of a Retry-After header, which is a number of seconds or a date; 0 if it is neither."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0
