"""The arguments of the launch file and the nodes that it starts, without the library launch: launch/stma.launch.py only
converts them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import BRIDGE, NodeSpec, bridge_of
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT, load_registry
from stma_ros.apps.settings import read_assignments
from stma_ros.models.settings import RULES
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.ros.discovery import ENVIRONMENT, REACHES, discovery_of, variables_for
from stma_ros.ros.node_settings import node_settings
from stma_ros.ros.parameter_file import parameters_by_node, read_parameter_file, unused_sections
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of, suggest
from stma_ros.types.world import Senses, WorldOffer
from stma_ros.worlds.registry import WORLDS, world_entry, world_offer

_ON_FAILURE: Final = next(item for item in settings_of(RoleModelConfig) if item.name == "on_failure")
_BOOLEANS: Final = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True)
class LaunchArgument:
    """An argument of the launch file. `choices` empty = any text."""

    name: str
    default: str
    description: str
    choices: tuple[str, ...] = ()


ARGUMENTS: Final = (
    LaunchArgument("namespace", "", "namespace of all nodes; empty = none"),
    LaunchArgument(
        "params_file",
        "",
        "full path of a ROS 2 parameter file, such as config/stma.yaml; it outweighs preset and defaults, and every "
        "other argument that is given outweighs it; empty = none",
    ),
    LaunchArgument(
        "autostart",
        "true",
        "true or false: configure and activate the nodes at once; false = they wait for a call of the service "
        "lifecycle_manager/startup (std_srvs/Trigger)",
    ),
    LaunchArgument(
        "log_level", "info", "level of all nodes' loggers", ("debug", "info", "warn", "error", "fatal")
    ),
    LaunchArgument(
        "use_sim_time",
        "true",
        "true or false: take the time from the topic clock, which simulators publish; false on a robot",
    ),
    LaunchArgument(
        "discovery",
        ENVIRONMENT,
        "which hosts find the nodes: localhost = this one alone; subnet = every host of the network, which can then "
        "command the robot; environment = what ROS's variables say, localhost where they say nothing",
        REACHES,
    ),
    LaunchArgument(
        "preset",
        DEFAULT_PRESET,
        f"which agent, by one of its presets: {', '.join(AGENTS.presets)}, or one of the registry",
    ),
    LaunchArgument(
        "registry", "", "MODULE:NAME of a registry of agents of your own; empty = the agents of this package"
    ),
    LaunchArgument("bridge", "", "name of the robot's own bridge node, which you start; empty = simulate"),
    LaunchArgument("domain", ROBOT.domain, "with bridge: the domain of the robot's tasks"),
    LaunchArgument(
        "senses",
        ROBOT.senses.value,
        "with bridge: what the robot's body senses",
        tuple(item.value for item in Senses),
    ),
    LaunchArgument(
        "skills", "", "with bridge: names of the robot's skills, with commas between; empty = not checked"
    ),
    LaunchArgument(
        "world", "house", "without bridge: the simulator that stands in for the robot", tuple(WORLDS)
    ),
    LaunchArgument(
        "world_options", "", "options of the simulator, with commas between, such as width=640,noise=true"
    ),
    LaunchArgument("scene", "", "scene of the simulator; empty = its choice by the seed"),
    LaunchArgument("seed", "1000", "seed of the episode in the simulator, a whole number"),
    LaunchArgument(
        "model", "", "what answers the roles, such as openai:MODEL@http://HOST:8000/v1; empty = rules"
    ),
    LaunchArgument(_ON_FAILURE.name, RULES, _ON_FAILURE.description, _ON_FAILURE.choices),
    LaunchArgument(
        "memory_dir",
        "",
        "folder in which the spatial memory is kept from one start to the next, an absolute path; empty = nowhere",
    ),
    LaunchArgument(
        "state_dir",
        "",
        "folder in which the memory of the running task is saved, so that its node is started again if it dies, an "
        "absolute path; empty = nowhere, and the task ends with the node",
    ),
    LaunchArgument(
        "knowledge",
        "",
        "YAML or JSON file with more names, categories, places and rooms (docs/howto/settings.md), an absolute path; "
        "empty = none",
    ),
    LaunchArgument("record", "", "folder of the bag to record, an absolute path; empty = do not record"),
    *(
        LaunchArgument(item.name, str(item.default), f"with record: {item.description}")
        for item in settings_of(RecordingConfig)
    ),
    LaunchArgument(
        "markers",
        "false",
        "true or false: publish markers for RViz of what the agent knows (config/stma.rviz)",
    ),
)

_OF_LAUNCH: Final = frozenset(
    {
        "launch-prefix",
        "launch-prefix-filter",
        "emulate_tty",
        "sigterm_timeout",
        "sigkill_timeout",
        "output_format",
    }
)
"""Arguments that the library launch itself reads in any launch file."""


@dataclass(frozen=True)
class LaunchPlan:
    """The nodes to start, and their environment.

    Attributes:
        specs: the nodes.
        variables: additional environment variables of the nodes.
        notices: lines for the terminal before they start.
        alone: whether no other publisher may exist on the topics of the namespace, since the robot's body is started
            along.
    """

    specs: tuple[NodeSpec, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    alone: bool = True


def refuse_unknown_arguments(names: Iterable[str]) -> None:
    """Raises ConfigurationError for the first argument that the launch file does not have, as launch itself accepts
    any."""
    known = {argument.name: argument for argument in ARGUMENTS}
    for name in names:
        if name not in known and name not in _OF_LAUNCH:
            raise ConfigurationError(
                f"the launch file has no argument {name!r}. {suggest(name, known)} All of them, with what they mean: "
                "ros2 launch stma_ros stma.launch.py --show-args"
            )


def launch_plan(values: Mapping[str, str], pushed_namespace: str = "") -> LaunchPlan:
    """Returns the plan for the values of all arguments.

    Args:
        values: by name; an argument that is left out has its default.
        pushed_namespace: namespace that an including launch file has set for the nodes.

    Raises:
        ConfigurationError: an unknown argument, a value that does not fit, a parameter file with a mistake.
    """
    refuse_unknown_arguments(values)
    defaults = {argument.name: argument.default for argument in ARGUMENTS}
    for argument in ARGUMENTS:
        _check_choice(argument, values.get(argument.name, argument.default))
    given = {name: value for name, value in values.items() if value != defaults[name]}
    all_values = {**defaults, **values}
    variables = variables_for(all_values["discovery"])
    discovery = discovery_of({**os.environ, **variables})
    discovery.check()
    notices = [f"warning: {discovery.warning}"] if discovery.warning else []
    options = _options(all_values, given)
    specs = bring_up(**options)
    if path := given.get("params_file"):
        sections = read_parameter_file(Path(path))
        namespace = f"{pushed_namespace}/{all_values['namespace'].strip('/')}"
        others = [given["bridge"]] if "bridge" in given else []
        found = parameters_by_node(
            sections,
            specs,
            node_settings(load_registry(all_values["registry"]), _worlds(all_values["world"])),
            namespace=namespace,
            others=others,
            source=path,
        )
        specs = bring_up(**options, parameters=found)
        unused = [node for node in unused_sections(sections, specs, namespace) if node not in others]
        if unused:
            notices.append(f"{path}: not started here, and so not used: {', '.join(unused)}")
    if not _boolean("autostart", all_values["autostart"]):
        manager = "/".join(
            filter(None, (pushed_namespace, all_values["namespace"].strip("/"), "lifecycle_manager"))
        )
        notices.append(
            "autostart is false: the nodes wait for "
            f"`ros2 service call /{manager.strip('/')}/startup std_srvs/srv/Trigger`"
        )
    return LaunchPlan(specs, variables, tuple(notices), alone="bridge" not in given)


def _options(values: Mapping[str, str], given: Mapping[str, str]) -> dict[str, Any]:
    """Returns the arguments of bring_up. An argument that a parameter file may also set is passed only where it differs
    from the default."""
    world = world_entry(values["world"])
    texts = [f"world.{option}" for option in _listed(values["world_options"])]
    chosen = read_assignments(texts).world
    configured = asdict(configure(world.config, chosen, values["world"]))
    return {
        "preset": values["preset"],
        "registry": values["registry"],
        "robot_bridge": values["bridge"],
        "offer": _offer(values) if values["bridge"] else world_offer(values["world"], chosen),
        "world": values["world"],
        "world_settings": {name: configured[name] for name in chosen},
        "start_deadline": world.load_time,
        "scene": values["scene"],
        "seed": _whole("seed", given["seed"]) if "seed" in given else None,
        "namespace": values["namespace"],
        "bag": values["record"],
        "recorder_settings": {
            item.name: given[item.name] for item in settings_of(RecordingConfig) if item.name in given
        },
        "memory_dir": values["memory_dir"],
        "state_dir": values["state_dir"],
        "knowledge": values["knowledge"],
        "models": {
            setting: given[name]
            for name, setting in (("model", "default"), ("on_failure", "on_failure"))
            if name in given
        },
        "visualize": _boolean("markers", values["markers"]),
        "use_sim_time": _given_boolean("use_sim_time", given),
        "autostart": _given_boolean("autostart", given),
        "log_level": values["log_level"],
    }


def _offer(values: Mapping[str, str]) -> WorldOffer:
    """Returns the offer of the robot's own body."""
    skills = _listed(values["skills"])
    return WorldOffer(values["domain"], Senses(values["senses"]), skills or None)


def _listed(text: str) -> tuple[str, ...]:
    """Returns the items of a list with commas, and perhaps blanks, between them."""
    return tuple(filter(None, map(str.strip, text.split(","))))


def _worlds(world: str) -> dict[str, type]:
    """Returns the config of each bridge's world: of the started world, and of one world that each other
    bridge serves."""
    served = {bridge_of(name): entry.config for name, entry in WORLDS.items() if bridge_of(name) != BRIDGE}
    house = {BRIDGE: world_entry("house").config}
    return {**house, **served, bridge_of(world): world_entry(world).config}


def _check_choice(argument: LaunchArgument, value: str) -> None:
    if argument.choices and value not in argument.choices:
        raise ConfigurationError(
            f"{argument.name}:={value} is not possible. {suggest(value, argument.choices)}"
        )


def _given_boolean(name: str, given: Mapping[str, str]) -> bool | None:
    return _boolean(name, given[name]) if name in given else None


def _boolean(name: str, value: str) -> bool:
    try:
        return _BOOLEANS[value.lower()]
    except KeyError:
        raise ConfigurationError(f"{name}:={value} is not possible: it wants true or false") from None


def _whole(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ConfigurationError(f"{name}:={value} is not possible: it wants a whole number") from None
