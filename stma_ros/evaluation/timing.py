"""Times of single calls, and what makes them comparable."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_Answer = TypeVar("_Answer")


def timed(action: Callable[[], _Answer]) -> tuple[_Answer, float]:
    """Returns the answer of a call, and the time that it took [s]."""
    start = time.perf_counter()
    answer = action()
    return answer, time.perf_counter() - start


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this thread, and those that a library starts from it, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
