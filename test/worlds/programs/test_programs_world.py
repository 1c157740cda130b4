"""Tests of the world `programs`: what an agent and a scorer get from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.testing.world_conformance import Played, command
from stma_ros.testing.world_conformance.played import play
from stma_ros.testing.world_conformance.trial import OBSERVE
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import Result
from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.programs.programs_world import ProgramsWorld
from stma_ros.worlds.registry import make_world
from support.people_programs import CUP, MILK_TO_THE_TABLE, home_document, write_activity


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("breakfast", "supper"):
        write_activity(tmp_path, name, MILK_TO_THE_TABLE, home_document())
    return tmp_path


def _world(folder: Path, *, moved: bool = False) -> ProgramsWorld:
    world = make_world("programs", {"folder": str(folder), "moved": moved})
    assert isinstance(world, ProgramsWorld)
    return world


def _say(world: ProgramsWorld, text: str) -> Played:
    return play(world, command(text))


def test_observation_has_what_is_seen_and_no_verdict(folder: Path) -> None:
    world = _world(folder)
    assert world.reset("", 1) == "breakfast"
    seen = play(world, OBSERVE).observation
    assert seen.description.startswith("You are in home_office_1.\n")
    assert seen.inventory == "You hold nothing."
    assert "walk to kitchen_1" in seen.admissible_commands
    assert (seen.feedback, seen.episode) == ("", EpisodeState.UNJUDGED)


def test_refused_command_says_why_and_only_a_possible_or_vain_one_takes_time(folder: Path) -> None:
    world = _world(folder)
    world.reset("supper", 1)
    vain = _say(world, "grab clothes_shirt_1")
    assert vain.outcome.error.code == ErrorCode.NO_EFFECT
    assert vain.observation.feedback.endswith("clothes_shirt_1 is not near")
    assert vain.outcome.duration == 1.0
    unknown = _say(world, "grab the shirt")
    assert unknown.outcome.error.code == ErrorCode.ACTION_NOT_ALLOWED
    assert unknown.observation.feedback
    assert unknown.outcome.duration == 0.0
    done = _say(world, "walk to kitchen_1")
    assert done.outcome.result == Result.SUCCEEDED
    assert done.observation.feedback == ""


def test_ground_truth_has_all_things_and_what_they_are_on(folder: Path) -> None:
    world = _world(folder)
    world.reset("breakfast", 1)
    truth = play(world, OBSERVE).truth
    assert (truth.scene, truth.room) == ("breakfast", "home_office (2)")
    things = {each.category: each for each in truth.objects}
    assert len(things) == len(truth.objects) == 10
    assert things["cup"].support == "table (4)"
    assert (things["milk"].support, things["milk"].inside, things["milk"].hidden) == (
        "fridge (5)",
        True,
        True,
    )
    assert things["table_lamp"].states == ("off", "plugged out")
    for text in ("walk to kitchen_1", "walk to cup_1"):
        _say(world, text)
    held = _say(world, "grab cup_1").truth
    assert [each.name for each in held.objects if each.support == words.ROBOT] == [f"cup ({CUP})"]


def test_moved_home_is_drawn_by_the_seed(folder: Path) -> None:
    world = _world(folder, moved=True)
    supports = set()
    for seed in range(8):
        world.reset("breakfast", seed)
        truth = play(world, OBSERVE).truth
        supports |= {each.support for each in truth.objects if each.category == "cup"}
    assert supports == {"table (4)", "fridge (5)"}


def test_world_without_activities_or_with_a_damaged_one_says_so(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"name their folder, --set world\.folder=DIR"):
        make_world("programs").reset("", 1)
    world = _world(folder)
    with pytest.raises(ConfigurationError, match=r"no activity 'brekfast'\. Did you mean 'breakfast'"):
        world.reset("brekfast", 1)
    (folder / "graphs" / "supper.json").write_text("{}")
    world.reset("breakfast", 1)
    with pytest.raises(ConfigurationError, match=r"supper cannot be played: .*no 'init_graph'"):
        world.reset("supper", 1)
    assert play(world, OBSERVE).truth.scene == "breakfast"


def test_final_graph_is_not_read(folder: Path) -> None:
    write_activity(folder, "breakfast", MILK_TO_THE_TABLE, {"nodes": "damaged"})
    assert _world(folder).reset("breakfast", 1) == "breakfast"
