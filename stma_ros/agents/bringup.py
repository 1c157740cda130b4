"""Describes the nodes of a running robot, for the launch file and the `stma` command alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT, load_registry
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.storage.provenance import about_run
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.settings import SettingValue, configure
from stma_ros.types.world import WorldOffer

PACKAGE = "stma_ros"
BRIDGE = "sim_bridge"
_BRIDGES = {"habitat": "habitat_bridge"}  # of worlds that have a node of their own name
COMPONENT = "component"  # the executable of any component, which is told its name
RECORDER = "recorder"
LIFECYCLE_MANAGER = "lifecycle_manager"
VISUALIZER = "visualizer"

ParameterValue: TypeAlias = "SettingValue | list[str]"

# Relative names, so that every robot has its own under its namespace. /diagnostics stays global.
REMAPPINGS = (("/clock", "clock"), ("/tf", "tf"), ("/tf_static", "tf_static"))


@dataclass(frozen=True)
class NodeSpec:
    """A node to be started.

    Attributes:
        name: of the node.
        namespace: of the robot.
        parameters: by their names.
        remappings: of names in the code to names in the graph.
        program: the executable, a module of `stma_ros.nodes`; empty = it has the node's name.
        arguments: of the executable, before those of ROS.
    """

    name: str
    namespace: str = ""
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    remappings: tuple[tuple[str, str], ...] = REMAPPINGS
    program: str = ""
    arguments: tuple[str, ...] = ()

    @property
    def executable(self) -> str:
        return self.program or self.name


def bridge_of(world: str) -> str:
    """The node that stands in for the robot's body in a simulated world."""
    return _BRIDGES.get(world, BRIDGE)


def bring_up(
    *,
    preset: str = DEFAULT_PRESET,
    registry: str = "",
    robot_bridge: str = "",
    offer: WorldOffer = ROBOT,
    world: str = "house",
    scene: str = "",
    seed: int = 1000,
    world_settings: Mapping[str, SettingValue] | None = None,
    component_settings: Mapping[str, Mapping[str, SettingValue]] | None = None,
    host_settings: Mapping[str, SettingValue] | None = None,
    bag: str = "",
    recorder_settings: Mapping[str, SettingValue] | None = None,
    about: Mapping[str, SettingValue] | None = None,
    memory_dir: str = "",
    namespace: str = "",
    use_sim_time: bool = True,
    start_deadline: float = 60.0,
    models: Mapping[str, SettingValue] | None = None,
    replies: str = "",
    visualize: bool = False,
) -> tuple[NodeSpec, ...]:
    """The nodes of one robot, in a simulated world or around its own bridge.

    `registry` says where the agent of the preset is found (registry.load_registry).
    `robot_bridge` names the node that stands for the robot's body and is started by others; empty = a simulator
    stands in, and `world`, `scene`, `seed` and `world_settings` say which. `offer`: what the robot's body, or the
    simulated world, offers the agent.
    `component_settings` maps component names to their settings, on top of the preset's; `host_settings` hold for
    every component's host, `bag` is the folder to record to (empty = do not record), `recorder_settings` say how
    (storage.recording), `about` what the bag shall say of the run instead of, or beside, what is known here,
    `memory_dir` the folder in which the spatial memory is kept from one start to the next (empty = it is not kept,
    unless component_settings say so), `start_deadline` the time in which all nodes must be active [s]. `models`: the
    settings of models.settings, which say what answers which roles; `replies`: the folder in which the answers are
    recorded (empty = that of the bag, if there is one); `visualize`: show RViz what the agent knows. Raises
    ConfigurationError for a preset, component, setting or topic that does not exist and for a value that does not fit.
    """
    settings = dict(component_settings or {})
    if memory_dir:
        settings["spatial_memory"] = {**settings.get("spatial_memory", {}), "memory_dir": memory_dir}
    asked = configure(RoleModelConfig, models or {}, "model")
    agent = configure_agent(preset, settings, offer, asked, load_registry(registry))
    configs, matched = agent.configs, agent.matched
    bridge_name = robot_bridge or bridge_of(world)
    recorder = RECORDER if bag else ""
    recording = configure(RecordingConfig, recorder_settings or {}, RECORDER)
    recording.check()
    clock: dict[str, ParameterValue] = {"use_sim_time": use_sim_time}
    belonging = {
        "registry": registry,
        "agent": matched.agent.name,
        "wiring": matched.wiring.name,
        "domain": matched.domain.name,
    }
    host = {
        **belonging,
        "bridge": bridge_name,
        "recorder": recorder,
        "excluded_topics": recording.exclude,
        **(host_settings or {}),
    }
    hosted = {f"host.{key}": value for key, value in host.items()}
    answering = {f"model.{key}": value for key, value in asdict(asked).items()} | {
        "host.replies": replies or bag
    }
    bridge = {
        "world": world,
        "scene": scene,
        "seed": seed,
        "registry": registry,
        "agent": matched.agent.name,
        "recorder": recorder,
        "excluded_topics": recording.exclude,
        **{f"world.{key}": value for key, value in (world_settings or {}).items()},
    }
    nodes: dict[str, Mapping[str, ParameterValue]] = {}
    if bag:
        simulated = {
            "world": world,
            "scene": scene,
            "seed": seed,
            "world_settings": dict(world_settings or {}),
        }
        run = {
            "preset": preset,
            "settings": settings,
            "models": asdict(asked),
            **({"robot_bridge": robot_bridge} if robot_bridge else simulated),
            **(about or {}),
        }
        nodes[RECORDER] = {
            "path": bag,
            "bridge": bridge_name,
            **belonging,
            "memory_dir": agent.memory_dir,
            "about": json.dumps(about_run(run)),
            **asdict(recording),
        }
    for name, config in configs.items():
        roles = matched.wiring.components[name].roles
        nodes[name] = {**hosted, **asdict(config), **(answering if roles else {})}
    if not robot_bridge:
        nodes[bridge_name] = bridge
    manager: dict[str, ParameterValue] = {"node_names": list(nodes), "deadline": start_deadline}
    # Who only looks on is not managed: the robot runs without it.
    onlookers: dict[str, Mapping[str, ParameterValue]] = {VISUALIZER: {}} if visualize else {}
    new = configs.keys() - {spec.name for spec in AGENTS.components}  # without an executable of their own
    return tuple(
        NodeSpec(name, namespace, {**clock, **parameters}, program=COMPONENT, arguments=(name,))
        if name in new
        else NodeSpec(name, namespace, {**clock, **parameters})
        for name, parameters in {**nodes, LIFECYCLE_MANAGER: manager, **onlookers}.items()
    )
