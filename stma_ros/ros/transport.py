"""What carries the messages between processes: UDP, with lost parts repaired at once, never Fast DDS's shared memory.

Shared memory is what Fast DDS picks between processes of one machine, and there it lets the dead take the living
along: a process that is killed while it holds the lock of a port leaves that lock behind, whoever sends to the
port next waits for it without an end, and rclpy holds the interpreter's lock while it waits (Fast DDS 3.2.3,
`SharedMemManager::Port::regenerate_port`). Over the loopback device nothing outlives its process
(docs/adr/0007-no-shared-memory.md).

Nobody asks for the types of others: Fast DDS matches endpoints of a type that it does not know yet when its type lookup
service has had an answer, and in 3.2 that service crashes now and then, or never matches them
(docs/adr/0019-no-type-lookup.md).

Of an image that comes in a burst the kernel may drop a fragment, and Fast DDS asks for it again when its writer next
counts what it has sent: by default every 3 s, with the profiles here every 0.1 s
(docs/adr/0012-heartbeat-of-reliable-writers.md).
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

from stma_ros.ros.discovery import (
    DISTRIBUTION,
    LOCALHOST,
    LOCALHOST_ONLY,
    LOOPBACK_PROFILE,
    MIDDLEWARE,
    NETWORK_PROFILE,
    OLD_PROFILES,
    PEERS,
    PROFILES,
    RANGE,
    discovery_of,
    limit_discovery,
)

_WITH_FAST_DDS_2 = frozenset({"humble", "iron", "jazzy"})
_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_UDP = "UDPv4"


def choose_transport(environment: MutableMapping[str, str] = os.environ) -> None:
    """Sets the variables that the middleware reads at a process's first `rclpy.init`; children inherit them.

    Nodes are found on this host alone unless the environment says otherwise (discovery.py). Whoever has chosen
    transports, a profile or another middleware keeps that choice. Fast DDS 2 cannot read our profiles: there only
    shared memory is switched off, where a variable does that.
    """
    limit_discovery(environment)
    if not environment.get(MIDDLEWARE, "rmw_fastrtps_cpp").startswith("rmw_fastrtps"):
        return
    if any(environment.get(name) for name in (PROFILES, OLD_PROFILES)):
        return
    if environment.get(_TRANSPORTS, _UDP) != _UDP:
        return
    reach = discovery_of(environment).reach
    if environment.get(DISTRIBUTION) in _WITH_FAST_DDS_2:
        environment[_TRANSPORTS] = _UDP
    elif reach == LOCALHOST:
        # For this range rmw_fastrtps adds shared memory itself, whatever the other variables say, and listens on every
        # network. The profile describes the same range without either, and "system default" leaves it as it is.
        environment.update({RANGE: "SYSTEM_DEFAULT", PROFILES: str(LOOPBACK_PROFILE)})
        environment.pop(LOCALHOST_ONLY, None)
        environment.pop(_TRANSPORTS, None)
    elif reach == PEERS:
        environment[PROFILES] = str(NETWORK_PROFILE)
    else:
        environment.update({_TRANSPORTS: _UDP, PROFILES: str(NETWORK_PROFILE)})
