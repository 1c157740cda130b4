"""Runs a node's process, which ends within five seconds of a signal, and at once after a second one."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn, Protocol

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from stma_ros.ros.context import default_context
from stma_ros.ros.forced_exit import exit_after

SHOW_THREADS = signal.SIGQUIT
"""A node that gets this signal writes into its log what each of its threads does, and goes on."""

_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 2.75  # [s] from the signal to the hard exit
_JOIN = 2.0  # [s] of it for the node's threads
_WATCH = 0.25  # [s]


class Spinnable(Protocol):
    """A node (rclpy.node.Node) that can be ended."""

    def report(self, error: Exception) -> None: ...

    def close(self, timeout: float) -> bool: ...

    def destroy_node(self) -> None: ...


def spin(make_node: Callable[[], Any]) -> NoReturn:
    """Runs a node until SIGINT or SIGTERM, closes it, and ends the process. What ends it otherwise, in native code too,
    shows in its log."""
    faulthandler.enable()
    faulthandler.register(SHOW_THREADS)
    signals = _EndSignals()
    context = default_context()
    executor = SingleThreadedExecutor()
    threading.Thread(target=_end_in_time, args=(executor, context), name="end", daemon=True).start()
    try:
        node = make_node()
    except Exception:
        if signals.came:  # nodes cannot be made in a context that is shut down
            _exit()
        raise
    executor.add_node(node)
    if not signals.came:
        keep_spinning(executor, node.report, context)
    exit_after(_GRACE)
    if not node.close(_JOIN):
        _exit(f"{node.get_name()}: its work did not end within {_JOIN:g} s; what it has not saved is lost")
    node.destroy_node()
    rclpy.try_shutdown()
    # The interpreter's own end would take the middleware apart piece by piece, which takes seconds.
    _exit()


class _EndSignals:
    """SIGINT and SIGTERM. The first shuts the context down, which rclpy's handler does before this one is called; with
    the second the process is gone, without Python's or the middleware's last words.

    Python runs a handler in the main thread only, between two of its instructions: a second signal that another thread
    takes, or that comes just before the main thread begins to wait, would not be noticed before that wait is over. So
    a thread counts the signals, told of each by the interpreter's wake-up pipe.
    """

    def __init__(self) -> None:
        """To be made before the context: rclpy calls the handlers that it finds."""
        self.came = False
        told, tell = os.pipe()
        os.set_blocking(tell, False)
        signal.set_wakeup_fd(tell)
        for number in _END_SIGNALS:
            signal.signal(number, self)
        threading.Thread(target=_end_at_the_second, args=(told,), name="signals", daemon=True).start()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.came = True


def _end_at_the_second(told: int) -> None:
    """Reads the numbers of signals from a pipe, and ends the process at the second one that asks for it."""
    came = False
    while True:
        (number,) = os.read(told, 1)
        if number not in _END_SIGNALS:
            continue
        if came:
            # Not by print: another thread may be in the middle of one.
            os.write(2, f"{signal.Signals(number).name} again: ended at once\n".encode())
            os._exit(128 + number)
        came = True


def keep_spinning(
    executor: SingleThreadedExecutor, report: Callable[[Exception], None], context: Any
) -> None:
    """Spins until the context is shut down; what a callback raises is reported, and ends nothing."""
    while context.ok():
        try:
            executor.spin_once()
        except (KeyboardInterrupt, ExternalShutdownException):
            return
        except Exception as error:  # noqa: BLE001 - the boundary: no message ends a node
            report(error)


def _end_in_time(executor: SingleThreadedExecutor, context: Any) -> None:
    """Ends the process from another thread, in case a blocking callback keeps `spin` from returning."""
    while context.ok():
        time.sleep(_WATCH)
    # rclpy wakes the executor before it shuts the context down; who is awake too early waits again, and for ever.
    executor.wake()
    time.sleep(_GRACE)
    _exit("a callback did not return after the signal to end; what it has not saved is lost")


def _exit(text: str = "") -> NoReturn:
    """Ends the process. text: names the work that is left undone, which makes the status 1; empty = none is."""
    if text:
        print(text, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1 if text else 0)
