"""Tests of category knowledge: names, kinds, places, and the consistency of the household's data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.room_kinds import room_shares

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
        ("dish", "plate"),
        ("dishes", "crockery"),
        ("glasses", "glasses"),
        ("batteries", "battery"),
        ("wooden spoons", "wooden spoon"),
        ("gizmos", "gizmo"),
        ("brownies", "brownie"),
        ("butter cookies", "butter cookie"),
        ("berries", "berry"),
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
        ("apple", "half apple", False),
        ("half apple", "half apple", True),
        ("tv stand", "tv", False),
        ("gizmo", "gizmo", True),
        ("gizmo", "gadget", False),
    ],
)
def test_is_kind_accepts_narrower_categories(seen: str, wanted: str, fits: bool) -> None:
    assert HOUSEHOLD.is_kind(seen, wanted) is fits


@pytest.mark.parametrize(
    ("seen", "wanted", "is_so"),
    [
        ("plate", "soap dish", True),
        ("dish", "soap dish", True),
        ("soap dish", "soap dish", False),
        ("plate", "salad plate", False),
        ("plate", "dish", False),
        ("bottle", "detergent bottle", False),
        ("mug", "coffee mug", False),
        ("mug", "soap dish", False),
    ],
)
def test_compound_of_another_word_for_what_was_seen_is_told_apart(
    seen: str, wanted: str, is_so: bool
) -> None:
    assert (HOUSEHOLD.is_by_synonym(seen, wanted) and HOUSEHOLD.is_kind(seen, wanted)) is is_so


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
    assert HOUSEHOLD.single_rooms <= set(HOUSEHOLD.rooms)
    assert set().union(*HOUSEHOLD.alike) <= set(NAMES)
    assert set().union(*HOUSEHOLD.shades) <= set(HOUSEHOLD.colours.values())


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
    kitchen = ["fridge", "stove"]
    assert room_shares(unbiased, kitchen) == room_shares(HOUSEHOLD, kitchen)


def test_mattress_carries_things_and_small_things_are_carried() -> None:
    assert HOUSEHOLD.is_surface("mattress")
    assert not HOUSEHOLD.is_furniture("mattress")
    assert all(map(HOUSEHOLD.is_portable, ("light bulb", "tulip bulb", "deodorant", "sanitary pad")))
