"""Tests of the option --discovery of `stma`."""

from __future__ import annotations

import os

import pytest

from stma_ros.apps import cli
from stma_ros.apps.cli import EXIT_REFUSED, main
from stma_ros.apps.discovery_option import apply_discovery
from stma_ros.apps.doctor import checks
from stma_ros.apps.doctor.checks import Finding, State
from stma_ros.ros.discovery import LOCALHOST_ONLY, PROFILES, RANGE, STATIC_PEERS


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (RANGE, LOCALHOST_ONLY, STATIC_PEERS, PROFILES, "ROS_DISTRO"):
        monkeypatch.setenv(name, "")  # so that monkeypatch restores what a test sets
        monkeypatch.delenv(name)


def discovery() -> Finding:
    return next(finding for finding in checks.ros() if finding.name == "discovery")


def test_local_discovery_prints_no_warning(capsys: pytest.CaptureFixture[str]) -> None:
    apply_discovery(None, uses_ros=True)
    assert capsys.readouterr().err == ""


def test_discovery_option_opens_the_graph_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    apply_discovery("subnet", uses_ros=True)
    assert os.environ[RANGE] == "SUBNET"
    assert "warning: discovery is open" in capsys.readouterr().err


def test_discovery_setting_of_the_environment_is_preserved_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(RANGE, "SUBNET")
    apply_discovery(None, uses_ros=True)
    assert os.environ[RANGE] == "SUBNET"
    assert f"discovery is open ({RANGE}=SUBNET)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["run", "--task", "find a mug", "--runtime", "local"], ["replay", "bag"], ["doctor"]]
)
def test_discovery_option_is_refused_when_no_node_is_started(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--discovery", "subnet"]) == EXIT_REFUSED
    assert "--discovery says which hosts find the ROS nodes" in capsys.readouterr().err


@pytest.mark.parametrize("measurement", ["bridge", "mapping_latency"])
def test_discovery_option_is_taken_by_measurements_that_start_nodes(
    measurement: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.COMMANDS, "bench", lambda options: 0)
    assert main(["bench", measurement, "--discovery", "subnet"]) == 0
    assert "warning: discovery is open" in capsys.readouterr().err
    assert main(["bench", "retrieval", "--discovery", "subnet"]) == EXIT_REFUSED


def test_doctor_reports_the_discovery_range_and_its_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    found = discovery()
    assert found.state is State.FOUND
    assert found.detail == (
        "localhost, by the default of stma_ros; ROS 2 Kilted; no other host finds the nodes"
    )
    monkeypatch.setenv(RANGE, "SUBNET")
    assert discovery().state is State.NOTE
    assert f"subnet, by {RANGE}=SUBNET" in discovery().detail
    assert f"unset {RANGE}" in discovery().remedy
    monkeypatch.setenv("ROS_DISTRO", "humble")
    assert discovery().state is State.FOUND
    monkeypatch.setenv(LOCALHOST_ONLY, "0")
    assert f"subnet, by {LOCALHOST_ONLY}=0; ROS 2 Humble" in discovery().detail


def test_doctor_reports_a_discovery_range_without_any_discovery_as_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(RANGE, "OFF")
    assert discovery().state is State.MISSING
    assert f"Set {RANGE} to LOCALHOST" in discovery().remedy
