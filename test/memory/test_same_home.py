"""Tests of distinguishing homes by the exits of their rooms."""

from __future__ import annotations

import pytest

from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.memory.same_home import is_same_home
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

Triple = tuple[str, str, str]

UNKNOWN = words.UNEXPLORED
KITCHEN = (
    ("kitchen", "exit north", "hall"),
    ("kitchen", "exit east", UNKNOWN),
    ("kitchen", "door east", "screen door"),
)
HALL = (("hall", "exit south", "kitchen"),)


def graph(*facts: Triple) -> KnowledgeGraph:
    made = KnowledgeGraph()
    made.update(Relation(*fact) for fact in facts)
    return made


REMEMBERED = graph(*KITCHEN, *HALL, ("knife", "in", "kitchen"))


@pytest.mark.parametrize(
    ("seen", "verdict"),
    [
        ((*KITCHEN, *HALL), True),
        ((*KITCHEN, *HALL, ("knife", "in", "hall")), True),  # things move
        (KITCHEN, None),  # one room may agree by chance
        ((("attic", "exit down", UNKNOWN),), None),
        ((), None),
        ((("kitchen", "exit north", UNKNOWN),), None),  # there may be more
        ((("kitchen", "exit north", UNKNOWN), ("kitchen", "exit south", UNKNOWN)), False),
        ((("kitchen", "exit north", "cellar"),), False),
        ((("kitchen", "exit east", UNKNOWN), ("kitchen", "door east", "barn door")), False),
        ((*KITCHEN, ("hall", "exit west", UNKNOWN)), False),
    ],
)
def test_is_same_home_compares_the_exits_of_rooms(seen: tuple[Triple, ...], verdict: bool | None) -> None:
    assert is_same_home(REMEMBERED, graph(*seen)) is verdict


def test_complete_room_with_fewer_exits_is_another_home() -> None:
    seen = graph(("kitchen", "exit north", UNKNOWN))

    assert is_same_home(REMEMBERED, seen, ("kitchen",)) is False
    assert is_same_home(REMEMBERED, seen, ("hall",)) is None


def test_home_of_one_room_is_recognised_by_that_room() -> None:
    assert is_same_home(graph(*HALL), graph(*HALL)) is True


def test_memory_without_rooms_is_undecided() -> None:
    assert is_same_home(graph(("knife", "on", "table")), graph(*KITCHEN)) is None
