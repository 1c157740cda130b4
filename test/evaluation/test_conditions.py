"""Goal conditions against the ground truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.evaluation.conditions import Held, InState, Placed, recall, unmet, wrong_things
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom

HOME = GroundTruth(
    rooms=(
        GroundTruthRoom(name="kitchen_1", category="kitchen"),
        GroundTruthRoom(name="study_1", category="study"),
    ),
    objects=(
        GroundTruthObject(
            name="fridge_1", category="fridge", room="kitchen_1", fixed=True, states=("closed",)
        ),
        GroundTruthObject(name="table_1", category="table", room="kitchen_1", fixed=True),
        GroundTruthObject(name="bowl_1", category="bowl", room="kitchen_1", support="table_1"),
        GroundTruthObject(name="apple_1", category="apple", room="kitchen_1", support="bowl_1", inside=True),
        GroundTruthObject(
            name="apple_2", category="apple", room="kitchen_1", support="fridge_1", inside=True, hidden=True
        ),
        GroundTruthObject(name="apple_3", category="apple", room="kitchen_1", support="robot"),
        GroundTruthObject(name="apple_4", category="apple", room="kitchen_1"),
    ),
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Placed(("apple_1",), ("table_1",)), True),  # in the bowl on the table
        (Placed(("apple_1",), ("bowl_1",), inside=True), True),
        (Placed(("apple_1",), ("bowl_1",), inside=False), False),
        (Placed(("apple_1",), ("fridge_1",)), False),
        (Placed(("apple_1", "apple_2"), ("fridge_1",)), True),  # one of them is enough
        (Placed(("apple_1", "apple_2"), ("fridge_1",), count=2), False),
        (Placed(("apple_1",), ("fridge_1", "table_1")), True),
        (Placed(("apple_1",), ("kitchen_1",)), True),
        (Placed(("apple_1",), ("study_1",)), False),
        (Placed(("apple_3",), ("kitchen_1",)), False),  # it is in the hand
        (Placed(("apple_4",), ("kitchen_1",)), False),  # it lies on the floor
        (Placed(("pear_1",), ("kitchen_1",)), False),
        (InState(("fridge_1",), "closed"), True),
        (InState(("fridge_1",), "open"), False),
        (InState(("pear_1",), "open"), False),
        (Held(("apple_1", "apple_3")), True),
        (Held(("apple_1",)), False),
    ],
)
def test_goal_conditions_are_evaluated_on_the_ground_truth(condition, holds) -> None:
    assert condition.holds(HOME) is holds


@pytest.mark.parametrize("support", ["robot", ""])
def test_a_thing_in_a_bowl_is_put_into_a_room_only_where_the_bowl_is_put_down(support: str) -> None:
    carried = [replace(thing, support=support) if thing.name == "bowl_1" else thing for thing in HOME.objects]
    in_kitchen = Placed(("apple_1",), ("kitchen_1",))
    assert in_kitchen.holds(HOME)
    assert not in_kitchen.holds(replace(HOME, objects=tuple(carried)))


def test_recall_is_the_share_of_conditions_that_hold() -> None:
    wanted = (Held(("apple_3",)), InState(("fridge_1",), "open"))
    assert recall(wanted, HOME) == 0.5
    assert unmet(wanted, HOME) == (InState(("fridge_1",), "open"),)
    assert recall((), HOME) == 1.0


def test_conditions_are_described_in_words() -> None:
    assert str(Placed(("apple_1", "apple_2"), ("bowl_1", "table_1"), True, 2)) == (
        "2 of apple_1, apple_2 in bowl_1 or table_1"
    )
    assert str(InState(("fridge_1",), "open")) == "fridge_1 open"
    assert str(Held(("apple_1",))) == "apple_1 in the hand"


def test_wrong_objects_are_those_placed_instead_of_the_wanted_ones() -> None:
    before = replace(HOME, objects=tuple(replace(thing, support="") for thing in HOME.objects))
    wanted = (Placed(("apple_4",), ("bowl_1",)), Placed(("apple_2",), ("fridge_1",)))
    assert wrong_things(wanted, before, HOME) == ("apple_1",)
    assert wrong_things(wanted, HOME, HOME) == ()  # it was there before
    elsewhere = Placed(("apple_1",), ("fridge_1",))
    assert wrong_things((*wanted, elsewhere), before, HOME) == ()  # it is meant, though not there
