"""A minimal spatial memory that remembers the queries it received."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stma_ros.agents.spec import ComponentSpec, plain
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.message import Message
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryAnswer,
    MemoryQuestion,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.settings import setting
from support.ros.small_graph import wired


@dataclass(frozen=True)
class RemembererConfig:
    memory_dir: str = setting("", "where it writes to")


class Rememberer:
    """Raises when asked for "trouble", is silent at "nothing", and warns of "old news" once by itself."""

    entered = threading.Event()

    def __init__(self, config: RemembererConfig) -> None:
        self._file = Path(config.memory_dir) / "asked.txt"
        self._asked = self._file.read_text().split() if config.memory_dir and self._file.exists() else []
        self._config = config

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, ObjectQuery):
            yield from self._answer(message)
        elif isinstance(message, MemoryQuestion):
            if message.question == "trouble":
                raise StmaError("no idea")
            answer = MemoryAnswer(
                header=message.header, request_id=message.request_id, answer=message.question
            )
            yield topics.MEMORY_ANSWER, answer
        elif isinstance(message, MemoryRequest):
            kind = MemoryAction(message.kind).name.lower()
            error = Error() if self._config.memory_dir else Error(ErrorCode.MEMORY_NOT_KEPT, "no memory_dir")
            text = error.text or f"{kind} {message.subject}".strip()
            yield (
                topics.MEMORY_REPLY,
                MemoryReply(header=message.header, request_id=message.request_id, text=text, error=error),
            )

    def _answer(self, query: ObjectQuery) -> Iterable[Emission]:
        if query.description == "trouble":
            raise StmaError("no idea")
        if query.description == "nothing":
            Rememberer.entered.set()
            return
        if query.description == "old news":
            error = Error(ErrorCode.MEMORY_VERSION, "old news")
            yield (
                topics.MEMORY_REPLY,
                MemoryReply(header=query.header, request_id="", text=error.text, error=error),
            )
        self._asked.append(query.description)
        text = f"{' '.join(self._asked)} {query.limit}"
        yield (
            topics.OBJECT_QUERY_RESULT,
            ObjectQueryResult(header=query.header, request_id=query.request_id, text=text),
        )

    def close(self) -> None:
        if self._config.memory_dir:
            self._file.write_text(" ".join(self._asked))


class Photographer:
    """A memory of pictures, which cannot forget a ghost."""

    def __init__(self, config: RemembererConfig) -> None: ...

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, MemoryRequest):
            error = (
                Error(ErrorCode.MEMORY_NOT_KEPT, "in all pictures") if message.subject == "ghost" else Error()
            )
            text = error.text or "and its pictures"
            yield topics.MEMORY_REPLY, MemoryReply(request_id=message.request_id, text=text, error=error)


_REMEMBERER = ComponentSpec(
    "spatial_memory",
    lambda: plain(RemembererConfig, Rememberer),
    inputs=(topics.OBJECT_QUERY, topics.MEMORY_QUESTION, topics.MEMORY_REQUEST),
    outputs=(topics.OBJECT_QUERY_RESULT, topics.MEMORY_ANSWER, topics.MEMORY_REPLY),
)
_PHOTOGRAPHER = ComponentSpec(
    "visual_memory",
    lambda: plain(RemembererConfig, Photographer),
    inputs=(topics.MEMORY_REQUEST,),
    outputs=(topics.MEMORY_REPLY,),
)
REMEMBERER = wired(_REMEMBERER)
REMEMBERERS = wired(_REMEMBERER, _PHOTOGRAPHER)


if __name__ == "__main__":  # a process of its own, for what happens at a process's end
    from stma_ros.ros.memory_host import MemoryHost
    from stma_ros.ros.spin import spin

    spin(lambda: MemoryHost(REMEMBERER))
