"""Tests of where things were first seen."""

from __future__ import annotations

from stma_ros.memory.surroundings import first_places
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_KITCHEN = (
    Relation("room_1", words.IS_A, "kitchen"),
    Relation("table_1", words.IS_A, "table"),
    Relation("table_1", words.IN_ROOM, "room_1"),
    Relation("sink_1", words.IS_A, "sink"),
    Relation("sink_1", words.IN_ROOM, "room_1"),
)
_MUG = Relation("mug_1", words.IS_A, "mug")
_ON_TABLE = Relation("mug_1", words.ON, "table_1")
_APPLE = (Relation("apple_1", words.IS_A, "apple"), Relation("apple_1", words.IN, "sink_1"))


def test_place_is_that_of_the_first_graph_that_tells_it() -> None:
    moved = Relation("mug_1", words.IN, "sink_1")
    graphs = [(*_KITCHEN, _MUG), (*_KITCHEN, _MUG, _ON_TABLE), (*_KITCHEN, _MUG, moved, *_APPLE)]
    assert set(first_places(graphs)) == {_ON_TABLE, _APPLE[1], _MUG, _APPLE[0], *_KITCHEN}


def test_furniture_that_stands_in_a_room_alone_has_no_place() -> None:
    fridge = (Relation("fridge_1", words.IS_A, "fridge"), Relation("fridge_1", words.IN, "room_1"))
    assert first_places([_KITCHEN]) == ()
    assert first_places([(*_KITCHEN, *fridge)]) == ()


def test_facts_about_other_furniture_and_other_things_are_left_out() -> None:
    colour = Relation("mug_1", words.COLOUR, "red")
    kept = first_places([(*_KITCHEN, _MUG, colour, _ON_TABLE)])
    assert set(kept) == {_ON_TABLE, _MUG, *_KITCHEN[:3]}
