"""The one table of who listens to what and who says what, for each kind of world. Both runtimes read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar

from stma_ros.types import topics
from stma_ros.types.component import Component
from stma_ros.types.world import Senses

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
    from stma_ros.components.executor import Executor
    from stma_ros.components.executor_config import ExecutorConfig

    return _kind(ExecutorConfig, Executor)


def _knowledge_memory() -> Kind:
    from stma_ros.components.knowledge_memory import KnowledgeMemory, KnowledgeMemoryConfig

    return _kind(KnowledgeMemoryConfig, KnowledgeMemory)


def _text_temporal_memory() -> Kind:
    from stma_ros.components.reflections import Reflections
    from stma_ros.components.temporal_memory import ReflectiveMemoryConfig, TemporalMemory
    from stma_ros.roles.symbolic.text.reflector import TextReflector
    from stma_ros.roles.symbolic.text.summariser import TextSummariser

    def make(config: ReflectiveMemoryConfig) -> TemporalMemory:
        reflections = Reflections(config.reflections, TextReflector()) if config.reflections else None
        return TemporalMemory(config, TextSummariser(), reflections)

    return _kind(ReflectiveMemoryConfig, make)


def _text_planner() -> Kind:
    from stma_ros.components.planner import RANDOM, Planner, TextPlannerConfig
    from stma_ros.roles.random_choice import RandomChoice
    from stma_ros.roles.symbolic.text.exploration import EXPLORATIONS
    from stma_ros.roles.symbolic.text.planner import TextPlanner

    def make(config: TextPlannerConfig) -> Planner:
        if config.policy == RANDOM:
            return Planner(config, RandomChoice(config.policy_seed))
        return Planner(config, TextPlanner(EXPLORATIONS[config.exploration]))

    return _kind(TextPlannerConfig, make)


def _text_critic() -> Kind:
    from stma_ros.components.critic import Critic, TextCriticConfig
    from stma_ros.roles.symbolic.text.critic import TextCritic

    return _kind(TextCriticConfig, partial(Critic, role=TextCritic()))


def _text_executor() -> Kind:
    from stma_ros.components.executor import Executor
    from stma_ros.components.executor_config import TextExecutorConfig
    from stma_ros.components.text_grounding import TextGrounding

    def make(config: TextExecutorConfig) -> Executor:
        return Executor(config, TextGrounding(beliefs=config.belief_refresh == "action"))

    return _kind(TextExecutorConfig, make)


_EXECUTOR_INPUTS = (
    topics.TASK,
    topics.SKILLS,
    topics.OBSERVATION,
    topics.OUTCOME,
    topics.SPATIAL_BELIEF,
    topics.PLAN,
    topics.CRITIQUE,
    topics.CANCEL,
    topics.FAULT,
    topics.DEADLINE_EXPIRED,
)
_EXECUTOR_OUTPUTS = (
    topics.PLAN_REQUEST,
    topics.ACTION_PROPOSAL,
    topics.SKILL_REQUEST,
    topics.TASK_RESULT,
    topics.DEADLINE,
)


def _deciding(planner: Callable[[], Kind], critic: Callable[[], Kind]) -> tuple[ComponentSpec, ComponentSpec]:
    beliefs = (topics.TEMPORAL_BELIEF, topics.SPATIAL_BELIEF)
    return (
        ComponentSpec(
            "planner",
            planner,
            inputs=(topics.PLAN_REQUEST, *beliefs),
            outputs=(topics.PLAN, topics.ROLE_CALLS),
        ),
        ComponentSpec(
            "critic",
            critic,
            inputs=(topics.ACTION_PROPOSAL, *beliefs),
            outputs=(topics.CRITIQUE, topics.ROLE_CALLS),
        ),
    )


def _temporal(load: Callable[[], Kind], *more: str) -> ComponentSpec:
    """more: topics that it listens to besides."""
    return ComponentSpec(
        "temporal_memory",
        load,
        inputs=(topics.TASK, topics.SKILL_REQUEST, topics.OBSERVATION, topics.PLAN_REQUEST, *more),
        outputs=(topics.TEMPORAL_BELIEF, topics.ROLE_CALLS),
    )


@dataclass(frozen=True)
class Wiring:
    """The components of an agent by name, and what its world publishes in answer to skill_request. No component listens
    to the ground truth."""

    components: Mapping[str, ComponentSpec]
    world_outputs: tuple[str, ...]


def _wiring(world_outputs: tuple[str, ...], *specs: ComponentSpec) -> Wiring:
    always = (topics.CLOCK, topics.OBSERVATION, topics.OUTCOME, topics.SKILLS, topics.GROUND_TRUTH)
    return Wiring({spec.name: spec for spec in specs}, (*always, *world_outputs))


WIRINGS: Mapping[Senses, Wiring] = {
    Senses.CAMERA: _wiring(
        topics.FRAME,
        ComponentSpec("perception", _perception, inputs=topics.FRAME, outputs=(topics.SCENE_GRAPH_UPDATE,)),
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
                topics.ROLE_CALLS,
            ),
        ),
        _temporal(_temporal_memory),
        *_deciding(_planner, _critic),
        ComponentSpec(
            "executor",
            _executor,
            inputs=(*_EXECUTOR_INPUTS, topics.SCENE_GRAPH, topics.FRONTIERS),
            outputs=_EXECUTOR_OUTPUTS,
        ),
    ),
    Senses.TEXT: _wiring(
        (),
        ComponentSpec(
            "spatial_memory",
            _knowledge_memory,
            inputs=(
                topics.OBSERVATION,
                topics.TEMPORAL_BELIEF,
                topics.SIGHTING_QUERY,
                topics.MEMORY_REQUEST,
            ),
            outputs=(
                topics.SPATIAL_BELIEF,
                topics.SIGHTING_ANSWER,
                topics.MEMORY_REPLY,
                topics.ROLE_CALLS,
            ),
        ),
        _temporal(_text_temporal_memory, topics.TASK_RESULT),
        *_deciding(_text_planner, _text_critic),
        ComponentSpec("executor", _text_executor, inputs=_EXECUTOR_INPUTS, outputs=_EXECUTOR_OUTPUTS),
    ),
}
"""By what the world offers to the senses."""
