"""Household tasks of an agent that learns, with every role prompted over HTTP: decisions and experiences are those of
the rules, and the run repeats from its record."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps import cli
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.testing.model_server.server import serving

ROLES = ("task_parser", "thinker", "judge")


def _run(out: Path, model: str = "") -> tuple[list[bytes], list[tuple[str, float]]]:
    """Runs two tasks, of which the second can learn from the first, with a model (empty = rules) for all roles.

    Returns:
        The decisions of both, and text and score of what was kept.
    """
    store = out.with_suffix(".db")
    settings = [f"experience_memory.store={store}", "length=<10", "flats=1"]
    if model:
        settings += ["model.on_failure=fail", *(f"model.{role}={model}" for role in ROLES)]
    options = [option for each in settings for option in ("--set", each)]
    command = ["bench", "rearrangement", "--preset", "mcot_memory", "--episodes", "2", "--seed", "1000"]
    assert cli.main([*command, *options, "--out", str(out)]) == 0
    decisions = [path.read_bytes() for path in sorted(out.rglob("decisions.jsonl"))]
    with ExperienceMemory(store) as memory:
        return decisions, [(each.task, each.score) for each in memory]


def test_prompted_learner_decides_and_keeps_what_the_rules_do_and_repeats_from_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_rules = _run(tmp_path / "rules")
    decisions, kept = by_rules
    assert len(decisions) == len(kept) == 2
    with serving() as server:
        assert _run(tmp_path / "prompted", f"openai:rules@{server.url}") == by_rules
        assert server.requests > 10
    assert _run(tmp_path / "again", f"recorded:{tmp_path / 'prompted'}") == by_rules
