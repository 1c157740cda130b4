"""The connection to one server: a client in its own event loop, so that calls can be canceled at any time."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent import futures
from contextvars import ContextVar
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

max_response_bytes: ContextVar[int] = ContextVar("max_response_bytes", default=256 * 1024)
"""Largest body of a response to a request that is sent in this context [bytes]."""

_CLOSE_TIMEOUT = 5.0  # [s]
_TRANSFER_HEADERS = ("content-encoding", "content-length", "transfer-encoding")  # wrong for the decoded body


class Connection:
    """A client of one server, with its event loop in its own thread."""

    def __init__(self, base_url: str, key: str) -> None:
        self.client = AsyncOpenAI(
            base_url=base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=None,
            # Redirects are reported as errors rather than followed, because the key is for this server alone.
            http_client=_LimitedClient(key, follow_redirects=False, timeout=None),
        )
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name=f"chat {base_url}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Cancels pending requests, and ends the event loop and its thread."""
        with contextlib.suppress(futures.TimeoutError):
            asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(_CLOSE_TIMEOUT)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        pending = asyncio.all_tasks() - {asyncio.current_task()}
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        await self.client.close()


class _LimitedClient(DefaultAsyncHttpxClient):
    """An HTTP client that guards against misbehaving servers.

    It reads at most `max_response_bytes` of a response, so that no server can fill the memory. It removes the key from
    the headers of responses, which openai 2 logs.
    """

    def __init__(self, key: str, **options: Any) -> None:
        super().__init__(**options)
        self._key = key

    async def send(self, request: Any, **options: Any) -> Any:
        """Sends a request; the body of the response is cut off after the first piece that exceeds the limit."""
        response = await super().send(request, **{**options, "stream": True})
        body = bytearray()
        try:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > max_response_bytes.get():
                    break
        finally:
            await response.aclose()
        headers = [
            (name, value.replace(self._key, "***") if self._key else value)
            for name, value in response.headers.items()
            if name not in _TRANSFER_HEADERS
        ]
        return type(response)(
            response.status_code, headers=headers, content=bytes(body), request=response.request
        )
