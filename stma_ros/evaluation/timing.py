"""Times of single calls."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_Answer = TypeVar("_Answer")


def timed(action: Callable[[], _Answer]) -> tuple[_Answer, float]:
    """Returns the answer of a call, and the time that it took [s]."""
    start = time.perf_counter()
    answer = action()
    return answer, time.perf_counter() - start
