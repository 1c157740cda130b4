"""Tests of the text of a scene graph by which it is compared."""

from __future__ import annotations

from stma_ros.memory.graph_text import graph_text
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_FACTS = (
    Relation("mug_1", words.IS_A, "mug"),
    Relation("mug_2", words.IS_A, "mug"),
    Relation("table_3", words.IS_A, "table"),
    Relation("room_1", words.IS_A, "kitchen"),
    Relation("plant_1", words.IS_A, "plant"),
    Relation("mug_1", words.ON, "table_3"),
    Relation("mug_2", words.ON, "table_3"),
    Relation("table_3", words.IN_ROOM, "room_1"),
    Relation("table_3", words.STATE, "full"),
)


def test_text_names_things_by_what_they_are_and_says_everything_once() -> None:
    lines = graph_text(_FACTS, "").splitlines()
    assert lines == ["mug on table", "plant", "table full", f"table {words.IN_ROOM} kitchen"]


def test_things_of_the_task_come_first_also_in_the_plural() -> None:
    assert graph_text(_FACTS, "water the plants").splitlines()[0] == "plant"
    assert (
        graph_text(_FACTS, "Which mug is in the kitchen?").splitlines()[0] == f"table {words.IN_ROOM} kitchen"
    )


def test_text_of_the_same_facts_does_not_depend_on_their_order_or_ids() -> None:
    renamed = [
        Relation(each.subject.replace("_1", "_9"), each.predicate, each.object.replace("_1", "_9"))
        for each in reversed(_FACTS)
    ]
    assert graph_text(renamed, "find the mug") == graph_text(_FACTS, "find the mug")


def test_text_of_an_empty_graph_is_empty() -> None:
    assert graph_text((), "find the mug") == ""
