"""A robot's own bridge, built from the skeleton in docs/howto/robot.md alone."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from support.ros.waiting import PATIENCE

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "robot.md"


def skeleton() -> Any:
    """Returns the class MyBridge of the page."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (code,) = (block for block in blocks if "class MyBridge(" in block)
    defined: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), defined)
    return defined["MyBridge"]


@contextmanager
def living(bridge: Any, namespace: str) -> Iterator[Any]:
    """Runs a node of that class until the end of the block."""
    context = rclpy.Context()
    rclpy.init(context=context, signal_handler_options=SignalHandlerOptions.NO)
    executor = MultiThreadedExecutor(num_threads=2, context=context)
    node = bridge(context=context, namespace=namespace)
    executor.add_node(node)

    def spin() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            return

    thread = threading.Thread(target=spin, daemon=True)
    thread.start()
    yield node
    context.try_shutdown()
    thread.join(PATIENCE)
