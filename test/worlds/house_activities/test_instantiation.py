"""Tests of flats in which activities can be done."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.evaluation.activities.facts import ActivityFacts
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Time
from stma_ros.worlds.bddl.problem import read_problem
from stma_ros.worlds.house.activities.instantiation import ActivityHome, check, home_for
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.house.truth import truth_of
from support.activities import SNACKS


def home(text: str = SNACKS, seed: int = 1000) -> ActivityHome:
    return home_for(read_problem("storing_snacks", text, "problem0.bddl"), seed)


@pytest.fixture(scope="module")
def snacks() -> ActivityHome:
    return home()


def facts_of(made: ActivityHome) -> ActivityFacts:
    base = start_pose(made.flat, np.random.default_rng(0))
    return ActivityFacts(truth_of(made.flat, "", base, made.flat.initial, Time()), made.flat, made.names)


def test_initial_conditions_hold_in_the_flat(snacks: ActivityHome) -> None:
    facts = facts_of(snacks)
    for literal in snacks.problem.initial:
        if literal.atom.predicate != "inroom":
            assert facts.holds(literal.atom) is literal.expected, literal


def test_every_instance_is_a_thing_or_a_room_of_its_own(snacks: ActivityHome) -> None:
    instances = [each for instances in snacks.problem.objects.values() for each in instances]
    assert sorted(snacks.names) == sorted(instances)
    assert len(set(snacks.names.values())) == len(instances)
    kinds = {snacks.names[each]: each.partition(".")[0] for each in instances}
    assert {name.rpartition("_")[0] for name in kinds} >= {"mug", "muffin", "plastic_container", "room"}


def test_furniture_is_in_the_rooms_of_the_activity_and_alone_of_its_name(snacks: ActivityHome) -> None:
    for piece in snacks.flat.furniture:
        if piece.category in ("fridge", "counter") and snacks.flat.layout.rooms[piece.room].kind == "kitchen":
            assert piece.name in snacks.names.values()


def test_flat_has_no_other_things_of_the_names_in_the_activity(snacks: ActivityHome) -> None:
    others = [item.category for item in snacks.flat.items if item.name not in snacks.names.values()]
    assert others  # it is inhabited all the same
    assert not {"mug", "plastic container", "muffin"} & set(others)


def test_flat_has_no_furniture_that_a_small_thing_of_the_activity_may_be_called() -> None:
    trash = SNACKS.replace("tupperware.n.01", "ashcan.n.01").replace("storing_snacks", "throwing_snacks")
    made = home(trash)
    assert "trash can" in {item.category for item in made.flat.items}
    assert not any(piece.category == "bin" for piece in made.flat.furniture)


def test_furniture_that_a_room_lacks_is_added() -> None:
    made = home(
        SNACKS.replace(
            "inroom electric_refrigerator.n.01_1 kitchen", "inroom electric_refrigerator.n.01_1 bedroom"
        )
    )
    fridge = made.flat.furniture_by_name[made.names["electric_refrigerator.n.01_1"]]
    assert (fridge.category, made.flat.layout.rooms[fridge.room].kind) == ("fridge", "bedroom")


def test_same_seed_makes_the_same_flat_and_another_seed_another_one(snacks: ActivityHome) -> None:
    assert home().flat == snacks.flat
    assert home(seed=1001).flat.items != snacks.flat.items


def test_states_of_the_activity_hold_at_the_begin() -> None:
    made = home(SNACKS.replace("(ontop agent", "(open electric_refrigerator.n.01_1) (ontop agent"))
    assert made.names["electric_refrigerator.n.01_1"] in made.flat.initial.open_names


def test_name_that_stands_for_all_furniture_of_a_class_means_each_piece() -> None:
    text = SNACKS.replace(
        "(inroom countertop.n.01_1 kitchen)",
        "(inroom countertop.n.01_1 kitchen) (inroom cabinet.n.01_* kitchen)",
    ).replace("(not (open", "(exists (?cabinet.n.01 - cabinet.n.01) (open ?cabinet.n.01)) (not (open")
    text = text.replace(
        "floor.n.01_1 - floor.n.01", "floor.n.01_1 - floor.n.01 cabinet.n.01_* - cabinet.n.01"
    )
    made = home(text)
    pieces = [made.names[each] for each in made.problem.objects["cabinet.n.01"]]
    assert pieces
    assert all(made.flat.furniture_by_name[name].opens for name in pieces)
    assert not any("*" in instance for instance in made.names)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(ontop mug.n.04_1 c", "(covered mug.n.04_1 c", "predicate covered, which flats do not know"),
        ("countertop.n.01_1 kitchen", "countertop.n.01_1 garden", "garden, which no flat has"),
        ("muffin.n.01", "unicorn.n.01", "class unicorn.n.01, which no flat has"),
    ],
)
def test_activity_that_needs_what_flats_have_not_is_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        check(read_problem("x", SNACKS.replace(old, new), "x.bddl"))


def test_activity_that_no_flat_suits_is_refused_with_the_reason() -> None:
    crowded = SNACKS.replace("(ontop muffin.n.01_1 countertop.n.01_1", "(ontop muffin.n.01_1 mug.n.04_1")
    with pytest.raises(ConfigurationError, match=r"no flat of .* suits the activity storing_snacks: muffin"):
        home(crowded)
