"""ros2 run stma_ros component NAME: hosts the component NAME of an agent, which the parameters host.registry,
host.agent, host.wiring and host.domain identify. The executables planner, critic and so on are this one with their
names."""

from __future__ import annotations

import argparse

from rclpy.utilities import remove_ros_args

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.graph import EXECUTOR, SPATIAL_MEMORY
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.memory_host import MemoryHost
from stma_ros.ros.spin import spin


def host(name: str) -> None:
    """Runs the node of a component until it is ended."""
    spin(lambda: _make_host(name))


def _make_host(name: str) -> ComponentHost:
    if name == EXECUTOR:
        return ExecutorHost(AGENTS)
    if name == SPATIAL_MEMORY:
        return MemoryHost(AGENTS)
    return ComponentHost(name, AGENTS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="component", description="Runs the node of an agent's component.")
    parser.add_argument("name", metavar="NAME", help="the component, as the agent's wiring names it")
    host(parser.parse_args(remove_ros_args()[1:]).name)


if __name__ == "__main__":
    main()
