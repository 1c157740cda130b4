"""No message goes through shared memory, unless the user says so, and who uses it hears us all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from std_msgs.msg import String

from stma_ros.agents.bringup import bring_up
from stma_ros.ros import transport
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.transport import choose_transport
from support.ros.living_nodes import LivingNodes
from support.ros.waiting import eventually

PROFILE = "FASTDDS_DEFAULT_PROFILES_FILE"
TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
MIDDLEWARE = "RMW_IMPLEMENTATION"
TO_START = 30.0  # [s]

STRANGER = """
import sys
import rclpy
from sensor_msgs.msg import Image
from std_msgs.msg import String

rclpy.init()
node = rclpy.create_node("stranger")
node.create_subscription(String, sys.argv[1], lambda message: print(message.data, flush=True), 10)
rclpy.spin(node)
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


def shared_memory(pid: int) -> list[str]:
    """What a process has mapped of Fast DDS's shared memory."""
    return [line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if "/dev/shm/fastdds" in line]


@pytest.mark.parametrize("chosen", [{}, {RANGE: "SUBNET"}, {MIDDLEWARE: "rmw_fastrtps_cpp"}])
def test_the_builtin_transports_go_without_it(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    assert Path(environment.pop(PROFILE)).is_file()
    assert environment == {**chosen, TRANSPORTS: "UDPv4"}


@pytest.mark.parametrize("distribution", ["humble", "jazzy"])
def test_an_older_middleware_is_given_no_profile_that_it_cannot_read(distribution: str) -> None:
    environment = {"ROS_DISTRO": distribution}
    choose_transport(environment)
    assert environment == {"ROS_DISTRO": distribution, TRANSPORTS: "UDPv4"}


def test_both_profiles_repair_alike() -> None:
    network, loopback = (
        ElementTree.parse(Path(transport.__file__).with_name(name)).find(".//{*}data_writer")
        for name in ("network.xml", "loopback.xml")
    )
    assert network is not None
    assert loopback is not None
    assert ElementTree.canonicalize(
        ElementTree.tostring(network), strip_text=True
    ) == ElementTree.canonicalize(ElementTree.tostring(loopback), strip_text=True)


def test_on_one_machine_alone_a_profile_goes_without_it() -> None:
    environment = {RANGE: "LOCALHOST"}
    choose_transport(environment)
    assert environment[RANGE] == "SYSTEM_DEFAULT"
    assert Path(environment[PROFILE]).is_file()


@pytest.mark.parametrize(
    "chosen",
    [
        {TRANSPORTS: "LARGE_DATA"},
        {PROFILE: "mine.xml", RANGE: "LOCALHOST"},
        {"FASTRTPS_DEFAULT_PROFILES_FILE": "mine.xml"},
        {MIDDLEWARE: "rmw_zenoh_cpp", RANGE: "LOCALHOST"},
    ],
)
def test_a_users_choice_stands(chosen: dict[str, str]) -> None:
    environment = dict(chosen)
    choose_transport(environment)
    assert environment == chosen


def test_neither_the_nodes_nor_their_client_map_any(ros: LivingNodes, tmp_path: Path) -> None:
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
def test_no_process_looks_up_the_types_of_others(reach: str) -> None:
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


def test_a_stranger_with_the_middlewares_defaults_hears_us(ros: LivingNodes) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in (PROFILE, TRANSPORTS)}
    publisher = ros.probe.create_publisher(String, "greeting", 10)
    with subprocess.Popen(
        [sys.executable, "-c", STRANGER, publisher.topic_name],
        env={**environment, RANGE: "LOCALHOST"},
        stdout=subprocess.PIPE,
        text=True,
    ) as stranger:
        try:
            eventually(publisher.get_subscription_count, "the stranger", TO_START)
            assert shared_memory(stranger.pid), "the stranger was to use what we do not"
            publisher.publish(String(data="x" * 1_000_000))
            assert stranger.stdout is not None
            assert len(stranger.stdout.readline()) == 1_000_001
        finally:
            stranger.kill()
