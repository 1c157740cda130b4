"""HiAgent and its baseline play a text adventure from beginning to end, in one process."""

from __future__ import annotations

from contextlib import closing

import pytest

pytest.importorskip("jericho", reason="text adventures need jericho: pip install 'stma_ros[adventure]'")
pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.types.belief import SubgoalState
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult
from stma_ros.worlds.jericho.config import OBJECTIVE
from stma_ros.worlds.registry import make_world, world_entry
from support.worlds.story_files import generate_story

COMMANDS = 25
ROOMS = 9  # of the generated story


def play(preset: str, commands: int = COMMANDS) -> tuple[TaskResult, EpisodeTrace]:
    trace = EpisodeTrace()
    with closing(make_world("jericho")) as world:
        world.reset(str(generate_story()), 1)
        agent = LocalAgent(world, configure_agent(preset, {}, world_entry("jericho").offer), [trace])
        result = agent.run_task(OBJECTIVE, commands)
    return result, trace


@pytest.mark.parametrize("preset", ["hiagent", "standard"])
def test_agent_explores_a_text_adventure_until_its_commands_are_spent(preset: str) -> None:
    result, trace = play(preset)
    assert (result.error.code, result.commands) == (ErrorCode.OUT_OF_COMMANDS, COMMANDS)
    assert len({truth.room for truth in trace.truths}) == ROOMS
    assert [outcome for outcome in trace.outcomes if outcome.error] == []


def test_hiagent_shows_closed_subgoals_of_an_adventure_by_a_map() -> None:
    belief = play("hiagent")[1].beliefs[-1]
    *closed, present = belief.chunks
    assert present.state == SubgoalState.OPEN
    assert len(closed) > 5
    assert {chunk.state for chunk in closed} <= {SubgoalState.MET, SubgoalState.NOT_MET}
    assert all(chunk.subgoal.startswith("explore ") for chunk in belief.chunks)
    assert closed[-1].observation.startswith("Map: ")
    assert not any(chunk.whole for chunk in closed)


def test_standard_shows_every_action_of_an_adventure() -> None:
    belief = play("standard")[1].beliefs[-1]
    assert belief.chunks == ()
    assert belief.text.count("\nAction: ") == COMMANDS


def test_agent_gives_up_a_text_adventure_when_nothing_is_left_to_be_tried() -> None:
    result, _ = play("standard", 300)
    assert result.error.code == ErrorCode.TARGET_NOT_FOUND
    assert COMMANDS < result.commands < 300
