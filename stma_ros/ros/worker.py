"""A worker thread, in which a component, a world or a writer runs."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from stma_ros.ros.inbox import Inbox

ItemT = TypeVar("ItemT")

_MAX_LATENCIES = 512


class Worker(Generic[ItemT]):
    """Takes items from an inbox one at a time; an exception ends only the handling of its item.

    `at_end`, which must not raise, is the last call of the thread.
    """

    def __init__(
        self,
        name: str,
        handle: Callable[[ItemT], None],
        on_error: Callable[[ItemT, Exception], None],
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self.inbox: Inbox[ItemT] = Inbox()
        self.handled = 0
        self._handle = handle
        self._on_error = on_error
        self._at_end = at_end
        self._durations: deque[float] = deque(maxlen=_MAX_LATENCIES)
        # A daemon: a handler that never returns must not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """Ends the thread after the current item; returns False if it does not end within `timeout` [s]."""
        self.inbox.close()
        return self.join(timeout)

    def join(self, timeout: float) -> bool:
        """Waits for the thread's end; returns False if it does not end within `timeout` [s]."""
        self._thread.join(timeout)
        return self.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether the thread handles no more items."""
        return not self._thread.is_alive()

    def latency(self, quantile: float) -> float:
        """Returns a quantile of the time in the handler [s]; NaN before the first item."""
        durations = sorted(self._durations)
        return durations[int(quantile * (len(durations) - 1))] if durations else float("nan")

    def _run(self) -> None:
        while (item := self.inbox.get()) is not None:
            started = time.monotonic()
            try:
                self._handle(item)
            except Exception as error:  # noqa: BLE001 - the boundary: no exception ends the node
                self._on_error(item, error)
            self._durations.append(time.monotonic() - started)
            self.handled += 1
        self._at_end()
