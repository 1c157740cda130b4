"""Tests of placing the movable things of a home anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.worlds.programs.home_graph import CLOSE, HANDS, INSIDE, ON, ROOM, HomeGraph, read_graph
from stma_ros.worlds.programs.moved_things import movable_things, with_things_moved
from support.people_programs import (
    BREAD,
    CHAIR,
    CUP,
    FRIDGE,
    MILK,
    PLATE,
    SHIRT,
    STUDY,
    TABLE,
    WHO,
    home_document,
    home_graph,
)

_PLACES = {(ON, TABLE), (INSIDE, FRIDGE)}


def _places_of(graph: HomeGraph, id: int) -> set[tuple[str, int]]:
    return {
        (relation, place)
        for relation in (ON, INSIDE)
        for place in graph.targets(id, relation)
        if graph.nodes[place].category != ROOM
    }


def _rooms_of(graph: HomeGraph, id: int) -> list[int]:
    return [place for place in graph.targets(id, INSIDE) if graph.nodes[place].category == ROOM]


@given(st.integers())
def test_every_movable_thing_has_one_place_in_whose_room_it_is(seed: int) -> None:
    before = home_graph()
    graph = with_things_moved(before, seed)
    assert movable_things(before) == [MILK, CUP, SHIRT, BREAD, PLATE]
    for id in movable_things(before):
        ((relation, place),) = _places_of(graph, id)
        assert (relation, place) in _PLACES
        assert _rooms_of(graph, id) == [graph.room_of(place)]
        assert graph.targets(id, CLOSE) == graph.sources(CLOSE, id) == [place]
    moved = set(movable_things(before))
    rest = [{fact for fact in each.facts() if not moved & {fact[0], fact[2]}} for each in (before, graph)]
    assert rest[0] == rest[1]
    assert all(graph.states(id) == before.states(id) for id in graph.nodes)


def test_the_seed_draws_the_places() -> None:
    homes = [frozenset(with_things_moved(home_graph(), seed).facts()) for seed in range(5)]
    assert len(set(homes)) > 1
    assert homes == [frozenset(with_things_moved(home_graph(), seed).facts()) for seed in range(5)]
    drawn = {place for seed in range(20) for place in _places_of(with_things_moved(home_graph(), seed), CUP)}
    assert drawn == _PLACES


@pytest.mark.parametrize("seed", range(5))
def test_held_worn_or_poured_thing_stays_where_it_is(seed: int) -> None:
    graph = home_graph()
    graph.add(WHO, HANDS[0], PLATE)
    graph.add(SHIRT, ON, WHO)
    graph.detach(MILK, INSIDE)
    graph.add(MILK, INSIDE, CUP)
    graph.bring(MILK, graph.room_of(CUP) or 0)
    assert movable_things(graph) == [CUP, BREAD]
    moved = with_things_moved(graph, seed)
    assert moved.targets(WHO, *HANDS) == [PLATE]
    assert moved.has(SHIRT, ON, WHO)
    assert moved.has(MILK, INSIDE, CUP)
    assert _rooms_of(moved, MILK) == _rooms_of(moved, CUP)


def _with_property(id: int, name: str) -> HomeGraph:
    document = home_document()
    (node,) = (each for each in document["nodes"] if each["id"] == id)
    node["properties"].append(name)
    return read_graph(document)


def test_thing_that_carries_furniture_or_somebody_stays() -> None:
    graph = _with_property(CHAIR, "GRABBABLE")
    assert CHAIR in movable_things(graph)
    graph.add(WHO, ON, CHAIR)
    assert CHAIR not in movable_things(graph)
    graph.remove(WHO, ON, CHAIR)
    graph.add(TABLE, ON, CHAIR)
    assert CHAIR not in movable_things(graph)


def test_nothing_gets_into_what_cannot_be_opened() -> None:
    graph = _with_property(FRIDGE, "CAN_OPEN")
    graph.change_state(FRIDGE, (), ["ON"])  # and there is no switch
    for seed in range(10):
        assert _places_of(with_things_moved(graph, seed), CUP) == {(ON, TABLE)}


def test_home_without_furniture_stays_as_it_is() -> None:
    document = home_document()
    document["nodes"] = [each for each in document["nodes"] if each["id"] not in (TABLE, FRIDGE)]
    document["edges"] = [
        each for each in document["edges"] if not {each["from_id"], each["to_id"]} & {TABLE, FRIDGE}
    ]
    graph = read_graph(document)
    assert set(with_things_moved(graph, 1).facts()) == set(graph.facts())
    assert graph.room_of(SHIRT) == STUDY
