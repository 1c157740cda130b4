"""Scenes of Rearrange episodes in the real habitat-sim."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError, WorldError
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.habitat.config import PYTHON_VARIABLE, HabitatConfig
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.habitat.lab.rearranged import StagedEpisodes, stage_episodes
from support.worlds.habitat_available import why_not_in_a_process
from support.worlds.rearranged_dataset import (
    BOWL,
    CAN,
    IN_DRAWER,
    ON_NIGHTSTAND,
    ON_TABLE,
    as_read,
    raw_episode,
    scene_of,
    write_rearranged,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not_in_a_process()), reason=f"habitat: {why_not_in_a_process()}"),
]

EPISODES = (
    raw_episode(),
    raw_episode(bowl=IN_DRAWER, ao_states={"nightstand_:0000": {"0": 0.4}}),
    raw_episode(bowl=(8.3, 3.6, 0.27), ao_states={"nightstand_:0000": {"0": 0.3}}),  # not quite open
    raw_episode(ao_states={"cabinet_:0000": {"5": 1.0}}),
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> StagedEpisodes:
    folder = tmp_path_factory.mktemp("rearranged")
    written = write_rearranged(folder)
    read = as_read(*EPISODES)
    return stage_episodes(read.episodes, str(written.dataset), "easy", written.scenes, str(folder / "cache"))


@pytest.fixture(scope="module")
def world(made: StagedEpisodes) -> Iterator[Habitat]:
    config = HabitatConfig(
        dataset=str(made.dataset), python=os.environ.get(PYTHON_VARIABLE, ""), width=160, height=120
    )
    with closing(Habitat(config)) as world:
        yield world


def truth_of(world: Habitat, made: StagedEpisodes, number: int) -> GroundTruth:
    world.reset(scene_of(made, number).name, number)
    return world.truth()


def test_objects_of_a_rearrange_episode_are_at_its_positions_with_its_names(
    world: Habitat, made: StagedEpisodes
) -> None:
    things = {thing.name: thing for thing in truth_of(world, made, 0).objects}
    for name, middle, support in (
        (CAN, ON_TABLE, "big_table_03_:0000"),
        (BOWL, ON_NIGHTSTAND, "nightstand_:0000"),
    ):
        thing = things[name]
        assert (thing.center.x, thing.center.y, thing.center.z) == pytest.approx(middle, abs=0.005)
        assert (thing.support, thing.inside) == (support, False)
    assert "open" in things["cabinet_:0000"].states
    assert "closed" in things["nightstand_:0000"].states


def test_objects_in_the_engine_have_the_categories_used_in_task_texts(
    world: Habitat, made: StagedEpisodes
) -> None:
    things = truth_of(world, made, 0).objects
    assert {thing.name: thing.category for thing in things} == scene_of(made, 0).categories


@pytest.mark.parametrize("number", [1, 2])
def test_contents_of_an_open_drawer_move_with_it(world: Habitat, made: StagedEpisodes, number: int) -> None:
    things = {thing.name: thing for thing in truth_of(world, made, number).objects}
    bowl = things[BOWL]
    assert "open" in things["nightstand_:0000"].states
    assert (bowl.support, bowl.inside, bowl.hidden) == ("nightstand_:0000", True, False)
    assert np.array((bowl.center.x, bowl.center.y)) == pytest.approx(IN_DRAWER[:2], abs=0.01)


def test_a_missing_link_of_an_articulated_object_is_refused_by_number(
    world: Habitat, made: StagedEpisodes
) -> None:
    with pytest.raises((ConfigurationError, WorldError), match=r"its link 5, which is to be at 1"):
        world.reset(scene_of(made, 3).name, 3)


def test_the_previous_scene_stays_loaded_after_a_failed_reset(world: Habitat, made: StagedEpisodes) -> None:
    assert truth_of(world, made, 0).scene == scene_of(made, 0).name
