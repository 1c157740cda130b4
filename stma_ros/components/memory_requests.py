"""Answers queries and requests to a memory of any kind, each one once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from stma_ros.library.queryable_memory import QueryableMemory, SavableMemory
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
    """Passes requests to save or to forget on to a memory, and makes messages of the replies."""

    def __init__(self, memory: SavableMemory) -> None:
        self._savable = memory
        self._answered: dict[str, None] = {}

    def answer(self, request: MemoryRequest, header: Header) -> Iterator[Emission]:
        """Yields the reply to a request; nothing for one that was answered before.

        Args:
            request: The request.
            header: The map's frame, and the stamp up to which the memory has processed its input.
        """
        if not self._is_new(request.request_id):
            return
        try:
            text, error = self._done(request), Error()
        except StmaError as reason:
            text, error = str(reason), Error.of(reason)
        yield (
            topics.MEMORY_REPLY,
            MemoryReply(header=header, request_id=request.request_id, text=text, error=error),
        )

    def _is_new(self, request_id: str) -> bool:
        if request_id in self._answered:
            return False
        self._answered[request_id] = None
        while len(self._answered) > REQUESTS_KNOWN:
            del self._answered[next(iter(self._answered))]
        return True

    def _done(self, request: MemoryRequest) -> str:
        if request.kind == MemoryAction.SAVE:
            return self._savable.save()
        if request.kind == MemoryAction.FORGET:
            return self._savable.forget(request.subject.strip())
        raise MemoryNotSavedError(f"a memory request of kind {request.kind.name} asks for nothing")


class MemoryQueryHandler(MemoryRequestHandler):
    """Passes queries and questions on as well."""

    def __init__(self, memory: QueryableMemory) -> None:
        super().__init__(memory)
        self._memory = memory

    def answer(
        self, request: ObjectQuery | MemoryQuestion | MemoryRequest, header: Header
    ) -> Iterator[Emission]:
        """Yields the answer to a query or a request; nothing for one that was answered before. Arguments as for the
        other class."""
        if isinstance(request, MemoryRequest):
            yield from super().answer(request, header)
        elif self._is_new(request.request_id):
            if isinstance(request, ObjectQuery):
                yield topics.OBJECT_QUERY_RESULT, self._memory.last_seen(request, header)
            else:
                yield topics.MEMORY_ANSWER, self._memory.ask(request, header)


def merged_reply(replies: Sequence[MemoryReply]) -> MemoryReply:
    """Returns the replies of all memories to a request as one: with all texts, and the first error."""
    error = next((reply.error for reply in replies if reply.error), Error())
    return replace(replies[0], text=" ".join(reply.text for reply in replies), error=error)


def load_warnings(refused: Iterable[StmaError], header: Header) -> Iterator[Emission]:
    """Yields the reasons why memories are not used, as replies without a request id."""
    for error in refused:
        yield (
            topics.MEMORY_REPLY,
            MemoryReply(header=header, request_id="", text=str(error), error=Error.of(error)),
        )
