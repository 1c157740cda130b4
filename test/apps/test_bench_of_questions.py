"""`stma bench eqa` has a row for an agent that has other parts and settings than those that explore by snapshots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.apps import cli


def test_bench_of_questions_scores_the_default_agent(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    arguments = ["--preset", "full", "--episodes", "1", "--seed", "1000", "--json", str(result)]
    assert cli.main(["bench", "eqa", *arguments, "--out", str(tmp_path / "out")]) == 0
    whole = next(row for row in json.loads(result.read_text())["rows"] if row["group"] == "all")
    assert (whole["preset"], whole["crashed"], whole["llm_match"]) == ("full", 0, 100)
    assert whole["grounding"] is not None
