"""Tests of the household's table of priors, and of files that add to the knowledge of categories."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import extended, household_categories
from stma_ros.domains.household.priors import Priors
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.room_kinds import likeliest_kind, room_shares
from stma_ros.types.errors import ConfigurationError

VOCABULARY = CategoryKnowledge.of(
    {
        "things": ["cup", "plate"],
        "furniture": ["counter", "cupboard", "sofa", "sink"],
        "surfaces": ["counter", "sofa"],
        "containers": ["cupboard"],
        "open_receptacles": ["sink"],
        "rooms": ["kitchen", "hallway"],
        "synonyms": {"corridor": "hallway", "dish": "plate"},
    }
)
TABLE: dict[str, Any] = {
    "portable": ["coffee cup", "kite"],
    "totals": {"kitchen": 8, "corridor": 8, "sauna": 4},
    "rooms": {
        "scenes": {"cabinet": {"kitchen": 6, "corridor": 2, "sauna": 4}, "sofa": {"kitchen": 1}},
        "activities": {"sofa": {"corridor": 3}, "kite": {"corridor": 5}},
    },
    "places": {
        "bddl": {"coffee cup": {"countertop": 10, "floor": 30}, "dish": {"sink": 1}},
        "virtualhome": {"cup": {"cabinet": 1, "counter": 1}},
    },
}
NAMES = {"counter": ["countertop", "counter"], "cupboard": ["cabinet"], "cup": ["cup", "coffee cup"]}


def priors() -> Priors:
    return Priors(TABLE, VOCABULARY, NAMES)


def test_places_are_the_mean_of_their_sources_in_names_of_the_vocabulary() -> None:
    places = priors().places()
    assert places["plate"] == {"sink": 1.0}
    # Ten observations weigh 10 / 15, a list of people weighs 1; the floor is no place.
    assert places["cup"] == pytest.approx({"counter": (2 / 3 + 0.5) / (5 / 3), "cupboard": 0.5 / (5 / 3)})
    assert "floor" not in places["cup"]


def smoothed(shares: dict[str, float], observations: int) -> object:
    """Returns the shares as they are believed: five observations weigh as much as that all rooms are alike."""
    even = 1 / len(VOCABULARY.rooms)
    weight = observations / (observations + 5)
    return pytest.approx(
        {room: weight * shares.get(room, 0) + (1 - weight) * even for room in VOCABULARY.rooms}
    )


def test_rooms_of_furniture_are_those_of_the_vocabulary_with_enough_observations() -> None:
    found = priors().found_in()
    assert found["cupboard"] == smoothed({"kitchen": 0.75, "hallway": 0.25}, 8)
    assert found["sofa"] == smoothed({"kitchen": 0.25, "hallway": 0.75}, 4), (
        "few modelled rooms are completed by activities"
    )
    assert "sink" not in found


def test_a_kind_of_room_that_was_modelled_often_is_no_likelier() -> None:
    table = {**TABLE, "totals": {"kitchen": 24, "corridor": 2}}
    assert Priors(table, VOCABULARY, NAMES).found_in()["cupboard"] == smoothed(
        {"kitchen": 0.2, "hallway": 0.8}, 8
    )


def test_rooms_of_things_follow_from_places_and_observations() -> None:
    found = priors().found_in()
    assert found["cup"] == {"kitchen": 0.75, "hallway": 0.25}, "of the places, only the cupboard has rooms"
    assert found["kite"] == {"hallway": 1.0}
    assert priors().portables() >= {"coffee cup", "cup", "kite"}


def test_the_table_names_its_sources_with_versions_and_licences() -> None:
    table = json.loads(
        files("stma_ros.domains.household").joinpath("priors.json").read_text(encoding="utf-8")
    )
    licences = (Path(__file__).parents[2] / "LICENSE-3RD-PARTY").read_text(encoding="utf-8")
    for source in table["sources"].values():
        assert source["version"]
        assert source["licence"] == "MIT"
        assert source["url"] in licences
        assert all(holder.strip() in licences for holder in source["copyright"].split(";"))


def test_every_room_has_furniture_that_tells_it() -> None:
    knowledge = household_categories()
    best = {max(rooms, key=lambda room: rooms[room]) for rooms in knowledge.found_in.values()}
    assert best >= {"kitchen", "bathroom", "bedroom", "living room", "office", "hallway", "laundry room"}


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_adds_categories_names_places_and_rooms(tmp_path: Path) -> None:
    file = write(
        tmp_path / "more.yaml",
        "things: [gizmo]\n"
        "furniture: [aquarium]\n"
        "synonyms: {thingamajig: gizmo, fish tank: aquarium}\n"
        "places: {gizmo: {aquarium: 3, kitchen counter: 1}}\n"
        "found_in: {fish tank: {lounge: 1}}\n"
        "essentials: {lounge: [fish tank, couch]}\n",
    )
    knowledge = household_categories(file)
    assert knowledge.essentials["living room"] == ("aquarium", "sofa")
    assert knowledge.is_portable("thingamajigs")
    assert not household_categories().is_portable("gizmo")
    assert (knowledge.share("gizmo", "aquarium"), knowledge.share("gizmo", "counter")) == (0.75, 0.25)
    assert likeliest_kind(room_shares(knowledge, ["aquarium"]))[0] == "living room"
    assert knowledge.share("milk", "fridge") == household_categories().share("milk", "fridge")


def test_a_file_may_map_names_of_the_table_to_a_category_of_its_own(tmp_path: Path) -> None:
    file = write(
        tmp_path / "more.json", json.dumps({"things": ["wok"], "prior_names": {"wok": ["frying pan"]}})
    )
    knowledge = household_categories(file)
    assert knowledge.share("wok", "stove") > knowledge.unlisted_share


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("thing: [gizmo]", "has no 'thing'. Did you mean 'things'"),
        ("things: gizmo", "things wants a list, got 'gizmo'"),
        ("places: [gizmo]", "places of category knowledge is ['gizmo']; give a mapping"),
        ("unlisted_share: much", "unlisted_share wants a number"),
        (
            "places: {gizmo: desk}",
            "places of 'gizmo' is 'desk'; give names with weights, as in {desk: 2, shelf: 1}",
        ),
        ("found_in: {desk: {office: much}}", "found_in of 'desk' is {'office': 'much'}"),
        ("places: {gizmo: {desk: -1}}", "places of 'gizmo' is {'desk': -1}"),
        ("essentials: {office: desk}", "essentials of 'office' is 'desk'; give a list of names"),
        ("[gizmo]", "holds no category knowledge"),
        ("things: [", "cannot be read"),
        ("", "holds no category knowledge"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_its_cause(tmp_path: Path, content: str, cause: str) -> None:
    file = write(tmp_path / "more.yaml", content)
    with pytest.raises(ConfigurationError) as refused:
        household_categories(file)
    assert cause in str(refused.value)


def test_a_file_that_does_not_exist_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.yaml cannot be read"):
        household_categories(str(tmp_path / "none.yaml"))


names = st.text("abc ", min_size=1, max_size=4)
vocabularies = st.fixed_dictionaries(
    {"things": st.lists(names), "synonyms": st.dictionaries(names, names), "unlisted_share": st.floats(0, 1)}
)


@given(vocabularies, vocabularies)
def test_extended_keeps_all_entries_and_prefers_the_new_ones(
    old: dict[str, Any], new: dict[str, Any]
) -> None:
    both = extended(old, new, "file")
    assert both["things"] == [*old["things"], *new["things"]]
    assert both["synonyms"] == {**old["synonyms"], **new["synonyms"]}
    assert both["unlisted_share"] == new["unlisted_share"]
    assert extended(old, {}, "file") == old
