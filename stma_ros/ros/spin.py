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
from typing import Any, NoReturn, Protocol, runtime_checkable

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from stma_ros.ros.context import default_context
from stma_ros.ros.forced_exit import exit_after
from stma_ros.ros.log_forwarding import forward_logs

SHOW_THREADS = signal.SIGQUIT
"""A node that gets this signal writes into its log what each of its threads does, and goes on."""

_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 2.75  # [s] from the signal to the hard exit
_TO_STOP = 0.5  # [s] of it for what others do for the node
_JOIN = 2.0  # [s] of it for the node's threads
_WATCH = 0.25  # [s]
_POLL = 0.01  # [s]


class Spinnable(Protocol):
    """A node (rclpy.node.Node) that can be ended."""

    def report(self, error: Exception) -> None: ...

    def close(self, timeout: float) -> bool: ...

    def destroy_node(self) -> None: ...

    def get_logger(self) -> Any: ...


@runtime_checkable
class Stoppable(Protocol):
    """A node for which others act, which have to be stopped while messages still pass."""

    def stop(self) -> None:
        """Begins to stop them; called in the executor thread at a signal."""
        ...

    @property
    def is_stopped(self) -> bool: ...


def spin(make_node: Callable[[], Any]) -> NoReturn:
    """Runs a node until SIGINT or SIGTERM, closes it, and ends the process. What ends it otherwise, in native code too,
    shows in its log."""
    faulthandler.enable()
    faulthandler.register(SHOW_THREADS)
    signals = _EndSignals()
    context = default_context()
    executor = SingleThreadedExecutor()
    ending = _Ending(signals.came, executor, context)
    threading.Thread(target=ending.run, name="end", daemon=True).start()
    try:
        node = make_node()
    except Exception:
        if signals.came.is_set():  # nodes cannot be made in a context that is shut down
            _exit()
        raise
    forward_logs(node.get_logger())
    ending.node = node
    executor.add_node(node)
    keep_spinning(executor, node.report, context)
    exit_after(_GRACE)
    if not node.close(_JOIN):
        _exit(f"{node.get_name()}: its work did not end within {_JOIN:g} s; what it has not saved is lost")
    node.destroy_node()
    rclpy.try_shutdown()
    # The interpreter's own end would take the middleware apart piece by piece, which takes seconds.
    _exit()


class _EndSignals:
    """SIGINT and SIGTERM. The first is the event `came`; with the second the process is gone, without Python's or the
    middleware's last words.

    Python runs a handler in the main thread only, between two of its instructions: a signal that another thread takes,
    or that comes just before the main thread begins to wait, would not be noticed before that wait is over. So a
    thread counts the signals, told of each by the interpreter's wake-up pipe.
    """

    def __init__(self) -> None:
        self.came = threading.Event()
        told, tell = os.pipe()
        os.set_blocking(tell, False)
        signal.set_wakeup_fd(tell)
        for number in _END_SIGNALS:
            signal.signal(number, self)
        threading.Thread(
            target=_end_at_the_second, args=(told, self.came), name="signals", daemon=True
        ).start()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Takes the place of the handlers that end the process, or interrupt it."""


def _end_at_the_second(told: int, came: threading.Event) -> None:
    """Reads the numbers of signals from a pipe, and ends the process at the second one that asks for it."""
    while True:
        (number,) = os.read(told, 1)
        if number not in _END_SIGNALS:
            continue
        if came.is_set():
            # Not by print: another thread may be in the middle of one.
            os.write(2, f"{signal.Signals(number).name} again: ended at once\n".encode())
            os._exit(128 + number)
        came.set()


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


class _Ending:
    """Ends the process from another thread: at a signal it shuts the context down, and `spin` returns unless a blocking
    callback keeps it from that. Before, a node that is Stoppable gets a moment.

    Attributes:
        node: the node, once it is made.
    """

    def __init__(self, came: threading.Event, executor: SingleThreadedExecutor, context: Any) -> None:
        """Prepares the end. came: set by the signal."""
        self.node: Any = None
        self._came = came
        self._executor = executor
        self._context = context

    def run(self) -> None:
        while self._context.ok() and not self._came.wait(_WATCH):
            pass
        until = time.monotonic() + _GRACE
        if self._context.ok():
            if isinstance(self.node, Stoppable):
                self._stop(self.node)
            self._context.handle.shutdown()  # the node stays, for `spin` to close and to destroy
        # After the shutdown: who is awake too early waits again, and for ever.
        self._executor.wake()
        time.sleep(max(0.0, until - time.monotonic()))
        _exit("a callback did not return after the signal to end; what it has not saved is lost")

    def _stop(self, node: Stoppable) -> None:
        self._executor.create_task(node.stop)
        until = time.monotonic() + _TO_STOP
        while not node.is_stopped and time.monotonic() < until:
            time.sleep(_POLL)


def _exit(text: str = "") -> NoReturn:
    """Ends the process. text: names the work that is left undone, which makes the status 1; empty = none is."""
    if text:
        print(text, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1 if text else 0)
