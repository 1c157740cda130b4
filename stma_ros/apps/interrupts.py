"""Ctrl-C and SIGTERM: the first one ends a command in order, a second one at once, with all that it has started."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

_CAUSES = {signal.SIGINT: "interrupted", signal.SIGTERM: "asked to end"}
_KILLING = 2.0  # [s] in which killed processes have gone


def handle_interrupts(ending: str) -> None:
    """Takes over SIGINT and SIGTERM of this process; one that is ignored stays so, as in a shell's background jobs.

    The first signal raises KeyboardInterrupt or SystemExit in the main thread, so that every context manager on the
    way out ends what it began; what one of them left running is killed at the exit. The second kills all processes
    that were started from here and exits.

    Args:
        ending: what an orderly end does, for people: "ending the server".
    """
    handler = _Handler(ending)
    for number in _CAUSES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


@contextmanager
def starting_without_interrupts() -> Iterator[None]:
    """Keeps SIGINT, which Ctrl-C sends to all processes of a terminal, from processes that are started within: whoever
    starts them ends them. A SIGINT of this process is delivered afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Handler:
    def __init__(self, ending: str) -> None:
        self._ending = ending
        self._is_ending = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        cause = _CAUSES[signal.Signals(number)]
        if self._is_ending:
            _end_at_once(f"{cause} again: ended at once", 128 + number)
        self._is_ending = True
        atexit.register(_kill_started)
        _say(f"{cause}: {self._ending}; once more (Ctrl-C) ends it at once")
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)


def _end_at_once(text: str, status: int) -> NoReturn:
    """No Python code of this process runs after it: nothing can raise on the way out."""
    _kill_started()
    _say(text)
    os._exit(status)


def _kill_started() -> None:
    """Kills the processes started by this one, and waits until they have ended."""
    deadline = time.monotonic() + _KILLING
    while (pids := list(_descendants(os.getpid()))) and time.monotonic() < deadline:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _say(line: str) -> None:
    """Past Python's buffers: a signal may come in the middle of a write to them."""
    # A terminal has just shown ^C, or holds a progress bar.
    start = "\r\033[K" if sys.stderr.isatty() else ""
    with suppress(OSError):
        os.write(2, f"{start}{line}\n".encode())


def _descendants(pid: int) -> Iterator[int]:
    """The processes that run and were started by this one, by those in turn, and so on. Only Linux tells."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            # The name, in parentheses, may hold anything; state and parent come after it.
            state, parent = entry.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(entry.parent.name))
    waiting = [pid]
    while waiting:
        found = children.get(waiting.pop(), [])
        yield from found
        waiting += found
