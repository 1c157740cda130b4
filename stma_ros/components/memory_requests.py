"""Answers queries and requests to a memory of any kind, each one once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.library.queryable_memory import QueryableMemory
from stma_ros.storage.memory_store import MemoryNotSavedError
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import StmaError
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryQuestion,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
)
from stma_ros.types.standard import Header

REQUESTS_KNOWN = 64
"""Number of requests that are remembered to recognise duplicates."""


class MemoryRequestHandler:
    """Passes queries and requests on to a memory, and makes messages of the answers."""

    def __init__(self, memory: QueryableMemory) -> None:
        self._memory = memory
        self._answered: dict[str, None] = {}

    def answer(
        self, request: ObjectQuery | MemoryQuestion | MemoryRequest, header: Header
    ) -> Iterator[Emission]:
        """Yields the answer to a query or a request; nothing for one that was answered before.

        Args:
            request: The query, question or request.
            header: The map's frame, and the stamp up to which the memory has processed its input.
        """
        if request.request_id in self._answered:
            return
        self._answered[request.request_id] = None
        while len(self._answered) > REQUESTS_KNOWN:
            del self._answered[next(iter(self._answered))]
        if isinstance(request, ObjectQuery):
            yield topics.OBJECT_QUERY_RESULT, self._memory.last_seen(request, header)
            return
        if isinstance(request, MemoryQuestion):
            yield topics.MEMORY_ANSWER, self._memory.ask(request, header)
            return
        try:
            text, error = self._done(request), Error()
        except StmaError as reason:
            text, error = str(reason), Error.of(reason)
        yield (
            topics.MEMORY_REPLY,
            MemoryReply(header=header, request_id=request.request_id, text=text, error=error),
        )

    def _done(self, request: MemoryRequest) -> str:
        if request.kind == MemoryAction.SAVE:
            return self._memory.save()
        if request.kind == MemoryAction.FORGET:
            return self._memory.forget(request.subject.strip())
        raise MemoryNotSavedError(f"a memory request of kind {request.kind.name} asks for nothing")


def load_warnings(refused: Iterable[StmaError], header: Header) -> Iterator[Emission]:
    """Yields the reasons why memories are not used, as replies without a request id."""
    for error in refused:
        yield (
            topics.MEMORY_REPLY,
            MemoryReply(header=header, request_id="", text=str(error), error=Error.of(error)),
        )
