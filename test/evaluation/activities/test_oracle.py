"""Tests of solving activities with full knowledge."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.evaluation.activities.facts import ActivityFacts
from stma_ros.evaluation.activities.oracle import Unsolved, solve
from stma_ros.evaluation.household_tasks.oracle_planner import Reference
from stma_ros.types.standard import Time
from stma_ros.worlds.bddl.expressions import holds
from stma_ros.worlds.bddl.problem import read_problem
from stma_ros.worlds.house.activities.instantiation import ActivityHome, home_for
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.house.truth import truth_of
from support.activities import SNACKS

FRIDGE, COUNTER = "electric_refrigerator.n.01_1", "countertop.n.01_1"


def home_with(goal: str, initial: str = "") -> ActivityHome:
    text = SNACKS[: SNACKS.index("(:goal")] + f"(:goal {goal}))"
    text = text.replace("(ontop agent", f"{initial} (ontop agent")
    return home_for(read_problem("storing_snacks", text, "problem0.bddl"), 1000)


def solved(home: ActivityHome) -> Reference:
    """Returns the oracle's commands, after which the goal is reached."""
    found = solve(home, start_pose(home.flat, np.random.default_rng(0)))
    assert isinstance(found, Reference), found
    truth = truth_of(home.flat, "", found.base, found.state, Time())
    assert holds(home.problem.goal, home.problem.objects, ActivityFacts(truth, home.flat, home.names))
    return found


@pytest.mark.parametrize(
    "goal",
    [
        f"(inside mug.n.04_1 {FRIDGE})",
        f"(and (inside mug.n.04_1 {FRIDGE}) (not (open {FRIDGE})))",
        "(ontop mug.n.04_1 floor.n.01_1)",
        f"(forall (?muffin.n.01 - muffin.n.01) (ontop ?muffin.n.01 {COUNTER}))",
        "(forpairs (?muffin.n.01 - muffin.n.01) (?tupperware.n.01 - tupperware.n.01)"
        " (inside ?muffin.n.01 ?tupperware.n.01))",
        "(exists (?tupperware.n.01 - tupperware.n.01)"
        " (forall (?muffin.n.01 - muffin.n.01) (inside ?muffin.n.01 ?tupperware.n.01)))",
        f"(and (inside muffin.n.01_1 tupperware.n.01_1) (inside tupperware.n.01_1 {FRIDGE}))",
        f"(and (inside muffin.n.01_1 tupperware.n.01_1) (inside muffin.n.01_1 {FRIDGE}))",
        f"(nextto mug.n.04_1 {FRIDGE})",
        "(nextto mug.n.04_2 mug.n.04_1)",
        f"(and (ontop mug.n.04_2 {COUNTER}) (touching mug.n.04_2 mug.n.04_1))",
        f"(open {FRIDGE})",
    ],
)
def test_oracle_reaches_a_goal(goal: str) -> None:
    assert solved(home_with(goal)).commands > 0


def test_oracle_reaches_a_goal_of_many_parts() -> None:
    home = home_for(read_problem("storing_snacks", SNACKS, "problem0.bddl"), 1000)
    found = solved(home)
    assert found.commands > 10
    assert solved(home).actions == found.actions


def test_oracle_does_nothing_where_the_goal_is_reached() -> None:
    assert solved(home_with(f"(ontop mug.n.04_1 {COUNTER})")).commands == 0


@pytest.mark.parametrize(
    "goal", [f"(inside {FRIDGE} {FRIDGE})", f"(and (open {FRIDGE}) (not (open {FRIDGE})))"]
)
def test_impossible_goal_is_left_with_a_reason(goal: str) -> None:
    home = home_with(goal)
    found = solve(home, start_pose(home.flat, np.random.default_rng(0)))
    assert isinstance(found, Unsolved)
    assert found.reason
