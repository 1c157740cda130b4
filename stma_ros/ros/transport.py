"""What carries the messages between processes: UDP, never Fast DDS's shared memory.

Shared memory is what Fast DDS picks between processes of one machine, and there it lets the dead take the living
along: a process that is killed while it holds the lock of a port leaves that lock behind, whoever sends to the
port next waits for it without an end, and rclpy holds the interpreter's lock while it waits (Fast DDS 3.2.3,
`SharedMemManager::Port::regenerate_port`). Over the loopback device nothing outlives its process
(docs/adr/0007-no-shared-memory.md).
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from pathlib import Path

_LOOPBACK = Path(__file__).with_name("loopback.xml")

_RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_PROFILES = "FASTDDS_DEFAULT_PROFILES_FILE"
_OLD_PROFILES = "FASTRTPS_DEFAULT_PROFILES_FILE"
_MIDDLEWARE = "RMW_IMPLEMENTATION"


def avoid_shared_memory(environment: MutableMapping[str, str] = os.environ) -> None:
    """Sets the variables that Fast DDS reads at a process's first `rclpy.init`; children inherit them.

    Whoever has chosen transports, a profile or another middleware keeps that choice.
    """
    if not environment.get(_MIDDLEWARE, "rmw_fastrtps_cpp").startswith("rmw_fastrtps"):
        return
    if any(environment.get(name) for name in (_TRANSPORTS, _PROFILES, _OLD_PROFILES)):
        return
    if environment.get(_RANGE) == "LOCALHOST":
        # For this range rmw_fastrtps adds shared memory itself, whatever the other variables say. The profile
        # describes the same range without it, and "system default" leaves the profile as it is.
        environment.update({_RANGE: "SYSTEM_DEFAULT", _PROFILES: str(_LOOPBACK)})
    else:
        environment[_TRANSPORTS] = "UDPv4"
