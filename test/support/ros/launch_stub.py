"""The parts of the libraries launch and launch_ros that the launch file uses; each class stores its arguments."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest


class Recorded:
    """Stores positional and named arguments."""

    def __init__(self, *values: Any, **named: Any) -> None:
        self.values = values
        self.named = named


class DeclareLaunchArgument(Recorded):
    """An argument with its name, default, description and choices."""


class Node(Recorded):
    """A node to be started."""


class ExecuteProcess(Recorded):
    """A process to be started."""


class LogInfo(Recorded):
    """A line on the terminal."""


class OnProcessExit(Recorded):
    """Actions at the end of a process."""


class RegisterEventHandler(Recorded):
    """Actions at an event."""


class Context:
    """The context of a launch: its command line, and the values of its arguments."""

    def __init__(self, *argv: str, is_shutdown: bool = False, **values: str) -> None:
        self.argv = list(argv)
        self.launch_configurations = values
        self.is_shutdown = is_shutdown


def install_launch_stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the launch file import these classes for the rest of a test."""
    for name, contents in {
        "launch": {"Action": Recorded, "LaunchContext": Context, "LaunchDescription": Recorded},
        "launch.actions": {
            "DeclareLaunchArgument": DeclareLaunchArgument,
            "ExecuteProcess": ExecuteProcess,
            "LogInfo": LogInfo,
            "OpaqueFunction": Recorded,
            "RegisterEventHandler": RegisterEventHandler,
        },
        "launch.event_handlers": {"OnProcessExit": OnProcessExit},
        "launch.events": {},
        "launch.events.process": {"ProcessExited": Recorded},
        "launch_ros": {},
        "launch_ros.actions": {"Node": Node},
        "launch_ros.parameter_descriptions": {"ParameterValue": Recorded},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, name, module)
