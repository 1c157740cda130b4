"""Tests of the measurement of learning."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps.learning import EXCHANGED, NO_EXPERIENCE, OWN, TRAINING, Learning, LearningSettings
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.types.errors import ConfigurationError


def test_folder_in_use_is_refused_as_something_may_be_learnt_already(tmp_path: Path) -> None:
    (tmp_path / "own.db").touch()
    with pytest.raises(ConfigurationError, match="is in use; name a new folder"):
        Learning(LearningSettings(folder=str(tmp_path)))


def test_three_arms_do_the_same_tasks_from_the_stores_that_they_were_given(tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    settings = LearningSettings(flats=1, training=2, test=0, new_flats=1, length="<10", folder=str(folder))
    trial = Learning(settings)
    rows = list(trial.rows(1000))

    assert len(rows) == trial.total == 1 + 3  # no test in the flats of the training
    assert (rows[0]["group"], rows[0]["preset"]) == (TRAINING, OWN)
    assert [row["preset"] for row in rows[1:]] == [NO_EXPERIENCE, OWN, EXCHANGED]
    assert all(row.keys() == Learning.columns.keys() for row in rows)
    assert not any(row["crashed"] for row in rows)
    with ExperienceMemory(folder / "own.db") as own, ExperienceMemory(folder / "exchanged.db") as other:
        assert len(own) == len(other) <= 2  # of the training alone: no test was learnt from
        assert {each.task for each in own} != {each.task for each in other}
    decided = {
        path.parent.relative_to(folder).parts: path.read_text() for path in folder.rglob("decisions.jsonl")
    }
    assert len(decided) == 2 + 3
