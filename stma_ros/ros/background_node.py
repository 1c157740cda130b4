"""A node with its own spinning thread, through which the `stma` commands communicate with a graph."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TypeVar

import rclpy
from rclpy.executors import SingleThreadedExecutor

from stma_ros.ros.context import private_context
from stma_ros.ros.spin import keep_spinning

SelfT = TypeVar("SelfT", bound="BackgroundNode")

_END = 2.0  # time for the thread to end [s]


class BackgroundNode:
    """A node with a context of its own, which spins in a thread of its own from `start` until it is closed.

    The caller's thread stays free, so that Ctrl-C reaches it.
    """

    def __init__(self, name: str, namespace: str = "") -> None:
        self._context = private_context()
        self._node = rclpy.create_node(name, namespace=namespace, context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, name=name, daemon=True)

    def start(self) -> None:
        """Starts the thread. To be called after all parts of the node were made: rclpy shows an action client to the
        spinning thread before it is complete, which raises there."""
        self._thread.start()

    def close(self) -> None:
        self._context.try_shutdown()
        if self._thread.ident is not None:
            self._thread.join(_END)

    def __enter__(self: SelfT) -> SelfT:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spin(self) -> None:
        keep_spinning(self._executor, self._report, self._context)

    def _report(self, error: Exception) -> None:
        self._node.get_logger().error(f"{type(error).__name__}: {error}")
