"""Handles Ctrl-C and SIGTERM: the first ends a command in order, the second at once, with all processes that it
started."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

_CAUSES = {signal.SIGINT: "interrupted", signal.SIGTERM: "asked to end"}
_KILLING = 2.0  # time for killed processes to end [s]


def handle_interrupts(ending: str) -> None:
    """Takes over SIGINT and SIGTERM of this process; an ignored signal stays ignored, as in a shell's background jobs.

    The first signal raises KeyboardInterrupt or SystemExit in the main thread, so that every context manager on the way
    out ends what it began; processes that are left are killed at the exit. The second signal kills all processes that
    this one started and exits.

    Args:
        ending: description of an orderly end, for people: "ending the server".
    """
    handler = _Handler(ending)
    for number in _CAUSES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


@contextmanager
def starting_without_interrupts() -> Iterator[None]:
    """Blocks SIGINT, which Ctrl-C sends to all processes of a terminal, in processes that are started within; their
    starter ends them. A SIGINT of this process is delivered afterwards."""
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
    """Ends the process without running further Python code, so that nothing can raise on the way out."""
    _kill_started()
    _say(text)
    os._exit(status)


def _kill_started() -> None:
    """Kills the processes started by this one, and waits until they have ended."""
    deadline = time.monotonic() + _KILLING
    killed: set[int] = set()
    while time.monotonic() < deadline:
        parents = _running()
        started = _descendants(os.getpid(), parents)
        # One whose parent ended before it is nobody's descendant while it ends.
        if not started and killed.isdisjoint(parents):
            return
        for pid in started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed |= started


def _say(line: str) -> None:
    """Prints past Python's buffers, as a signal may interrupt a write to them."""
    # A terminal has just shown ^C, or a progress bar.
    start = "\r\033[K" if sys.stderr.isatty() else ""
    with suppress(OSError):
        os.write(2, f"{start}{line}\n".encode())


def _running() -> dict[int, int]:
    """Returns the parent of each running process. On Linux only."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            # The name, in parentheses, may contain any character; state and parent follow it.
            state, parent = entry.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(entry.parent.name)] = int(parent)
    return parents


def _descendants(pid: int, parents: Mapping[int, int]) -> set[int]:
    """Returns the processes started by a process, directly and indirectly."""
    found: set[int] = set()
    waiting = {pid}
    while waiting:
        waiting = {child for child, parent in parents.items() if parent in waiting} - found
        found |= waiting
    return found
