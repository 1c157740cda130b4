"""The one table of who listens to what and who says what. Both runtimes read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stma_ros.components.critic import Critic, CriticConfig
from stma_ros.components.executor import Executor, ExecutorConfig
from stma_ros.components.perception import Perception, PerceptionConfig
from stma_ros.components.planner import Planner, PlannerConfig
from stma_ros.components.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.components.temporal_memory import TemporalMemory, TemporalMemoryConfig
from stma_ros.types import topics
from stma_ros.types.component import Component


@dataclass(frozen=True)
class ComponentSpec:
    """A component as the runtimes need to know it; `name` is also its node's name."""

    name: str
    config: type
    build: Callable[[Any], Component]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


COMPONENTS: Mapping[str, ComponentSpec] = {
    spec.name: spec
    for spec in (
        ComponentSpec(
            "perception",
            PerceptionConfig,
            Perception,
            inputs=topics.FRAME,
            outputs=(topics.SCENE_GRAPH_UPDATE,),
        ),
        ComponentSpec(
            "spatial_memory",
            SpatialMemoryConfig,
            SpatialMemory,
            inputs=(
                topics.DEPTH,
                topics.CAMERA_INFO,
                topics.CAMERA_POSE,
                topics.ODOMETRY,
                topics.OBSERVATION,
                topics.SCENE_GRAPH_UPDATE,
                topics.TEMPORAL_BELIEF,
                topics.TASK_RESULT,
            ),
            outputs=(topics.SCENE_GRAPH, topics.MAP, topics.FRONTIERS, topics.SPATIAL_BELIEF),
        ),
        ComponentSpec(
            "temporal_memory",
            TemporalMemoryConfig,
            TemporalMemory,
            inputs=(topics.TASK, topics.OBSERVATION),
            outputs=(topics.TEMPORAL_BELIEF,),
        ),
        ComponentSpec(
            "planner",
            PlannerConfig,
            Planner,
            inputs=(topics.PLAN_REQUEST, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.PLAN,),
        ),
        ComponentSpec(
            "critic",
            CriticConfig,
            Critic,
            inputs=(topics.ACTION_PROPOSAL, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.CRITIQUE,),
        ),
        ComponentSpec(
            "executor",
            ExecutorConfig,
            Executor,
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

WORLD_OUTPUTS = (topics.CLOCK, *topics.FRAME, topics.OBSERVATION, topics.OUTCOME, topics.SKILLS)
"""What a world publishes in answer to skill_request."""
