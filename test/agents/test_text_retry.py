"""The belief of an agent after a game was restarted."""

from __future__ import annotations

import pytest

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from stma_ros.worlds.registry import make_world, world_entry

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

SCENE, SEED = "level_2", 1_400_001
TOO_FEW = 11  # commands


def seen(belief: SpatialBelief) -> set[tuple[str, str, str]]:
    """Returns the facts about the robot and about the objects that it carries."""
    carried = {fact.subject for fact in belief.facts if fact.predicate == words.HELD_BY}
    return {(f.subject, f.predicate, f.object) for f in belief.facts if f.subject in (words.ROBOT, *carried)}


def test_belief_of_a_second_attempt_holds_the_present_observation() -> None:
    beliefs: list[SpatialBelief] = []

    def listen(topic: str, message: Message) -> None:
        if isinstance(message, SpatialBelief):
            beliefs.append(message)

    world = make_world("textworld")
    world.reset(SCENE, SEED)
    game = world_entry("textworld").offer
    configured = configure_agent("full", {"spatial_memory": {"embedder": "lexical"}}, game)
    agent = LocalAgent(world, configured, (listen,))

    assert agent.run_task("Cook and eat the meal of the cookbook.", TOO_FEW).status == TaskStatus.FAILED
    begun, ended = beliefs[0], beliefs[-1]
    beliefs.clear()
    world.reset(SCENE, SEED)
    agent.run_task("Cook and eat the meal of the cookbook.", 1)
    agent.close()
    world.close()

    assert not seen(begun) <= seen(ended)
    assert seen(begun) <= seen(beliefs[0])
    assert begun.header.stamp < ended.header.stamp < beliefs[0].header.stamp
