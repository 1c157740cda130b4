"""Tests of category knowledge: names, kinds, places, and the consistency of the household's data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories

HOUSEHOLD = household_categories()
NAMES = sorted(HOUSEHOLD.things | HOUSEHOLD.furniture | HOUSEHOLD.containers | {*HOUSEHOLD.rooms})


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
def test_canonical_resolves_spelling_plural_and_synonyms(name: str, canonical: str) -> None:
    assert HOUSEHOLD.canonical(name) == canonical


@given(st.sampled_from(NAMES) | st.text(max_size=20))
def test_canonical_is_idempotent_and_never_fails(name: str) -> None:
    canonical = HOUSEHOLD.canonical(name)
    if name in NAMES:
        assert canonical == name
    assert next(iter(HOUSEHOLD.lineage(name))) == canonical


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
def test_is_kind_accepts_narrower_categories(seen: str, wanted: str, fits: bool) -> None:
    assert HOUSEHOLD.is_kind(seen, wanted) is fits


def test_is_alike_and_is_shade_are_symmetric() -> None:
    assert HOUSEHOLD.is_alike("mug", "cup")
    assert HOUSEHOLD.is_alike("cup", "mug")
    assert not HOUSEHOLD.is_alike("mug", "glass")
    assert HOUSEHOLD.is_shade("orange", "red")
    assert HOUSEHOLD.is_shade("red", "orange")
    assert HOUSEHOLD.colour("Navy") == "blue"
    assert HOUSEHOLD.colour("heavy") == ""


def test_is_container_accepts_furniture_that_opens_only() -> None:
    assert all(
        map(
            HOUSEHOLD.is_container,
            ["fridge", "wardrobe", "closet", "kitchen_cabinet", "filing cabinet", "Drawers"],
        )
    )
    assert not any(map(HOUSEHOLD.is_container, ["table", "sofa", "mug", "gizmo", "tv stand"]))


def test_share_prefers_usual_places_and_excludes_none() -> None:
    assert HOUSEHOLD.share("milk", "fridge") > HOUSEHOLD.share("milk", "cupboard") > 0
    assert HOUSEHOLD.share("mug", "kitchen cupboard") == HOUSEHOLD.share("mug", "cupboard")
    assert not HOUSEHOLD.is_usual("milk", "wardrobe")
    assert HOUSEHOLD.share("milk", "wardrobe") == HOUSEHOLD.unlisted_share
    assert HOUSEHOLD.is_usual("gizmo", "wardrobe")
    assert HOUSEHOLD.share("gizmo", "safe") == HOUSEHOLD.unknown_thing_share


def test_room_shares_follow_the_usual_places() -> None:
    shares = HOUSEHOLD.room_shares("toothbrush")
    assert max(shares, key=lambda room: shares[room]) == "bathroom"
    assert sum(shares.values()) == pytest.approx(1.0)
    assert HOUSEHOLD.room_shares("gizmo") == {}


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
    found, confidence = HOUSEHOLD.room_kind(things)
    assert found == kind
    assert 0.5 < confidence <= 1.0
    assert HOUSEHOLD.room_kind(reversed(things)) == (found, confidence)


def test_room_kind_is_more_certain_with_more_furniture() -> None:
    assert (
        HOUSEHOLD.room_kind(["fridge", "stove"])[1]
        > HOUSEHOLD.room_kind(["fridge"])[1]
        > HOUSEHOLD.room_kind(["table"])[1]
    )
    assert HOUSEHOLD.room_kind(["mug", "gizmo"]) == HOUSEHOLD.room_kind(["door"]) == ("", 0.0)


def test_room_kind_changes_only_on_strong_evidence() -> None:
    seen_from_the_door = ["coat rack", "cabinet", "toilet"]
    assert HOUSEHOLD.room_kind(seen_from_the_door)[0] == "bathroom"
    kind, confidence = HOUSEHOLD.room_kind(seen_from_the_door, former="hallway")
    assert kind == "hallway"
    assert 0 < confidence < 0.5
    assert (
        HOUSEHOLD.room_kind([*seen_from_the_door, "washbasin", "bathtub"], former="hallway")[0] == "bathroom"
    )
    assert HOUSEHOLD.room_kind(["mug"], former="hallway") == ("", 0.0)
    assert HOUSEHOLD.room_kind(["stove"], former="no room at all")[0] == "kitchen"


def test_household_categories_are_consistent() -> None:
    for name in (*NAMES, *HOUSEHOLD.synonyms.values(), *HOUSEHOLD.kinds, *HOUSEHOLD.kinds.values()):
        assert HOUSEHOLD.is_known(name) or HOUSEHOLD.is_portable(name) or HOUSEHOLD.is_living(name), name
        assert HOUSEHOLD.canonical(name) == name
    for synonym in HOUSEHOLD.synonyms:
        assert not HOUSEHOLD.is_known(synonym), synonym
    for places in HOUSEHOLD.places.values():
        for place in places:
            assert HOUSEHOLD.is_surface(place) or HOUSEHOLD.is_receptacle(place), place
    for rooms in HOUSEHOLD.found_in.values():
        assert set(rooms) <= set(HOUSEHOLD.rooms)
    assert set().union(*HOUSEHOLD.alike) <= set(NAMES)
    assert set().union(*HOUSEHOLD.shades) <= set(HOUSEHOLD.colours.values())


def test_room_kind_of_a_room_with_many_openings_is_a_hall() -> None:
    assert HOUSEHOLD.room_kind(["bench"], 3)[0] == "hallway"
    assert HOUSEHOLD.room_kind(["bench"], 1)[0] != "hallway"
    assert HOUSEHOLD.room_kind([], 4)[0] == "hallway"
    assert HOUSEHOLD.room_kind([], 1) == ("", 0.0)
    assert HOUSEHOLD.room_kind(["stove", "fridge", "sink"], 3)[0] == "kitchen"
    assert HOUSEHOLD.room_kind(["bed", "nightstand", "wardrobe"], 2)[0] == "bedroom"


def test_category_knowledge_caches_are_separate_for_each_instance() -> None:
    workshop = replace(HOUSEHOLD, synonyms={"vice": "clamp"}, containers=HOUSEHOLD.containers | {"crate"})
    assert (HOUSEHOLD.canonical("vice"), workshop.canonical("vice")) == ("vice", "clamp")
    assert (HOUSEHOLD.is_container("crate"), workshop.is_container("crate")) == (False, True)
    assert (HOUSEHOLD.knows("crates"), workshop.knows("crates")) == (False, True)
    assert (HOUSEHOLD.canonical("refrigerator"), workshop.canonical("refrigerator")) == (
        "fridge",
        "refrigerator",
    )


@pytest.mark.parametrize(
    "name", ["mug", "wok", "black wok", "wooden spoon", "teddy bear", "hot dogs", "baby bottle"]
)
def test_small_things_are_portable(name: str) -> None:
    assert HOUSEHOLD.is_portable(name)
    assert not HOUSEHOLD.is_living(name)


@pytest.mark.parametrize("name", ["cat", "black cats", "Person", "people", "guinea pig", "baby", "children"])
def test_living_beings_are_not_portable(name: str) -> None:
    assert HOUSEHOLD.is_living(name)
    assert not HOUSEHOLD.is_portable(name)


@pytest.mark.parametrize("name", ["sofa", "crib", "gizmo", "aquarium", ""])
def test_furniture_and_unknown_categories_are_not_portable(name: str) -> None:
    assert not HOUSEHOLD.is_portable(name)
    assert not HOUSEHOLD.is_living(name)


def test_knowledge_without_priors_expects_things_anywhere() -> None:
    unbiased = household_categories(priors=False)
    assert unbiased.is_usual("milk", "wardrobe")
    assert (
        unbiased.share("milk", "wardrobe") == unbiased.share("milk", "fridge") == unbiased.unknown_thing_share
    )
    assert unbiased.room_factor("milk", "bathroom") == unbiased.room_factor("milk", "kitchen")
    assert unbiased.is_container("fridge")
    assert unbiased.room_kind(["fridge", "stove"]) == HOUSEHOLD.room_kind(["fridge", "stove"])
