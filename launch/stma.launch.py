"""ros2 launch stma_ros stma.launch.py [world:=house] [seed:=1000] [record:=FOLDER] [memory_dir:=FOLDER] ..."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict

from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue as Typed

from launch import LaunchContext, LaunchDescription
from stma_ros.agents.bringup import PACKAGE, ParameterValue, bring_up
from stma_ros.agents.registry import DEFAULT_PRESET, ROBOT
from stma_ros.apps.settings import read_assignments
from stma_ros.ros.discovery import ENVIRONMENT, discovery_of, variables_for
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of, suggest
from stma_ros.types.world import Senses, WorldOffer
from stma_ros.worlds.registry import world_entry

ARGUMENTS = {
    "preset": (DEFAULT_PRESET, "which agent, by one of its presets"),
    "bridge": ("", "the robot's own bridge node, started by you; empty = simulate"),
    "domain": (ROBOT.domain, "with bridge: the domain of the robot's tasks"),
    "senses": (ROBOT.senses.value, "with bridge: what the robot's body senses, camera or text"),
    "skills": ("", "with bridge: names of the robot's skills, with commas between; empty = not checked"),
    "world": ("house", "the engine behind the bridge"),
    "world_options": ("", "options of the engine, with commas between: width=640,noise=true"),
    "scene": ("", "scene to load; empty = the world's choice by seed"),
    "seed": ("1000", "seed of the episode"),
    "namespace": ("", "the robot's namespace"),
    "discovery": (
        ENVIRONMENT,
        "which hosts find the nodes: localhost, subnet (every host of the network can then command the robot), or "
        "environment: what the environment says, which is localhost where it says nothing",
    ),
    "record": ("", "folder of the bag; empty = do not record"),
    "exclude": ("", "topics that are never recorded, with commas between: camera/*, ..."),
    "max_file_size": ("0", "size [MB] after which the bag goes on in another file; 0 = never"),
    "max_file_time": ("0", "time [s] after which the bag goes on in another file; 0 = never"),
    "keep": ("0", "size [MB] of the bag above which its oldest files are deleted; 0 = never"),
    "lossy_color": ("0", "JPEG quality of recorded colour images; 0 = without loss"),
    "memory_dir": ("", "folder in which the spatial memory is kept; empty = it is not"),
    "model": ("", "what answers the roles, such as openai:MODEL@http://HOST:8000/v1; empty = rules"),
    "on_failure": ("rules", "when a model gives no answer: rules, retry or fail"),
    "markers": ("false", "show RViz what the agent knows: config/stma.rviz"),
    "use_sim_time": ("true", "take the time from the bridge"),
}


def _as_it_is(value: ParameterValue) -> object:
    """A text stays one, whatever it looks like: launch would read it as YAML."""
    return Typed(value, value_type=str) if isinstance(value, str) else value


def _offer(given: Mapping[str, str]) -> WorldOffer:
    """What the robot's own body offers, as the arguments say."""
    known = tuple(item.value for item in Senses)
    if given["senses"] not in known:
        raise ConfigurationError(
            f"there are no senses {given['senses']!r}. {suggest(given['senses'], known)}"
        )
    skills = tuple(filter(None, given["skills"].split(",")))
    return WorldOffer(given["domain"], Senses(given["senses"]), skills or None)


def nodes(context: LaunchContext) -> list[Node | LogInfo]:
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    variables = variables_for(given["discovery"])
    discovery = discovery_of({**os.environ, **variables})
    discovery.check()
    world = world_entry(given["world"])
    options = read_assignments(
        [f"world.{option}" for option in given["world_options"].split(",") if option]
    ).world
    specs = bring_up(
        preset=given["preset"],
        robot_bridge=given["bridge"],
        offer=_offer(given) if given["bridge"] else world.offer,
        world=given["world"],
        world_settings=asdict(configure(world.config, options, given["world"])),
        start_deadline=world.load_time,
        scene=given["scene"],
        seed=int(given["seed"]),
        namespace=given["namespace"],
        bag=given["record"],
        recorder_settings={item.name: given[item.name] for item in settings_of(RecordingConfig)},
        memory_dir=given["memory_dir"],
        models={"default": given["model"], "on_failure": given["on_failure"]},
        visualize=given["markers"].lower() == "true",
        use_sim_time=given["use_sim_time"].lower() == "true",
    )
    warnings = [LogInfo(msg=f"warning: {discovery.warning}")] if discovery.warning else []
    return [
        *warnings,
        *(
            Node(
                package=PACKAGE,
                executable=spec.executable,
                arguments=list(spec.arguments),
                name=spec.name,
                namespace=spec.namespace,
                parameters=[{name: _as_it_is(value) for name, value in spec.parameters.items()}],
                remappings=list(spec.remappings),
                output="screen",
                additional_env=variables,
            )
            for spec in specs
        ),
    ]


def generate_launch_description() -> LaunchDescription:
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=nodes)])
