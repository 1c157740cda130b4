"""The one table of who listens to what and who says what. Both runtimes read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from stma_ros.types import topics
from stma_ros.types.component import Component

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


def _of(module: str, component: str) -> Callable[[], Kind]:
    """Loads a component and the configuration that is named after it."""

    def load() -> Kind:
        found = import_module(f"stma_ros.components.{module}")
        return getattr(found, f"{component}Config"), getattr(found, component)

    return load


COMPONENTS: Mapping[str, ComponentSpec] = {
    spec.name: spec
    for spec in (
        ComponentSpec(
            "perception",
            _of("perception", "Perception"),
            inputs=topics.FRAME,
            outputs=(topics.SCENE_GRAPH_UPDATE,),
        ),
        ComponentSpec(
            "spatial_memory",
            _of("spatial_memory", "SpatialMemory"),
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
            ),
            outputs=(topics.SCENE_GRAPH, topics.MAP, topics.FRONTIERS, topics.SPATIAL_BELIEF),
        ),
        ComponentSpec(
            "temporal_memory",
            _of("temporal_memory", "TemporalMemory"),
            inputs=(topics.TASK, topics.OBSERVATION),
            outputs=(topics.TEMPORAL_BELIEF,),
        ),
        ComponentSpec(
            "planner",
            _of("planner", "Planner"),
            inputs=(topics.PLAN_REQUEST, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.PLAN,),
        ),
        ComponentSpec(
            "critic",
            _of("critic", "Critic"),
            inputs=(topics.ACTION_PROPOSAL, topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF),
            outputs=(topics.CRITIQUE,),
        ),
        ComponentSpec(
            "executor",
            _of("executor", "Executor"),
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
