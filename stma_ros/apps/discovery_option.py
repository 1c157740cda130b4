"""The option --discovery: the hosts that can find the nodes of a command."""

from __future__ import annotations

import os
import sys

from stma_ros.ros.discovery import discovery_of, variables_for
from stma_ros.types.errors import ConfigurationError


def apply_discovery(asked: str | None, *, uses_ros: bool) -> None:
    """Sets the environment by the option, and warns of a graph that is open to other hosts.

    Args:
        asked: value of the option, one of `ros.discovery.REACHES`; None = not given.
        uses_ros: whether the command starts ROS nodes or subscribes to topics.

    Raises:
        ConfigurationError: the option is without effect, or the nodes would not even find one another.
    """
    if not uses_ros:
        if asked:
            raise ConfigurationError(
                "--discovery says which hosts find the ROS nodes, and this command starts none: leave it out"
            )
        return
    if asked:
        os.environ.update(variables_for(asked))
    found = discovery_of()
    found.check()
    if found.warning:
        print(f"warning: {found.warning}", file=sys.stderr)
