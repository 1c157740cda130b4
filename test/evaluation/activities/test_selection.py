"""Tests of the selection of activities."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from stma_ros.evaluation.activities.selection import NAMES, is_relational, is_reporting
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.bddl.definitions import activity_names, problem_of
from stma_ros.worlds.bddl.problem import read_problem
from support.activities import SNACKS, problem_text

BROKEN = "loading_the_car"
"""An activity of the package whose goal has a bracket too many."""


@pytest.mark.skipif(
    find_spec("bddl") is None, reason="the definitions of activities are not installed: make activities"
)
def test_selected_activities_are_all_that_are_about_relations_in_rooms_of_a_home() -> None:
    with pytest.raises(ConfigurationError):
        problem_of(BROKEN)
    readable = set(activity_names()) - {BROKEN}
    assert tuple(sorted(name for name in readable if is_relational(problem_of(name)))) == NAMES


def test_activity_with_other_predicates_or_rooms_is_not_relational() -> None:
    assert is_relational(read_problem("x", SNACKS, "x.bddl"))
    assert not is_relational(read_problem("x", SNACKS.replace("kitchen", "garden"), "x.bddl"))
    assert not is_relational(read_problem("x", problem_text("(cooked a.n.01_1)"), "x.bddl"))


def test_half_of_the_activities_is_for_reporting() -> None:
    assert (len(NAMES), sum(map(is_reporting, NAMES))) == (121, 61)
    assert not is_reporting("store_honey")
