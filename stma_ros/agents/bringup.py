"""Describes the nodes of a running robot, for the launch file and the `stma` command alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from stma_ros.agents.configured_agent import STATE_DIR, ConfiguredAgent, configure_agent
from stma_ros.agents.node_spec import (
    COMPONENT,
    HOST,
    LIFECYCLE_MANAGER,
    MODEL,
    RECORDER,
    VISUALIZER,
    WORLD,
    NodeParameters,
    NodeSpec,
    ParameterValue,
    bridge_of,
)
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT, load_registry
from stma_ros.agents.spec import Wiring
from stma_ros.models.settings import ModelConfig, longer_wait
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.storage.provenance import about_run
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import SettingValue, configure, settings_of
from stma_ros.types.world import WorldOffer


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
    state_dir: str = "",
    knowledge: str = "",
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
    """Describes the nodes of one robot, in a simulated world or around the robot's own bridge.

    Args:
        preset: preset of the agent.
        registry: the registry that holds the preset's agent (registry.load_registry).
        robot_bridge: node of the robot's body, started by others; empty = a simulated world, chosen by `world`,
            `scene`, `seed` (None = 1000) and `world_settings`.
        offer: senses and skills that the robot's body, or the simulated world, offers the agent.
        component_settings: settings by component, above the preset's.
        host_settings: settings of every component's host; `lock_step` is off with a robot's own bridge unless these, or
            parameters, say otherwise. Nor does such a robot wait for models that see (perception.model_wait).
        bag: folder to record to; empty = do not record.
        recorder_settings: settings of the recorder (storage.recording).
        about: entries that replace, or are added to, the description of the run in the bag.
        memory_dir: folder that stores the spatial memory between runs; empty = it is not stored, unless
            component_settings or parameters name a folder.
        state_dir: folder in which components save their state during a task, so that their nodes can be started again
            in the middle of it, unless component_settings name another one; empty = they do not, unless parameters name
            a folder.
        knowledge: file with more general knowledge of categories, for every component that has this setting, unless
            component_settings name another one; empty = none, unless parameters name one.
        namespace: namespace of all nodes.
        use_sim_time: take the time from the topic clock; None = yes.
        autostart: bring the nodes up at once, rather than at a call of lifecycle_manager/startup; None = yes.
        start_deadline: time within which all nodes must be active [s].
        models: settings of models.settings: which model, or the rules, answers each role.
        replies: folder in which the models' answers are recorded; empty = the folder of the bag, if there is one.
        visualize: start the node that publishes the agent's memory for RViz.
        parameters: entries of a parameter file (ros.parameter_file): above the preset's values and the defaults, below
            the other arguments.
        log_level: level of all nodes' loggers; empty = the middleware's default.

    Returns:
        The nodes in the order in which they are started.

    Raises:
        ConfigurationError: a preset, component, setting or topic that does not exist, a value that does not fit.
    """
    given = {name: dict(values) for name, values in (parameters or {}).items()}
    recording = _recording_config(given.get(RECORDER, {}), recorder_settings or {})
    agents = load_registry(registry)
    wiring = agents.match(preset, offer).wiring
    role_models = _role_models(wiring, given, models or {})
    settings = _component_settings(wiring, given, component_settings or {}, memory_dir, state_dir, knowledge)
    if robot_bridge:
        chosen = agents.agent_of(preset).presets[preset].settings
        for name in _having(wiring, _MODEL_WAIT):
            waits = {_MODEL_WAIT: FREE_MODEL_WAIT, **chosen.get(name, {})}[_MODEL_WAIT]
            settings[name] = {_MODEL_WAIT: waits, **settings.get(name, {})}
    executor_waits = configure(RoleModelConfig, {**_longest(wiring, given), **(models or {})}, "model")
    agent = configure_agent(preset, settings, offer, executor_waits, agents)

    bridge = robot_bridge or bridge_of(world)
    simulation = (
        None if robot_bridge else _simulation(given.get(bridge, {}), world, scene, seed, world_settings or {})
    )
    graph = _Graph(agent, registry, bridge, RECORDER if bag else "", recording, lock_step=not robot_bridge)
    nodes: list[NodeSpec] = []
    if bag:
        run = {
            "preset": preset,
            "settings": settings,
            "models": asdict(executor_waits),
            **(asdict(simulation) if simulation else {"robot_bridge": robot_bridge}),
            **(about or {}),
        }
        nodes.append(graph.recorder_node(bag, run))
    for name in agent.configs:
        own, model = given.get(name, {}), role_models.get(name)
        nodes.append(graph.component_node(name, own, host_settings or {}, model, replies or bag))
    if simulation:
        nodes.append(graph.bridge_node(simulation))
    nodes.append(_lifecycle_manager_node(nodes, given.get(LIFECYCLE_MANAGER, {}), start_deadline, autostart))
    if visualize:  # It is not managed: the robot runs without it.
        nodes.append(NodeSpec(VISUALIZER))

    def uses_sim_time(name: str) -> ParameterValue:
        return given.get(name, {}).get("use_sim_time", True) if use_sim_time is None else use_sim_time

    return tuple(
        replace(
            node,
            namespace=namespace,
            parameters={**node.parameters, "use_sim_time": uses_sim_time(node.name)},
            log_level=log_level,
        )
        for node in nodes
    )


FREE_MODEL_WAIT = 3.0
"""Time that a keyframe waits for the answer of a model on a robot, which goes on meanwhile, by default [s]. The steps
outside of tasks are waited for a little longer."""

_SEED = 1000
_MODEL_WAIT = "model_wait"
"""The setting of components with open questions to a model."""
_KNOWLEDGE = "knowledge"
"""The setting of components that know categories."""
_AGENT_ARGUMENTS = {"registry": "registry", "agent": "preset", "wiring": "preset", "domain": "domain"}
_RECORDER_ARGUMENTS = {"recorder": "record", "excluded_topics": "exclude"}
"""The argument of the bring-up that decides each parameter, for NodeSpec.decided_by."""


@dataclass(frozen=True)
class _Simulation:
    """The simulated world that the bridge hosts, with the settings of its engine."""

    world: str
    scene: ParameterValue
    seed: ParameterValue
    world_settings: Mapping[str, ParameterValue]


@dataclass(frozen=True)
class _Graph:
    """Builds the nodes of one graph from the facts that they have to agree on.

    Attributes:
        agent: with the config of every component.
        registry: names the agent's registry; empty = the package's own.
        bridge: name of the node that stands for the robot's body.
        recorder: name of the recorder; empty = nothing is recorded.
        recording: settings of the recorder.
        lock_step: whether the body waits for the agent, as a simulator does, so that no message may be lost.
    """

    agent: ConfiguredAgent
    registry: str
    bridge: str
    recorder: str
    recording: RecordingConfig
    lock_step: bool

    def recorder_node(self, bag: str, run: Mapping[str, Any]) -> NodeSpec:
        """Returns the recorder, which writes the description of the run into the bag."""
        return NodeSpec(
            RECORDER,
            parameters={
                "path": bag,
                "bridge": self.bridge,
                **self._agent_parameters,
                "memory_dir": self.agent.memory_dir,
                "experiences": self.agent.experience_store,
                "about": json.dumps(about_run(run)),
                **asdict(self.recording),
            },
            decided_by={"path": "record", "bridge": "bridge", "memory_dir": "memory_dir", **_AGENT_ARGUMENTS},
        )

    def component_node(
        self,
        name: str,
        given: Mapping[str, ParameterValue],
        host_settings: Mapping[str, SettingValue],
        model: ModelConfig | None,
        replies: str,
    ) -> NodeSpec:
        """Returns the node of a component.

        Args:
            name: of the component.
            given: the node's entries of the parameter file.
            host_settings: of the component's host, above those of the file.
            model: settings of the models that answer its roles; None = it has no roles.
            replies: folder in which the models' answers are recorded; empty = that of the parameter file.
        """
        host = {
            **self._agent_parameters,
            "bridge": self.bridge,
            "lock_step": self.lock_step,
            **self._recorder_parameters,
            **_under(HOST, given),
            **host_settings,
        }
        parameters = {**_prefixed(HOST, host), **asdict(self.agent.configs[name])}
        if model:
            parameters |= _prefixed(MODEL, asdict(model))
            parameters[f"{HOST}replies"] = replies or given.get(f"{HOST}replies", "")
        arguments = {**_AGENT_ARGUMENTS, "bridge": "bridge", **_RECORDER_ARGUMENTS}
        return NodeSpec(
            name,
            parameters=parameters,
            decided_by={f"{HOST}{key}": argument for key, argument in arguments.items()},
            respawns=bool(getattr(self.agent.configs[name], STATE_DIR, "")),
            **_executable(name),
        )

    def bridge_node(self, simulation: _Simulation) -> NodeSpec:
        """Returns the bridge that hosts the simulated world."""
        return NodeSpec(
            self.bridge,
            parameters={
                "world": simulation.world,
                "scene": simulation.scene,
                "seed": simulation.seed,
                "registry": self.registry,
                "agent": self.agent.matched.agent.name,
                **self._recorder_parameters,
                **_prefixed(WORLD, simulation.world_settings),
            },
            decided_by={"world": "world", "registry": "registry", "agent": "preset", **_RECORDER_ARGUMENTS},
        )

    @property
    def _agent_parameters(self) -> dict[str, ParameterValue]:
        matched = self.agent.matched
        return {
            "registry": self.registry,
            "agent": matched.agent.name,
            "wiring": matched.wiring.name,
            "domain": matched.domain.name,
        }

    @property
    def _recorder_parameters(self) -> dict[str, ParameterValue]:
        return {"recorder": self.recorder, "excluded_topics": self.recording.exclude}


def _lifecycle_manager_node(
    managed: Iterable[NodeSpec], given: Mapping[str, ParameterValue], deadline: float, autostart: bool | None
) -> NodeSpec:
    managed = tuple(managed)
    parameters = {"deadline": deadline, **given, "node_names": [node.name for node in managed]}
    decided_by = {"node_names": "preset"}
    respawned = [node.name for node in managed if node.respawns]
    if respawned:  # an empty list has no type for rclpy
        parameters["respawned_names"] = respawned
        decided_by["respawned_names"] = "state_dir"
    if autostart is not None:
        parameters["autostart"] = autostart
    return NodeSpec(LIFECYCLE_MANAGER, parameters=parameters, decided_by=decided_by)


def _recording_config(
    given: Mapping[str, ParameterValue], settings: Mapping[str, SettingValue]
) -> RecordingConfig:
    """Returns the checked settings of the recorder: those of the parameter file, then those of the caller."""
    recording = configure(RecordingConfig, {**_named(RecordingConfig, given), **settings}, RECORDER)
    recording.check()
    return recording


def _role_models(
    wiring: Wiring, given: NodeParameters, models: Mapping[str, SettingValue]
) -> dict[str, ModelConfig]:
    """Returns the settings of models by component, for the components that ask roles."""
    return {
        name: configure(RoleModelConfig, {**_under(MODEL, given.get(name, {})), **models}, "model")
        for name, spec in wiring.components.items()
        if spec.roles
    }


def _simulation(
    given: Mapping[str, ParameterValue],
    world: str,
    scene: str,
    seed: int | None,
    settings: Mapping[str, SettingValue],
) -> _Simulation:
    """Returns the simulated world; the arguments go above the bridge's entries of the parameter file, `given`."""
    return _Simulation(
        world,
        scene or given.get("scene", ""),
        seed if seed is not None else given.get("seed", _SEED),
        {**_under(WORLD, given), **settings},
    )


def _component_settings(
    wiring: Wiring,
    given: NodeParameters,
    settings: Mapping[str, Mapping[str, SettingValue]],
    memory_dir: str,
    state_dir: str,
    knowledge: str,
) -> dict[str, dict[str, Any]]:
    """Returns the settings by component: those of the parameter file, then those of the caller, whose settings of one
    component go above the arguments for several."""
    merged: dict[str, dict[str, Any]] = {}
    for name in wiring.components:
        own = _named(wiring.components[name].config, given.get(name, {}))
        if own or name in settings:
            merged[name] = {**own, **settings.get(name, {})}
    merged |= {name: dict(values) for name, values in settings.items() if name not in merged}
    if memory_dir:
        merged["spatial_memory"] = {**merged.get("spatial_memory", {}), "memory_dir": memory_dir}
    knowing = _having(wiring, _KNOWLEDGE)
    if knowledge and not knowing:
        raise ConfigurationError("knowledge is set, but no component of this agent knows categories there")
    for name in knowing if knowledge else ():
        merged[name] = {**merged.get(name, {}), _KNOWLEDGE: knowledge, **settings.get(name, {})}
    for name in _having(wiring, STATE_DIR) if state_dir else ():
        chosen = settings.get(name, {}).get(STATE_DIR) or state_dir
        merged[name] = {**merged.get(name, {}), STATE_DIR: chosen}
    return merged


def _having(wiring: Wiring, setting: str) -> tuple[str, ...]:
    """Returns the components that have a setting."""
    return tuple(name for name, spec in wiring.components.items() if spec.has_setting(setting))


def _longest(wiring: Wiring, given: NodeParameters) -> dict[str, Any]:
    """Returns the settings of models by which the executor waits: where nodes differ, those that take longest."""
    longest: dict[str, Any] = {}
    for name, spec in wiring.components.items():
        for key, value in _under(MODEL, given.get(name, {})).items() if spec.roles else ():
            longest[key] = longer_wait(key, longest[key], value) if key in longest else value
    return longest


def _named(config: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the node's parameters that are settings of a config dataclass."""
    names = {item.name for item in settings_of(config)}
    return {name: value for name, value in values.items() if name in names}


def _under(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _prefixed(prefix: str, values: Mapping[str, Any]) -> dict[str, ParameterValue]:
    return {f"{prefix}{name}": value for name, value in values.items()}


def _executable(component: str) -> dict[str, Any]:
    """Returns how a component of another registry is started; this package's own have executables of their names."""
    own = any(component == spec.name for spec in AGENTS.components)
    return {} if own else {"program": COMPONENT, "arguments": (component,)}
