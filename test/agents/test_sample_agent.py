"""A new agent is one more entry of the registry; it is matched, configured and run like every other agent."""

from __future__ import annotations

from contextlib import closing

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.agents.registry import AGENTS
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.telemetry import RoleCall
from stma_ros.worlds.registry import make_world, world_entry
from support.markdown import import_from

GREEDY = import_from("docs/howto/own_agent.md", "greedy.agent").GREEDY
REGISTRY = AGENTS.with_agent(GREEDY)
HOME, GAME = world_entry("house").offer, world_entry("textworld").offer


def found(task: str, preset: str) -> tuple[TaskResult, set[str]]:
    """Returns the result of the task in a flat, and the roles that were asked."""
    roles: set[str] = set()

    def listen(topic: str, message: Message) -> None:
        if isinstance(message, RoleCall):
            roles.add(message.role)

    with closing(make_world("house", {"rooms": 3, "width": 160, "height": 120})) as house:
        house.reset("", 1001)
        agent = LocalAgent(house, configure_agent(preset, offer=HOME, agents=REGISTRY), [listen])
        result = agent.run_task(task, 40)
        agent.close()
    return result, roles


@pytest.mark.parametrize("preset", GREEDY.presets)
def test_sample_agent_finds_an_object_in_a_flat(preset: str) -> None:
    result, roles = found("find the kettle", preset)

    assert result.status is TaskStatus.SUCCEEDED, result.text
    assert result.text == "kettle_1 is what was asked for."
    assert result.commands > 0
    assert roles >= {PLANNER.name, SUMMARISER.name, RELATION_AGGREGATOR.name}


def test_sample_agent_gives_up_on_an_object_that_does_not_exist() -> None:
    result, _ = found("find the unicorn", "greedy")

    assert result.status is TaskStatus.FAILED
    assert "explored" in result.text


def test_sample_agent_is_listed_for_worlds_that_it_fits_and_refused_for_others() -> None:
    assert set(REGISTRY.fitting(HOME)) - set(AGENTS.fitting(HOME)) == set(GREEDY.presets)
    assert list(REGISTRY.fitting(GAME)) == list(AGENTS.fitting(GAME))
    with pytest.raises(ConfigurationError, match="'greedy' cannot live in a world that offers a text"):
        REGISTRY.match("greedy", GAME)
