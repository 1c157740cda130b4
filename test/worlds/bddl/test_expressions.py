"""Tests of goals: when they are reached, and how they can be."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.worlds.bddl.expressions import (
    And,
    Atom,
    Expression,
    ForAll,
    ForPairs,
    ForSome,
    Not,
    Or,
    Variable,
    holds,
    literals,
    ways,
)

OBJECTS = {"a": ("a_1", "a_2", "a_3"), "b": ("b_1", "b_2")}
A, B = Variable("a", "a"), Variable("b", "b")
ON = Atom("ontop", ("a", "b"))


class Facts:
    """Facts by the text of the atoms that are true."""

    def __init__(self, *true: str) -> None:
        self._true = true

    def holds(self, atom: Atom) -> bool:
        return str(atom) in self._true


def on(*pairs: Collection[int]) -> Facts:
    return Facts(*(f"(ontop a_{a} b_{b})" for a, b in pairs))


@pytest.mark.parametrize(
    ("goal", "facts", "reached"),
    [
        (ForAll(A, ForSome(B, 1, ON)), on((1, 1), (2, 1), (3, 2)), True),
        (ForAll(A, ForSome(B, 1, ON)), on((1, 1), (2, 1)), False),
        (ForSome(B, 1, ForAll(A, ON)), on((1, 1), (2, 1), (3, 2)), False),
        (ForSome(A, 2, Atom("ontop", ("a", "b_1"))), on((1, 1), (3, 1)), True),
        (ForSome(A, 2, Atom("ontop", ("a", "b_1"))), on((1, 1), (3, 2)), False),
        (ForPairs(A, B, 0, ON), on((1, 1), (2, 2)), True),
        (ForPairs(A, B, 0, ON), on((1, 1), (2, 1)), False),
        (ForPairs(A, B, 1, ON), on((3, 2)), True),
        (Or((Atom("open", ("b_1",)), Not(Atom("open", ("b_2",))))), Facts("(open b_2)"), False),
    ],
)
def test_goal_is_reached_by_what_is_true(goal: Expression, facts: Facts, reached: bool) -> None:
    assert holds(goal, OBJECTS, facts) is reached


def test_inner_variable_hides_the_outer_one() -> None:
    goal = ForAll(A, And((Atom("open", ("a",)), ForSome(A, 1, Atom("open", ("a",))))))
    assert not holds(goal, OBJECTS, Facts("(open a_1)"))
    assert holds(goal, OBJECTS, Facts("(open a_1)", "(open a_2)", "(open a_3)"))


def test_literals_of_a_goal_are_listed_with_what_they_are_to_be() -> None:
    goal = And((Not(Or((ON, Not(Atom("open", ("b_1",)))))), ForAll(A, ON)))
    assert [str(each) for each in literals(goal)] == ["(not (ontop a b))", "(open b_1)", "(ontop a b)"]


_ATOMS = st.sampled_from([ON, Atom("open", ("a",)), Atom("open", ("b",))])
_GOALS = st.recursive(
    _ATOMS,
    lambda part: st.one_of(
        part.map(Not),
        st.lists(part, min_size=1, max_size=2).map(lambda parts: And(tuple(parts))),
        st.lists(part, min_size=1, max_size=2).map(lambda parts: Or(tuple(parts))),
        part.map(lambda p: ForAll(A, p)),
        st.tuples(st.integers(1, 2), part).map(lambda each: ForSome(A, *each)),
        st.tuples(st.integers(0, 2), part).map(lambda each: ForPairs(A, B, *each)),
    ),
    max_leaves=4,
).map(lambda goal: ForAll(A, ForAll(B, goal)))


def test_goal_is_written_as_in_a_definition() -> None:
    goal = And(
        (ForAll(A, Or((ON, Not(ON)))), ForSome(B, 2, ON), ForPairs(A, B, 0, ON), ForPairs(A, B, 1, ON))
    )
    assert str(goal) == (
        "(and (forall (a - a) (or (ontop a b) (not (ontop a b)))) (forn 2 (b - b) (ontop a b)) "
        "(forpairs (a - a) (b - b) (ontop a b)) (forpairs 1 (a - a) (b - b) (ontop a b)))"
    )


@given(_GOALS)
def test_every_consistent_way_reaches_the_goal(goal: Expression) -> None:
    for way in islice(ways(goal, OBJECTS), 20):
        wanted = {each.atom for each in way if each.expected}
        unwanted = {each.atom for each in way if not each.expected}
        if not wanted & unwanted:
            assert holds(goal, OBJECTS, Facts(*map(str, wanted)))


@given(_GOALS)
def test_way_to_miss_a_goal_misses_it(goal: Expression) -> None:
    for way in islice(ways(goal, OBJECTS, expected=False), 20):
        wanted = {each.atom for each in way if each.expected}
        unwanted = {each.atom for each in way if not each.expected}
        if not wanted & unwanted:
            assert not holds(goal, OBJECTS, Facts(*map(str, wanted)))
