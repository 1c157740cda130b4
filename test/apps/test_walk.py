"""`stma walk`: the recording that it leaves, as the other commands read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stma_ros.apps import cli
from stma_ros.storage.run_folder import RunFolder

SMALL = ["--set", "width=80", "--set", "height=60"]
BOXES = "perception.masks=boxes"


def walked(out: Path, detector: str = "weak", seconds: int = 3) -> int:
    options = [*SMALL, "--set", f"detector={detector}", "--out", str(out)]
    return cli.main(["walk", "--seed", "7", "--seconds", str(seconds), *options])


def test_walk_leaves_a_bag_that_doctor_replay_and_score_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bag, watched, table = tmp_path / "walk", tmp_path / "watched", tmp_path / "score.json"
    assert walked(bag) == 0
    assert "30 images" in capsys.readouterr().out
    assert RunFolder.open(bag).settings()["seed"] == 7
    assert cli.main(["doctor", "--bag", str(bag)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "hand-held" in output
    assert "65535: " in output
    assert "65535: 0.0%" not in output
    assert cli.main(["replay", str(bag), "--set", BOXES, "--out", str(watched)]) == 0
    assert cli.main(["score", str(watched), "--truth", str(bag / "truth.yaml"), "--json", str(table)]) == 0
    row = json.loads(table.read_text())["rows"][0]
    assert {"things_found", "things_right", "things_twice", "things_told_missing"} <= row.keys()


@pytest.mark.parametrize(("detector", "told"), [("weak", True), ("exact", False)])
def test_walk_says_how_to_replay_its_segments_when_they_are_boxes(
    detector: str, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert walked(tmp_path / "walk", detector, seconds=1) == 0
    assert (f"--set {BOXES}" in capsys.readouterr().out) == told


@pytest.mark.parametrize("seconds", ["-1", "soon", "inf"])
def test_walk_refuses_what_is_no_time(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["walk", "--seconds", seconds])
    assert "a time in seconds" in capsys.readouterr().err


def test_walk_refuses_settings_of_an_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["walk", "--set", "planner.actions=1", "--out", str(tmp_path / "walk")]
    assert cli.main(arguments) == 2
    assert "world.option=value" in capsys.readouterr().err
    assert not (tmp_path / "walk").exists()
