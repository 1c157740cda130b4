"""The scripted robot: scripts, their outcomes, and an agent that works with it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.testing.world_conformance import Played, request, target
from stma_ros.types import topics
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, WorldError
from stma_ros.types.planning import Result, TaskResult, TaskStatus
from stma_ros.types.sensing import EpisodeState, SegmentLabels
from stma_ros.types.standard import Pose
from stma_ros.types.world import World
from stma_ros.worlds.registry import make_world
from support.worlds.conformance_subjects import base_in_map

OBSERVE = request("observe")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "own_world.md"


def scripted(tmp_path: Path, **script: Any) -> World:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(script))
    world = make_world("scripted", {"width": 64, "height": 48})
    assert world.reset(str(path), 1) == str(path)
    return world


def play(world: World, wanted: Any = OBSERVE) -> Played:
    return Played(wanted, tuple(world.execute(wanted, CancelToken())))


def reachable(world: World) -> Any:
    here = base_in_map(play(world)).position
    return target(here.x + 0.5, here.y)


def test_each_call_of_a_skill_has_the_outcome_of_the_script(tmp_path: Path) -> None:
    failed = {"error": "GRASP_FAILED", "text": "the hand closed on nothing", "seconds": 3.5, "bumper": True}
    world = scripted(tmp_path, skills={"pick": [{}, failed, {"holding": False}]})
    thing = reachable(world)
    first, second, third, fourth = (play(world, request("pick", thing)) for _ in range(4))
    assert [one.outcome.result for one in (first, second, third, fourth)] == [
        Result.SUCCEEDED,
        Result.FAILED,
        Result.SUCCEEDED,
        Result.SUCCEEDED,
    ]
    error = second.outcome.error
    assert (error.code, error.text) == (ErrorCode.GRASP_FAILED, "the hand closed on nothing")
    assert second.outcome.duration == pytest.approx(3.6)  # with the frame at its end
    assert [one.observation.bumper for one in (first, second, third)] == [False, True, False]
    assert [one.observation.holding for one in (first, second, third, fourth)] == [True, True, False, False]


def test_an_impossible_skill_fails_without_using_a_scripted_outcome(tmp_path: Path) -> None:
    script = {"pick": [{}, {"error": "GRASP_FAILED"}], "navigate": [{}, {"error": "BLOCKED"}]}
    world = scripted(tmp_path, skills=script)
    assert play(world, request("pick", target(80.0, 0.0))).outcome.error.code == ErrorCode.TOO_FAR
    assert play(world, request("pick")).outcome.error.code == ErrorCode.NO_SUCH_TARGET
    assert play(world, request("pick", reachable(world))).outcome.result == Result.SUCCEEDED
    outside, inside = (
        request("navigate", target(x, 1.0), goal=Pose.planar(x, 1.0, 0.0)) for x in (-9.0, 1.0)
    )
    assert play(world, outside).outcome.error.code == ErrorCode.UNREACHABLE
    assert play(world, inside).outcome.result == Result.SUCCEEDED


def test_the_scripted_base_drives_around_boxes_and_stays_when_navigate_fails(tmp_path: Path) -> None:
    table = {"category": "table", "center": [3.0, 2.5, 0.4], "size": [1.5, 1.5, 0.8]}
    world = scripted(tmp_path, boxes=[table], skills={"navigate": [{}, {}, {"error": "BLOCKED"}]})
    for x, y in ((1.0, 1.0), (5.0, 4.0)):
        played = play(world, request("navigate", target(x, y), goal=Pose.planar(x, y, 0.5)))
        there = base_in_map(played)
        assert (there.position.x, there.position.y, there.yaw) == pytest.approx((x, y, 0.5), abs=1e-6)
    assert played.outcome.distance > math.hypot(4.0, 3.0) + 0.1
    blocked = play(world, request("navigate", target(1.0, 1.0), goal=Pose.planar(1.0, 1.0, 0.0)))
    assert (blocked.outcome.error.code, blocked.outcome.distance) == (ErrorCode.BLOCKED, 0.0)
    assert base_in_map(blocked) == there
    outside = play(world, request("explore", target(0.0, 0.0), goal=Pose.planar(-5.0, 0.0, 0.0)))
    assert outside.outcome.error.code == ErrorCode.UNREACHABLE


def test_the_scripted_camera_sees_the_boxes(tmp_path: Path) -> None:
    fridge = {
        "category": "fridge",
        "center": [5.0, 2.5, 0.9],
        "size": [0.6, 0.6, 1.8],
        "color": [250, 10, 10],
    }
    world = scripted(tmp_path, boxes=[fridge])
    goal = Pose.planar(2.0, 2.5, 0.0)
    (seen,) = play(world, request("navigate", target(5.0, 2.5), goal=goal)).frames[-1:]
    (label,) = (
        one for one in seen.part(topics.SEGMENTATION_LABELS, SegmentLabels).labels if one.category == "fridge"
    )
    parts: dict[str, Any] = dict(seen.parts)
    mask = parts[topics.SEGMENTATION].array() == label.id
    red, green, _ = parts[topics.COLOR].array()[mask].mean(axis=0)
    assert red > 5 * green
    # From the front of the fridge to the camera, along an axis that looks 0.3 rad down.
    ahead = parts[topics.DEPTH].array()[24, 32] / 1000.0
    assert mask[24, 32]
    assert ahead == pytest.approx(2.7 / math.cos(0.3), abs=0.02)


def test_a_script_may_end_the_episode_or_the_engine(tmp_path: Path) -> None:
    world = scripted(
        tmp_path, skills={"look_around": [{"crash": "the driver died"}], "open": [{"episode": "lost"}]}
    )
    lost = play(world, request("open", reachable(world)))
    assert lost.observation.episode == EpisodeState.LOST
    world.reset("", 1)
    with pytest.raises(WorldError, match="the driver died"):
        play(world, request("look_around"))
    with pytest.raises(WorldError, match="reset it first"):
        play(world)
    world.reset("", 1)
    assert play(world).outcome.result == Result.SUCCEEDED


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("skills: {juggle: [{}]}", "skills: there is no skill 'juggle'; there are navigate"),
        ("skills: {pick: []}", "pick says nothing"),
        ("skills: {pick: [{error: OUCH}]}", "skills.pick.0.error: must be one of ACTION_NOT_ALLOWED"),
        ("skills: {pick: [{error: WORLD_FAILED}]}", "must be one of"),
        ("skills: {pick: [{result: failed}]}", "skills.pick.0.result: "),
        ("boxes: [{category: table, center: [1, 2], size: [1, 1, 1]}]", "boxes.0.center"),
        ("room: [.inf, 2]", "room.0"),
        ("room: [0.3, 0.3]", "no free floor"),
        ("- 1", "the file"),
        ("a: [", "neither YAML nor JSON"),
    ],
)
def test_an_invalid_script_is_refused_with_its_key(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text)
    world = make_world("scripted")
    assert world.reset("", 0) == "room"
    with pytest.raises(ConfigurationError) as error:
        world.reset(str(path), 0)
    assert why in str(error.value)
    assert str(path) in str(error.value)
    assert world.reset("", 0) == "room"


def test_a_missing_script_is_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match=r"the script gone\.yaml cannot be read"):
        make_world("scripted").reset("gone.yaml", 0)


def test_the_script_of_the_howto_page_is_accepted(tmp_path: Path) -> None:
    (script,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    path = tmp_path / "clumsy.yaml"
    path.write_text(script)
    world = make_world("scripted")
    world.reset(str(path), 1)
    stopped = play(world, request("open", reachable(world)))
    assert stopped.outcome.error.text == "someone pressed the stop button"
    assert stopped.observation.episode == EpisodeState.LOST


def run(world: World, task: str, max_commands: int = 0) -> TaskResult:
    agent = LocalAgent(world, configure_agent())
    try:
        return agent.run_task(task, max_commands)
    finally:
        agent.close()


MUG = (
    {"category": "table", "center": [4.2, 3.4, 0.375], "size": [1.2, 0.8, 0.75]},
    {"category": "mug", "center": [4.2, 3.2, 0.81], "size": [0.1, 0.1, 0.12], "color": [200, 30, 30]},
)


def test_an_agent_repeats_a_failed_grasp(tmp_path: Path) -> None:
    path = tmp_path / "clumsy.json"
    path.write_text(json.dumps({"boxes": MUG, "skills": {"pick": [{"error": "GRASP_FAILED"}, {}]}}))
    world = make_world("scripted")
    world.reset(str(path), 0)
    assert run(world, "pick up the mug").status == TaskStatus.SUCCEEDED


def test_a_scripted_end_of_the_episode_is_reported_by_the_world(tmp_path: Path) -> None:
    path = tmp_path / "stopped.json"
    path.write_text(json.dumps({"boxes": MUG, "skills": {"pick": [{"episode": "lost"}]}}))
    world = make_world("scripted")
    world.reset(str(path), 0)
    lost = run(world, "pick up the mug")
    assert (lost.status, lost.error.code) == (TaskStatus.FAILED, ErrorCode.EPISODE_LOST)
    assert play(world).observation.episode == EpisodeState.LOST
    world.reset("", 0)
    spent = run(world, "pick up the mug", 1)
    assert (spent.status, spent.error.code) == (TaskStatus.FAILED, ErrorCode.OUT_OF_COMMANDS)
    assert play(world).observation.episode == EpisodeState.RUNNING
