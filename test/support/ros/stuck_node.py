"""A node that ends late, or in a crash; run as a process by the tests, with one of these as its first argument:

closing: it says when it is up and when it closes, which never ends
deaf: likewise, and its main thread takes no signals then
component: it never returns from its first message
slow: it takes a moment for each message
making: it says that it is being made, and is made when its context is shut down
crash: native code that one of its callbacks calls reads an address that there is not
middleware: it cannot be taken apart, which holds the interpreter's lock
wait: it waits for callbacks, and nothing wakes it when its context is shut down
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from typing import Any

import rclpy
from rclpy.node import Node

from stma_ros.ros.host import ComponentHost
from stma_ros.ros.spin import spin
from support.ros.small_graph import ALONE, Thinker


class Closing(ComponentHost):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.create_timer(0.01, self._tell)
        self._told = False

    def _tell(self) -> None:
        if not self._told:
            print("up", file=sys.stderr, flush=True)
        self._told = True

    def close(self, timeout: float) -> bool:
        print("closing", file=sys.stderr, flush=True)
        return threading.Event().wait(60)


class Deaf(Closing):
    def close(self, timeout: float) -> bool:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        return super().close(timeout)


class Making(ComponentHost):
    def __init__(self, *arguments: Any) -> None:
        print("making", file=sys.stderr, flush=True)
        while rclpy.ok():
            threading.Event().wait(0.01)
        super().__init__(*arguments)


class Indestructible(ComponentHost):
    def destroy_node(self) -> None:
        ctypes.PyDLL(None).sleep(60)


class Crashing(ComponentHost):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.create_timer(0.01, lambda: ctypes.string_at(0))


class Moment(threading.Event):
    """Is not set; who waits for it waits for a moment only."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(0.2)


class Quiet(Node):
    """Has no timers. After a moment its context is shut down as rclpy does it at a signal."""

    def __init__(self, name: str, _: object) -> None:
        super().__init__(name)
        threading.Timer(0.5, self.context.handle.shutdown).start()

    def report(self, error: Exception) -> None:
        raise error

    def close(self, timeout: float) -> bool:
        return True


def main() -> None:
    Thinker.proceed = Moment() if sys.argv[1] == "slow" else threading.Event()  # which is never set
    kinds = {
        "closing": Closing,
        "deaf": Deaf,
        "component": ComponentHost,
        "slow": ComponentHost,
        "making": Making,
        "crash": Crashing,
        "middleware": Indestructible,
        "wait": Quiet,
    }
    kind = kinds[sys.argv[1]]
    spin(lambda: kind("thinker", ALONE))


if __name__ == "__main__":
    main()
