"""Search by rules in planning tasks: grounding, plans, subgoals, and facts that exclude one another."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.pddl.decomposition import LONGEST, next_subgoal
from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts, exclusive_groups
from stma_ros.domains.pddl.ground_task import Atom, Operator, ProblemTooLargeError, ground
from stma_ros.domains.pddl.search import Condition, NoPlan, Plan, StateSpace, find_plan
from stma_ros.types.action_model import ActionModel
from support.roles.action_models import BOXES, FERRY, FERRY_START, action, atoms, parameters, predicate

WISHES = sorted(atoms("at c1 right", "at c2 right", "ferry-at right", "aboard c1", "free"))
GOAL = Condition(atoms("at c1 right", "at c2 right"))


def plan(model: ActionModel, start: frozenset[Atom], goal: Condition, effort: int = 5000) -> Plan | NoPlan:
    return find_plan(StateSpace(ground(model, start), start, goal.false), start, goal, effort)


def operators(model: ActionModel, start: frozenset[Atom], goal: Condition) -> tuple[Operator, ...]:
    found = plan(model, start, goal)
    assert isinstance(found, Plan)
    return found.operators


def executed(steps: tuple[Operator, ...], start: frozenset[Atom]) -> frozenset[Atom]:
    state = start
    for step in steps:
        assert set(step.needs) <= state
        assert not set(step.forbids) & state
        state = state - set(step.deletes) | set(step.adds)
    return state


class TestGrounding:
    def test_operators_are_those_that_can_be_reached(self) -> None:
        found = {
            (each.action, *each.arguments)
            for each in ground(FERRY, atoms("at c1 left", "ferry-at left", "free"))
        }
        assert ("board", "c1", "right") in found  # after it was brought there
        assert not any("c2" in each for each in found)

    def test_equal_parameters_are_told_apart(self) -> None:
        swap = action("swap", "?a ?b", ["free ?a", "free ?b", "not = ?a ?b"], ["swapped ?a ?b"])
        model = ActionModel(
            name="m",
            objects=parameters("x y"),
            predicates=(predicate("free", "?a"), predicate("swapped", "?a ?b")),
            actions=(swap,),
        )
        found = [each.arguments for each in ground(model, atoms("free x", "free y"))]
        assert sorted(found) == [("x", "y"), ("y", "x")]

    def test_parameter_that_nothing_restricts_takes_every_object_of_its_type(self) -> None:
        paint = action("paint", "?car:car", [], ["painted ?car"])
        model = ActionModel(
            name="m", objects=parameters("c1:car c2:car left:bank"), predicates=(), actions=(paint,)
        )
        assert [each.arguments for each in ground(model, ())] == [("c1",), ("c2",)]

    def test_fact_that_an_action_adds_and_deletes_stays_true(self) -> None:
        stay = action("stay", "?bank:bank", ["ferry-at ?bank"], ["ferry-at ?bank", "not ferry-at ?bank"])
        (operator,) = ground(
            ActionModel(name="m", objects=parameters("left:bank"), actions=(stay,)), atoms("ferry-at left")
        )
        assert operator.deletes == ()

    def test_too_many_operators_are_an_error_with_a_remedy(self) -> None:
        join = action("join", "?a ?b ?c ?d", [], ["joined ?a ?b ?c ?d"])
        model = ActionModel(
            name="m", objects=parameters(" ".join(f"x{n}" for n in range(20))), actions=(join,)
        )
        with pytest.raises(ProblemTooLargeError, match=r"model\.policy"):
            ground(model, ())


class TestPlans:
    def test_plan_reaches_the_goal_in_the_fewest_actions(self) -> None:
        steps = operators(FERRY, FERRY_START, GOAL)
        assert GOAL.holds(executed(steps, FERRY_START))
        assert len(steps) == 7  # board, sail, land, sail, board, sail, land

    def test_goal_that_holds_needs_no_action(self) -> None:
        assert operators(FERRY, FERRY_START, Condition(atoms("at c1 left"))) == ()

    def test_negative_goal_is_reached(self) -> None:
        (step,) = operators(FERRY, FERRY_START, Condition(frozenset(), atoms("at c1 left")))
        assert (step.action, step.arguments) == ("board", ("c1", "left"))

    def test_negative_precondition_is_respected(self) -> None:
        enter = action("enter", "", ["not alarm"], ["inside"])
        silence = action("silence", "", ["alarm"], ["not alarm"])
        model = ActionModel(
            name="m", predicates=(predicate("alarm"), predicate("inside")), actions=(enter, silence)
        )
        assert [each.action for each in operators(model, atoms("alarm"), Condition(atoms("inside")))] == [
            "silence",
            "enter",
        ]
        assert [each.action for each in operators(model, atoms(), Condition(atoms("inside")))] == ["enter"]

    @pytest.mark.parametrize(
        "goal", [atoms("at c1 nowhere"), atoms("aboard c1", "aboard c2", "free"), atoms("flying c1")]
    )
    def test_goal_out_of_reach_is_proved_to_be(self, goal: frozenset[Atom]) -> None:
        assert plan(FERRY, FERRY_START, Condition(goal)) == NoPlan(proved=True)

    def test_search_that_is_cut_off_proves_nothing(self) -> None:
        assert plan(FERRY, FERRY_START, GOAL, effort=3) == NoPlan(proved=False)

    def test_same_question_gets_the_same_plan(self) -> None:
        assert operators(FERRY, FERRY_START, GOAL) == operators(FERRY, FERRY_START, GOAL)


class TestSubgoals:
    @settings(deadline=None)
    @given(
        st.sets(
            st.sampled_from(
                sorted(atoms("at c1 right", "at c2 right", "ferry-at right", "aboard c1", "free"))
            ),
            min_size=1,
        )
    )
    def test_following_subgoals_reaches_the_goal_and_undoes_none(self, wanted: set[Atom]) -> None:
        goal, state = Condition(frozenset(wanted)), FERRY_START
        whole = plan(FERRY, state, goal)
        if not isinstance(whole, Plan):
            return
        for _ in range(10):
            rest = operators(FERRY, state, goal)
            if not rest:
                return
            subgoal = next_subgoal(rest, state, goal)
            assert not subgoal.holds(state)
            steps = operators(FERRY, state, subgoal)
            assert 0 < len(steps) <= LONGEST
            state = executed(steps, state)
        pytest.fail("the goal was not reached")

    def test_subgoal_ends_where_a_part_of_the_goal_is_reached_for_good(self) -> None:
        steps = operators(FERRY, FERRY_START, GOAL)
        subgoal = next_subgoal(steps, FERRY_START, GOAL)
        assert subgoal.true & GOAL.true


class TestExclusiveFacts:
    def test_groups_are_found_in_the_actions(self) -> None:
        parts = {group.parts for group in exclusive_groups(FERRY)}
        assert frozenset({("at", 0), ("aboard", 0)}) in parts
        assert frozenset({("ferry-at", -1)}) in parts
        assert frozenset({("aboard", -1), ("free", -1)}) in parts

    def test_new_place_excludes_the_old_one(self) -> None:
        exclusive = ExclusiveFacts(FERRY, FERRY_START)
        assert set(exclusive.excluded_by(("at", "c1", "right"), FERRY_START)) == atoms("at c1 left")
        assert set(exclusive.excluded_by(("ferry-at", "right"), FERRY_START)) == atoms("ferry-at left")

    def test_group_that_does_not_hold_at_first_is_not_used(self) -> None:
        two_ferries = FERRY_START | atoms("ferry-at right")
        assert not list(ExclusiveFacts(FERRY, two_ferries).excluded_by(("ferry-at", "left"), two_ferries))

    @settings(deadline=None)
    @given(st.lists(st.integers(0, 20), max_size=12), st.sampled_from((FERRY, BOXES)))
    def test_groups_hold_in_every_state_that_can_be_reached(
        self, choices: list[int], model: ActionModel
    ) -> None:
        start = (
            FERRY_START if model is FERRY else atoms("shut box1", "shut box2", "in key box1", "in coin box1")
        )
        groups = [group for group in exclusive_groups(model) if group.holds(start)]
        state, steps = start, ground(model, start)
        for choice in choices:
            possible = [step for step in steps if set(step.needs) <= state]
            if possible:
                step = possible[choice % len(possible)]
                state = state - set(step.deletes) | set(step.adds)
            assert all(group.holds(state) for group in groups)
