"""Semantic memory: names, kinds, places, and that its data is consistent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.semantic import semantic_memory

MEMORY = semantic_memory()
NAMES = [*MEMORY.places, *MEMORY.furniture, *MEMORY.containers, *MEMORY.rooms]


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("Couches", "sofa"),
        ("tv remote", "remote"),
        ("TV_remote", "remote"),
        ("refrigerator", "fridge"),
        ("Chest of drawers", "dresser"),
        ("bottle of water", "water bottle"),
        ("pairs of scissors", "scissors"),
        ("keys", "key"),
        ("shelves", "shelf"),
        ("dishes", "plate"),
        ("glasses", "glasses"),
        ("batteries", "battery"),
        ("wooden spoons", "wooden spoon"),
        ("gizmos", "gizmo"),
    ],
)
def test_canonical_names(name: str, canonical: str) -> None:
    assert MEMORY.canonical(name) == canonical


@given(st.sampled_from(NAMES) | st.text(max_size=20))
def test_canonical_settles_for_known_names_and_never_fails(name: str) -> None:
    canonical = MEMORY.canonical(name)
    if name in NAMES:
        assert canonical == name
    assert next(iter(MEMORY.lineage(name))) == canonical


@pytest.mark.parametrize(
    ("seen", "wanted", "fits"),
    [
        ("mug", "coffee mug", True),
        ("cup", "mug", False),
        ("coffee table", "table", True),
        ("table", "coffee table", False),
        ("kitchen cupboard", "cupboard", True),
        ("spoon", "wooden spoon", True),
        ("wooden spoon", "spoon", True),
        ("tv stand", "tv", False),
        ("gizmo", "gizmo", True),
        ("gizmo", "gadget", False),
    ],
)
def test_kinds(seen: str, wanted: str, fits: bool) -> None:
    assert MEMORY.is_kind(seen, wanted) is fits


def test_alike_and_shades_are_mutual() -> None:
    assert MEMORY.is_alike("mug", "cup")
    assert MEMORY.is_alike("cup", "mug")
    assert not MEMORY.is_alike("mug", "glass")
    assert MEMORY.is_shade("orange", "red")
    assert MEMORY.is_shade("red", "orange")
    assert MEMORY.colour("Navy") == "blue"
    assert MEMORY.colour("heavy") == ""


def test_containers() -> None:
    assert all(
        map(
            semantic_memory().is_container,
            ["fridge", "wardrobe", "closet", "kitchen_cabinet", "filing cabinet", "Drawers"],
        )
    )
    assert not any(map(semantic_memory().is_container, ["table", "sofa", "mug", "gizmo", "tv stand"]))


def test_shares_prefer_the_usual_and_exclude_nothing() -> None:
    assert MEMORY.share("milk", "fridge") > MEMORY.share("milk", "cupboard") > 0
    assert MEMORY.share("mug", "kitchen cupboard") == MEMORY.share("mug", "cupboard")
    assert not MEMORY.is_usual("milk", "wardrobe")
    assert MEMORY.share("milk", "wardrobe") == MEMORY.unlisted_share
    assert MEMORY.is_usual("gizmo", "wardrobe")
    assert MEMORY.share("gizmo", "safe") == MEMORY.unknown_thing_share


def test_rooms_of_things() -> None:
    shares = MEMORY.room_shares("toothbrush")
    assert max(shares, key=lambda room: shares[room]) == "bathroom"
    assert sum(shares.values()) == pytest.approx(1.0)
    assert MEMORY.room_shares("gizmo") == {}


@pytest.mark.parametrize(
    ("things", "kind"),
    [
        (["fridge", "table", "chair"], "kitchen"),
        (["bed", "desk", "wardrobe"], "bedroom"),
        (["couch", "tv", "bookcase"], "living room"),
        (["toilet", "sink"], "bathroom"),
        (["desk", "bookshelf", "office chair"], "office"),
        (["shoe_rack", "coat rack"], "hallway"),
    ],
)
def test_room_kinds(things: list[str], kind: str) -> None:
    found, confidence = semantic_memory().room_kind(things)
    assert found == kind
    assert 0.5 < confidence <= 1.0
    assert semantic_memory().room_kind(reversed(things)) == (found, confidence)


def test_more_telling_furniture_makes_it_surer() -> None:
    assert (
        semantic_memory().room_kind(["fridge", "stove"])[1]
        > semantic_memory().room_kind(["fridge"])[1]
        > semantic_memory().room_kind(["table"])[1]
    )
    assert semantic_memory().room_kind(["mug", "gizmo"]) == semantic_memory().room_kind(["door"]) == ("", 0.0)


def test_a_room_is_renamed_only_on_good_evidence() -> None:
    seen_from_the_door = ["coat rack", "cabinet", "toilet"]
    assert semantic_memory().room_kind(seen_from_the_door)[0] == "bathroom"
    kind, confidence = semantic_memory().room_kind(seen_from_the_door, former="hallway")
    assert kind == "hallway"
    assert 0 < confidence < 0.5
    assert (
        semantic_memory().room_kind([*seen_from_the_door, "washbasin", "bathtub"], former="hallway")[0]
        == "bathroom"
    )
    assert semantic_memory().room_kind(["mug"], former="hallway") == ("", 0.0)
    assert semantic_memory().room_kind(["stove"], former="no room at all")[0] == "kitchen"


def test_the_data_is_consistent() -> None:
    for name in (*NAMES, *MEMORY.synonyms.values(), *MEMORY.kinds, *MEMORY.kinds.values()):
        assert MEMORY.is_known(name), name
        assert MEMORY.canonical(name) == name
    for synonym in MEMORY.synonyms:
        assert not MEMORY.is_known(synonym), synonym
    for places in MEMORY.places.values():
        for place in places:
            assert MEMORY.is_known(place), place
    for rooms in MEMORY.furniture.values():
        assert set(rooms) <= set(MEMORY.rooms)
    assert set().union(*MEMORY.alike) <= set(NAMES)
    assert set().union(*MEMORY.shades) <= set(MEMORY.colours.values())


def test_what_joins_many_rooms_is_a_hall() -> None:
    knowledge = semantic_memory()
    assert knowledge.room_kind(["wardrobe"])[0] == knowledge.room_kind(["wardrobe"], 1)[0] == "bedroom"
    assert knowledge.room_kind(["wardrobe"], 3)[0] == "hallway"
    assert knowledge.room_kind([], 4)[0] == "hallway"
    assert knowledge.room_kind([], 1) == ("", 0.0)
    assert knowledge.room_kind(["stove", "fridge", "sink"], 3)[0] == "kitchen"
    assert knowledge.room_kind(["bed", "nightstand", "wardrobe"], 2)[0] == "bedroom"
