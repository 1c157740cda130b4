"""ros2 launch stma_ros stma.launch.py [ARGUMENT:=VALUE]...; --show-args says what there is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
)
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue as Typed

from launch import Action, LaunchContext, LaunchDescription
from stma_ros.agents.node_spec import PACKAGE, NodeSpec, ParameterValue
from stma_ros.apps.launch_arguments import (
    ARGUMENTS,
    LaunchPlan,
    launch_plan,
    refuse_unknown_arguments,
)
from stma_ros.types.errors import ConfigurationError

_NAMESPACE_CHECK = (sys.executable, "-m", "stma_ros.ros.namespace_check")
_PROCESS_END = (sys.executable, "-m", "stma_ros.ros.process_end")
_AGAIN = ("--again",)  # the node is being started again
_TO_CHECK = 60.0  # [s] longest time to look for another robot


def start(context: LaunchContext) -> Sequence[Action]:
    """Checks the arguments, and returns what is to be started."""
    if _is_what_was_launched():
        refuse_unknown_arguments(argument.partition(":=")[0] for argument in context.argv if ":=" in argument)
    values = {argument.name: context.launch_configurations[argument.name] for argument in ARGUMENTS}
    pushed = context.launch_configurations.get("ros_namespace", "")
    plan = launch_plan(values, pushed)
    namespace = f"{pushed}/{values['namespace'].strip('/')}".rstrip("/") or "/"
    _refuse_taken_namespace(plan, namespace)
    nodes = [_node(spec, plan) for spec in plan.specs]
    return [
        *(LogInfo(msg=notice) for notice in plan.notices),
        *(_report_end(node, spec, plan, namespace) for node, spec in zip(nodes, plan.specs, strict=True)),
        *nodes,
    ]


def _is_what_was_launched() -> bool:
    """Whether this file is on the command line. Where another launch file includes it, the context holds that one's
    arguments, too, and nothing says which of them were meant for this one."""
    return any(Path(argument).name == Path(__file__).name for argument in sys.argv)


def _refuse_taken_namespace(plan: LaunchPlan, namespace: str) -> None:
    """In a process of its own, so that this one, which may start others, stays as it is."""
    names = [spec.name for spec in plan.specs]
    checked = subprocess.run(
        [*_NAMESPACE_CHECK, namespace, *names, *(["--alone"] if plan.alone else [])],
        env={**os.environ, **plan.variables},
        stderr=subprocess.PIPE,
        text=True,
        timeout=_TO_CHECK,
    )
    if checked.returncode:
        raise ConfigurationError(checked.stderr.strip())


def _node(spec: NodeSpec, plan: LaunchPlan) -> Node:
    return Node(
        package=PACKAGE,
        executable=spec.executable,
        arguments=list(spec.arguments),
        name=spec.name,
        namespace=spec.namespace,
        parameters=[{name: _as_it_is(value) for name, value in spec.parameters.items()}],
        remappings=list(spec.remappings),
        ros_arguments=["--log-level", spec.log_level],
        output="screen",
        additional_env=dict(plan.variables),
        respawn=spec.respawns,
        respawn_max_retries=1,
    )


def _as_it_is(value: ParameterValue) -> object:
    """A text stays one, whatever it looks like: launch would read it as YAML."""
    return Typed(value, value_type=str) if isinstance(value, str) else value


def _report_end(node: Node, spec: NodeSpec, plan: LaunchPlan, namespace: str) -> Action:
    """Tells the lifecycle manager when the node's process ends: it cannot miss a node that it has never seen alive."""
    lives = iter((_AGAIN,) if spec.respawns else ())

    def report(event: ProcessExited, context: LaunchContext) -> list[Action]:
        if context.is_shutdown:
            return []
        command = [*_PROCESS_END, namespace, spec.name, str(event.returncode), *next(lives, ())]
        return [ExecuteProcess(cmd=command, additional_env=dict(plan.variables), output="log")]

    return RegisterEventHandler(OnProcessExit(target_action=node, on_exit=report))


def generate_launch_description() -> LaunchDescription:
    arguments = [
        DeclareLaunchArgument(
            argument.name,
            default_value=argument.default,
            description=argument.description,
            choices=list(argument.choices) or None,
        )
        for argument in ARGUMENTS
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
