"""Tests of the part of a scene graph that matters for a task."""

from __future__ import annotations

from stma_ros.memory.task_graph import task_graph
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_FACTS = (
    Relation("room_1", words.IS_A, "kitchen"),
    Relation("room_1", words.MAY_BE, "bathroom"),
    Relation("table_1", words.IS_A, "table"),
    Relation("table_1", words.IN_ROOM, "room_1"),
    Relation("box_1", words.IS_A, "box"),
    Relation("box_1", words.ON, "table_1"),
    Relation("mug_1", words.IS_A, "mug"),
    Relation("mug_1", words.SIZE, "0.10"),
    Relation("mug_1", words.COLOUR, "red"),
    Relation("mug_1", words.IN, "box_1"),
    Relation("mug_1", words.NEAR, "plant_1"),
    Relation("plant_1", words.IS_A, "plant"),
    Relation("plant_1", words.ON, "table_1"),
    Relation("fridge_1", words.IS_A, "fridge"),
    Relation("fridge_1", words.STATE, words.STATE_OPEN),
    Relation(words.ROBOT, words.IN_ROOM, "room_1"),
)


def _subjects(task: str, *also: str) -> set[str]:
    return {fact.subject for fact in task_graph(_FACTS, task, also)}


def test_graph_holds_the_things_of_the_task_with_all_that_holds_them() -> None:
    assert _subjects("find the mugs") == {"mug_1", "box_1", "table_1", "room_1", words.ROBOT}


def test_things_that_were_handled_matter_too() -> None:
    assert _subjects("find the plant") == {"plant_1", "table_1", "room_1", words.ROBOT}
    assert _subjects("find the plant", "fridge_1") == {
        "plant_1",
        "table_1",
        "room_1",
        words.ROBOT,
        "fridge_1",
    }


def test_measures_guesses_and_things_that_do_not_matter_are_left_out() -> None:
    facts = task_graph(_FACTS, "find the mug")
    assert not {fact.predicate for fact in facts} & {words.SIZE, words.MAY_BE}
    assert "plant_1" not in {fact.object for fact in facts}
    assert Relation("mug_1", words.COLOUR, "red") in facts


def test_facts_stay_in_the_order_of_the_graph() -> None:
    facts = task_graph(_FACTS, "find the mug")
    assert list(facts) == [fact for fact in _FACTS if fact in facts]


def test_thing_in_the_hand_matters_whatever_the_task() -> None:
    held = Relation("fridge_1", words.HELD_BY, words.ROBOT)
    assert held in task_graph((*_FACTS, held), "find the mug")
    assert task_graph((), "find the mug") == ()
