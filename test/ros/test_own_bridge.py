"""A robot's own bridge, built from the skeleton in docs/howto/robot.md alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient

from stma_ros.action import ExecuteSkill
from stma_ros.agents.bringup import bring_up
from stma_ros.ros.conversions import from_msg, to_msg
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.storage.bag.reader import read_bag
from stma_ros.types import topics
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result, SkillRequest, TaskStatus
from stma_ros.worlds.registry import make_world
from support.ros.skeleton_bridge import living, skeleton
from support.ros.waiting import eventually

NAMESPACE = "own"


class Robot(skeleton()):  # type: ignore[misc]
    """Acts in a house world and publishes exactly what the page requires."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.house = make_world("house", {"width": 160, "height": 120})
        self.house.reset("flat_1000", 1003)  # begins in the hallway, from where much is left to explore

    def do(self, request: Any, canceled: Callable[[], bool]) -> Any:
        token = CancelToken()
        for topic, message in self.house.execute(from_msg(request, SkillRequest), token):
            if canceled():
                token.cancel("canceled")
            if isinstance(message, Outcome):
                return to_msg(message)
            if topic in self.frame:
                self.frame[topic].publish(to_msg(message))
            elif topic == topics.OBSERVATION:
                self.observation.publish(to_msg(message))
        raise AssertionError("the house gave no outcome")


@pytest.fixture(scope="module")
def robot():
    with living(Robot, NAMESPACE) as node:
        yield node


def test_the_skeleton_bridge_of_the_page_names_the_parts_of_a_frame(robot):
    assert robot.frame.keys() == set(topics.FRAME)


def test_a_robot_with_its_own_bridge_executes_tasks(robot, tmp_path):
    bag = tmp_path / "bag"
    specs = bring_up(robot_bridge="my_bridge", use_sim_time=False, namespace=NAMESPACE, bag=str(bag))
    with NodeProcesses(specs, tmp_path / "logs"), TaskClient(NAMESPACE) as client:
        client.wait_until_active(60.0)
        first = client.execute("find the unicorn", 2, timeout=60.0)
        assert (first.status, first.error.code) == (TaskStatus.FAILED, ErrorCode.OUT_OF_COMMANDS)
        client.restart(60.0)  # of the agent: the robot does not repeat its latched messages
        second = client.execute("find the unicorn", 1, timeout=60.0)
        assert (second.status, second.commands) == (TaskStatus.FAILED, 1)
    recorded = {entry.topic for entry in read_bag(bag, NAMESPACE)}
    assert {*topics.FRAME, topics.OBSERVATION, topics.SKILLS, topics.OUTCOME, topics.TASK_RESULT} <= recorded


def test_the_skeleton_stops_its_skill_when_the_agent_has_died(ros):
    stopped = threading.Event()

    class Driving(skeleton()):  # type: ignore[misc]
        def do(self, request: Any, canceled: Callable[[], bool]) -> Any:
            eventually(canceled, "the stop")
            stopped.set()
            return to_msg(Outcome(result=Result.CANCELED))

    with living(Driving, ros.namespace) as bridge:
        executor = ros.add(ManagedNode, "executor")
        eventually(lambda: bridge.count_publishers("alive/executor"))
        eventually(lambda: executor.count_subscribers("alive/executor"))
        client = ActionClient(ros.probe, ExecuteSkill, "execute_skill")
        eventually(client.server_is_ready)
        goal = ros.result(client.send_goal_async(ExecuteSkill.Goal()))
        ros.remove(executor)
        assert ros.result(goal.get_result_async()).status == GoalStatus.STATUS_ABORTED
        client.destroy()
    assert stopped.is_set()
