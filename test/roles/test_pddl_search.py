"""Search by rules in planning tasks: grounding, plans, subgoals, and facts that exclude one another."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.pddl.best_first import Effort
from stma_ros.domains.pddl.decomposition import LONGEST, next_subgoal
from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts, exclusive_groups
from stma_ros.domains.pddl.ground_task import Atom, Operator, ProblemTooLargeError, ground
from stma_ros.domains.pddl.plan_shortening import shortened
from stma_ros.domains.pddl.search import NoPlan, Plan, find_plan
from stma_ros.domains.pddl.state_space import Condition, StateSpace
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
        state = step.after(state)
    return state


def walked(model: ActionModel, start: frozenset[Atom], choices: list[int]) -> list[frozenset[Atom]]:
    """Returns the states of a walk, in which each choice is one of the actions that are possible, up to a dead end."""
    states, steps = [start], ground(model, start)
    for choice in choices:
        possible = [step for step in steps if set(step.needs) <= states[-1]]
        if not possible:
            break
        states.append(possible[choice % len(possible)].after(states[-1]))
    return states


def breadth_first(model: ActionModel, start: frozenset[Atom], goal: Condition) -> int | None:
    """Returns the length of a shortest plan; None if there is none."""
    steps, layer, seen = ground(model, start), {start}, {start}
    for length in range(100):
        if any(goal.holds(state) for state in layer):
            return length
        following = {step.after(state) for state in layer for step in steps if set(step.needs) <= state}
        layer = following - seen
        seen |= layer
    return None


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


class TestSearch:
    """Compared with breadth-first search, and on tasks that are large for the effort."""

    @settings(deadline=None)
    @given(
        st.lists(st.integers(0, 50), max_size=10), st.sets(st.sampled_from(WISHES), min_size=1, max_size=3)
    )
    def test_finds_a_shortest_plan_of_a_small_task_or_proves_that_there_is_none(
        self, walk: list[int], wanted: set[Atom]
    ) -> None:
        start = walked(FERRY, FERRY_START, walk)[-1]
        shortest = breadth_first(FERRY, start, Condition(frozenset(wanted)))
        found = plan(FERRY, start, Condition(frozenset(wanted)))
        if shortest is None:
            assert found == NoPlan(proved=True)
        else:
            assert isinstance(found, Plan)
            assert len(found.operators) == shortest

    def test_finds_a_plan_where_far_more_actions_are_possible_than_may_be_evaluated(self) -> None:
        cars = [f"car{number}" for number in range(30)]
        banks = [f"bank{number}" for number in range(30)]
        model = replace(
            FERRY,
            objects=parameters(" ".join([f"{car}:car" for car in cars] + [f"{bank}:bank" for bank in banks])),
        )
        start = atoms("free", "ferry-at bank0", *(f"at {car} bank0" for car in cars))
        goal = Condition(
            atoms(*(f"at {car} {bank}" for car, bank in zip(cars, reversed(banks), strict=True)))
        )
        found = plan(model, start, goal, effort=3000)
        assert isinstance(found, Plan)
        assert goal.holds(executed(found.operators, start))

    @settings(deadline=None)
    @given(st.lists(st.integers(0, 50), min_size=1, max_size=60))
    def test_shortened_plan_leads_to_the_goal_and_is_not_longer(self, walk: list[int]) -> None:
        space = StateSpace(ground(FERRY, FERRY_START), FERRY_START)
        start, state = space.state(FERRY_START), FERRY_START
        states = walked(FERRY, state, walk)
        numbers = [
            next(
                number
                for number, each in enumerate(space.operators)
                if set(each.needs) <= before and each.after(before) == after
            )
            for before, after in itertools.pairwise(states)
        ]
        shorter = shortened(space, start, space.state(states[-1]), numbers, Effort(3000))
        assert executed(tuple(space.operators[number] for number in shorter), FERRY_START) == states[-1]
        assert len(shorter) <= len(numbers)

    def test_detour_is_cut_out_of_a_plan(self) -> None:
        space = StateSpace(ground(FERRY, FERRY_START), FERRY_START)
        start, goal = space.state(FERRY_START), Condition(atoms("at c1 right"))
        names = [(each.action, *each.arguments) for each in space.operators]
        there, back = ("sail", "left", "right"), ("sail", "right", "left")
        way = [there, back, ("board", "c1", "left"), there, back, there, ("land", "c1", "right")]
        wanted = sum(1 << bit for bit in space.goal(goal) or ())
        shorter = shortened(space, start, wanted, [names.index(each) for each in way], Effort(3000))
        assert [names[number] for number in shorter] == [way[2], there, way[-1]]


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
        for state in walked(model, start, choices):
            assert all(group.holds(state) for group in groups)
