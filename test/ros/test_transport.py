"""Our nodes use no shared memory unless the user asks for it, and foreign nodes that use it still hear ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rclpy.node import Node
from std_msgs.msg import String
from std_srvs.srv import Trigger

from stma_ros.agents.bringup import bring_up
from stma_ros.ros.discovery import (
    LOCALHOST_ONLY,
    LOOPBACK_PROFILE,
    MIDDLEWARE,
    NETWORK_PROFILE,
    RANGE,
    STATIC_PEERS,
)
from stma_ros.ros.discovery import PROFILES as PROFILE
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.transport import choose_transport
from support.ros.living_nodes import LivingNodes
from support.ros.waiting import eventually

TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
TO_START = 30.0  # [s]

STRANGER = """
import sys
import rclpy
from std_msgs.msg import String
from std_srvs.srv import Trigger

rclpy.init()
node = rclpy.create_node("stranger")
node.create_subscription(String, sys.argv[1], lambda message: print(message.data, flush=True), 10)
client = node.create_client(Trigger, sys.argv[2])
node.create_timer(0.1, lambda: client.service_is_ready() and client.call_async(Trigger.Request()))
rclpy.spin(node)
"""

CROWD = """
import time
import rclpy

contexts = [rclpy.Context() for _ in range(34)]
for context in contexts:
    rclpy.init(context=context)
nodes = [rclpy.create_node("one_of_many", context=context) for context in contexts]
print("all there", flush=True)
while True:
    time.sleep(60)
"""

THREADS = """
from pathlib import Path
from stma_ros.ros.transport import choose_transport
choose_transport()
import rclpy
rclpy.init()
node = rclpy.create_node("alone")
print(*(task.read_text().strip() for task in Path("/proc/self/task").glob("*/comm")))
"""


class Onlooker(Node):
    """A node without resources to close."""

    def close(self, timeout: float) -> bool:
        return True


def shared_memory(pid: int) -> list[str]:
    """Returns the shared memory of Fast DDS that a process has mapped."""
    return [line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if "/dev/shm/fastdds" in line]


@pytest.mark.parametrize(
    "chosen", [{RANGE: "SUBNET"}, {RANGE: "SUBNET", MIDDLEWARE: "rmw_fastrtps_cpp"}, {LOCALHOST_ONLY: "0"}]
)
def test_open_discovery_uses_the_builtin_transports_without_shared_memory(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    assert environment.pop(PROFILE) == str(NETWORK_PROFILE)
    assert environment == {**chosen, TRANSPORTS: "UDPv4"}


@pytest.mark.parametrize(
    ("distribution", "local"),
    [("humble", {LOCALHOST_ONLY: "1"}), ("iron", {RANGE: "LOCALHOST"}), ("jazzy", {RANGE: "LOCALHOST"})],
)
def test_an_older_middleware_gets_no_profile_that_it_cannot_read(
    distribution: str, local: dict[str, str]
) -> None:
    environment = {"ROS_DISTRO": distribution}
    choose_transport(environment)
    assert environment == {"ROS_DISTRO": distribution, TRANSPORTS: "UDPv4", **local}


def test_both_transport_profiles_have_the_same_writer_settings() -> None:
    network, loopback = (
        ElementTree.parse(profile).find(".//{*}data_writer")
        for profile in (NETWORK_PROFILE, LOOPBACK_PROFILE)
    )
    assert network is not None
    assert loopback is not None
    assert ElementTree.canonicalize(
        ElementTree.tostring(network), strip_text=True
    ) == ElementTree.canonicalize(ElementTree.tostring(loopback), strip_text=True)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {RANGE: "LOCALHOST"},
        {LOCALHOST_ONLY: "1"},
        {TRANSPORTS: "UDPv4"},
        {MIDDLEWARE: "rmw_fastrtps_cpp"},
    ],
)
def test_local_discovery_uses_the_loopback_profile(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    assert environment.pop(MIDDLEWARE, "rmw_fastrtps_cpp") == "rmw_fastrtps_cpp"
    assert environment == {RANGE: "SYSTEM_DEFAULT", PROFILE: str(LOOPBACK_PROFILE)}


@pytest.mark.parametrize("chosen", [{}, {RANGE: "SUBNET"}, {STATIC_PEERS: "192.168.0.7"}])
def test_a_child_process_inherits_the_transport_of_its_parent(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    of_the_parent = dict(environment)
    choose_transport(environment)
    assert environment == of_the_parent


def test_static_peers_use_the_network_profile() -> None:
    environment = {STATIC_PEERS: "192.168.0.7"}
    choose_transport(environment)
    assert environment == {
        STATIC_PEERS: "192.168.0.7",
        RANGE: "LOCALHOST",
        PROFILE: str(NETWORK_PROFILE),
    }


@pytest.mark.parametrize(
    "chosen",
    [
        {TRANSPORTS: "LARGE_DATA", RANGE: "LOCALHOST"},
        {PROFILE: "mine.xml", RANGE: "LOCALHOST"},
        {"FASTRTPS_DEFAULT_PROFILES_FILE": "mine.xml"},
        {MIDDLEWARE: "rmw_zenoh_cpp", RANGE: "LOCALHOST"},
    ],
)
def test_transport_settings_of_the_user_are_unchanged(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    assert environment == chosen


def test_nodes_and_their_client_map_no_shared_memory(ros: LivingNodes, tmp_path: Path) -> None:
    specs = [spec for spec in bring_up() if spec.name == "lifecycle_manager"]
    with NodeProcesses(specs, tmp_path) as processes:
        publisher = ros.probe.create_publisher(String, "noise", 10)

        def alive() -> bool:
            publisher.publish(String(data="."))
            return bool(ros.probe.get_publishers_info_by_topic("/alive/lifecycle_manager"))

        eventually(alive, "a sign of life", TO_START)
        assert shared_memory(processes.pid("lifecycle_manager")) == []
        assert shared_memory(os.getpid()) == []


@pytest.mark.parametrize("reach", ["LOCALHOST", "SUBNET"])
def test_no_process_starts_the_type_lookup_service(reach: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in (PROFILE, TRANSPORTS)}
    shown = subprocess.run(
        [sys.executable, "-c", THREADS],
        env={**environment, RANGE: reach},
        capture_output=True,
        text=True,
        check=True,
        timeout=TO_START,
    )
    threads = shown.stdout.split()
    assert any(thread.startswith("dds.") for thread in threads), (
        "the names of Fast DDS's threads have changed"
    )
    assert not any(thread.startswith("dds.tls") for thread in threads)


@pytest.mark.parametrize("reach", [{}, {RANGE: "LOCALHOST"}])
def test_a_foreign_node_with_default_settings_hears_our_topics_and_calls_our_services(
    ros: LivingNodes, reach: dict[str, str]
) -> None:
    """It stands for a camera driver, Nav2 or RViz started from another shell."""
    chosen_by_us = (PROFILE, TRANSPORTS, RANGE)
    environment = {name: value for name, value in os.environ.items() if name not in chosen_by_us}
    publisher = ros.probe.create_publisher(String, "greeting", 10)
    answered: list[Trigger.Request] = []

    def answer(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        answered.append(request)
        return response

    service = ros.probe.create_service(Trigger, "ask", answer)
    with subprocess.Popen(
        [sys.executable, "-c", STRANGER, publisher.topic_name, service.service_name],
        env={**environment, **reach},
        stdout=subprocess.PIPE,
        text=True,
    ) as stranger:
        try:
            eventually(publisher.get_subscription_count, "the stranger", TO_START)
            assert shared_memory(stranger.pid), "the stranger was to use what we do not"
            publisher.publish(String(data="x" * 1_000_000))
            assert stranger.stdout is not None
            assert len(stranger.stdout.readline()) == 1_000_001
            eventually(lambda: answered, "the stranger's request", TO_START)
        finally:
            stranger.kill()


def test_our_nodes_find_one_another_on_a_host_that_runs_many_others(ros: LivingNodes) -> None:
    """With the range LOCALHOST rmw_fastrtps looks for 32 participants and does not find any beyond them."""
    chosen_by_us = (PROFILE, TRANSPORTS, RANGE)
    environment = {name: value for name, value in os.environ.items() if name not in chosen_by_us}
    with subprocess.Popen(
        [sys.executable, "-c", CROWD], env=environment, stdout=subprocess.PIPE, text=True
    ) as crowd:
        try:
            assert crowd.stdout is not None
            assert crowd.stdout.readline() == "all there\n"
            late = [ros.house(Onlooker, name) for name in ("late", "later")]
            eventually(lambda: "later" in late[0].get_node_names(), "the other node", TO_START)
        finally:
            crowd.kill()
