"""Tests of the findings of `stma doctor`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from stma_ros.apps.doctor import checks as doctor_checks
from stma_ros.apps.doctor import command as doctor
from stma_ros.apps.doctor.checks import Finding, State

ROOT = Path(__file__).parents[2]


def by_name(findings: Iterator[Finding]) -> dict[str, Finding]:
    return {finding.name: finding for finding in findings}


def test_doctor_finds_everything_that_the_tests_need() -> None:
    findings = {
        name: finding for check in doctor_checks.CHECKS.values() for name, finding in by_name(check()).items()
    }
    engines = ("world house", "world textworld", "embedder minilm")
    needed = ("Python", "rclpy", "our interfaces", *engines, "numba", "mcap", "rosbags")
    assert {name: findings[name].state for name in needed} == dict.fromkeys(needed, State.FOUND)


def test_doctor_names_a_missing_ros_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rclpy", None)
    finding = by_name(doctor_checks.ros())["rclpy"]
    assert finding.state is State.MISSING
    assert "make setup" in finding.remedy


@pytest.mark.parametrize(
    ("module", "check", "name", "remedy"),
    [
        ("textworld", "worlds", "world textworld", "make cooking"),
        ("torch", "models", "embedder minilm", "make models"),
    ],
)
def test_doctor_reports_an_extra_that_is_not_installed_as_optional(
    module: str, check: str, name: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stma_ros.models.minilm import encoder

    encoder.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    finding = by_name(doctor_checks.CHECKS[check]())[name]
    assert finding.state is State.OPTIONAL
    assert module in finding.detail
    assert remedy in finding.detail


def test_doctor_tells_of_every_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(library: str) -> str:
        if library == "pg8000":
            raise PackageNotFoundError
        return "1.0"

    monkeypatch.setattr(doctor_checks, "version", version)
    findings = by_name(doctor_checks.extras())
    elsewhere = {"house", "cooking", "adventure", "pddl", "models"}  # with worlds and embedders
    needed = {"base", "ros", "test", "docs"}  # of this package and its developers
    files = {file.stem for file in (ROOT / "requirements").glob("*.txt")}
    assert {name.removeprefix("extra ") for name in findings} == files - elsewhere - needed
    assert findings["extra view"].state is State.FOUND
    assert findings["extra postgres"].state is State.OPTIONAL
    assert "make postgres" in findings["extra postgres"].remedy


def test_doctor_does_not_take_a_folder_called_launch_for_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "launch").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "launch", raising=False)
    finding = by_name(doctor_checks.ros())["launch"]
    assert finding.state is State.OPTIONAL
    assert "ros2 launch" in finding.remedy


def test_doctor_names_an_unwritable_cache_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/proc/nowhere")
    finding = by_name(doctor_checks.libraries())["numba's cache"]
    assert finding.state is State.OPTIONAL
    assert "NUMBA_CACHE_DIR" in finding.remedy


@pytest.mark.parametrize(("state", "status"), [(State.FOUND, 0), (State.OPTIONAL, 0), (State.MISSING, 1)])
def test_exit_status_of_doctor_depends_on_required_findings_only(
    state: State, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding("libthing.so", state, "not found", "apt-get install libthing")
    monkeypatch.setattr(doctor, "CHECKS", {"things": lambda: iter([finding])})
    assert doctor.doctor() == status
    assert ("apt-get install libthing" in capsys.readouterr().out) == (state is not State.FOUND)
