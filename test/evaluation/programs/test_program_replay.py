"""Tests of the goal conditions of people's activities, and of the replay of their programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Goal,
    RelationCondition,
    Scope,
    StateCondition,
    goal_of,
)
from stma_ros.evaluation.programs.replay import ProgramReplay, ProgramReplaySettings
from stma_ros.evaluation.registry import MEASUREMENTS
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.worlds.programs.execution import Home
from stma_ros.worlds.programs.home_graph import HANDS, HOLDS_LH, HOLDS_RH, INSIDE, ON, HomeGraph
from stma_ros.worlds.programs.program import read_program
from support.people_programs import (
    FRIDGE,
    MILK,
    MILK_TO_THE_TABLE,
    SHIRT,
    TABLE,
    WHO,
    document_of,
    home_document,
    home_graph,
    write_activity,
)


def _done(program: str) -> HomeGraph:
    home = Home(home_graph())
    for step in read_program(program).steps:
        home.do(step.action, step.arguments)
    return home.graph


def test_conditions_are_what_differs_and_not_where_one_stands_or_looks() -> None:
    goal = goal_of(home_graph(), _done(MILK_TO_THE_TABLE))
    assert RelationCondition(MILK, ON, TABLE) in goal.conditions
    assert RelationCondition(MILK, INSIDE, FRIDGE, expected=False) in goal.conditions
    assert goal.scope is Scope.OBJECTS
    assert not goal.reached(home_graph())
    assert goal.reached(_done(MILK_TO_THE_TABLE))
    assert not goal.reached(_done(MILK_TO_THE_TABLE.rsplit("[PUTBACK]")[0]))


def test_either_hand_will_do() -> None:
    one, other = home_graph(), home_graph()
    one.add(WHO, HOLDS_RH, SHIRT)
    other.add(WHO, HOLDS_LH, SHIRT)
    goal = goal_of(home_graph(), one)
    assert goal.conditions == (RelationCondition(WHO, HOLDS, SHIRT),)
    assert goal.reached(other)
    assert goal.scope is Scope.CHARACTER
    assert HANDS == (HOLDS_RH, HOLDS_LH)


def test_state_is_a_condition_and_so_is_its_end() -> None:
    after = home_graph()
    after.change_state(FRIDGE, ["CLOSED"], ["OPEN"])
    goal = goal_of(home_graph(), after)
    assert goal.conditions == (
        StateCondition(FRIDGE, "OPEN"),
        StateCondition(FRIDGE, "CLOSED", expected=False),
    )


def test_goal_without_conditions_is_reached_before_the_first_step() -> None:
    goal = goal_of(home_graph(), home_graph())
    assert goal == Goal((), Scope.NOTHING)
    assert goal.reached(home_graph())


def test_replay_tells_what_can_be_executed_and_what_is_reached(tmp_path: Path) -> None:
    final = document_of(_done(MILK_TO_THE_TABLE))
    write_activity(tmp_path, "right", MILK_TO_THE_TABLE, final)
    write_activity(tmp_path, "unfinished", MILK_TO_THE_TABLE.rsplit("[PUTBACK]")[0], final)
    write_activity(tmp_path, "impossible", MILK_TO_THE_TABLE.replace("[OPEN]", "[CLOSE]"), final)
    write_activity(tmp_path, "idle", MILK_TO_THE_TABLE, home_document())
    replay = MEASUREMENTS["program_replay"]({"folder": str(tmp_path)})
    assert isinstance(replay, ProgramReplay)
    objects, character, nothing = replay.rows(0)
    assert (objects["episodes"], character["episodes"], nothing["episodes"]) == (3, 0, 1)
    assert objects["executed"] == pytest.approx(200 / 3)
    assert objects["reached"] == pytest.approx(100 / 3) == objects["same"]
    assert objects["idle"] == 0.0
    assert objects["failed"] == "impossible, unfinished"
    assert character["executed"] is None
    assert (nothing["idle"], nothing["same"]) == (100.0, 0.0)


def test_final_graph_of_other_nodes_is_refused_with_its_file(tmp_path: Path) -> None:
    final = home_document()
    final["nodes"].append(final["nodes"][-1] | {"id": 99})
    write_activity(tmp_path, "odd", MILK_TO_THE_TABLE, final)
    with pytest.raises(
        StorageError, match=r"odd\.json cannot be read: 1 nodes, as 99, are in one of its graphs"
    ):
        list(ProgramReplay(ProgramReplaySettings(str(tmp_path))).rows(0))


def test_measurement_without_a_folder_says_what_it_needs() -> None:
    with pytest.raises(ConfigurationError, match="--set folder=DIR"):
        ProgramReplay(ProgramReplaySettings())
