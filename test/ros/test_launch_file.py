"""The launch file starts what the bring-up describes. The library launch, which has no wheel, is stubbed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.apps.launch_arguments import ARGUMENTS
from stma_ros.ros.namespace_check import TAKEN
from stma_ros.types.errors import ConfigurationError
from support.ros.launch_stub import (
    Context,
    DeclareLaunchArgument,
    LogInfo,
    Node,
    RegisterEventHandler,
    install_launch_stub,
)

LAUNCH_FILE = Path(__file__).resolve().parents[2] / "launch" / "stma.launch.py"
DEFAULTS = {argument.name: argument.default for argument in ARGUMENTS}


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stma_launch", LAUNCH_FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Checks:
    """Replaces the processes that the launch file runs before it starts any node."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.status = 0

    def __call__(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        return subprocess.CompletedProcess(command, self.status, stderr="a robot is running there already\n")


@pytest.fixture
def checks() -> Checks:
    return Checks()


@pytest.fixture
def launch_file(monkeypatch: pytest.MonkeyPatch, checks: Checks) -> ModuleType:
    install_launch_stub(monkeypatch)
    module = load()
    monkeypatch.setattr(module.subprocess, "run", checks)
    return module


def of(kind: type, actions: Any) -> list[Any]:
    return [action for action in actions if isinstance(action, kind)]


def test_launch_file_declares_every_argument_with_default_description_and_choices(
    launch_file: ModuleType,
) -> None:
    declared = of(DeclareLaunchArgument, launch_file.generate_launch_description().values[0])
    assert [item.values[0] for item in declared] == list(DEFAULTS)
    for item, argument in zip(declared, ARGUMENTS, strict=True):
        assert item.named["description"] == argument.description
        assert item.named["default_value"] == argument.default
        assert item.named["choices"] == (list(argument.choices) or None)


def test_launch_file_starts_the_nodes_of_the_bring_up_with_their_parameters(launch_file: ModuleType) -> None:
    values = {**DEFAULTS, "namespace": "robot_1", "log_level": "debug", "discovery": "localhost"}
    nodes = of(Node, launch_file.start(Context(**values)))
    expected = bring_up(namespace="robot_1")
    assert [node.named["executable"] for node in nodes] == [spec.name for spec in expected]
    for node, spec in zip(nodes, expected, strict=True):
        assert node.named["namespace"] == "robot_1"
        assert node.named["parameters"][0].keys() == spec.parameters.keys()
        assert node.named["remappings"] == list(spec.remappings)
        assert node.named["ros_arguments"] == ["--log-level", "debug"]
        assert node.named["additional_env"]["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"


def test_launch_file_warns_of_open_discovery_on_the_terminal(launch_file: ModuleType) -> None:
    (line,) = of(LogInfo, launch_file.start(Context(**{**DEFAULTS, "discovery": "subnet"})))
    assert "discovery is open" in line.named["msg"]


def test_launch_file_refuses_an_unknown_argument_when_it_was_launched_directly(
    launch_file: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Context("sed:=3", **DEFAULTS, sed="3")
    monkeypatch.setattr(sys, "argv", ["ros2", "launch", "stma_ros", "stma.launch.py", "sed:=3"])
    with pytest.raises(ConfigurationError, match="no argument 'sed'"):
        launch_file.start(context)
    # An argument of a launch file that includes this one is in the same context.
    monkeypatch.setattr(sys, "argv", ["ros2", "launch", "my_robot", "robot.launch.py", "sed:=3"])
    assert launch_file.start(context)


def test_launch_file_refuses_a_taken_namespace_before_it_starts_a_node(
    launch_file: ModuleType, checks: Checks
) -> None:
    checks.status = TAKEN
    with pytest.raises(ConfigurationError, match="a robot is running there already"):
        launch_file.start(Context(**{**DEFAULTS, "namespace": "robot_1"}, ros_namespace="/site"))
    (command,) = checks.commands
    names = [spec.name for spec in bring_up()]
    assert command[1:] == ["-m", "stma_ros.ros.namespace_check", "/site/robot_1", *names, "--alone"]


def test_launch_file_reports_the_end_of_a_process_except_during_shutdown(launch_file: ModuleType) -> None:
    actions = launch_file.start(Context(**DEFAULTS))
    handlers = {
        handler.values[0].named["target_action"].named["name"]: handler.values[0].named["on_exit"]
        for handler in of(RegisterEventHandler, actions)
    }
    assert list(handlers) == [spec.name for spec in bring_up()]

    class Exit:
        returncode = -9

    (report,) = handlers["planner"](Exit(), Context())
    assert report.named["cmd"][1:] == ["-m", "stma_ros.ros.process_end", "/", "planner", "-9"]
    assert handlers["planner"](Exit(), Context(is_shutdown=True)) == []


def test_launch_file_starts_a_memory_that_saves_its_state_again_once(
    launch_file: ModuleType, tmp_path: Path
) -> None:
    given = {"preset": "hiagent", "state_dir": str(tmp_path)}
    actions = launch_file.start(Context(**{**DEFAULTS, **given}))
    nodes = {node.named["name"]: node.named["respawn"] for node in of(Node, actions)}
    assert [name for name, respawns in nodes.items() if respawns] == ["temporal_memory"]
    handlers = {
        handler.values[0].named["target_action"].named["name"]: handler.values[0].named["on_exit"]
        for handler in of(RegisterEventHandler, actions)
    }

    class Exit:
        returncode = -9

    ends = [handlers["temporal_memory"](Exit(), Context())[0].named["cmd"][4:] for _ in range(2)]
    assert ends == [["temporal_memory", "-9", "--again"], ["temporal_memory", "-9"]]
