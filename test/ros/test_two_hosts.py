"""Another host discovers no node unless discovery is open; the robot's own host discovers all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from stma_ros.ros.discovery import RANGE, STATIC_PEERS
from support.ros.two_hosts import Host, obstacle, two_hosts

OBSTACLE = obstacle()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE)]

PATIENCE = 60.0  # [s] for what is bound to be found
TWO_ANNOUNCEMENTS = 7.0  # [s]; Fast DDS announces a participant every 3 s

# A program without this package: it lists nodes, subscribes, and calls a service.
STRANGER = """
import json, os, sys, time
import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from std_srvs.srv import Trigger

rclpy.init()
node = rclpy.create_node("stranger")
heard = []
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
node.create_subscription(String, "alive/lifecycle_manager", heard.append, latched)
client = node.create_client(Trigger, "lifecycle_manager/is_active")
answer = None
found = {}
deadline = time.monotonic() + float(sys.argv[1])
while time.monotonic() < deadline and not all(found.values()) or not found:
    rclpy.spin_once(node, timeout_sec=0.1)
    if answer is None and client.service_is_ready():
        answer = client.call_async(Trigger.Request())
    found = {
        "node": "lifecycle_manager" in node.get_node_names(),
        "topic": bool(heard),
        "service": answer is not None and answer.done(),
    }
print(json.dumps(found), flush=True)
os._exit(0)
"""

EVERYTHING = {"node": True, "topic": True, "service": True}
NOTHING = dict.fromkeys(EVERYTHING, False)


@pytest.fixture(scope="module")
def hosts() -> Iterator[tuple[Host, Host]]:
    with two_hosts() as hosts:
        yield hosts


def clean(extra: Mapping[str, str] = {}) -> dict[str, str]:
    """Returns an environment without any choice about ROS."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("ROS_", "FASTDDS_"))},
        **extra,
    }


@contextmanager
def running(command: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, env=environment, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@dataclass
class Look:
    """A foreign program that observes the graph for a while from one host."""

    process: subprocess.Popen[str]

    def found(self) -> dict[str, bool]:
        output, _ = self.process.communicate(timeout=2 * PATIENCE)
        found: dict[str, bool] = json.loads(output)
        return found


@contextmanager
def robot(host: Host, environment: Mapping[str, str]) -> Iterator[None]:
    """Starts one of our nodes as every node is started."""
    node = [sys.executable, "-m", "stma_ros.nodes.lifecycle_manager", "--ros-args", "-p", "autostart:=false"]
    with running(host.command(*node), clean(environment)):
        yield


@contextmanager
def stranger(host: Host, seconds: float, environment: Mapping[str, str] = {}) -> Iterator[Look]:
    with running(host.command(sys.executable, "-c", STRANGER, str(seconds)), clean(environment)) as process:
        yield Look(process)


@pytest.mark.parametrize("names_the_robot", [False, True])
def test_another_host_discovers_no_node_by_default_and_the_robots_own_host_discovers_all(
    hosts: tuple[Host, Host], names_the_robot: bool
) -> None:
    own, other = hosts
    peers = {STATIC_PEERS: own.address} if names_the_robot else {}
    with robot(own, {}), stranger(own, PATIENCE) as local:
        assert local.found() == EVERYTHING
        with stranger(other, TWO_ANNOUNCEMENTS, peers) as remote:
            assert remote.found() == NOTHING


def test_another_host_discovers_all_nodes_when_discovery_is_open(hosts: tuple[Host, Host]) -> None:
    own, other = hosts
    with robot(own, {RANGE: "SUBNET"}), stranger(other, PATIENCE) as remote:
        assert remote.found() == EVERYTHING


def test_a_host_named_as_a_static_peer_discovers_all_nodes(hosts: tuple[Host, Host]) -> None:
    own, other = hosts
    with robot(own, {STATIC_PEERS: other.address}), stranger(other, PATIENCE) as remote:
        assert remote.found() == EVERYTHING
