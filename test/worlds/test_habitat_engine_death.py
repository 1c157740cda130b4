"""An engine that dies or hangs during a skill costs only that skill."""

from __future__ import annotations

import math
import os
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip(
    "open3d", reason="the stand-in for habitat-sim needs Open3D: pip install 'stma_ros[house]'"
)

from stma_ros.testing.world_conformance import request
from stma_ros.types import topics
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, StmaError, WorldError
from stma_ros.types.planning import Outcome, Result, SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.habitat.export.dataset import export_flat
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.house.flat_file import flat_text
from stma_ros.worlds.robot.picture import Picture
from support.worlds.map_frames import in_map
from support.worlds.standin_python import children, standin_python
from support.worlds.two_rooms import FLAT, named, target_at

DEADLINE = 3.0  # [s] for an image
AT_ONCE = 5.0  # [s]
OTHERS: set[int] = set()


@pytest.fixture(scope="module")
def flats(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("flats"))


@pytest.fixture
def config(tmp_path: Path, flats: str) -> HabitatConfig:
    python = standin_python(tmp_path)
    return HabitatConfig(width=64, height=48, python=python, flats=flats, deadline=DEADLINE)


@pytest.fixture
def scene(tmp_path: Path) -> str:
    file = tmp_path / "two_rooms.json"
    file.write_text(flat_text(FLAT))
    return str(file)


@pytest.fixture
def world(config: HabitatConfig, scene: str) -> Iterator[Habitat]:
    """A world with the robot at the table, a mug in its hand, and the fridge open."""
    world = Habitat(config)
    world.reset(scene, 1)
    for place, skill, name in (("fridge_1", "open", "fridge_1"), ("table_1", "pick", "mug_1")):
        piece = FLAT.furniture_by_name[place]
        goal = Pose.planar(*piece.ahead(0.8), piece.placement.yaw + math.pi)
        assert do(world, "navigate", place, goal).result == Result.SUCCEEDED
        assert do(world, skill, name).result == Result.SUCCEEDED
    yield world
    world.close()


def target(name: str) -> SkillTarget:
    thing = named(name)
    return target_at(thing.box, thing.category)


def do(world: Habitat, skill: str, name: str, goal: Pose | None = None) -> Outcome:
    wanted = in_map(world, request(skill, target(name), goal=goal))
    *_, (_, outcome) = world.execute(wanted, CancelToken())
    assert isinstance(outcome, Outcome)
    return outcome


@pytest.fixture(autouse=True)
def others() -> None:
    """Records the processes that other tests have started from this one."""
    OTHERS.clear()
    OTHERS.update(children(os.getpid()))


def engines_of_ours() -> set[int]:
    return children(os.getpid()) - OTHERS


def engine_of_ours() -> int:
    (pid,) = engines_of_ours()
    return pid


def all_around(world: Habitat) -> list[Picture]:
    base = world.robot
    yaws = [base.yaw + 0.01 + k * math.pi / 3 for k in range(6)]
    return [world.place.camera_renderer.render(replace(base, yaw=yaw), world.state) for yaw in yaws]


def check_same(some: list[Picture], others: list[Picture]) -> None:
    for one, other in zip(some, others, strict=True):
        np.testing.assert_array_equal(one.depth, other.depth)
        np.testing.assert_array_equal(one.owner, other.owner)
        np.testing.assert_array_equal(one.colour, other.colour)


def interrupted(world: Habitat, number: int) -> tuple[str, float]:
    """Returns the error when the engine gets the signal during a look around, and the time until then [s]."""
    sent, frames = 0.0, 0

    def look_around() -> None:
        nonlocal sent, frames
        for topic, _ in world.execute(request("look_around"), CancelToken()):
            frames += topic == topics.COLOR
            if frames == 3 and not sent:
                send(engine_of_ours(), number)
                sent = time.monotonic()

    with pytest.raises(WorldError) as raised:
        look_around()
    assert frames == 3
    return str(raised.value), time.monotonic() - sent


def send(pid: int, number: int) -> None:
    """Sends a signal that stops or ends one of our processes, and waits for its effect."""
    os.kill(pid, number)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize(
    ("number", "text", "within"),
    [
        (signal.SIGKILL, r"was killed by signal 9 \(SIGKILL\)", AT_ONCE),
        (signal.SIGSTOP, f"did not [a-z ]+ within {DEADLINE:g} s and was killed", DEADLINE + AT_ONCE),
    ],
)
def test_a_skill_fails_when_the_engine_dies_and_the_next_one_continues_from_the_same_state(
    world: Habitat, number: int, text: str, within: float
) -> None:
    before, state, base, engine = all_around(world), world.state, world.robot, engine_of_ours()
    error, took = interrupted(world, number)
    assert re.search(f"the Habitat engine .* is gone: it {text}", error)
    assert took < within
    assert not engines_of_ours()
    on_its_way = world.robot
    assert on_its_way.yaw != base.yaw
    back = Pose.planar(base.x, base.y, base.yaw)
    assert do(world, "navigate", "table_1", back).result == Result.SUCCEEDED
    assert engine_of_ours() != engine
    assert world.state is state
    assert (state.held, "fridge_1" in state.open_names) == ("mug_1", True)
    check_same(before, all_around(world))


def test_an_engine_that_died_while_idle_does_not_disturb_a_new_episode(world: Habitat, scene: str) -> None:
    world.reset(scene, 2)
    before = all_around(world)
    do(world, "navigate", "fridge_1", Pose.planar(world.robot.x, world.robot.y, world.robot.yaw + 2.0))
    send(engine_of_ours(), signal.SIGKILL)
    assert world.reset(scene, 2) == scene
    check_same(before, all_around(world))


def test_an_engine_that_dies_at_every_start_is_reported_every_time(
    world: Habitat, config: HabitatConfig, tmp_path: Path
) -> None:
    before, base, files = all_around(world), world.robot, open_files()
    good = Path(config.python).read_text()
    Path(config.python).write_text(Path(standin_python(tmp_path, "DyingEngine")).read_text())
    interrupted(world, signal.SIGKILL)
    idle = open_files()
    assert idle < files
    for _ in range(2):
        with pytest.raises(
            WorldError, match=r"exit status 3, when it was to load a scene(.|\n)*I cannot bear"
        ):
            do(world, "navigate", "table_1", Pose.planar(base.x, base.y, base.yaw + 1.0))
        assert not engines_of_ours()
        assert open_files() == idle
    Path(config.python).unlink()
    with pytest.raises(ConfigurationError, match="cannot be started: No such file"):
        do(world, "navigate", "table_1", Pose.planar(base.x, base.y, base.yaw + 1.0))
    Path(config.python).write_text(good)
    Path(config.python).chmod(0o755)
    assert do(world, "navigate", "table_1", Pose.planar(base.x, base.y, base.yaw)).result == Result.SUCCEEDED
    check_same(before, all_around(world))
    assert open_files() == files


def test_a_world_whose_engine_never_starts_leaves_no_open_files(
    tmp_path: Path, flats: str, scene: str
) -> None:
    files = open_files()
    python = standin_python(tmp_path, "DyingEngine")
    world = Habitat(HabitatConfig(width=64, height=48, python=python, flats=flats))
    for _ in range(2):
        with pytest.raises(WorldError, match="I cannot bear flat_1"):
            world.reset(scene, 1)
        assert not engines_of_ours()
    world.close()
    assert open_files() == files


def test_the_present_scene_stays_loaded_when_another_one_cannot_be_loaded(
    world: Habitat, scene: str, tmp_path: Path
) -> None:
    before, base = all_around(world), world.robot
    broken = export_flat(replace(FLAT, seed=2), tmp_path / "broken")
    next((tmp_path / "broken" / "stages").glob("*.glb")).unlink()
    with pytest.raises(StmaError, match=r"flat_2\.glb"):
        world.reset(str(broken.dataset), 1)
    there = Pose.planar(base.x, base.y, base.yaw + 1.0)
    assert do(world, "navigate", "table_1", there).result == Result.SUCCEEDED
    assert do(world, "navigate", "table_1", Pose.planar(base.x, base.y, base.yaw)).result == Result.SUCCEEDED
    check_same(before, all_around(world))
