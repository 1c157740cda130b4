"""An exploration with every role prompted over HTTP, pictures included: it repeats from its record, and each picture is
prepared in the same way for all roles."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.agents.pred_eqa import PRED_EQA
from stma_ros.apps import cli
from stma_ros.evaluation.prompt_caches.measurement import (
    ENCODINGS,
    IMAGES_REUSED,
    PREFIX_REUSED,
    PromptCaches,
    PromptCachesSettings,
)
from stma_ros.evaluation.tokenizing import WORDS
from stma_ros.testing.model_server.server import serving

STEPS = 5
ROLES = (
    "snapshot_manager",
    "frontier_manager",
    "answerer",
    "exploration_planner",
    "frontier_chooser",
    "recorder",
)


def explore(out: Path, model: str) -> bytes:
    """Runs an episode of which `model` answers all roles; returns its decisions."""
    settings = (f"steps={STEPS}", "model.on_failure=fail", *(f"model.{role}={model}" for role in ROLES))
    options = [option for each in settings for option in ("--set", each)]
    command = ["bench", "eqa", "--preset", "pred_eqa", "--episodes", "1", "--seed", "1000", "--out", str(out)]
    assert cli.main([*command, *options]) == 0
    (decisions,) = out.rglob("decisions.jsonl")
    return decisions.read_bytes()


def test_prompted_exploration_repeats_from_its_record_and_encodes_each_picture_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(ROLES) < {role for wiring in PRED_EQA.wirings for role in wiring.roles}
    first = tmp_path / "first"
    with serving() as server:
        decisions = explore(first, f"openai:rules@{server.url}")
        assert server.requests > STEPS * len(ROLES) / 2
    assert decisions
    assert explore(tmp_path / "again", f"recorded:{first}") == decisions

    rows = {row["group"]: row for row in PromptCaches(PromptCachesSettings(str(first), WORDS)).rows(0)}
    assert set(rows) == {*ROLES, "all"}
    assert rows["all"][ENCODINGS] == 1.0
    assert rows["all"][IMAGES_REUSED] > 75
    assert rows["recorder"][PREFIX_REUSED] > 50
