"""HiAgent, its ablations and its baseline solve planning tasks from beginning to end, in one process."""

from __future__ import annotations

from contextlib import closing

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.hiagent import HIAGENT
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.types.belief import SubgoalState
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.worlds.registry import make_world, world_entry

SETTINGS = {"observation": "effects", "look_around": "false"}
LOSING = ("hiagent_no_summaries", "hiagent_no_summaries_no_retrieval")
"""Presets that lose what a closed subgoal came to but for its last observation."""


def solve(
    preset: str,
    scene: str = "gripper",
    seed: int = 1000001,
    commands: int = 30,
    task: str = "",
    **settings: object,
) -> tuple[TaskResult, EpisodeTrace]:
    trace = EpisodeTrace()
    with closing(make_world("pddl", SETTINGS)) as world:
        world.reset(scene, seed)
        overrides = {"temporal_memory": settings} if settings else {}
        agent = LocalAgent(world, configure_agent(preset, overrides, world_entry("pddl").offer), [trace])
        result = agent.run_task(task or world.objective, commands)  # type: ignore[attr-defined]
    return result, trace


@pytest.mark.parametrize("preset", [name for name in HIAGENT.presets if name not in LOSING])
def test_preset_that_loses_nothing_solves_a_planning_task(preset: str) -> None:
    result, trace = solve(preset)
    assert result.status == TaskStatus.SUCCEEDED
    assert trace.ending.score == trace.ending.max_score
    assert [outcome for outcome in trace.outcomes if outcome.error] == []


@pytest.mark.parametrize("preset", LOSING)
def test_preset_without_summaries_gets_lost_in_what_it_does_not_know(preset: str) -> None:
    result, trace = solve(preset)
    assert result.status == TaskStatus.FAILED
    assert result.error.code != ErrorCode.IMPOSSIBLE
    assert any("Last observation: " in belief.text for belief in trace.beliefs)


def test_history_of_hiagent_is_shorter_than_that_of_the_baseline() -> None:
    lengths = {preset: len(solve(preset)[1].beliefs[-1].text) for preset in ("hiagent", "standard")}
    assert lengths["hiagent"] < 0.7 * lengths["standard"]


def test_each_closed_subgoal_is_summed_up_once() -> None:
    _, trace = solve("hiagent")
    asked = [call for call in trace.calls if call.role == OBSERVATION_SUMMARISER.name]
    closed = [chunk for chunk in trace.beliefs[-1].chunks if chunk.state != SubgoalState.OPEN]
    assert len(asked) == len(closed) > 2


def test_hiagent_solves_in_a_small_window_what_the_baseline_does_not() -> None:
    assert solve("hiagent", window=250)[0].status == TaskStatus.SUCCEEDED
    assert solve("standard", window=250)[0].status != TaskStatus.SUCCEEDED


def test_codes_that_were_read_at_the_beginning_are_retrieved_when_they_are_needed() -> None:
    result, _ = solve("hiagent", "vault", 1000)
    assert result.status == TaskStatus.SUCCEEDED
    assert result.memory_actions > 0


def test_codes_cannot_be_had_without_retrieval() -> None:
    result, _ = solve("hiagent_no_retrieval", "vault", 1000)
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.TARGET_NOT_FOUND)


def test_goal_whose_parts_exclude_one_another_is_given_up_at_once() -> None:
    result, _ = solve("hiagent", "blocksworld", 1000, task="Make this true: b1 is on b2; b1 is on b3.")
    assert (result.status, result.error.code, result.commands) == (
        TaskStatus.FAILED,
        ErrorCode.CONTRADICTION,
        0,
    )


def test_task_about_another_world_is_not_understood() -> None:
    result, _ = solve("hiagent", "blocksworld", 1000, task="Make me a coffee.")
    assert result.error.code == ErrorCode.TASK_NOT_UNDERSTOOD
    assert "Make this true: b1 is on b2" in result.error.text
