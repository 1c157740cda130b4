"""Tests of the symbolic roles together in scripted homes: the search ends correctly and within the budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.types.errors import ErrorCode
from support.roles.scripted_home import GIVE_UP, Home, Room

KITCHEN = Room("kitchen", (1,), ("counter", "fridge", "cupboard", "oven", "sink"))
HALL = Room("hallway", (0, 2, 3), ("shoe rack", "cabinet"))
LIVING = Room("living room", (1,), ("sofa", "coffee table", "sideboard"))
BEDROOM = Room("bedroom", (1,), ("bed", "wardrobe", "nightstand"))
ROOMS = (KITCHEN, HALL, LIVING, BEDROOM)
CONTAINERS = frozenset(
    name for room in ROOMS for name in room.furniture if household_categories().is_container(name)
)
PLACES = tuple((index, name) for index, room in enumerate(ROOMS) for name in room.furniture)
THINGS = ("mug", "milk", "sock", "remote", "book", "didgeridoo")


def budget(home: Home, perfect: int) -> int:
    return 3 * perfect + len(home.rooms) + 2 * home.closed_containers()


def home(hidden: dict[tuple[int, str], str], stuck: dict[tuple[int, str], ErrorCode] | None = None) -> Home:
    return Home(ROOMS, hidden, CONTAINERS, stuck or {})


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(PLACES), st.sampled_from(THINGS))
def test_search_finds_the_object_at_every_place_within_the_budget(place: tuple[int, str], thing: str) -> None:
    flat = home({place: thing})
    ending = flat.play(f"find the {thing}")
    assert ending.category == thing, ending
    assert ending.commands <= budget(flat, 2 if place[1] in CONTAINERS else 1)
    assert ending.rejections == 0


def test_search_gives_up_an_absent_object_after_one_tour() -> None:
    flat = home({(0, "counter"): "mug"})
    for thing in THINGS[1:]:
        ending = flat.play(f"where is the {thing}?")
        assert ending.action == GIVE_UP
        assert ending.commands <= len(ROOMS) + 2 * len(CONTAINERS)
        assert ending.rejections == 0
        assert f"No {thing} was found" in ending.reasoning
        for name in ("kitchen", "bedroom", "hallway", "living room", "fridge_1", "wardrobe_1", "cabinet_1"):
            assert name in ending.reasoning


def test_search_for_furniture_opens_no_container() -> None:
    ending = home({}).play("find the piano")
    assert ending.action == GIVE_UP
    assert not any(action.startswith("open") for action in ending.log)


def test_search_begins_at_the_usual_places() -> None:
    milk = home({(0, "fridge"): "milk"}).play("find the milk")
    assert milk.log[-1] == "open(fridge_1)"
    assert sum(action.startswith("open") for action in milk.log) == 1
    sock = home({(3, "wardrobe"): "sock"}).play("find the sock")
    assert not any("fridge" in action or "oven" in action for action in sock.log)


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([place for place in PLACES if place[1] in CONTAINERS]),
        st.sampled_from([ErrorCode.UNREACHABLE, ErrorCode.NOT_OPENABLE, ErrorCode.TOO_FAR]),
        max_size=4,
    ),
    st.integers(3, 30),
)
def test_search_passes_over_containers_that_cannot_be_opened(
    stuck: dict[tuple[int, str], ErrorCode], buffer: int
) -> None:
    flat = home({}, stuck)
    ending = flat.play("find the mug", buffer=buffer)
    assert ending.action == GIVE_UP
    assert ending.commands <= len(ROOMS) + 2 * len(CONTAINERS) + 2 * len(stuck)
    for _, name in (place for place, error in stuck.items() if error == ErrorCode.UNREACHABLE):
        assert f"{name.replace(' ', '_')}_1" in ending.reasoning.partition("Could not be searched")[2]


def test_search_tries_a_failed_container_again_at_the_end() -> None:
    flat = home({(0, "cupboard"): "mug"}, {(0, "cupboard"): ErrorCode.UNREACHABLE})
    ending = flat.play("find the mug")
    assert ending.action == GIVE_UP
    attempts = [index for index, action in enumerate(ending.log) if action == "navigate(cupboard_1)"]
    assert len(attempts) == 2
    assert attempts[1] == len(ending.log) - 1


def test_search_mentions_a_similar_object_when_everything_was_searched() -> None:
    ending = home({(0, "counter"): "mug"}).play("find the cup")
    assert ending.category == ""
    assert "No cup was found" in ending.reasoning
    assert "Perhaps meant: mug_1 on counter_1" in ending.reasoning
    assert "open(wardrobe_1)" in ending.log


def test_search_is_deterministic() -> None:
    flat = home({(3, "nightstand"): "book"})
    assert flat.play("find the book") == flat.play("find the book")
