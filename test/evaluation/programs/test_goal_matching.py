"""Tests of the things that fulfil a goal, and of what tells a goal's things from others of their class."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Condition,
    Goal,
    RelationCondition,
    Scope,
    StateCondition,
    goal_of,
)
from stma_ros.evaluation.programs.identification import identified, lasting_rooms
from stma_ros.evaluation.programs.matching import (
    TooManyChoicesError,
    best_assignment,
    free_things,
    fulfilled_by,
    siblings,
)
from stma_ros.worlds.programs.execution import ACTIONS, Home, PreconditionError
from stma_ros.worlds.programs.home_graph import CHARACTER, INSIDE, ON, ROOM, HomeGraph, Node
from support.homes_of_twins import (
    CHAIR,
    CUP_IN_CUPBOARD,
    CUP_IN_OFFICE,
    CUP_ON_TABLE,
    CUPBOARD,
    KITCHEN,
    KITCHEN_LAMP,
    KITCHEN_SHIRT,
    KITCHEN_TABLE,
    MILK,
    OFFICE,
    OFFICE_LAMP,
    OFFICE_SHIRT,
    OFFICE_TABLE,
    OTHER_OFFICE_LAMP,
    PLATE,
    WHO,
    after,
    twins,
)

_TABLES = (KITCHEN_TABLE, OFFICE_TABLE)
_THINGS = (CUP_ON_TABLE, CUP_IN_CUPBOARD, CUP_IN_OFFICE, MILK, PLATE, OFFICE_SHIRT, KITCHEN_SHIRT)
_PLACES = (*_TABLES, CUPBOARD, PLATE, CUP_ON_TABLE, CUP_IN_OFFICE)

conditions = st.one_of(
    st.builds(
        StateCondition,
        st.sampled_from((KITCHEN_LAMP, OFFICE_LAMP, OTHER_OFFICE_LAMP)),
        st.sampled_from(("ON", "OFF", "PLUGGED_IN")),
        st.booleans(),
    ),
    st.builds(
        RelationCondition,
        st.sampled_from(_THINGS),
        st.sampled_from((ON, INSIDE)),
        st.sampled_from(_PLACES),
        st.booleans(),
    ),
    st.builds(RelationCondition, st.just(WHO), st.just(HOLDS), st.sampled_from(_THINGS), st.booleans()),
)


def _best_by_trying_all(goal: Goal, graph: HomeGraph) -> tuple[int, int]:
    """Returns the most givens and conditions that hold, over all assignments."""
    by_class: dict[str, list[int]] = {}
    for id in free_things((*goal.conditions, *goal.givens), graph):
        by_class.setdefault(graph.nodes[id].name, []).append(id)
    choices = [list(permutations(siblings(ids[0], graph), len(ids))) for ids in by_class.values()]
    ids = [id for those in by_class.values() for id in those]
    return max(
        _held(goal, dict(zip(ids, (id for part in chosen for id in part), strict=True)), graph)
        for chosen in product(*choices)
    )


def _held(goal: Goal, found: dict[int, int], graph: HomeGraph) -> tuple[int, int]:
    count = [sum(each.of(found).holds(graph) for each in those) for those in (goal.givens, goal.conditions)]
    return count[0], count[1]


@given(st.lists(conditions, max_size=6, unique=True), st.lists(conditions, max_size=2, unique=True))
def test_assignment_is_as_good_as_the_best_of_all_assignments(
    wanted: list[Condition], givens: list[Condition]
) -> None:
    goal = Goal(tuple(wanted), Scope.OBJECTS, tuple(each for each in givens if each not in wanted))
    graph = twins()
    found = dict(best_assignment(goal, graph))
    assert len(set(found.values())) == len(found)
    assert all(graph.nodes[one].name == graph.nodes[other].name for one, other in found.items())
    assert _held(goal, found, graph) == _best_by_trying_all(goal, graph)


def test_any_thing_of_the_class_fulfils_a_goal_but_only_once() -> None:
    on_the_table = [RelationCondition(cup, ON, KITCHEN_TABLE) for cup in (CUP_ON_TABLE, CUP_IN_CUPBOARD)]
    graph = twins()
    assert fulfilled_by(on_the_table[1:], graph) == {
        CUP_IN_CUPBOARD: CUP_ON_TABLE,
        KITCHEN_TABLE: KITCHEN_TABLE,
    }
    assert fulfilled_by(on_the_table, graph) is None
    graph.add(CUP_IN_OFFICE, ON, KITCHEN_TABLE)
    assert fulfilled_by(on_the_table, graph) is not None


def test_pairs_of_many_things_are_matched_without_trying_all_assignments() -> None:
    cups, plates = range(100, 112), range(200, 212)
    nodes = [Node(1, "kitchen", ROOM, frozenset()), Node(2, CHARACTER, "Characters", frozenset())]
    nodes += [Node(id, "cup", "", frozenset()) for id in cups]
    nodes += [Node(id, "plate", "", frozenset()) for id in plates]
    graph = HomeGraph(nodes, {}, [(cups[8], ON, plates[9]), (cups[9], ON, plates[8])])
    goal = Goal(
        tuple(RelationCondition(cups[number], ON, plates[number]) for number in range(8)), Scope.OBJECTS
    )
    assert _held(goal, dict(best_assignment(goal, graph)), graph) == (0, 2)


def _books(facts: list[tuple[int, str, int]], number: int) -> tuple[Goal, HomeGraph]:
    """Returns the goal that each of some books is on a shelf of its own, and a home with eight of both."""
    nodes = [Node(1, "kitchen", ROOM, frozenset()), Node(2, CHARACTER, "Characters", frozenset())]
    nodes += [Node(id, "book", "", frozenset()) for id in range(100, 108)]
    nodes += [Node(id, "shelf", "", frozenset()) for id in range(200, 208)]
    conditions = tuple(RelationCondition(100 + each, ON, 200 + each) for each in range(number))
    return Goal(conditions, Scope.OBJECTS), HomeGraph(nodes, {}, facts)


def test_pairs_that_exclude_each_other_are_matched_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stma_ros.evaluation.programs.matching._MOST_STEPS", 500)
    goal, graph = _books([(100 + book, ON, 200 + book // 2) for book in range(8)], 7)
    assert _held(goal, dict(best_assignment(goal, graph)), graph) == (0, 4)
    goal, graph = _books([(100 + book, ON, 200) for book in range(8)], 7)
    assert _held(goal, dict(best_assignment(goal, graph)), graph) == (0, 1)


def test_search_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stma_ros.evaluation.programs.matching._MOST_STEPS", 2)
    goal, graph = _books([(100 + book, ON, 200 + book) for book in range(8)], 7)
    with pytest.raises(TooManyChoicesError, match="7 conditions can hold of 14 things in too many ways"):
        best_assignment(goal, graph)


def test_things_whose_classes_are_called_alike_are_siblings() -> None:
    nodes = [Node(id, name, "", frozenset()) for id, name in enumerate(("TV", "tv", "tv stand"))]
    assert siblings(0, HomeGraph(nodes, {}, [])) == [0, 1]


def _identified(*steps: str) -> Goal | None:
    before, final = twins(), after(*steps)
    goal = goal_of(before, final)
    return identified(goal, before, lasting_rooms(goal, before, final))


def test_goal_that_only_its_own_thing_can_fulfil_needs_nothing_more() -> None:
    goal = _identified("WALK 20", "GRAB 20")
    assert goal is not None
    assert goal.givens == ()


def test_thing_is_told_by_its_room_where_another_of_its_class_is_already_as_wanted() -> None:
    goal = _identified("WALK 31", "SWITCHON 31")
    assert goal is not None
    assert goal.givens == (RelationCondition(OFFICE_LAMP, INSIDE, OFFICE),)


def test_thing_that_was_moved_is_not_told_by_its_former_room() -> None:
    before, final = twins(), after("WALK 22", "WASH 22", "WALK 1")
    goal = goal_of(before, final)
    rooms = lasting_rooms(goal, before, final)
    published = identified(goal, before, rooms)
    assert published is not None
    assert published.givens == (RelationCondition(CUP_IN_OFFICE, INSIDE, OFFICE),)
    moved = twins()
    moved.bring(CUP_IN_OFFICE, KITCHEN)
    found = identified(goal, moved, rooms)
    assert found is not None
    assert found.givens == (StateCondition(CUP_IN_CUPBOARD, "CLEAN"),)


def test_things_are_counted_where_their_rooms_do_not_tell_them_apart() -> None:
    goal = _identified("WALK 12", "OPEN 12", "GRAB 21", "WALK 10", "PUTBACK 21 10")
    assert goal is not None
    assert goal.givens == (RelationCondition(CUP_ON_TABLE, ON, KITCHEN_TABLE),)
    assert fulfilled_by((*goal.conditions, *goal.givens), twins()) is None


def test_exchange_of_the_states_of_two_things_asks_for_nothing() -> None:
    assert _identified("WALK 31", "PLUGOUT 31", "WALK 32", "PLUGIN 32", "WALK 1") is None


steps = st.tuples(
    st.sampled_from(sorted(ACTIONS)),
    st.lists(
        st.sampled_from([KITCHEN, OFFICE, CUPBOARD, *_TABLES, *_THINGS, OFFICE_LAMP, CHAIR]), max_size=2
    ),
)


@given(st.lists(steps, max_size=60))
def test_activity_is_never_done_at_the_start_and_always_by_what_people_did(
    tried: list[tuple[str, list[int]]],
) -> None:
    before = twins()
    home = Home(twins())
    for action, things in tried:
        try:
            if len(things) == ACTIONS[action].things:
                home.do(action, tuple(things))
        except PreconditionError:
            continue
    changes = goal_of(before, home.graph)
    goal = identified(changes, before, lasting_rooms(changes, before, home.graph))
    if goal is not None:
        wanted = (*goal.conditions, *goal.givens)
        assert fulfilled_by(wanted, before) is None
        assert all(condition.holds(home.graph) for condition in wanted)
        assert all(condition.holds(before) for condition in goal.givens)


@pytest.mark.parametrize("thing", [KITCHEN_LAMP, OTHER_OFFICE_LAMP])
def test_siblings_are_all_things_of_the_class(thing: int) -> None:
    assert siblings(thing, twins()) == [KITCHEN_LAMP, OFFICE_LAMP, OTHER_OFFICE_LAMP]
