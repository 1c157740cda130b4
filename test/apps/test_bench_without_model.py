"""A benchmark runs what needs no model, and says of the rest that it needs one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps import cli

STAR = ("--preset", "pred_eqa_executor_star")


def bench(*options: str) -> int:
    return cli.main(["bench", "eqa", "--episodes", "1", "--seed", "1000", *options])


def test_bench_runs_the_other_presets_when_one_needs_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bench("--preset", "blind", *STAR, "--json", "found.json") == 0
    found = json.loads(Path("found.json").read_text())
    assert {row["preset"] for row in found["rows"]} == {"blind"}
    assert found["needs_model"] == {"pred_eqa_executor_star": ["frontier_chooser"]}


def test_bench_of_presets_that_all_need_a_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bench(*STAR) == 2
    assert "--set model.frontier_chooser=" in capsys.readouterr().err
