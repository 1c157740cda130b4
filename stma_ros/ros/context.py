"""The contexts of rclpy. Each process opens them here, after its transports have been chosen."""

from __future__ import annotations

import rclpy
from rclpy.context import Context
from rclpy.signals import SignalHandlerOptions

from stma_ros.ros.transport import choose_transport


def default_context() -> Context:
    """The process's own, which SIGINT and SIGTERM shut down."""
    choose_transport()
    rclpy.init()
    return rclpy.get_default_context()


def private_context() -> Context:
    """Returns a context for a node inside another program, which keeps handling its own signals."""
    choose_transport()
    context = rclpy.Context()
    rclpy.init(context=context, signal_handler_options=SignalHandlerOptions.NO)
    return context
