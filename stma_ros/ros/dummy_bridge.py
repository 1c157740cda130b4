"""A bridge without a robot, for graphs that need one in order to become active."""

from __future__ import annotations

from typing import Any

from rclpy.action import ActionServer, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node

from stma_ros.action import ExecuteSkill
from stma_ros.ros.liveliness import AliveSignal


class DummyBridge:
    """Publishes the liveliness of a bridge and offers its action, refusing every goal."""

    def __init__(self, node: Node) -> None:
        self._alive = AliveSignal(node)
        self._server = ActionServer(
            node, ExecuteSkill, "execute_skill", _never, goal_callback=lambda _: GoalResponse.REJECT
        )


def _never(goal: ServerGoalHandle[Any, Any, Any]) -> ExecuteSkill.Result:
    raise NotImplementedError("every goal is refused")
