"""A user's agent with a component that is not part of this package, as a graph of ROS nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import COMPONENT
from stma_ros.agents.registry import AGENTS, load_registry
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.types import topics
from stma_ros.types.belief import Lessons
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from stma_ros.worlds.registry import world_entry
from support.environment import python_environment
from support.ros.waiting import eventually

REGISTRY = "support.samples.diary_agent:AGENTS"


def test_a_component_without_an_executable_of_its_own_is_hosted_by_the_generic_one() -> None:
    specs = {spec.name: spec for spec in bring_up(preset="diary", registry=REGISTRY)}
    assert (specs["diary"].executable, specs["diary"].arguments) == (COMPONENT, ("diary",))
    assert (specs["planner"].executable, specs["planner"].arguments) == ("planner", ())
    assert specs["diary"].parameters["entries"] == 3
    assert {specs[name].parameters["host.registry"] for name in ("diary", "planner")} == {REGISTRY}
    assert specs["sim_bridge"].parameters["registry"] == REGISTRY


def test_an_agent_with_a_new_component_executes_a_task_on_the_graph(ros, tmp_path: Path) -> None:
    specs = bring_up(
        preset="diary",
        registry=REGISTRY,
        world="scripted",
        offer=world_entry("scripted").offer,
        bag=str(tmp_path / "bag"),
        namespace="own_component",
    )
    heard: list[Lessons] = []

    def hear(topic: str, message: Message) -> None:
        if isinstance(message, Lessons):
            heard.append(message)

    with (
        NodeProcesses(specs, tmp_path / "logs", python_environment()),
        TaskClient("own_component", follow=(topics.LESSONS, topics.TASK_RESULT)) as client,
    ):
        client.wait_until_active(60.0)
        for _ in range(2):
            result = client.execute("find the unicorn", 1, hear, timeout=60.0)
            assert result.status is TaskStatus.FAILED
        eventually(lambda: client._tell(hear) or len(heard) == 2, "what the diary says")
    assert [len(each.lessons) for each in heard] == [1, 2]
    assert all(entry.endswith(": FAILED") for entry in heard[-1].lessons)


def test_the_registry_of_the_package_is_the_default() -> None:
    assert load_registry("") is AGENTS
    assert set(load_registry(REGISTRY).presets) - set(AGENTS.presets) == {"diary"}


@pytest.mark.parametrize(
    ("reference", "cause"),
    [
        ("nowhere.agents:AGENTS", "No module named 'nowhere'"),
        ("support.samples.diary_agent:AGENT", "has no attribute 'AGENT'"),
        ("support.samples.diary_agent", "cannot be loaded"),
        ("support.samples.diary_agent:DIARY", "is no AgentRegistry"),
    ],
)
def test_an_invalid_registry_reference_is_refused_with_cause_and_remedy(reference: str, cause: str) -> None:
    with pytest.raises(ConfigurationError, match=cause) as refused:
        load_registry(reference)
    assert "Write MODULE:NAME" in str(refused.value)
