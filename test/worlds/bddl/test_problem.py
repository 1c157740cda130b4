"""Tests of reading problems of activities."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.bddl.expressions import And, Atom, ForAll, ForPairs, ForSome, Literal, Not, Or, Variable
from stma_ros.worlds.bddl.problem import Problem, read_problem
from support.activities import SNACKS, problem_text


def goal_of(goal: str) -> object:
    return read_problem("small", problem_text(goal), "small.bddl").goal


def test_problem_has_objects_initial_conditions_and_a_goal_without_the_agent() -> None:
    problem = read_problem("storing_snacks", SNACKS, "problem0.bddl")
    assert problem.objects["mug.n.04"] == ("mug.n.04_1", "mug.n.04_2")
    assert "agent.n.01" not in problem.objects
    assert Literal(Atom("inside", ("muffin.n.01_2", "electric_refrigerator.n.01_1"))) in problem.initial
    assert all("agent" not in str(literal) for literal in problem.initial)
    assert problem.category("mug.n.04_2") == "mug.n.04"
    assert isinstance(problem.goal, And)
    assert problem.goal.parts[0] == ForPairs(
        Variable("tupperware.n.01", "tupperware.n.01"),
        Variable("muffin.n.01", "muffin.n.01"),
        0,
        Atom("inside", ("muffin.n.01", "tupperware.n.01")),
    )


def test_every_form_of_a_goal_is_read() -> None:
    mug, on = Variable("a.n.01", "a.n.01"), Atom("ontop", ("a.n.01", "b.n.01_1"))
    opened = Atom("open", ("b.n.01_1",))
    assert goal_of("(exists (?a.n.01 - a.n.01) (ontop ?a.n.01 ?b.n.01_1))") == ForSome(mug, 1, on)
    assert goal_of("(forn (2) (?a.n.01 - a.n.01) (ontop ?a.n.01 ?b.n.01_1))") == ForSome(mug, 2, on)
    assert goal_of("(forall (?a.n.01 - a.n.01) (ontop ?a.n.01 b.n.01_1))") == ForAll(mug, on)
    assert goal_of("(imply (open ?b.n.01_1) (not (open ?b.n.01_1)))") == Or((Not(opened), Not(opened)))


def test_negative_initial_conditions_are_read() -> None:
    text = problem_text("(open b.n.01_1)", "(not (open b.n.01_1))")
    assert read_problem("small", text, "f").initial[-1] == Literal(
        Atom("open", ("b.n.01_1",)), expected=False
    )


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("(polished b.n.01_1)", "no predicate 'polished'"),
        ("(ontop a.n.01_1)", "2 term"),
        ("(ontop a.n.01_9 b.n.01_1)", "neither an object"),
        ("(forall (?a.n.01) (open ?a.n.01))", "declared as"),
        ("(forn (none) (?a.n.01 - a.n.01) (open ?a.n.01))", "how many"),
        ("(forall (open b.n.01_1))", "a variable and a condition"),
        ("(open b.n.01_1) (open b.n.01_2)", "one expression"),
        ("and", "a list"),
    ],
)
def test_goal_that_is_none_is_refused_with_its_place(goal: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as caught:
        goal_of(goal)
    assert "small.bddl, line" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(and)",
        "(define (problem x) (:objects) (:init))",
        "(define",
        "(define (:objects a) (:init) (:goal))",
    ],
)
def test_text_that_is_no_problem_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        read_problem("x", text, "x.bddl")


@given(st.text(alphabet="() ?-abn.01_\n", max_size=80), st.integers(0, 1200))
def test_damaged_problem_is_read_or_refused(inserted: str, at: int) -> None:
    with contextlib.suppress(ConfigurationError):
        assert isinstance(read_problem("x", SNACKS[:at] + inserted + SNACKS[at:], "x.bddl"), Problem)
