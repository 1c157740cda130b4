"""Common base of memories that a program closes: mutual exclusion of callers, and closing."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import ClassVar, TypeVar

from stma_ros.library.errors import MemoryClosedError

SelfT = TypeVar("SelfT", bound="ClosableMemory")


class ClosableMemory(ABC):
    """A memory that its program closes, by `close` or as a context manager."""

    _KEPT_IN: ClassVar[str]
    """What a closed memory can be made from again, for error messages."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_closed = False

    def close(self) -> None:
        """Closes the memory, which cannot be used afterwards."""
        with self._lock:
            if not self._is_closed:
                try:
                    self._finish()
                finally:
                    self._is_closed = True

    @abstractmethod
    def _finish(self) -> None:
        """Saves what is not saved, and releases what others may use again."""

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Lets one caller at a time use the memory during the block.

        Raises:
            MemoryClosedError: The memory is closed.
        """
        with self._lock:
            if self._is_closed:
                raise MemoryClosedError(f"this memory is closed; make a new one from its {self._KEPT_IN}")
            yield

    def __enter__(self: SelfT) -> SelfT:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
