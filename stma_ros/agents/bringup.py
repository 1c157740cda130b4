"""Describes the nodes of a running robot, for the launch file and the `stma` command alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT, load_registry
from stma_ros.agents.spec import Wiring
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.storage.provenance import about_run
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.settings import SettingValue, configure, settings_of
from stma_ros.types.world import WorldOffer

PACKAGE = "stma_ros"
BRIDGE = "sim_bridge"
_BRIDGES = {"habitat": "habitat_bridge"}  # of worlds that have a node of their own name
BRIDGES = (BRIDGE, *_BRIDGES.values())
COMPONENT = "component"  # the executable of any component, which is told its name
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
        name: of the node.
        namespace: of the robot.
        parameters: by their names.
        remappings: of names in the code to names in the graph.
        program: the executable, a module of `stma_ros.nodes`; empty = it has the node's name.
        arguments: of the executable, before those of ROS.
        decided_by: of the parameters that have to agree among the nodes, the argument of the bring-up that says them.
        log_level: of the node's loggers; empty = the middleware's default.
    """

    name: str
    namespace: str = ""
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    remappings: tuple[tuple[str, str], ...] = REMAPPINGS
    program: str = ""
    arguments: tuple[str, ...] = ()
    decided_by: Mapping[str, str] = field(default_factory=dict)
    log_level: str = ""

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
    seed: int | None = None,
    world_settings: Mapping[str, SettingValue] | None = None,
    component_settings: Mapping[str, Mapping[str, SettingValue]] | None = None,
    host_settings: Mapping[str, SettingValue] | None = None,
    bag: str = "",
    recorder_settings: Mapping[str, SettingValue] | None = None,
    about: Mapping[str, SettingValue] | None = None,
    memory_dir: str = "",
    namespace: str = "",
    use_sim_time: bool | None = None,
    autostart: bool | None = None,
    start_deadline: float = 60.0,
    models: Mapping[str, SettingValue] | None = None,
    replies: str = "",
    visualize: bool = False,
    parameters: NodeParameters | None = None,
    log_level: str = "",
) -> tuple[NodeSpec, ...]:
    """The nodes of one robot, in a simulated world or around its own bridge.

    Args:
        preset: which agent.
        registry: says where the agent of the preset is found (registry.load_registry).
        robot_bridge: the node that stands for the robot's body and is started by others; empty = a simulator stands in,
            and `world`, `scene`, `seed` (None = 1000) and `world_settings` say which.
        offer: what the robot's body, or the simulated world, offers the agent.
        component_settings: by component, on top of the preset's.
        host_settings: of every component's host.
        bag: folder to record to; empty = do not record. recorder_settings: how (storage.recording).
        about: what the bag shall say of the run instead of, or beside, what is known here.
        memory_dir: folder in which the spatial memory is kept from one start to the next; empty = it is not, unless
            component_settings or parameters say so.
        use_sim_time: take the time from the topic clock; None = yes.
        autostart: bring the nodes up at once, rather than at a call of lifecycle_manager/startup; None = yes.
        start_deadline: the time in which all nodes must be active [s].
        models: settings of models.settings, which say what answers which roles.
        replies: folder in which the answers are recorded; empty = that of the bag, if there is one.
        visualize: show RViz what the agent knows.
        parameters: of a parameter file (ros.parameter_file): above the preset's values and the defaults, below all that
            the other arguments say.
        log_level: of all nodes; empty = the middleware's default.

    Raises:
        ConfigurationError: a preset, component, setting or topic that does not exist, a value that does not fit.
    """
    given = {name: dict(values) for name, values in (parameters or {}).items()}
    recording = configure(
        RecordingConfig,
        {**_named(RecordingConfig, given.get(RECORDER, {})), **(recorder_settings or {})},
        RECORDER,
    )
    recording.check()
    agents = load_registry(registry)
    wiring = agents.match(preset, offer).wiring
    asked = dict(models or {})
    answering = {
        name: configure(RoleModelConfig, {**_under(MODEL, given.get(name, {})), **asked}, "model")
        for name, spec in wiring.components.items()
        if spec.roles
    }
    settings = _component_settings(wiring, given, component_settings or {}, memory_dir)
    waited_for = configure(RoleModelConfig, {**_longest(wiring, given), **asked}, "model")
    agent = configure_agent(preset, settings, offer, waited_for, agents)
    matched = agent.matched
    bridge_name, recorder = robot_bridge or bridge_of(world), RECORDER if bag else ""
    belonging = {
        "registry": registry,
        "agent": matched.agent.name,
        "wiring": matched.wiring.name,
        "domain": matched.domain.name,
    }
    recorded = {"recorder": recorder, "excluded_topics": recording.exclude}
    seen = given.get(bridge_name, {})
    engine = {**_under(WORLD, seen), **(world_settings or {})}
    episode = {
        "world": world,
        "scene": scene or seen.get("scene", ""),
        "seed": seed if seed is not None else seen.get("seed", _SEED),
    }
    nodes: dict[str, dict[str, ParameterValue]] = {}
    decided: dict[str, Mapping[str, str]] = {}
    if bag:
        run = {
            "preset": preset,
            "settings": settings,
            "models": asdict(waited_for),
            **({"robot_bridge": robot_bridge} if robot_bridge else {**episode, "world_settings": engine}),
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
        decided[RECORDER] = {"path": "record", "bridge": "bridge", "memory_dir": "memory_dir", **_BELONGING}
    host = {**belonging, "bridge": bridge_name, **recorded}
    for name, config in agent.configs.items():
        own = given.get(name, {})
        nodes[name] = {
            **_prefixed(HOST, {**host, **_under(HOST, own), **(host_settings or {})}),
            **asdict(config),
        }
        if name in answering:
            nodes[name] |= _prefixed(MODEL, asdict(answering[name]))
            nodes[name][f"{HOST}replies"] = replies or bag or own.get(f"{HOST}replies", "")
        decided[name] = {
            f"{HOST}{key}": argument
            for key, argument in {**_BELONGING, "bridge": "bridge", **_RECORDED}.items()
        }
    if not robot_bridge:
        nodes[bridge_name] = {
            **episode,
            "registry": registry,
            "agent": matched.agent.name,
            **recorded,
            **_prefixed(WORLD, engine),
        }
        decided[bridge_name] = {"world": "world", "registry": "registry", "agent": "preset", **_RECORDED}
    managed = list(nodes)
    nodes[LIFECYCLE_MANAGER] = {
        "deadline": start_deadline,
        **given.get(LIFECYCLE_MANAGER, {}),
        "node_names": managed,
        **({} if autostart is None else {"autostart": autostart}),
    }
    decided[LIFECYCLE_MANAGER] = {"node_names": "preset"}
    if visualize:  # It is not managed: the robot runs without it.
        nodes[VISUALIZER] = {}
    own_executables = {spec.name for spec in AGENTS.components}
    return tuple(
        NodeSpec(
            name,
            namespace,
            {**values, "use_sim_time": _first(use_sim_time, given.get(name, {}).get("use_sim_time"), True)},
            **_program(name in agent.configs and name not in own_executables, name),
            decided_by=decided.get(name, {}),
            log_level=log_level,
        )
        for name, values in nodes.items()
    )


_SEED = 1000
_BELONGING = {"registry": "registry", "agent": "preset", "wiring": "preset", "domain": "domain"}
_RECORDED = {"recorder": "record", "excluded_topics": "exclude"}


def _component_settings(
    wiring: Wiring,
    given: NodeParameters,
    settings: Mapping[str, Mapping[str, SettingValue]],
    memory_dir: str,
) -> dict[str, dict[str, Any]]:
    """The settings of components: those of the parameter file, then those that the caller names."""
    merged: dict[str, dict[str, Any]] = {}
    for name in wiring.components:
        own = _named(wiring.components[name].config, given.get(name, {}))
        if own or name in settings:
            merged[name] = {**own, **settings.get(name, {})}
    merged |= {name: dict(values) for name, values in settings.items() if name not in merged}
    if memory_dir:
        merged["spatial_memory"] = {**merged.get("spatial_memory", {}), "memory_dir": memory_dir}
    return merged


def _longest(wiring: Wiring, given: NodeParameters) -> dict[str, Any]:
    """The settings of models by which the executor waits: where the nodes' own differ, the largest number."""
    longest: dict[str, Any] = {}
    for name, spec in wiring.components.items():
        for key, value in _under(MODEL, given.get(name, {})).items() if spec.roles else ():
            before = longest.get(key)
            numbers = type(value) in (int, float) and type(before) in (int, float)
            longest[key] = max(value, before) if numbers else value or before
    return longest


def _named(config: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a node's parameters that are the settings of a config dataclass."""
    names = {item.name for item in settings_of(config)}
    return {name: value for name, value in values.items() if name in names}


def _under(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _prefixed(prefix: str, values: Mapping[str, Any]) -> dict[str, ParameterValue]:
    return {f"{prefix}{name}": value for name, value in values.items()}


def _program(hosted: bool, name: str) -> dict[str, Any]:
    """The executable of a component of another registry."""
    return {"program": COMPONENT, "arguments": (name,)} if hosted else {}


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)
