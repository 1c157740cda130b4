"""A node that does not end when it should; run as a process by the tests, with one of these as its first argument:

component: it never returns from its first message
middleware: it cannot be taken apart, which holds the interpreter's lock
wait: it waits for callbacks, and nothing wakes it when its context is shut down
"""

from __future__ import annotations

import ctypes
import sys
import threading

from rclpy.node import Node

from stma_ros.ros.host import ComponentHost
from stma_ros.ros.spin import spin
from support.ros.small_graph import ALONE, Thinker


class Indestructible(ComponentHost):
    def destroy_node(self) -> None:
        ctypes.PyDLL(None).sleep(60)


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
    Thinker.proceed = threading.Event()  # which nobody sets
    kind = {"component": ComponentHost, "middleware": Indestructible, "wait": Quiet}[sys.argv[1]]
    spin(lambda: kind("thinker", ALONE))


if __name__ == "__main__":
    main()
