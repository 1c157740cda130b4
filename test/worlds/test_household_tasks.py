"""Household tasks: solved by the reference planner, of the requested length, and reproducible."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.evaluation.household_tasks.household import HouseholdTask, household_task
from stma_ros.evaluation.household_tasks.oracle_planner import Reference, reference_run, sketch
from stma_ros.evaluation.household_tasks.subtasks import Fetch, Find, Put, SetState, SpatialRelation, Things
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import SkillError
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.scene import is_hidden
from stma_ros.worlds.robot.state import ROBOT

FLAT = make_flat(1004, 4)
START = start_pose(FLAT, np.random.default_rng(1004))


def run(*errands: Find | Put | Fetch | SetState) -> Reference:
    return reference_run(FLAT, START, sketch(FLAT, START, errands))


def one(thing: Item | Furniture) -> Things:
    return Things(thing.category, (thing.name,))


def hidden(flat: Flat) -> list[Item]:
    return [item for item in flat.items if is_hidden(flat, item, flat.initial)]


def in_view(flat: Flat) -> list[Item]:
    return [item for item in flat.items if not is_hidden(flat, item, flat.initial)]


@pytest.fixture(scope="module")
def table() -> Furniture:
    return next(
        piece for piece in FLAT.furniture if piece.category in ("bed", "table", "dining table", "desk")
    )


def test_reference_plan_of_a_find_navigates_and_opens_the_container() -> None:
    skills = [action.skill for action in run(Find(one(hidden(FLAT)[0]))).actions]
    assert skills[-2:] in ([words.SKILL_NAVIGATE, words.SKILL_OPEN], [words.SKILL_OPEN])
    assert set(skills) <= {words.SKILL_NAVIGATE, words.SKILL_OPEN}


def test_reference_plan_of_a_put_takes_the_object_out_of_its_container(table: Furniture) -> None:
    item = next(item for item in hidden(FLAT) if item.box.size[0] < 0.3)
    reference = run(Put(one(item), one(table), SpatialRelation.ON))
    kinds = Counter(action.skill for action in reference.actions)
    assert (kinds[words.SKILL_PICK], kinds[words.SKILL_PLACE_ON]) == (1, 1)
    assert kinds[words.SKILL_OPEN] >= 1
    assert reference.commands == sum(kinds.values())
    spot = reference.state.spots[item.name]
    assert (spot.support, spot.inside) == (table.name, False)


def test_reference_plan_of_a_fetch_ends_with_the_object_in_the_hand(table: Furniture) -> None:
    first, second = [item for item in in_view(FLAT) if item.support != table.name and item.box.size[0] < 0.3][
        :2
    ]
    reference = run(Fetch(one(first)), Put(one(second), one(table), SpatialRelation.TO))
    assert reference.state.spots[first.name].support == ROBOT
    assert reference.state.spots[second.name].support == table.name


def test_reference_plan_closes_a_container_after_the_last_object() -> None:
    container = min(
        (
            piece
            for piece in FLAT.containers
            if piece.category in ("fridge", "wardrobe", "cupboard", "dresser")
        ),
        key=lambda piece: sum(item.support == piece.name for item in FLAT.items),
    )
    item = next(
        item for item in in_view(FLAT) if item.support != container.name and max(item.box.size) < 0.25
    )
    put, close = (
        Put(one(item), one(container), SpatialRelation.IN),
        SetState(one(container), words.STATE_CLOSED),
    )
    reference = run(close, put)
    assert reference.actions[-1].skill == words.SKILL_CLOSE
    assert container.name not in reference.state.open_names
    assert reference.state.spots[item.name].support == container.name


def test_reference_plan_of_an_object_that_does_not_fit_raises_the_cause(table: Furniture) -> None:
    item = next(item for item in in_view(FLAT) if item.support != table.name)
    huge = replace(item, scale=20.0)
    flat = replace(FLAT, items=tuple(huge if each is item else each for each in FLAT.items))
    with pytest.raises(SkillError, match="too large"):
        sketch(flat, START, [Put(one(huge), one(table), SpatialRelation.ON)])


LENGTHS = ((1, 9), (10, 20))


@pytest.fixture(scope="module")
def tasks() -> list[HouseholdTask]:
    return [
        next(filter(None, (household_task(seed, seed, *length) for seed in itertools.count(1000))))
        for length in LENGTHS
    ]


def test_household_tasks_have_the_requested_length(tasks: list[HouseholdTask]) -> None:
    for task, (least, most) in zip(tasks, LENGTHS, strict=True):
        assert least <= task.reference.commands <= most


def test_an_object_belongs_to_only_one_subtask(tasks: list[HouseholdTask]) -> None:
    for task in tasks:
        groups = {errand.things.names for errand in task.subtasks}  # filling and then putting it: one
        names = [name for group in groups for name in group]
        assert len(names) == len(set(names))


def test_report_or_handover_is_phrased_last(tasks: list[HouseholdTask]) -> None:
    for task in tasks:
        ends = [k for k, errand in enumerate(task.subtasks) if isinstance(errand, Find | Fetch)]
        assert ends in ([], [len(task.subtasks) - 1])


def test_equal_seeds_make_equal_household_tasks(tasks: list[HouseholdTask]) -> None:
    task = tasks[0]
    again = household_task(task.seed, task.seed, *LENGTHS[0])
    assert again is not None
    assert (again.text, again.subtasks, again.reference) == (task.text, task.subtasks, task.reference)
