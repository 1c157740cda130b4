"""Tests of the suite `programs`: its episodes, and the score of what an agent did."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.programs.suite import (
    PEOPLE_STEPS,
    SAME_THINGS,
    Programs,
    ProgramsEpisode,
    ProgramsSettings,
)
from stma_ros.evaluation.registry import make_suite, suite_settings
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.planning import Action, Outcome, Result, TaskResult, TaskStatus
from stma_ros.types.vocabulary import SKILL_COMMAND
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.commands import command_text
from stma_ros.worlds.programs.episode import Episode, begin
from support.homes_of_twins import write_activity

_CUP_TO_TABLE = ("WALK 12", "OPEN 12", "GRAB 21", "WALK 10", "PUTBACK 21 10")
_LIGHT = ("WALK 31", "SWITCHON 31")
_WALKS = ("WALK 2", "WALK 1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_activity(tmp_path, "a_cup", *_CUP_TO_TABLE)
    write_activity(tmp_path, "b_light", *_WALKS * 4, *_LIGHT)
    write_activity(tmp_path, "c_light", *_WALKS * 10, *_LIGHT)
    write_activity(tmp_path, "d_light", *_WALKS * 15, *_LIGHT)
    write_activity(tmp_path, "e_sit", "WALK 43", "SIT 43")
    write_activity(tmp_path, "f_nothing", "WALK 2", "WALK 1")
    return tmp_path


def _episode(folder: Path, index: int, seed: int = 0, moved: int = 0) -> ProgramsEpisode:
    return Programs(ProgramsSettings(str(folder), moved)).episode(seed, index)


def _outcome(command: str, result: Result = Result.SUCCEEDED) -> Outcome:
    return Outcome(action=Action(SKILL_COMMAND, (command,)), result=result)


def _trace(*outcomes: Outcome) -> EpisodeTrace:
    trace = EpisodeTrace()
    for outcome in outcomes:
        trace("outcome", outcome)
    return trace


def _played(episode: ProgramsEpisode, *steps: str, status: TaskStatus = TaskStatus.SUCCEEDED) -> Score:
    """Returns the score of steps, such as "GRAB 20", done by commands."""
    home = Episode(episode.start, episode.seed)
    outcomes = []
    for step in steps:
        action, *ids = step.split()
        command = command_text(action, [home.name_of(int(id)) for id in ids])
        assert not home.execute(command)
        outcomes.append(_outcome(command))
    return episode.score(TaskResult(status=status), _trace(*outcomes))


def test_rows_are_length_classes_of_what_changes_objects_and_the_character(folder: Path) -> None:
    suite = make_suite("programs", {"folder": str(folder)})
    assert suite.defaults.episodes == 5
    assert isinstance(suite, Programs)
    episodes = [suite.episode(0, index) for index in range(5)]
    assert {episode.optimal_steps for episode in episodes} == {0}  # people's programs are no shortest plans
    assert [(episode.scene, episode.group, episode.people_steps) for episode in episodes] == [
        ("a_cup", "<10", 5),
        ("b_light", "10-20", 10),
        ("c_light", "20-30", 22),
        ("d_light", ">30", 32),
        ("e_sit", "character", 2),
    ]
    assert suite.notes == ("1 of 6 activities are not scored: doing nothing does them.",)
    assert suite.world_options == {"folder": str(folder), "moved": False}
    assert suite_settings("programs") == ("folder", "moved", "budget")


def test_task_text_tells_a_thing_by_its_room_and_has_no_ids(folder: Path) -> None:
    text = _episode(folder, 1).text
    assert text == (
        "Test. In the end: the table_lamp is switched on; you are in the home_office; the table_lamp is in the "
        "home_office."
    )
    assert not any(re.search(r"\d", _episode(folder, index).text) for index in range(5))


def test_program_of_people_reaches_all_with_the_same_things(folder: Path) -> None:
    score = _played(_episode(folder, 0), "WALK 1", *_CUP_TO_TABLE)
    assert score == Score(
        Failure.NONE,
        "4 of 4 conditions",
        {GOAL_CONDITION_RECALL: 100.0, SAME_THINGS: 100.0, PEOPLE_STEPS: 5.0},
    )


def test_another_thing_of_the_class_counts_but_not_as_the_same(folder: Path) -> None:
    episode = _episode(folder, 1)
    assert _played(episode, "WALK 2", "WALK 31", "SWITCHON 31").measures[SAME_THINGS] == 100.0
    plug_first = ("WALK 2", "WALK 32", "PLUGIN 32", "SWITCHON 32")
    score = _played(episode, *plug_first)
    assert score.success
    assert (score.measures[GOAL_CONDITION_RECALL], score.measures[SAME_THINGS]) == (100.0, 0.0)


def test_agent_that_does_nothing_and_says_done_is_wrong_on_every_activity(folder: Path) -> None:
    for moved in (0, 3):
        suite = Programs(ProgramsSettings(str(folder), moved))
        for index in range(suite.defaults.episodes):
            score = _played(suite.episode(0, index))
            assert score.failure is Failure.NOT_DONE
            assert score.measures[GOAL_CONDITION_RECALL] < 100.0


def test_score_names_what_is_missing(folder: Path) -> None:
    score = _played(_episode(folder, 1), "WALK 2")
    assert score.failure is Failure.NOT_DONE
    assert score.detail == "2 of 4 conditions; not: the table_lamp is switched on"
    assert score.measures[GOAL_CONDITION_RECALL] == 50.0


def test_given_that_holds_no_longer_is_no_success(folder: Path) -> None:
    episode = _episode(folder, 0)
    assert "the second cup is on the" in episode.text
    score = _played(episode, *_CUP_TO_TABLE, "GRAB 20")
    assert score.failure is Failure.NOT_DONE
    assert score.measures[SAME_THINGS] == 100.0


def test_goal_that_holds_is_no_success_unless_the_agent_says_so(folder: Path) -> None:
    score = _played(_episode(folder, 4), "WALK 2", "WALK 43", "SIT 43", status=TaskStatus.UNVERIFIED)
    assert score.failure is Failure.UNVERIFIED
    assert score.measures[GOAL_CONDITION_RECALL] == 100.0


def test_only_commands_that_succeeded_are_repeated(folder: Path) -> None:
    episode = _episode(folder, 4)
    failed = _outcome("open cupboard_1", Result.FAILED)
    score = episode.score(TaskResult(status=TaskStatus.SUCCEEDED), _trace(failed))
    assert score.detail.startswith("0 of ")
    with pytest.raises(StmaError, match="cannot be repeated"):
        episode.score(TaskResult(), _trace(_outcome("open fridge_1")))


def test_moved_copies_are_other_homes_with_rows_of_their_own(folder: Path) -> None:
    suite = Programs(ProgramsSettings(str(folder), moved=2))
    assert suite.defaults.episodes == 10
    assert suite.world_options["moved"] is True
    assert [suite.episode(0, index).group for index in (0, 4, 5)] == [
        "<10 moved",
        "character moved",
        "<10 moved",
    ]
    first, second, other = suite.episode(0, 0), suite.episode(0, 5), suite.episode(1, 0)
    assert len({first.seed, second.seed, other.seed}) == 3
    assert set(first.start.facts()) != set(second.start.facts())
    assert set(first.start.facts()) == set(suite.episode(0, 0).start.facts())


def test_world_plays_the_home_that_is_scored(folder: Path) -> None:
    episode = _episode(folder, 0, seed=3, moved=1)
    played = begin(ActivityFolder(folder), episode.scene, episode.seed, moved=True)
    assert set(played.graph.facts()) == set(episode.start.facts())
    assert played.look() == Episode(episode.start, episode.seed).look()


def test_settings_without_a_folder_say_what_to_give() -> None:
    with pytest.raises(ConfigurationError, match="--set folder=DIR"):
        make_suite("programs", {})


def test_folder_in_which_nothing_changes_is_refused(tmp_path: Path) -> None:
    write_activity(tmp_path, "nothing", *_WALKS)
    with pytest.raises(ConfigurationError, match="give another folder"):
        Programs(ProgramsSettings(str(tmp_path))).check(0, 1)


def _rewrite(file: Path, change: Callable[[Any], object]) -> None:
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def _hold_by_a_guest(document: Any) -> None:
    for graph in document.values():
        guest = {
            "id": 99,
            "class_name": "character",
            "category": "Characters",
            "properties": [],
            "states": [],
        }
        graph["nodes"].append(guest)
        graph["edges"].append({"from_id": 99, "relation_type": "INSIDE", "to_id": 1})
    document["final_graph"]["edges"].append({"from_id": 99, "relation_type": "HOLDS_RH", "to_id": 44})


_FAULTS: dict[str, tuple[Callable[[Any], object], str]] = {
    "another node": (
        lambda each: each["final_graph"]["nodes"].append({**each["final_graph"]["nodes"][0], "id": 99}),
        "1 nodes, as 99, are in one of its graphs alone",
    ),
    "no end": (lambda each: each.pop("final_graph"), "no 'final_graph'"),
    "nobody in a room": (
        lambda each: each.update(init_graph={**each["init_graph"], "edges": []}), "the character is in no room"
    ),
    "another person": (_hold_by_a_guest, "what character .99. holds cannot be asked for"),
}  # fmt: skip


@pytest.mark.parametrize("fault", _FAULTS)
def test_activity_that_cannot_be_used_is_left_out_with_a_note(folder: Path, fault: str) -> None:
    change, why = _FAULTS[fault]
    _rewrite(folder / "graphs" / "b_light.json", change)
    suite = Programs(ProgramsSettings(str(folder)))
    assert [suite.episode(0, index).scene for index in range(suite.defaults.episodes)] == [
        "a_cup",
        "c_light",
        "d_light",
        "e_sit",
    ]
    idle, left_out, reason = suite.notes
    assert idle.startswith("1 of 6 activities")
    assert left_out == "1 of 6 activities are left out, as they cannot be used:"
    assert re.search(rf"^b_light: .*{why}", reason)


def test_folder_without_a_usable_activity_says_why(tmp_path: Path) -> None:
    write_activity(tmp_path, "light", *_LIGHT)
    (tmp_path / "graphs" / "light.json").write_text("{")
    with pytest.raises(
        ConfigurationError, match=r"can be scored .*light\.json cannot be read.*give another folder"
    ):
        Programs(ProgramsSettings(str(tmp_path))).check(0, 1)


def test_more_episodes_than_there_are_are_refused(folder: Path) -> None:
    suite = Programs(ProgramsSettings(str(folder), moved=2))
    suite.check(0, 10)
    with pytest.raises(ConfigurationError, match="has 10 episodes"):
        suite.check(0, 11)
