"""What a task takes for granted of the things that it names."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.asked_kinds import with_asked
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import Goal, GoalKind, ThingDescription

KNOWN = household_categories()


def place(what: str, relation: str, destination: str) -> Goal:
    return Goal(
        kind=GoalKind.PLACE,
        what=(ThingDescription(category=what),),
        relation=relation,
        destination=(ThingDescription(category=destination),),
    )


def test_task_makes_unknown_kinds_portable_and_things_that_are_no_holders_hold_others() -> None:
    assert not KNOWN.is_portable("carpet roll")
    assert not KNOWN.is_receptacle("frying pan")
    asked = with_asked(
        KNOWN, [place("carpet roll", words.ON, "pancake"), place("egg", words.IN, "frying pan")]
    )
    assert asked.is_portable("carpet roll")
    assert asked.is_surface("pancake")
    assert asked.is_receptacle("frying pan")
    assert not asked.is_surface("frying pan")
    assert asked.is_receptacle("heavy frying pan")  # a narrower kind


@pytest.mark.parametrize(
    ("what", "relation", "destination"),
    [
        ("sofa", words.IN, "door"),
        ("parrot", words.IN, "lamp"),
        ("fridge", words.ON, "floor"),
        ("hamster", words.ON, "parrot"),
        ("kitchen", words.IN, "bathroom"),
    ],
)
def test_task_changes_nothing_known_of_furniture_devices_rooms_floors_and_living_beings(
    what: str, relation: str, destination: str
) -> None:
    asked = with_asked(KNOWN, [place(what, relation, destination)])
    assert asked.is_portable(what) == KNOWN.is_portable(what)
    assert asked.is_surface(destination) == KNOWN.is_surface(destination)
    assert asked.is_receptacle(destination) == KNOWN.is_receptacle(destination)


def test_knowledge_is_the_same_where_a_task_asks_for_nothing_new() -> None:
    assert with_asked(KNOWN, [place("mug", words.ON, "table"), Goal(kind=GoalKind.FIND)]) is KNOWN
    new = [place("mug", words.ON, "pancake")]
    assert with_asked(KNOWN, new) is with_asked(KNOWN, new)
