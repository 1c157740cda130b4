"""Tests of the order in which places are searched."""

from __future__ import annotations

import pytest

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.search import places_to_look
from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation

_ROOMS = "The rooms are attic_1, bathroom_1, cellar_1, hall_1."


def _places(
    task: str,
    *things: str,
    rules: tuple[RuleOfThumb, ...] = (),
    done: tuple[str, ...] = (),
    remembered: tuple[Relation, ...] = (),
    commands: tuple[str, ...] = (),
) -> list[str]:
    """Returns where a cup is looked for in the hall, with these lines of what is seen."""
    outcomes = tuple(
        Outcome(action=Action(words.SKILL_COMMAND, (command,)), result=Result.SUCCEEDED) for command in done
    )
    observation = "\n".join(("You are in hall_1.", _ROOMS, "You see:", *things, "You hold nothing."))
    home = BelievedHome(
        PlanQuery(
            task,
            TemporalBelief(completed=outcomes),
            SpatialBelief(facts=remembered),
            tuple(Action(words.SKILL_COMMAND, (command,)) for command in commands),
            observation=observation,
        )
    )
    return list(places_to_look(task, ["cup"], home, rules))


def _rule(place: str, found: int, looked: int, room: str = "", thing: str = "cup") -> RuleOfThumb:
    return RuleOfThumb(thing=thing, place=place, room=room, found=found, looked=looked)


def test_rooms_that_the_task_names_come_first() -> None:
    assert _places("Go to the cellar.") == ["cellar_1", "attic_1", "bathroom_1"]


def test_rooms_come_before_closed_things_and_in_the_order_of_experience() -> None:
    rules = (
        _rule("shelf", 3, 5, "cellar"),
        _rule("", 1, 1, "bathroom"),
        _rule("", 9, 9, "attic", thing="key"),
    )
    assert _places("", "box_1 (closed)", rules=rules) == ["cellar_1", "bathroom_1", "attic_1", "box_1"]


def test_task_counts_before_experience() -> None:
    assert _places("in the attic", rules=(_rule("", 9, 9, "cellar"),))[0] == "attic_1"
    closed = _places("from the box", "box_1 (closed)", "chest_1 (closed)", rules=(_rule("chest", 9, 9),))
    assert closed[3:] == ["box_1", "chest_1"]


def test_rooms_that_were_seen_are_not_searched_again() -> None:
    seen = (Relation("rag_1", words.IN, "attic_1"), Relation("rag_1", words.IN_ROOM, "attic_1"))
    assert _places("", done=("walk to cellar_1", "walk to hall_1"), remembered=seen) == ["bathroom_1"]


def test_experience_orders_closed_things_by_finds_and_looks_in_vain() -> None:
    things = ("bin_1 (closed)", "box_1 (closed)", "chest_1 (closed)", "crate_1 (closed)")
    rules = (_rule("chest", 5, 5), _rule("box", 1, 2), _rule("bin", 0, 4))
    assert _places("", *things, rules=rules)[3:] == ["chest_1", "box_1", "crate_1", "bin_1"]


@pytest.mark.parametrize("rules", [(), (_rule("open_box", 9, 9), _rule("curtain", 9, 9))])
def test_only_what_is_closed_and_may_hide_something_is_searched(rules: tuple[RuleOfThumb, ...]) -> None:
    things = ("curtain_1 (closed)", "door_2 (closed)", "open_box_1 (open)", "box_1 (closed)")
    assert _places("", *things, rules=rules)[3:] == ["box_1"]


def test_search_opens_a_thing_that_stands_alone_before_one_on_furniture() -> None:
    things = ("jar_1 (closed) on table_1", "cupboard_1 (closed) on floor_1", "fridge_1 (closed)", "table_1")
    assert _places("", *things)[3:] == ["cupboard_1", "fridge_1", "jar_1"]


def test_search_opens_things_of_this_room_before_those_of_other_rooms() -> None:
    there = (
        Relation("bin_1", words.IN, "attic_1"),
        Relation("bin_1", words.IN_ROOM, "attic_1"),
        Relation("bin_1", words.STATE, "closed"),
    )
    assert _places("", "box_1 (closed)", remembered=there)[2:] == ["box_1", "bin_1"]


def test_search_goes_last_to_a_thing_that_was_walked_to_and_not_opened() -> None:
    walked = ("walk to bin_1", "walk to box_1", "open box_1")
    assert _places("", "bin_1 (closed)", "chest_1 (closed)", done=walked)[3:] == ["chest_1", "bin_1"]


def test_search_opens_a_thing_within_reach_before_one_that_the_task_names() -> None:
    things = ("box_1 (closed)", "chest_1 (closed)", "bin_1 (closed)")
    assert _places("from the box", *things, commands=("wash box_1", "open bin_1"))[3:] == [
        "bin_1",
        "box_1",
        "chest_1",
    ]


def test_remembered_things_come_room_by_room_however_their_facts_alternate() -> None:
    rooms = {"chest_1": "attic_1", "cupboard_1": "cellar_1", "box_1": "attic_1", "desk_1": "bathroom_1"}
    remembered = tuple(
        fact
        for thing, room in rooms.items()
        for fact in (
            Relation(thing, words.IN, room),
            Relation(thing, words.IN_ROOM, room),
            Relation(thing, words.STATE, words.STATE_CLOSED),
        )
    )
    assert _places("", remembered=remembered) == ["chest_1", "box_1", "cupboard_1", "desk_1"]
