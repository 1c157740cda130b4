"""Tests of the kinds of rooms, by their furniture and openings, and of the rooms of one home."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.room_kinds import in_one_home, likeliest_kind, room_shares

HOUSEHOLD = household_categories()
FURNITURE = sorted(HOUSEHOLD.furniture)


def room_kind(things: Iterable[str], ways: int = 0, former: str = "") -> tuple[str, float]:
    return likeliest_kind(room_shares(HOUSEHOLD, things, ways), former)


@pytest.mark.parametrize(
    ("things", "kind"),
    [
        (["fridge", "stove", "chair"], "kitchen"),
        (["bed", "desk", "nightstand"], "bedroom"),
        (["couch", "tv", "bookcase"], "living room"),
        (["toilet", "sink"], "bathroom"),
        (["desk", "bookshelf", "office chair"], "office"),
        (["shoe_rack", "bench", "coat rack"], "hallway"),
    ],
)
def test_room_kind_follows_the_furniture(things: list[str], kind: str) -> None:
    found, confidence = room_kind(things)
    assert found == kind
    assert confidence > 1.5 * sorted(room_shares(HOUSEHOLD, things).values())[-2]
    assert room_kind(reversed(things)) == (found, confidence)


def test_room_kind_is_more_certain_with_more_furniture() -> None:
    assert room_kind(["fridge", "stove"])[1] > room_kind(["fridge"])[1] > room_kind(["table"])[1]
    assert room_kind(["mug", "gizmo"]) == room_kind(["door"]) == ("", 0.0)


def test_room_kind_changes_only_on_strong_evidence() -> None:
    seen_from_the_door = ["coat rack", "bench", "bathtub"]
    assert room_kind(seen_from_the_door)[0] == "bathroom"
    kind, confidence = room_kind(seen_from_the_door, former="hallway")
    assert kind == "hallway"
    assert 0 < confidence < 0.5
    assert room_kind([*seen_from_the_door, "washbasin", "toilet"], former="hallway")[0] == "bathroom"
    assert room_kind(["mug"], former="hallway") == ("", 0.0)
    assert room_kind(["stove", "fridge"], former="no room at all")[0] == "kitchen"


def test_room_kind_of_a_room_with_many_openings_is_a_hall() -> None:
    assert room_kind(["plant"], 3)[0] == "hallway"
    assert room_kind(["plant"], 1)[0] != "hallway"
    assert room_kind([], 4)[0] == "hallway"
    assert room_kind([], 1) == ("", 0.0)
    assert room_kind(["stove", "fridge", "sink"], 3)[0] == "kitchen"
    assert room_kind(["bed", "nightstand", "wardrobe"], 2)[0] == "bedroom"


def test_room_without_what_its_kind_hardly_ever_lacks_is_something_else() -> None:
    things = ["freezer", "shelf", "cabinet"]
    lacking, complete = (room_shares(HOUSEHOLD, kinds)["kitchen"] for kinds in (things, [*things, "sink"]))
    assert complete > 0.9
    assert lacking < 0.6
    assert set(HOUSEHOLD.essentials) <= set(HOUSEHOLD.rooms)
    for needed in HOUSEHOLD.essentials.values():
        assert all(HOUSEHOLD.canonical(kind) == kind for kind in needed)


def test_few_observations_of_a_piece_say_little() -> None:
    freezer, fridge = (room_shares(HOUSEHOLD, [piece])["kitchen"] for piece in ("freezer", "fridge"))
    assert 1.2 * freezer < fridge


@given(st.lists(st.lists(st.sampled_from(FURNITURE), max_size=5), max_size=5))
def test_rooms_of_a_home_keep_probabilities(contents: list[list[str]]) -> None:
    alone = {f"room_{k}": room_shares(HOUSEHOLD, things) for k, things in enumerate(contents)}
    together = in_one_home(HOUSEHOLD, alone)
    assert together.keys() == alone.keys()
    for shares in together.values():
        assert sum(shares.values()) == pytest.approx(1)
        assert all(share >= 0 for share in shares.values())
    if len(contents) == 1:
        assert together["room_0"] == pytest.approx(alone["room_0"])


def test_a_home_hardly_has_a_second_kitchen() -> None:
    kitchen, cold = ["fridge", "stove", "sink", "counter"], ["freezer", "shelf", "cabinet"]
    alone = {"room_1": room_shares(HOUSEHOLD, kitchen), "room_2": room_shares(HOUSEHOLD, cold)}
    assert likeliest_kind(alone["room_2"])[0] == "kitchen"
    together = in_one_home(HOUSEHOLD, alone)
    assert likeliest_kind(together["room_1"])[0] == "kitchen"
    assert likeliest_kind(together["room_2"])[0] != "kitchen"
    assert together["room_2"]["kitchen"] < 0.2 * alone["room_2"]["kitchen"]
    assert together["room_2"]["storage room"] > alone["room_2"]["storage room"]
    both = in_one_home(HOUSEHOLD, dict.fromkeys(("room_1", "room_2"), alone["room_1"]))
    assert likeliest_kind(both["room_2"])[0] == "kitchen"


def test_a_home_has_several_bedrooms() -> None:
    alone = {f"room_{k}": room_shares(HOUSEHOLD, ["bed", "nightstand"]) for k in range(3)}
    together = in_one_home(HOUSEHOLD, alone)
    assert all(together[name]["bedroom"] >= shares["bedroom"] for name, shares in alone.items())
