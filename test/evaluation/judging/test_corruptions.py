"""Tests of the corruptions of sound runs, and of the measurement of a judge by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stma_ros.evaluation.judging.corruptions import CORRUPTIONS, HELD_OUT, Corrupt, Steps, left_out
from stma_ros.evaluation.judging.measurement import NOT_DONE, SOUND, Judging, JudgingSettings
from stma_ros.evaluation.registry import MEASUREMENTS
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.roles.judge import JudgedStep
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, TaskStatus

ALL = {**CORRUPTIONS, **HELD_OUT}


def _run(thing: str, place: str) -> Steps:
    """Returns a sound run that puts a thing into a place."""
    told = (
        (Action("explore", ("frontier_1",)), f"The {thing} was not seen yet; frontier_1 is near."),
        (Action("pick", (f"{thing}_1",)), f"{thing}_1 is within reach."),
        (
            Action("navigate", (f"{place}_1",)),
            f"{thing}_1 is in the robot's hand, {place}_1 is where it belongs.",
        ),
        (Action("place_in", (f"{place}_1",)), f"{thing}_1 is in the robot's hand, {place}_1 within reach."),
        (Action("finish"), "It is done."),
    )
    return tuple(JudgedStep(reason, action) for action, reason in told)


MUG, BOOK = _run("mug", "sink"), _run("book", "cabinet")


@pytest.mark.parametrize("name", ALL)
def test_corruption_changes_a_run_reproducibly(name: str) -> None:
    corrupt: Corrupt = ALL[name]
    for seed in range(5):
        corrupted = corrupt(np.random.default_rng(seed), MUG, BOOK)
        assert corrupted is not None
        assert corrupted != MUG
        assert corrupted == corrupt(np.random.default_rng(seed), MUG, BOOK)


@pytest.mark.parametrize("name", ALL)
def test_run_that_cannot_be_corrupted_is_left_out(name: str) -> None:
    empty = (JudgedStep("", Action("give_up")),)
    assert ALL[name](np.random.default_rng(0), empty, ()) in (None, empty)


def test_action_is_left_out_with_its_repetitions() -> None:
    tried = (*MUG[:2], MUG[1], *MUG[2:4], MUG[3], *MUG[4:])
    for seed in range(10):
        corrupted = left_out(np.random.default_rng(seed), tried, BOOK)
        assert corrupted is not None
        missing = {str(step.action) for step in tried} - {str(step.action) for step in corrupted}
        assert len(missing) == 1
        assert len(tried) - len(corrupted) == 2


def _told_run(thing: str, place: str) -> Steps:
    """Returns a sound run in a text world that puts a thing into a place."""
    commands = ("walk to kitchen_1", f"grab {thing}_1", f"walk to {place}_1", f"put {thing}_1 in {place}_1")
    told = [JudgedStep(f"So {text} is next.", Action("command", (text,))) for text in commands]
    return (*told, JudgedStep("It is done.", Action("finish")))


@pytest.mark.parametrize("name", ALL)
def test_commands_of_text_worlds_are_corrupted_as_actions_are(name: str) -> None:
    run, other = _told_run("cup", "sink"), _told_run("novel", "drawer")
    for seed in range(5):
        corrupted = ALL[name](np.random.default_rng(seed), run, other)
        assert corrupted is not None
        assert corrupted != run


def test_kinds_for_reporting_are_not_those_of_development() -> None:
    assert not CORRUPTIONS.keys() & HELD_OUT.keys()
    assert len(HELD_OUT) == 2


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    with ExperienceMemory(path) as memory:
        for steps, task in ((MUG, "put the mug into the sink"), (BOOK, "put the book into the cabinet")):
            reasoned = tuple(ReasonedStep(rationale=step.rationale, action=step.action) for step in steps)
            experience = Experience(
                domain="household", task=task, steps=reasoned, status=TaskStatus.SUCCEEDED, score=0.1
            )
            memory.add(experience)
        memory.add(Experience(task="find a mug", steps=reasoned[:1], status=TaskStatus.FAILED))
    return path


def test_judge_keeps_sound_runs_and_drops_corrupted_ones(store: Path) -> None:
    rows = {row["group"]: row for row in Judging(JudgingSettings(store=str(store), held_out=True)).rows(0)}
    assert list(rows) == [SOUND, *ALL]
    assert (rows[SOUND]["episodes"], rows[SOUND]["kept"]) == (2, 100.0)
    assert [rows[name]["episodes"] for name in CORRUPTIONS] == [2] * len(CORRUPTIONS)
    assert rows["other thing"]["kept"] == 0.0


def test_all_runs_are_kept_where_the_threshold_is_0(store: Path) -> None:
    rows = list(Judging(JudgingSettings(store=str(store), min_score=0.0)).rows(0))
    assert {row["kept"] for row in rows} == {100.0}
    assert {row["not_stored"] for row in rows} == {None}


def test_corruptions_for_reporting_are_measured_only_if_asked_for(store: Path) -> None:
    measurement = Judging(JudgingSettings(store=str(store)))
    rows = list(measurement.rows(0))
    assert len(rows) == measurement.total == 1 + len(CORRUPTIONS)
    assert not {row["group"] for row in rows} & HELD_OUT.keys()


def test_runs_that_say_done_and_are_not_are_judged_apart(store: Path, tmp_path: Path) -> None:
    ends = {"put the mug into the sink": False, "put the book into the cabinet": True, "find a cup": False}
    episodes = [{"task": task, "status": "SUCCEEDED", "success": success} for task, success in ends.items()]
    RunFolder.create(tmp_path / "bench").write_metrics({"episodes": episodes})
    measurement = Judging(JudgingSettings(store=str(store), results=str(tmp_path / "bench")))
    rows = {row["group"]: row for row in measurement.rows(0)}
    assert len(rows) == measurement.total
    assert (rows[SOUND]["episodes"], rows[NOT_DONE]["episodes"]) == (1, 1)
    assert rows[NOT_DONE]["kept"] == 100.0  # its actions and reasons are sound
    assert (rows[SOUND]["not_stored"], rows[NOT_DONE]["not_stored"]) == (0, 1)
    with pytest.raises(StorageError, match="cannot be read"):
        Judging(JudgingSettings(store=str(store), results=str(tmp_path / "none")))


def test_measurement_without_a_store_says_how_to_make_one() -> None:
    with pytest.raises(ConfigurationError, match=r"experience_memory\.store=FILE"):
        MEASUREMENTS["judging"]({})
