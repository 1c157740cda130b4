"""The suite of planning tasks: its tasks, other people's files, and its score."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.evaluation.causes import cause_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.pddl.problem_folders import problems_in
from stma_ros.evaluation.pddl.suite import (
    EXECUTABILITY,
    PROGRESS,
    PROGRESS_RATE,
    Pddl,
    PddlEpisode,
    PddlSettings,
)
from stma_ros.evaluation.suite import Failure
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, TaskResult, TaskStatus
from stma_ros.types.truth import GroundTruth

DOMAIN = """(define (domain lights) (:requirements :strips)
  (:predicates (off ?l) (on ?l))
  (:action switch :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l)))))"""
PROBLEM = """(define (problem p) (:domain lights) (:objects a b)
  (:init (off a) (off b)) (:goal (and (on a) (on b))))"""
QUICK = PddlSettings(reference_effort=500)
EPISODE = PddlEpisode(0, "lights", "lights", 0, "Make this true: a is on; b is on.", 2, 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, problems in (("lights", ("1", "2")), ("more/lamps", ("1",))):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "domain.pddl").write_text(DOMAIN)
        for problem in problems:
            (tmp_path / name / f"p{problem}.pddl").write_text(PROBLEM)
    return tmp_path


def test_sixty_tasks_have_the_shares_of_the_paper() -> None:
    suite = Pddl(QUICK)
    assert suite.defaults.episodes == 60
    groups = Counter(suite._scene(0, index)[0] for index in range(60))
    assert groups == {"blocksworld": 10, "gripper": 20, "barman": 20, "tyreworld": 10}


def test_no_two_tasks_of_any_seeds_are_the_same() -> None:
    suite = Pddl(QUICK)
    scenes = [suite._scene(seed, index) for seed in range(3) for index in range(60)]
    assert len(set(scenes)) == len(scenes)


def test_episode_has_its_task_and_the_length_of_a_known_plan(folder: Path) -> None:
    episode = Pddl(PddlSettings(problems=str(folder), budget_factor=2.0)).episode(0, 0)
    assert episode.group == "lights"
    assert episode.text == "Make this true: a is on; b is on."
    assert (episode.optimal_steps, episode.max_commands) == (2, 4)


def test_small_multiple_of_a_known_plan_leaves_one_command(folder: Path) -> None:
    """No command would mean no limit."""
    assert Pddl(PddlSettings(problems=str(folder), budget_factor=0.1)).episode(0, 0).max_commands == 1


def test_problems_of_a_folder_are_taken_group_by_group_in_turn(folder: Path) -> None:
    found = problems_in(folder)
    assert [(group, path.name) for group, path in found] == [
        ("lights", "p1.pddl"),
        (str(Path("more/lamps")), "p1.pddl"),
        ("lights", "p2.pddl"),
    ]
    suite = Pddl(PddlSettings(problems=str(folder)))
    assert suite.defaults.episodes == 3
    with pytest.raises(ConfigurationError, match="has 3 problems"):
        suite.check(0, 4)


def test_problem_whose_goal_holds_at_the_begin_is_left_out(folder: Path) -> None:
    solved = folder / "lights" / "p1.pddl"
    solved.write_text(PROBLEM.replace("(off a) (off b)", "(on a) (on b)"))
    suite = Pddl(PddlSettings(problems=str(folder)))
    assert suite.defaults.episodes == 2
    assert str(solved) not in [suite.episode(0, index).scene for index in range(2)]
    assert suite.notes == (f"left out, since the goal holds at the begin: {solved}",)
    for path in folder.rglob("p?.pddl"):
        path.write_text(solved.read_text())
    with pytest.raises(ConfigurationError, match="goals of all problems"):
        Pddl(PddlSettings(problems=str(folder))).check(0, 1)


def test_folder_without_problems_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds no problems"):
        problems_in(tmp_path)
    with pytest.raises(ConfigurationError, match=r"there is no folder .*domain\.pddl"):
        problems_in(tmp_path / "missing")
    (tmp_path / "p.pddl").write_text(PROBLEM)
    with pytest.raises(ConfigurationError, match=r"has no domain\.pddl"):
        problems_in(tmp_path)


def trace(*scores: int, failed: int = 0) -> EpisodeTrace:
    """An episode with these scores after the first look and each command, of which the first ones had no effect."""
    taken = EpisodeTrace()
    for number, score in enumerate(scores):
        taken("ground_truth", GroundTruth(score=score, max_score=2))
        if number:
            result = Result.FAILED if number <= failed else Result.SUCCEEDED
            taken("outcome", Outcome(action=Action("command", ("x",)), result=result))
    return taken


def test_progress_is_the_largest_share_of_the_goal_so_far() -> None:
    score = EPISODE.score(TaskResult(status=TaskStatus.FAILED), trace(0, 1, 0, 1))
    assert score.series[PROGRESS] == (50.0, 50.0, 50.0)
    assert score.measures[PROGRESS_RATE] == 50.0
    assert not score.success


def test_actions_without_effect_are_not_executable() -> None:
    score = EPISODE.score(TaskResult(status=TaskStatus.SUCCEEDED), trace(0, 0, 1, 2, failed=1))
    assert score.shares[EXECUTABILITY] == (2, 3)
    assert score.success


def test_agent_that_finds_a_goal_contradictory_has_given_up_and_not_misread_it() -> None:
    failed = TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.CONTRADICTION, "both at once"))
    assert EPISODE.score(failed, trace(0)).failure is Failure.GAVE_UP
    assert cause_of(failed) is Failure.NOT_UNDERSTOOD


def test_success_that_is_none_is_told_apart() -> None:
    score = EPISODE.score(TaskResult(status=TaskStatus.SUCCEEDED), trace(0, 2, 1))
    assert score.failure is Failure.NOT_DONE
    assert score.measures[PROGRESS_RATE] == 100.0
