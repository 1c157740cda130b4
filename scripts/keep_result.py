"""Stores the result of a benchmark beside the documentation, without what nobody compares.

    stma bench rearrangement --episodes 80 --seed 5 --json result.json
    keep_result.py result.json docs/results/NAME.json --command "stma bench rearrangement --episodes 80 --seed 5"

The rows are kept whole. An episode keeps its seed, wording, budget, reference, commands, ending and cause. Details of
failures are shortened; those of successes and the texts of the tasks, which the seed gives, are left out. Standard
library only.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

KEPT = (
    "name",
    "group",
    "seed",
    "phrasing",
    "max_commands",
    "optimal_steps",
    "status",
    "failure",
    "steps",
    "goal_condition_recall",
    "run_time_s",
    "error",
)
"""Keys of an episode, of which empty ones are left out."""

LONGEST = 160
"""Characters of the detail of a failure."""


def kept(result: Mapping[str, Any], command: str) -> dict[str, Any]:
    """Returns what is stored of the file of `stma bench --json`, with the command that made it."""
    return {
        "command": command,
        **{key: value for key, value in result.items() if key != "episodes"},
        "episodes": [_episode(episode) for episode in result["episodes"]],
    }


def _episode(episode: Mapping[str, Any]) -> dict[str, Any]:
    few = {key: episode[key] for key in KEPT if episode.get(key) not in (None, "")}
    if not episode["success"]:
        detail = episode["detail"]
        few["detail"] = detail if len(detail) <= LONGEST else f"{detail[: LONGEST - 3]}..."
    return few


def text_of(stored: Mapping[str, Any]) -> str:
    """Returns the content of the file, with a line for each row and episode."""
    parts = []
    for key, value in stored.items():
        if key in ("rows", "episodes"):
            lines = ",\n  ".join(json.dumps(each) for each in value)
            parts.append(f'"{key}": [\n  {lines}\n]')
        else:
            parts.append(f'"{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("result", type=Path, help="the file of `stma bench --json`")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--command", required=True, help="the command that made it")
    options = parser.parse_args()
    result = json.loads(options.result.read_text(encoding="utf-8"))
    options.out.write_text(text_of(kept(result, options.command)), encoding="utf-8")


if __name__ == "__main__":
    main()
