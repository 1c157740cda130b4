"""The connections to one server: a client in an event loop of its own, so that a call can be ended at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent import futures
from contextvars import ContextVar
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

longest_answer: ContextVar[int] = ContextVar("longest_answer", default=256 * 1024)
"""[bytes] of the body of an answer to what is sent in this context."""

_CLOSED_WITHIN = 5.0  # [s]
_OF_TRANSFER = ("content-encoding", "content-length", "transfer-encoding")  # not true of what was read


class Connection:
    """A client, and the event loop that it lives in, with a thread of its own."""

    def __init__(self, base_url: str, key: str) -> None:
        self.client = AsyncOpenAI(
            base_url=base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=None,
            # A server that sends elsewhere is told to people, not followed: the key is for this one.
            http_client=_CarefulClient(key, follow_redirects=False, timeout=None),
        )
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name=f"chat {base_url}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends what is under way."""
        with contextlib.suppress(futures.TimeoutError):
            asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(_CLOSED_WITHIN)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self.client.close()


class _CarefulClient(DefaultAsyncHttpxClient):
    """Reads no more of an answer than `longest_answer`, so that no server can fill the memory, and hides the key in the
    headers of an answer, which openai 2 logs."""

    def __init__(self, key: str, **options: Any) -> None:
        super().__init__(**options)
        self._key = key

    async def send(self, request: Any, **options: Any) -> Any:
        """The answer, cut off after the first piece that exceeds the limit."""
        response = await super().send(request, **{**options, "stream": True})
        body = bytearray()
        try:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > longest_answer.get():
                    break
        finally:
            await response.aclose()
        headers = [
            (name, value.replace(self._key, "***") if self._key else value)
            for name, value in response.headers.items()
            if name not in _OF_TRANSFER
        ]
        return type(response)(
            response.status_code, headers=headers, content=bytes(body), request=response.request
        )
