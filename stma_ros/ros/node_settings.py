"""Describes the parameters of each node, for parameter files, without running a node."""

from __future__ import annotations

from collections.abc import Mapping

from stma_ros.agents.node_spec import (
    BRIDGES,
    HOST,
    LIFECYCLE_MANAGER,
    MODEL,
    RECORDER,
    VISUALIZER,
    WORLD,
)
from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.agents.spec import ComponentSpec
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.ros.agent_parameters import AgentConfig
from stma_ros.ros.bridge import BridgeConfig
from stma_ros.ros.host import HostConfig, RepliesConfig
from stma_ros.ros.lifecycle_manager import ManagerConfig
from stma_ros.ros.recorder import RecorderConfig
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.settings import Setting, settings_of

NodeSettings = Mapping[str, Setting]
"""The parameters of a node, by their full names."""


def node_settings(
    agents: AgentRegistry = AGENTS, worlds: Mapping[str, type] | None = None
) -> Mapping[str, NodeSettings]:
    """Returns the parameters of every node of this package, by the node's name.

    Args:
        agents: registry whose components are nodes.
        worlds: the config of each bridge's world; None = a bridge's parameters `world.` are left out.
    """
    nodes: dict[str, NodeSettings] = {}
    for component in agents.components:
        # A component of one name may have other settings in another agent's wiring.
        nodes[component.name] = {**nodes.get(component.name, {}), **_of_component(component)}
    for bridge in BRIDGES:
        config = (worlds or {}).get(bridge)
        nodes[bridge] = _named(BridgeConfig) | (_named(config, WORLD) if config else {})
    nodes[RECORDER] = _named(AgentConfig) | _named(RecorderConfig) | _named(RecordingConfig)
    nodes[LIFECYCLE_MANAGER] = _named(ManagerConfig)
    nodes[VISUALIZER] = {}
    return nodes


def _of_component(component: ComponentSpec) -> NodeSettings:
    settings = _named(AgentConfig, HOST) | _named(HostConfig, HOST) | _named(component.config)
    if component.roles:
        settings |= _named(RoleModelConfig, MODEL) | _named(RepliesConfig, HOST)
    return settings


def _named(config: type, prefix: str = "") -> dict[str, Setting]:
    return {prefix + item.name: item for item in settings_of(config)}
