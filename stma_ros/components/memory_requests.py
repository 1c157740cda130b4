"""What people ask of a spatial memory, whatever it remembers: each question or request is answered, and only once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from stma_ros.storage.memory_store import MemoryNotKeptError
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, StmaError, StorageError
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time

GAP = NANOSECONDS_PER_SECOND
"""Where the clock was set back, what is remembered ends this long [ns] before the first that is new."""

ANSWERS_KEPT = 64
"""Requests that are known again, so that a second copy changes nothing."""


class NotRememberedError(StmaError):
    """Nothing of the name is remembered."""

    code = ErrorCode.NOT_REMEMBERED


class Rememberer(Protocol):
    """A memory that can be asked. `save` and `forget` (of nothing: of everything) say what they did and raise StmaError
    where they could not."""

    def recall(self, query: ObjectQuery, header: Header) -> ObjectQueryResult: ...

    def save(self) -> str: ...

    def forget(self, subject: str) -> str: ...


class RequestDesk:
    """Passes requests on to a memory, and makes messages of what it says."""

    def __init__(self, memory: Rememberer) -> None:
        self._memory = memory
        self._answered: dict[str, None] = {}

    def answer(self, request: ObjectQuery | MemoryRequest, header: Header) -> Iterator[Emission]:
        """The answer to a question or a request; nothing for one that was answered before. header: up to when the
        memory has looked."""
        if request.request_id in self._answered:
            return
        self._answered[request.request_id] = None
        while len(self._answered) > ANSWERS_KEPT:
            del self._answered[next(iter(self._answered))]
        if isinstance(request, ObjectQuery):
            yield topics.OBJECT_QUERY_RESULT, self._memory.recall(request, header)
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
        raise MemoryNotKeptError(f"a memory request of kind {request.kind.name} asks for nothing")


def complaints(refused: Iterable[StorageError], header: Header) -> Iterator[Emission]:
    """Why what was kept is not used: replies that nobody asked for have no request's id."""
    for error in refused:
        yield (
            topics.MEMORY_REPLY,
            MemoryReply(header=header, request_id="", text=str(error), error=Error.of(error)),
        )


def lateness(kept_up_to: Time, first: Time) -> int:
    """How far [ns] what was kept has to be moved into the past to lie before what is new, where the clock was set back
    since: it must not become the future. 0: the clock went on."""
    late = kept_up_to.nanoseconds - first.nanoseconds
    return late + GAP if late >= 0 else 0
