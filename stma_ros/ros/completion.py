"""Hands a result from any thread to a coroutine that waits for it in the executor thread."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeVar

from rclpy.node import Node
from rclpy.task import Future

ResultT = TypeVar("ResultT")


class Completion(Generic[ResultT]):
    """A result that a coroutine awaits. rclpy resumes a coroutine only when its executor has work, so that `set` wakes
    it."""

    def __init__(self, node: Node) -> None:
        self._executor = node.executor
        self._future: Future[ResultT] = Future(executor=self._executor)

    def set(self, result: ResultT) -> None:
        """Only the first result counts."""
        if not self._future.done():
            self._future.set_result(result)
            if self._executor is not None:
                self._executor.wake()

    def __await__(self) -> Generator[Any, Any, ResultT]:
        result: ResultT = yield from self._future.__await__()
        return result
