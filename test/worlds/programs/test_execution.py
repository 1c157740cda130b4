"""Tests of actions on scene graphs: what each needs, and what it changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.worlds.programs.actions import ACTIONS
from stma_ros.worlds.programs.execution import Home, PreconditionError
from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON
from support.people_programs import (
    BREAD,
    CHAIR,
    CUP,
    FRIDGE,
    HANDS_BOTH,
    KITCHEN,
    LAMP,
    MILK,
    PLATE,
    SHIRT,
    STUDY,
    TABLE,
    WHO,
    home_graph,
)

Done = tuple[str, tuple[int, ...]]


def _after(*done: Done) -> Home:
    home = Home(home_graph())
    for action, things in done:
        home.do(action, things)
    return home


WALK_TO_THE_FRIDGE = ("WALK", (FRIDGE,))
OPEN_FRIDGE = (WALK_TO_THE_FRIDGE, ("OPEN", (FRIDGE,)))
MILK_IN_HAND = (*OPEN_FRIDGE, ("GRAB", (MILK,)))
CUP_IN_HAND = (("WALK", (TABLE,)), ("GRAB", (CUP,)))


def test_walking_changes_the_room_and_takes_along_what_is_in_the_hands() -> None:
    graph = _after(*MILK_IN_HAND, ("WALK", (LAMP,))).graph
    assert graph.room_of(WHO) == graph.room_of(MILK) == STUDY
    assert graph.targets(WHO, *HANDS) == [MILK]


def test_taken_thing_leaves_its_place_and_a_second_one_comes_into_the_other_hand() -> None:
    graph = _after(*MILK_IN_HAND, ("FIND", (CUP,)), ("GRAB", (CUP,))).graph
    assert not graph.has(MILK, INSIDE, FRIDGE)
    assert not graph.has(CUP, ON, TABLE)
    assert [graph.targets(WHO, hand) for hand in HANDS] == [[MILK], [CUP]]


def test_thing_is_put_on_put_into_put_back_and_dropped() -> None:
    assert _after(*MILK_IN_HAND, ("WALK", (TABLE,)), ("PUTBACK", (MILK, TABLE))).graph.has(MILK, ON, TABLE)
    back = _after(*MILK_IN_HAND, ("PUTIN", (MILK, FRIDGE))).graph
    assert back.has(MILK, INSIDE, FRIDGE)
    assert not back.targets(WHO, *HANDS)
    assert _after(*CUP_IN_HAND, ("PUTOBJBACK", (CUP,))).graph.has(CUP, ON, TABLE)
    dropped = _after(*CUP_IN_HAND, ("WALK", (LAMP,)), ("DROP", (CUP,))).graph
    assert dropped.room_of(CUP) == STUDY
    assert not dropped.targets(WHO, *HANDS)


def test_thing_from_the_floor_goes_back_to_its_room_alone() -> None:
    taken = (("WALK", (SHIRT,)), ("GRAB", (SHIRT,)))
    assert _after(*taken, ("PUTOBJBACK", (SHIRT,))).graph.room_of(SHIRT) == STUDY
    with pytest.raises(PreconditionError, match="not near"):
        _after(*taken, ("WALK", (FRIDGE,)), ("PUTOBJBACK", (SHIRT,)))


def test_states_change_as_told() -> None:
    lamp = _after(("WALK", (LAMP,)), ("PLUGIN", (LAMP,)), ("SWITCHON", (LAMP,))).graph
    assert lamp.states(LAMP) == {"ON", "PLUGGED_IN"}
    assert _after(*CUP_IN_HAND, ("WASH", (CUP,))).graph.states(CUP) == {"CLEAN"}
    seated = _after(("WALK", (CHAIR,)), ("SIT", (CHAIR,)))
    assert seated.graph.states(WHO) == {"SITTING"}
    seated.do("LOOKAT", (LAMP,))  # as the chair does
    seated.do("STANDUP")
    assert seated.graph.states(WHO) == set()


def test_liquid_is_poured_and_clothes_are_worn() -> None:
    poured = _after(*MILK_IN_HAND, ("FIND", (CUP,)), ("GRAB", (CUP,)), ("POUR", (MILK, CUP))).graph
    assert poured.has(MILK, INSIDE, CUP)
    worn = _after(("WALK", (SHIRT,)), ("GRAB", (SHIRT,)), ("PUTON", (SHIRT,)))
    assert worn.graph.has(SHIRT, ON, WHO)
    assert not worn.graph.targets(WHO, *HANDS)
    worn.do("PUTOFF", (SHIRT,))
    assert not worn.graph.has(SHIRT, ON, WHO)


@pytest.mark.parametrize(
    ("before", "action", "things", "reason"),
    [
        ((), "GRAB", (CUP,), "cup .* is not near"),
        ((WALK_TO_THE_FRIDGE,), "GRAB", (MILK,), "milk .* is in fridge .*, which is closed"),
        ((WALK_TO_THE_FRIDGE,), "CLOSE", (FRIDGE,), "is not open"),
        (OPEN_FRIDGE, "OPEN", (FRIDGE,), "is not closed"),
        ((("WALK", (TABLE,)),), "GRAB", (TABLE,), "is not grabbable"),
        ((*MILK_IN_HAND, ("WALK", (TABLE,)), ("GRAB", (CUP,))), "GRAB", (PLATE,), "no hand is free"),
        ((*MILK_IN_HAND, ("CLOSE", (FRIDGE,))), "PUTIN", (MILK, FRIDGE), "is closed"),
        ((), "PUTBACK", (CUP, TABLE), "is not in a hand"),
        ((("WALK", (LAMP,)),), "SWITCHON", (LAMP,), "is plugged out"),
        ((("WALK", (CHAIR,)), ("SIT", (CHAIR,))), "WALK", (KITCHEN,), "stand up"),
        ((("WALK", (CHAIR,)), ("SIT", (CHAIR,))), "FIND", (CUP,), "stand up"),
        ((), "LOOKAT", (LAMP,), "does not face"),
        ((("WALK", (PLATE,)),), "CUT", (BREAD,), "no knife"),
        (CUP_IN_HAND, "PUTON", (CUP,), "is not clothes"),
        (CUP_IN_HAND, "POUR", (CUP, TABLE), "is not pourable"),
        ((), "SLEEP", (), "neither sits nor lies"),
        ((), "JUMP", (), "no action 'JUMP'"),
        ((), "WALK", (), "acts on 1 things, not on 0"),
        ((), "WALK", (999,), "nothing with the id 999"),
    ],
)
def test_impossible_action_says_why_and_changes_nothing(
    before: tuple[Done, ...], action: str, things: tuple[int, ...], reason: str
) -> None:
    home = _after(*before)
    expected = _state(_after(*before))
    with pytest.raises(PreconditionError, match=reason):
        home.do(action, things)
    assert _state(home) == expected


def _state(home: Home) -> object:
    graph = home.graph
    return set(graph.facts()), {id: graph.states(id) for id in graph.nodes}, dict(home.taken_from)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(list(ACTIONS)), st.lists(st.integers(1, HANDS_BOTH), min_size=0, max_size=2)
        ),
        max_size=60,
    )
)
def test_whatever_is_done_the_home_stays_possible(done: list[tuple[str, list[int]]]) -> None:
    home = Home(home_graph())
    for action, things in done:
        before = _state(home)
        try:
            home.do(action, tuple(things))
        except PreconditionError:
            assert _state(home) == before
        graph = home.graph
        assert graph.room_of(WHO) in (KITCHEN, STUDY)
        assert all(len(graph.targets(WHO, hand)) <= 1 for hand in HANDS)
        for held in graph.targets(WHO, *HANDS):
            assert graph.room_of(held) == graph.room_of(WHO)
        for id in graph.nodes:
            states = graph.states(id)
            assert not any(pair <= states for pair in ({"ON", "OFF"}, {"OPEN", "CLOSED"}, {"CLEAN", "DIRTY"}))
