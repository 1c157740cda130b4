"""Opens the contexts of rclpy, after the process has chosen its transports. No other module opens one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from stma_ros.ros.transport import choose_transport


def default_context() -> Context:
    """Returns the process's own context. No signal shuts it down: its node may have something to send before
    (spin.py)."""
    choose_transport()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    return rclpy.get_default_context()


def private_context() -> Context:
    """Returns a context for a node inside another program, which keeps handling its own signals."""
    choose_transport()
    context = rclpy.Context()
    rclpy.init(context=context, signal_handler_options=SignalHandlerOptions.NO)
    return context


@contextmanager
def passing_node(name: str, namespace: str = "") -> Iterator[Node]:
    """Yields a temporary node without services, in a context of its own, to observe the graph or to publish one
    message."""
    context = private_context()
    node = rclpy.create_node(name, namespace=namespace, context=context, start_parameter_services=False)
    try:
        yield node
    finally:
        node.destroy_node()
        context.try_shutdown()
