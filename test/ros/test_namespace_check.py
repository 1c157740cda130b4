"""A second robot is not started in the namespace of a running one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rclpy.node import Node

from stma_ros.ros.conversions import msg_class
from stma_ros.ros.lifecycle_manager import LifecycleManager
from stma_ros.ros.namespace_check import TAKEN, refuse_taken_namespace
from stma_ros.ros.namespace_lock import NamespaceLock
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from support.ros.living_nodes import LivingNodes
from support.ros.waiting import eventually

NAMES = ["planner", "lifecycle_manager"]
CHECK = [sys.executable, "-m", "stma_ros.ros.namespace_check"]
PATIENCE = 20.0  # [s] for what is there
HOLDER = """
import time
from stma_ros.ros.namespace_lock import NamespaceLock

lock = NamespaceLock("/locked/robot")
print(lock.acquire(), flush=True)
time.sleep(60)
"""


class Bystander(Node):
    """A node of another program."""

    def close(self, timeout: float) -> bool:
        return True


def test_a_namespace_with_a_running_node_of_the_same_name_is_refused(ros: LivingNodes) -> None:
    ros.house(Bystander, "planner")
    with pytest.raises(ConfigurationError, match="its node planner was found") as refused:
        refuse_taken_namespace(NAMES, ros.namespace, alone=False, listen=PATIENCE)
    assert f"in the namespace {ros.namespace} in ROS domain" in str(refused.value)
    assert "give this one a namespace or a ROS_DOMAIN_ID of its own" in str(refused.value)


def test_a_robot_of_this_host_is_detected_before_discovery(ros: LivingNodes) -> None:
    manager = ros.add(LifecycleManager, node_names=[], autostart=False)
    with pytest.raises(ConfigurationError, match="its lifecycle_manager holds the namespace"):
        refuse_taken_namespace(NAMES, ros.namespace, listen=0.0)
    second = ros.add(LifecycleManager, node_names=["planner"])
    eventually(lambda: "another lifecycle_manager is running" in second.missing)
    ros.remove(second)
    ros.remove(manager)
    assert not NamespaceLock(ros.namespace).is_taken()


def test_a_namespace_lock_is_per_namespace_and_domain_and_ends_with_its_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert holder.stdout is not None
    assert holder.stdout.readline()
    assert NamespaceLock("/locked/robot").is_taken()
    assert not NamespaceLock("/locked").is_taken()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("ROS_DOMAIN_ID", "101")
        assert not NamespaceLock("/locked/robot").is_taken()
    holder.kill()
    holder.communicate()
    assert not NamespaceLock("/locked/robot").is_taken()


def test_another_namespace_in_the_domain_of_a_robot_is_free(ros: LivingNodes) -> None:
    ros.add(LifecycleManager, node_names=[], autostart=False)
    refuse_taken_namespace(NAMES, "another", alone=True, listen=1.0)


def test_a_namespace_with_only_a_robots_own_bridge_is_free_for_an_agent(ros: LivingNodes) -> None:
    spec = topics.TOPICS[topics.OBSERVATION]
    ros.probe.create_publisher(msg_class(spec.type), topics.OBSERVATION, 1)
    refuse_taken_namespace(NAMES, ros.namespace, alone=False, listen=1.0)
    with pytest.raises(ConfigurationError, match="observation is published"):
        refuse_taken_namespace(NAMES, ros.namespace, alone=True, listen=PATIENCE)


def test_the_namespace_check_of_launch_files_prints_the_cause(ros: LivingNodes) -> None:
    ros.add(LifecycleManager, node_names=[], autostart=False)
    checked = subprocess.run(
        [*CHECK, ros.namespace, *NAMES, "--listen", str(PATIENCE)],
        capture_output=True,
        text=True,
        timeout=30.0,
        cwd=Path(__file__).parents[2],
    )
    assert checked.returncode == TAKEN
    assert "a robot is running in the namespace" in checked.stderr
