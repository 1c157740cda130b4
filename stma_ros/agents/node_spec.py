"""Describes a node to be started, with the names and parameter prefixes that all nodes of a robot share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from stma_ros.types.settings import SettingValue

PACKAGE = "stma_ros"
BRIDGE = "sim_bridge"
_BRIDGES = {"habitat": "habitat_bridge"}  # worlds with a bridge of their own
BRIDGES = (BRIDGE, *_BRIDGES.values())
COMPONENT = "component"  # the executable that hosts the component named by its argument
RECORDER = "recorder"
LIFECYCLE_MANAGER = "lifecycle_manager"
VISUALIZER = "visualizer"

ParameterValue: TypeAlias = "SettingValue | list[str]"

# Relative names, so that every robot has its own under its namespace. /diagnostics stays global.
REMAPPINGS = (("/clock", "clock"), ("/tf", "tf"), ("/tf_static", "tf_static"))

HOST, MODEL, WORLD = "host.", "model.", "world."
"""Prefixes of the parameters of a component's host, of the models that answer its roles, and of a simulated world."""

NodeParameters: TypeAlias = "Mapping[str, Mapping[str, ParameterValue]]"
"""Parameters by the node's name."""


@dataclass(frozen=True)
class NodeSpec:
    """A node to be started.

    Attributes:
        name: name of the node.
        namespace: namespace of the robot.
        parameters: values by the parameters' names.
        remappings: pairs of a name in the code and its name in the graph.
        program: the executable, a module of `stma_ros.nodes`; empty = the executable has the node's name.
        arguments: arguments of the executable, before those of ROS.
        decided_by: for each parameter on which several nodes have to agree, the argument of the bring-up that sets it.
        log_level: level of the node's loggers; empty = the middleware's default.
        respawns: whether its process is started again, once, when it has ended: its state is saved.
    """

    name: str
    namespace: str = ""
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    remappings: tuple[tuple[str, str], ...] = REMAPPINGS
    program: str = ""
    arguments: tuple[str, ...] = ()
    decided_by: Mapping[str, str] = field(default_factory=dict)
    log_level: str = ""
    respawns: bool = False

    @property
    def executable(self) -> str:
        return self.program or self.name


def bridge_of(world: str) -> str:
    """Returns the name of the node that hosts a simulated world."""
    return _BRIDGES.get(world, BRIDGE)
