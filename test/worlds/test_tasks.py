"""Find tasks: reproducible, consistent with the flat, and phrased in English."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.evaluation.household_tasks.find_tasks import Presence, find_task
from stma_ros.evaluation.household_tasks.oracle_planner import reference_run, sketch
from stma_ros.evaluation.household_tasks.subtasks import Find, Things
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.scene import is_hidden


@pytest.mark.parametrize("presence", list(Presence))
def test_the_target_of_a_find_task_has_the_requested_presence(presence: Presence) -> None:
    task = find_task(1004, presence, 1004)
    assert task.presence == presence
    assert task.category in task.text
    flat = make_flat(1004)
    things = [item for item in flat.items if item.category == task.category]
    assert task.instances == len(things)
    assert {item.inside for item in things} == {
        Presence.IN_VIEW: {False},
        Presence.IN_CONTAINER: {True},
        Presence.ABSENT: set(),
    }[presence]
    assert (task.rooms, task.containers) == (len(flat.layout.rooms), len(flat.containers))
    if presence is Presence.ABSENT:
        assert task.reference_commands == task.rooms + 2 * task.containers


@pytest.mark.parametrize("presence", [Presence.IN_VIEW, Presence.IN_CONTAINER])
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_the_reference_of_a_find_task_is_the_shortest_plan_to_one_of_its_objects(
    presence: Presence, seed: int
) -> None:
    task = find_task(seed, presence, 1004)
    flat = make_flat(1004)
    start = start_pose(flat, np.random.default_rng(seed))
    lengths = []
    for item in flat.items:
        if item.category == task.category:
            plan = sketch(flat, start, (Find(Things(item.category, (item.name,))),))
            lengths.append(reference_run(flat, start, plan).commands)
    assert task.reference_commands == max(1, min(lengths))


def test_things_in_a_basin_or_an_open_container_are_no_targets_in_closed_containers() -> None:
    flat = make_flat(1004)
    categories = {item.category for item in flat.items}
    held = {
        category
        for category in categories
        if all(item.inside for item in flat.items if item.category == category)
    }
    hidden = {
        category
        for category in held
        if all(is_hidden(flat, item, flat.initial) for item in flat.items if item.category == category)
    }
    assert hidden < held
    found = {find_task(seed, Presence.IN_CONTAINER, 1004).category for seed in range(1000, 1012)}
    assert found <= hidden


def test_equal_seeds_make_equal_find_tasks() -> None:
    assert find_task(7, Presence.IN_VIEW, 1007) == find_task(7, Presence.IN_VIEW, 1007)
