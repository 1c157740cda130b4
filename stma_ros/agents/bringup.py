"""The one description of the nodes of a running robot. The launch file and the `stma` command read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from stma_ros.agents.wiring import COMPONENTS
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import SettingValue, suggest

PACKAGE = "stma_ros"
BRIDGE = "sim_bridge"
RECORDER = "recorder"
LIFECYCLE_MANAGER = "lifecycle_manager"

ParameterValue: TypeAlias = "SettingValue | list[str]"

# Relative names, so that every robot has its own under its namespace. /diagnostics stays global.
REMAPPINGS = (("/clock", "clock"), ("/tf", "tf"), ("/tf_static", "tf_static"))


@dataclass(frozen=True)
class NodeSpec:
    """A node to be started. The executable, which is a module of `stma_ros.nodes`, has the node's name."""

    name: str
    namespace: str = ""
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    remappings: tuple[tuple[str, str], ...] = REMAPPINGS


def bring_up(
    *,
    world: str = "house",
    scene: str = "",
    seed: int = 1000,
    world_settings: Mapping[str, SettingValue] | None = None,
    component_settings: Mapping[str, Mapping[str, SettingValue]] | None = None,
    host_settings: Mapping[str, SettingValue] | None = None,
    bag: str = "",
    namespace: str = "",
    use_sim_time: bool = True,
    start_deadline: float = 60.0,
) -> tuple[NodeSpec, ...]:
    """The nodes of one robot in a simulated world.

    `component_settings` maps component names to their settings, `host_settings` hold for every component's
    host, `bag` is the folder to record to (empty = do not record), `start_deadline` the time in which all
    nodes must be active [s]. Raises ConfigurationError for a component that does not exist.
    """
    overrides = component_settings or {}
    for name in overrides:
        if name not in COMPONENTS:
            raise ConfigurationError(f"there is no component {name!r}. {suggest(name, COMPONENTS)}")
    recorder = RECORDER if bag else ""
    clock: dict[str, ParameterValue] = {"use_sim_time": use_sim_time}
    host = {"bridge": BRIDGE, "recorder": recorder, **(host_settings or {})}
    hosted = {f"host.{key}": value for key, value in host.items()}
    bridge = {
        "world": world,
        "scene": scene,
        "seed": seed,
        "recorder": recorder,
        **{f"world.{key}": value for key, value in (world_settings or {}).items()},
    }
    nodes: dict[str, Mapping[str, ParameterValue]] = {}
    if bag:
        nodes[RECORDER] = {"path": bag, "bridge": BRIDGE}
    for name in COMPONENTS:
        nodes[name] = {**hosted, **overrides.get(name, {})}
    nodes[BRIDGE] = bridge
    manager: dict[str, ParameterValue] = {"node_names": list(nodes), "deadline": start_deadline}
    return tuple(
        NodeSpec(name, namespace, {**clock, **parameters})
        for name, parameters in {**nodes, LIFECYCLE_MANAGER: manager}.items()
    )
