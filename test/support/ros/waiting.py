"""Waits for other threads and processes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 10.0  # [s] for anything that is bound to happen; nothing waits that long when all is well


def eventually(condition: Callable[[], Any], what: str = "", patience: float = PATIENCE) -> Any:
    """Waits until the condition holds, `patience` [s] at most, and returns its value."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come within {patience:g} s: {what or condition}")
        threading.Event().wait(0.005)


def running(pid: int) -> bool:
    """Returns whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
