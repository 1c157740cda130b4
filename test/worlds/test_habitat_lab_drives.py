"""The same PointNav episodes in habitat.Env and in the world `habitat`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from stma_ros.evaluation.habitat_lab.navigation import DISTANCE_TO_GOAL, SPL
from stma_ros.evaluation.habitat_lab.pointnav import PointNav, PointNavSettings
from stma_ros.worlds.habitat.export.dataset import export_flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from support.worlds.lab_available import lab_python, run_lab, why_no_lab

FLAT, ROOMS = 1001, 3


def test_the_habitat_world_solves_pointnav_episodes_as_habitat_env_does(tmp_path: Path) -> None:
    """Episodes that habitat-lab's own follower of shortest paths solves are solved by our base on paths that are
    hardly longer."""
    if why_no_lab():
        pytest.skip(why_no_lab())
    flat = export_flat(make_flat(FLAT, ROOMS), tmp_path / "flat")
    file = tmp_path / "points.json.gz"
    run_lab(tmp_path, "points", flat.dataset, flat.scene, file, 3)
    run_lab(tmp_path, "run", file, flat.dataset, tmp_path / "theirs.json")
    theirs = json.loads((tmp_path / "theirs.json").read_text())
    assert [each["success"] for each in theirs] == [1.0] * 3
    settings = PointNavSettings(
        width=32,
        height=24,
        episodes=str(file),
        dataset=str(flat.dataset),
        python=lab_python(),
        lab_python=lab_python(),
    )
    *_, ours = PointNav(settings).rows(0)
    assert ours["success_rate"] == 100.0
    # Our base plans with a margin of 3 cm, on cells of 5 cm.
    assert ours[SPL] > 100 * np.mean([each["spl"] for each in theirs]) - 8
    assert ours[DISTANCE_TO_GOAL] < 0.05
