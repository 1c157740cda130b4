"""Discovery of our nodes is limited to this host until the user opens the graph."""

from __future__ import annotations

import pytest

from stma_ros.ros.discovery import (
    CUSTOM,
    ENVIRONMENT,
    LOCALHOST,
    LOCALHOST_ONLY,
    OFF,
    PEERS,
    RANGE,
    STATIC_PEERS,
    SUBNET,
    discovery_of,
    variables_for,
)
from stma_ros.ros.transport import choose_transport
from stma_ros.types.errors import ConfigurationError

HUMBLE = {"ROS_DISTRO": "humble"}


@pytest.mark.parametrize(
    ("environment", "reach"),
    [
        ({}, LOCALHOST),
        ({RANGE: "LOCALHOST"}, LOCALHOST),
        ({RANGE: "SUBNET"}, SUBNET),
        ({RANGE: "OFF"}, OFF),
        ({RANGE: "SYSTEM_DEFAULT"}, CUSTOM),
        ({LOCALHOST_ONLY: "1", RANGE: "SUBNET"}, LOCALHOST),
        ({LOCALHOST_ONLY: "0"}, SUBNET),
        ({LOCALHOST_ONLY: "0", RANGE: "LOCALHOST"}, LOCALHOST),
        ({STATIC_PEERS: "10.0.0.2"}, PEERS),
        ({STATIC_PEERS: "10.0.0.2", RANGE: "SUBNET"}, SUBNET),
        ({"ROS_DISCOVERY_SERVER": "10.0.0.2:11811"}, CUSTOM),
        ({"FASTDDS_DEFAULT_PROFILES_FILE": "mine.xml"}, CUSTOM),
        ({"CYCLONEDDS_URI": "file://mine.xml"}, CUSTOM),
        ({"RMW_IMPLEMENTATION": "rmw_zenoh_cpp"}, CUSTOM),
        (HUMBLE, LOCALHOST),
        ({**HUMBLE, LOCALHOST_ONLY: "0"}, SUBNET),
        ({**HUMBLE, RANGE: "SUBNET"}, LOCALHOST),
    ],
)
def test_the_discovery_range_follows_from_the_environment(environment: dict[str, str], reach: str) -> None:
    found = discovery_of(environment)
    assert found.reach == reach
    assert bool(found.warning) == (reach in (SUBNET, PEERS, CUSTOM))
    choose_transport(environment)
    assert discovery_of(environment).reach == reach


@pytest.mark.parametrize("reach", [LOCALHOST, SUBNET])
@pytest.mark.parametrize(
    "environment", [{}, {RANGE: "OFF"}, {LOCALHOST_ONLY: "1"}, {LOCALHOST_ONLY: "0"}, HUMBLE]
)
def test_a_requested_discovery_range_overrides_the_environment(
    environment: dict[str, str], reach: str
) -> None:
    asked = {**environment, **variables_for(reach, environment)}
    assert discovery_of(asked).reach == reach
    choose_transport(asked)
    assert discovery_of(asked).reach == reach


@pytest.mark.parametrize("before", [{}, {RANGE: "SUBNET"}])
@pytest.mark.parametrize("reach", [LOCALHOST, SUBNET])
def test_a_process_can_start_others_with_another_discovery_range(before: dict[str, str], reach: str) -> None:
    own = dict(before)
    choose_transport(own)
    others = {**own, **variables_for(reach, own)}
    assert discovery_of(others).reach == reach
    choose_transport(others)
    assert discovery_of(others).reach == reach


def test_the_environment_is_unchanged_when_no_other_discovery_range_is_requested() -> None:
    assert variables_for(ENVIRONMENT, {RANGE: "SUBNET"}) == {}


def test_an_unknown_discovery_range_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ConfigurationError, match=r"'subnt'.*Did you mean 'subnet'"):
        variables_for("subnt", {})


def test_the_warning_of_an_open_graph_names_cause_consequence_and_remedy() -> None:
    warning = discovery_of({RANGE: "SUBNET"}).warning
    assert f"{RANGE}=SUBNET" in warning
    assert "every host of the network can see these nodes, cancel tasks and make the memory forget" in warning
    assert f"unset {RANGE}" in warning


def test_discovery_range_off_is_refused_with_the_remedy() -> None:
    with pytest.raises(ConfigurationError, match=f"{RANGE}=OFF.*Set {RANGE} to LOCALHOST"):
        discovery_of({RANGE: "OFF"}).check()
