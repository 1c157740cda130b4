"""Results of benchmarks are stored with their commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
LARGEST = 100_000  # bytes


def episode(number: int, *, success: bool, **more: Any) -> dict[str, Any]:
    return {
        "name": f"full/{number:03d}-all",
        "group": "all",
        "seed": 7,
        "task": "Put the mug on the table.",
        "status": "SUCCEEDED",
        "success": success,
        "failure": "" if success else "not done",
        "detail": "x" * 500,
        "steps": 3,
        **more,
    }


def test_kept_results_have_rows_command_and_short_episodes(tmp_path: Path) -> None:
    result = {
        "suite": "rearrangement",
        "settings": {"seed": 1000},
        "rows": [{"preset": "full", "success_rate": 50.0}],
        "false_successes": ["full/001-all"],
        "episodes": [episode(0, success=True, phrasing="plain", memory_mb=900.0), episode(1, success=False)],
    }
    (tmp_path / "result.json").write_text(json.dumps(result))
    script = ROOT / "scripts" / "keep_result.py"
    command = "stma bench rearrangement --seed 1000"
    arguments = [str(script), "result.json", "kept.json", "--command", command]
    subprocess.run([sys.executable, *arguments], cwd=tmp_path, check=True, timeout=60)
    stored = json.loads((tmp_path / "kept.json").read_text())
    assert stored["command"] == command
    assert {key: stored[key] for key in ("suite", "settings", "rows", "false_successes")} == {
        key: result[key] for key in ("suite", "settings", "rows", "false_successes")
    }
    solved, failed = stored["episodes"]
    assert solved == {
        "name": "full/000-all",
        "group": "all",
        "seed": 7,
        "phrasing": "plain",
        "status": "SUCCEEDED",
        "steps": 3,
    }
    assert failed["failure"] == "not done"
    assert len(failed["detail"]) == 160


def test_every_stored_result_is_listed_with_its_command() -> None:
    listed = (RESULTS / "README.md").read_text(encoding="utf-8")
    files = {path.name: path for path in RESULTS.glob("*.json")}
    named = {line.split("`")[1] for line in listed.splitlines() if line.startswith("| `")}
    assert named == set(files)
    for name, path in files.items():
        stored = json.loads(path.read_text(encoding="utf-8"))
        assert f"`{stored['command']}`" in listed, name
        assert {"suite", "settings", "rows", "episodes"} <= stored.keys()
        assert path.stat().st_size <= LARGEST
