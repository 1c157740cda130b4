"""Turns in worlds of text, for tests."""

from __future__ import annotations

from stma_ros.types import topics
from stma_ros.types.component import CancelToken
from stma_ros.types.planning import Action, Outcome, SkillRequest
from stma_ros.types.sensing import Observation
from stma_ros.types.truth import GroundTruth
from stma_ros.types.world import World


def execute(
    world: World, action: Action, cancel: CancelToken | None = None
) -> tuple[Observation, GroundTruth, Outcome]:
    """Executes an action in step 4 of a task; returns what the agent and the scorer get."""
    request = SkillRequest(request_id="t1/4", task_id="t1", step=4, action=action)
    said = dict(world.execute(request, cancel or CancelToken()))
    observation, truth, outcome = (
        said[topic] for topic in (topics.OBSERVATION, topics.GROUND_TRUTH, topics.OUTCOME)
    )
    assert isinstance(observation, Observation)
    assert isinstance(truth, GroundTruth)
    assert isinstance(outcome, Outcome)
    assert list(said)[-1] == topics.OUTCOME
    return observation, truth, outcome


def say(world: World, command: str) -> tuple[Observation, GroundTruth, Outcome]:
    """Says a command."""
    return execute(world, Action("command", (command,)))


def look_around(world: World) -> Observation:
    """Returns an observation."""
    return execute(world, Action("observe"))[0]


def texts(observation: Observation) -> tuple[str, ...]:
    """Returns what an observation says."""
    return observation.feedback, observation.description, observation.inventory
