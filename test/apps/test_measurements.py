"""Tests of `stma bench` for measurements without an agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from stma_ros.apps import cli, measure
from stma_ros.types.errors import StmaError, StorageError


@dataclass(frozen=True)
class Counting:
    """A measurement that counts its calls."""

    name: str = "retrieval"
    total: int = 2
    settings: dict[str, Any] = field(default_factory=lambda: {"step": 3})
    columns: dict[str, str] = field(
        default_factory=lambda: {"preset": "who", "group": "on what", "count_ms": "count [ms]"}
    )

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        for number in range(self.total):
            row = {"preset": f"side {number}", "group": "[all]", "episodes": 1}
            yield {**row, "count_ms": seed + number / 3}


@pytest.fixture(autouse=True)
def _counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measure, "MEASUREMENTS", {"retrieval": lambda settings: Counting()})


def test_measurement_rows_are_printed_tabled_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "retrieval", "--seed", "1000", "--json", "found.json"]) == 0

    written = json.loads(Path("found.json").read_text())
    assert written == json.loads(Path("runs/bench-retrieval-1/metrics.json").read_text())
    assert written["settings"] == {"seed": 1000, "suite": {"step": 3}}
    assert (written["suite"], written["episodes"]) == ("retrieval", [])
    assert written["rows"] == list(Counting().rows(1000))
    output = capsys.readouterr().out
    assert "1/2  [all], side 0: count [ms] 1000" in output
    assert "retrieval, seed 1000" in output
    assert output.count("[all]") == 4  # two lines, two rows of the table


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--preset", "stma"), "--preset"),
        (("--episodes", "3", "--jobs", "2"), "--episodes, --jobs"),
        (("--runtime", "ros", "--record"), "--runtime, --record"),
        (("--world", "house", "--problems", "nowhere"), "--world, --problems"),
        (("--set", "planner.x=1", "--set", "world.y=2"), "--set planner.x, --set world.y"),
        (("--set", "model=rules", "--set", "recorder.keep=5"), "--set model.default, --set recorder.keep"),
    ],
)
def test_measurement_refuses_settings_of_agents(
    options: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", "retrieval", *options]) == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert error == f"error: retrieval is measured without these options; leave {named} out\n"
    assert not Path("runs").exists()


def test_failing_measurement_reports_its_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Failing(Counting):
        def rows(self, seed: int) -> Iterator[dict[str, Any]]:
            yield from Counting.rows(self, seed)
            raise StmaError("one of the two is wrong")

    monkeypatch.setattr(measure, "MEASUREMENTS", {"retrieval": lambda settings: Failing()})
    assert cli.main(["bench", "retrieval"]) == cli.EXIT_FAILED
    assert capsys.readouterr().err == "error: one of the two is wrong\n"


def test_figures_are_printed_before_the_file_of_them_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, content: str) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr(measure, "write_atomically", refuse)
    assert cli.main(["bench", "retrieval", "--json", "found.json"]) == cli.EXIT_REFUSED
    assert "retrieval, seed 0" in capsys.readouterr().out
