"""Publishes the health of a node in /diagnostics, as diagnostic_aggregator and rqt_robot_monitor read it (REP-107)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from stma_ros.ros.conversions import to_msg
from stma_ros.types.standard import Header, Time

TOPIC = "/diagnostics"
SHOWN_FOR = 10.0
"""Time for which a running node shows a problem of a moment [s]."""

_PERIOD = 1.0  # [s]


@dataclass(frozen=True)
class Health:
    """The health of a node.

    Attributes:
        message: what it does, where nothing is wrong.
        warning: a problem that does not stop it; empty = none.
        error: a problem that does; empty = none.
        values: further facts.
    """

    message: str
    warning: str = ""
    error: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


class DiagnosticsPublisher:
    """Publishes what a function returns, once in a second."""

    def __init__(self, node: Node, health: Callable[[], Health]) -> None:
        """Begins. health: called in the executor thread."""
        self._node, self._health = node, health
        self._publisher = node.create_publisher(DiagnosticArray, TOPIC, 10)
        node.create_timer(_PERIOD, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _publish(self) -> None:
        health = self._health()
        level = DiagnosticStatus.WARN if health.warning else DiagnosticStatus.OK
        status = DiagnosticStatus(
            level=DiagnosticStatus.ERROR if health.error else level,
            name=self._node.get_fully_qualified_name(),
            message=health.error or health.warning or health.message,
            values=[KeyValue(key=key, value=value) for key, value in health.values.items()],
        )
        now = Time.from_nanoseconds(self._node.get_clock().now().nanoseconds)
        self._publisher.publish(DiagnosticArray(header=to_msg(Header(now)), status=[status]))
