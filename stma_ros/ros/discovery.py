"""Chooses the hosts that can find this package's nodes: this one alone, unless the user opens the graph to the network.

Any host that finds a node can command it, for example cancel a task or have the memory forget. See
docs/adr/0037-discovery-is-local.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

LOCALHOST: Final = "localhost"
SUBNET: Final = "subnet"
ENVIRONMENT: Final = "environment"
OFF: Final = "off"
PEERS: Final = "peers"
CUSTOM: Final = "custom"
REACHES: Final = (ENVIRONMENT, LOCALHOST, SUBNET)
"""The choices: `environment` leaves the variables as they are, and is `localhost` where none is set."""

RANGE: Final = "ROS_AUTOMATIC_DISCOVERY_RANGE"
LOCALHOST_ONLY: Final = "ROS_LOCALHOST_ONLY"
STATIC_PEERS: Final = "ROS_STATIC_PEERS"
MIDDLEWARE: Final = "RMW_IMPLEMENTATION"
PROFILES: Final = "FASTDDS_DEFAULT_PROFILES_FILE"
OLD_PROFILES: Final = "FASTRTPS_DEFAULT_PROFILES_FILE"
_CONFIGURED: Final = (
    "ROS_DISCOVERY_SERVER",
    "ROS2_EASY_MODE",
    PROFILES,
    OLD_PROFILES,
    "CYCLONEDDS_URI",
)
"""Variables by which users configure discovery in the middleware itself."""

NETWORK_PROFILE: Final = Path(__file__).with_name("network.xml")
LOOPBACK_PROFILE: Final = Path(__file__).with_name("loopback.xml")
"""The middleware's configuration files, for the middleware that transport.py configures."""

DISTRIBUTION: Final = "ROS_DISTRO"
_WHEELS: Final = "kilted"
_WITHOUT_RANGE: Final = frozenset({"foxy", "galactic", "humble"})


@dataclass(frozen=True)
class Discovery:
    """The reach of the nodes by the environment's variables.

    Attributes:
        reach: `localhost`, `subnet`, `off` (not even nodes of one host find one another), `peers` (this host, the named
            peers, and hosts that name this one) or `custom` (the middleware's own configuration decides).
        variable: the environment variable that decides; empty = none does, and the reach is the package's default.
        value: value of that variable.
        distribution: ROS distribution, in lower case.
    """

    reach: str
    variable: str
    value: str
    distribution: str

    @property
    def source(self) -> str:
        """Describes the source of the reach."""
        return f"{self.variable}={self.value}" if self.variable else "the default of stma_ros"

    @property
    def warning(self) -> str:
        """Warns that other hosts can find the nodes; empty where they cannot."""
        if self.reach == SUBNET:
            return (
                f"discovery is open ({self.source}): every host of the network can see these nodes, cancel tasks and "
                f"make the memory forget. {self.remedy}"
            )
        if self.reach == PEERS:
            return (
                f"discovery is open to named hosts ({self.source}): they, and every host that names this one, can "
                f"see these nodes, cancel tasks and make the memory forget. {self.remedy}"
            )
        if self.reach == CUSTOM:
            return f"{self.source} decides which hosts can see and command these nodes. {self.remedy}"
        return ""

    @property
    def remedy(self) -> str:
        """Describes how to limit the nodes to this host, or how to let them find one another at all."""
        if self.reach == OFF:
            return f"Set {self.variable} to LOCALHOST, or unset it"
        return f"To keep them to this host, unset {self.variable}, or ask for discovery {LOCALHOST}"

    def check(self) -> None:
        """Raises ConfigurationError where the package's own nodes would not find one another."""
        if self.reach == OFF:
            raise ConfigurationError(
                f"{self.source} keeps the nodes of the robot from finding one another. {self.remedy}"
            )


def discovery_of(environment: Mapping[str, str] = os.environ) -> Discovery:
    """Returns the reach of nodes that are started with this environment."""
    distribution = environment.get(DISTRIBUTION, "") or _WHEELS

    def found(reach: str, variable: str = "") -> Discovery:
        return Discovery(reach, variable, environment.get(variable, ""), distribution)

    if environment.get(MIDDLEWARE, "").startswith("rmw_zenoh"):  # Zenoh's routers decide
        return found(CUSTOM, MIDDLEWARE)
    # As in rcl: the older variable applies where it is set to 1.
    if environment.get(LOCALHOST_ONLY) == "1":
        return found(LOCALHOST, LOCALHOST_ONLY)
    if _is_ours(environment.get(PROFILES, ""), LOOPBACK_PROFILE):  # set by this process or its parent
        return found(LOCALHOST, PROFILES)
    for variable in _CONFIGURED:
        value = environment.get(variable)
        if value and not _is_ours(value, NETWORK_PROFILE):
            return found(CUSTOM, variable)
    if distribution in _WITHOUT_RANGE:
        return found(SUBNET, LOCALHOST_ONLY) if environment.get(LOCALHOST_ONLY) else found(LOCALHOST)
    asked = environment.get(RANGE, "")
    if asked == "OFF":
        return found(OFF, RANGE)
    if asked in ("", "LOCALHOST"):
        if environment.get(STATIC_PEERS):
            return found(PEERS, STATIC_PEERS)
        if not asked and environment.get(LOCALHOST_ONLY):
            return found(SUBNET, LOCALHOST_ONLY)
        return found(LOCALHOST, RANGE if asked else "")
    return found(CUSTOM if asked == "SYSTEM_DEFAULT" else SUBNET, RANGE)


def limit_discovery(environment: MutableMapping[str, str]) -> None:
    """Limits the nodes that are started with this environment to this host, unless a variable says otherwise."""
    found = discovery_of(environment)
    if not found.variable or found.variable == STATIC_PEERS:
        environment.update(variables_for(LOCALHOST, environment))


def variables_for(reach: str, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns the variables that give the nodes one of `REACHES`.

    Raises:
        ConfigurationError: an unknown reach.
    """
    if reach not in REACHES:
        raise ConfigurationError(f"there is no discovery {reach!r}. {suggest(reach, REACHES)}")
    if reach == ENVIRONMENT:
        return {}
    older = {LOCALHOST_ONLY: "1" if reach == LOCALHOST else "0"}
    if environment.get(DISTRIBUTION) in _WITHOUT_RANGE:
        return older
    # A parent process of this package has chosen a profile for its own reach.
    chosen = any(_is_ours(environment.get(PROFILES, ""), own) for own in (LOOPBACK_PROFILE, NETWORK_PROFILE))
    return {
        RANGE: reach.upper(),
        **(older if environment.get(LOCALHOST_ONLY) else {}),
        **({PROFILES: ""} if chosen else {}),
    }


def _is_ours(value: str, profile: Path) -> bool:
    """Whether a variable names the package's profile, in this installation or in that of the process that set it."""
    return Path(value).parts[-3:] == profile.parts[-3:]
