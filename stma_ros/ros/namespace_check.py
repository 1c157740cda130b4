"""Refuses to start a graph where nodes of the same names run, as each would take the other's messages for its own.

`python -m stma_ros.ros.namespace_check NAMESPACE NODE... [--alone]` does so for a launch file, which runs no node.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence

from rclpy.node import Node

from stma_ros.ros.context import passing_node
from stma_ros.ros.graph import LIFECYCLE_MANAGER
from stma_ros.ros.namespace_lock import NamespaceLock
from stma_ros.ros.topic_survey import DISCOVERY
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError

TAKEN = 2
"""The exit status where a robot already runs in the namespace."""

_POLL = 0.05  # [s]


def refuse_taken_namespace(
    names: Iterable[str], namespace: str = "", *, alone: bool = True, listen: float = DISCOVERY
) -> None:
    """Checks the lock of a robot on this host, and then the graph until another robot is found.

    Args:
        names: names of the nodes to be started.
        namespace: their namespace; empty = none.
        alone: whether any other publisher of their topics is refused, too, such as a robot's own bridge.
        listen: longest time to look [s]. The lifecycle manager finds a robot that is missed.

    Raises:
        ConfigurationError: a node of such a name exists, or a publisher of such a topic.
    """
    namespace = f"/{namespace.strip('/')}"
    if NamespaceLock(namespace).is_taken():
        raise _taken(namespace, f"its {LIFECYCLE_MANAGER} holds the namespace")
    wanted = {(name, namespace) for name in names}
    with passing_node("namespace_check", namespace) as node:
        until = time.monotonic() + listen
        while not (found := _found(node, wanted, alone)) and time.monotonic() < until:
            time.sleep(_POLL)
    if found:
        raise _taken(namespace, found)


def _taken(namespace: str, sign: str) -> ConfigurationError:
    where = f"in the namespace {namespace}" if namespace != "/" else "without a namespace"
    return ConfigurationError(
        f"a robot is running {where} in ROS domain {os.environ.get('ROS_DOMAIN_ID', '0')} already: {sign}. "
        "End it, or give this one a namespace or a ROS_DOMAIN_ID of its own"
    )


def _found(node: Node, wanted: set[tuple[str, str]], alone: bool) -> str:
    """Returns the first sign of another robot; empty = none."""
    running = sorted(name for name, _ in wanted.intersection(node.get_node_names_and_namespaces()))
    if running:
        return f"its node {running[0]} was found"
    published = (name for name in topics.TOPICS if alone and node.count_publishers(name))
    return next((f"{name} is published" for name in published), "")


def main(arguments: Sequence[str]) -> int:
    """Prints the reason for a refusal, and returns the exit status."""
    parser = argparse.ArgumentParser(prog="namespace_check")
    parser.add_argument("namespace")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--listen", type=float, default=DISCOVERY)
    options = parser.parse_args(arguments)
    try:
        refuse_taken_namespace(options.names, options.namespace, alone=options.alone, listen=options.listen)
    except ConfigurationError as error:
        print(error, file=sys.stderr)
        return TAKEN
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
