"""The one table of who listens to what and who says what. Both runtimes read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from stma_ros.types import topics
from stma_ros.types.component import Component

ConfigT = TypeVar("ConfigT")

Kind: TypeAlias = tuple[type, Callable[[Any], Component]]
"""A component's configuration, and what makes a component of it."""


@dataclass(frozen=True)
class ComponentSpec:
    """A component as the runtimes need to know it; `name` is also its node's name.

    `load` imports it: a node waits for the libraries of the component that it hosts, not for everybody's.
    """

    name: str
    load: Callable[[], Kind]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def config(self) -> type:
        return self.load()[0]

    def build(self, config: Any) -> Component:
        return self.load()[1](config)


def _kind(config: type[ConfigT], component: Callable[[ConfigT], Component]) -> Kind:
    """The type checker sees to it that the two fit."""
    return config, component


def _perception() -> Kind:
    from stma_ros.components.perception import Perception, PerceptionConfig

    return _kind(PerceptionConfig, Perception)


def _spatial_memory() -> Kind:
    from stma_ros.components.spatial_memory import SpatialMemory, SpatialMemoryConfig

    return _kind(SpatialMemoryConfig, SpatialMemory)


def _temporal_memory() -> Kind:
    from stma_ros.components.temporal_memory import TemporalMemory, TemporalMemoryConfig

    return _kind(TemporalMemoryConfig, TemporalMemory)


def _planner() -> Kind:
    from stma_ros.components.planner import Planner, PlannerConfig

    return _kind(PlannerConfig, Planner)


def _critic() -> Kind:
    from stma_ros.components.critic import Critic, CriticConfig

    return _kind(CriticConfig, Critic)


def _executor() -> Kind:
    from stma_ros.components.executor import Executor, ExecutorConfig

    return _kind(ExecutorConfig, Executor)


COMPONENTS: Mapping[str, ComponentSpec] = {
    spec.name: spec
    for spec in (
        ComponentSpec(
            "perception",
            _perception,
            inputs=topics.FRAME,
            outputs=(topics.SCENE_GRAPH_UPDATE,),
        ),
        ComponentSpec(
            "spatial_memory",
            _spatial_memory,
            inputs=(
                topics.DEPTH,
                topics.CAMERA_INFO,
                topics.CAMERA_POSE,
                topics.ODOMETRY,
                topics.LOCALIZATION,
                topics.OBSERVATION,
                topics.SCENE_GRAPH_UPDATE,
                topics.TEMPORAL_BELIEF,
                topics.TASK_RESULT,
                topics.SIGHTING_QUERY,
                topics.MEMORY_REQUEST,
            ),
            outputs=(
                topics.SCENE_GRAPH,
                topics.MAP,
                topics.FRONTIERS,
                topics.SPATIAL_BELIEF,
                topics.SIGHTING_ANSWER,
                topics.MEMORY_REPLY,
            ),
        ),
        ComponentSpec(
            "temporal_memory",
            _temporal_memory,
            inputs=(topics.TASK, topics.OBSERVATION),
            outputs=(topics.TEMPORAL_BELIEF,),
        ),
        ComponentSpec(
            "planner",
            _planner,
            inputs=(topics.PLAN_REQUEST, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.PLAN,),
        ),
        ComponentSpec(
            "critic",
            _critic,
            inputs=(topics.ACTION_PROPOSAL, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.CRITIQUE,),
        ),
        ComponentSpec(
            "executor",
            _executor,
            inputs=(
                topics.TASK,
                topics.SKILLS,
                topics.OBSERVATION,
                topics.OUTCOME,
                topics.SCENE_GRAPH,
                topics.FRONTIERS,
                topics.SPATIAL_BELIEF,
                topics.PLAN,
                topics.CRITIQUE,
                topics.CANCEL,
                topics.FAULT,
                topics.DEADLINE_EXPIRED,
            ),
            outputs=(
                topics.PLAN_REQUEST,
                topics.ACTION_PROPOSAL,
                topics.SKILL_REQUEST,
                topics.TASK_RESULT,
                topics.DEADLINE,
            ),
        ),
    )
}

WORLD_OUTPUTS = (
    topics.CLOCK,
    *topics.FRAME,
    topics.OBSERVATION,
    topics.OUTCOME,
    topics.SKILLS,
    topics.GROUND_TRUTH,
)
"""What a world publishes in answer to skill_request. No component listens to the ground truth."""
