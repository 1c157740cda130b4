"""The one table of who listens to what and who says what, for each kind of world. Both runtimes read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stma_ros.agents import kinds
from stma_ros.agents.kinds import Kind
from stma_ros.agents.local_runtime import Attached
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.types import topics
from stma_ros.types.component import Component
from stma_ros.types.world import Senses

if TYPE_CHECKING:
    from stma_ros.models.session import ChatModels


@dataclass(frozen=True)
class ComponentSpec:
    """A component as the runtimes need to know it; `name` is also its node's name. frame: the parts of camera frames
    that it may use. roles: those of its roles that a model can answer.

    `load` imports it, see `agents.kinds`.
    """

    name: str
    load: Callable[[], Kind]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    frame: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def listens(self) -> tuple[str, ...]:
        """All topics that are sent to it."""
        return (*self.frame, *self.inputs)

    @property
    def config(self) -> type:
        return self.load()[0]

    def build(self, config: Any, models: ChatModels | None = None) -> Component:
        """Raises StmaError where the configuration cannot be followed."""
        make = self.load()[1]
        if models is None or not set(self.roles) & set(models.config.asked):
            return make(config, None)
        from stma_ros.components.model_call_reporter import ModelUser

        return ModelUser(make(config, models), models)

    def attach(self, config: Any, models: ChatModels | None = None) -> Attached:
        """The component with what the runtimes need to serve it. Raises StmaError as `build`."""
        frames = FrameAssembler(filter(config.uses, self.frame)) if self.frame else None
        return Attached(self.name, self.build(config, models), self.inputs, self.outputs, frames)


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
    topics.RECALL_REQUEST,
    topics.TASK_RESULT,
    topics.DEADLINE,
)

_TOLD = (topics.ROLE_CALLS, topics.MODEL_CALL)
"""What a component with roles tells of them."""


def _deciding(planner: Callable[[], Kind], critic: Callable[[], Kind]) -> tuple[ComponentSpec, ComponentSpec]:
    return (
        ComponentSpec(
            "planner",
            planner,
            inputs=(topics.PLAN_REQUEST, *topics.BELIEFS),
            outputs=(topics.PLAN, *_TOLD),
            roles=(PLANNER.name,),
        ),
        ComponentSpec(
            "critic",
            critic,
            inputs=(topics.ACTION_PROPOSAL, *topics.BELIEFS),
            outputs=(topics.CRITIQUE, *_TOLD),
            roles=(CRITIC.name,),
        ),
    )


def _temporal(load: Callable[[], Kind], *more: str, roles: tuple[str, ...] = ()) -> ComponentSpec:
    """more: topics that it listens to besides."""
    return ComponentSpec(
        "temporal_memory",
        load,
        inputs=(topics.TASK, topics.SKILL_REQUEST, topics.OBSERVATION, topics.PLAN_REQUEST, *more),
        outputs=(topics.TEMPORAL_BELIEF, *(_TOLD if roles else (topics.ROLE_CALLS,))),
        roles=roles,
    )


@dataclass(frozen=True)
class Wiring:
    """The components of an agent by name, and what its world publishes in answer to skill_request. No component listens
    to the ground truth."""

    components: Mapping[str, ComponentSpec]
    world_outputs: tuple[str, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """Those that a model can answer."""
        return tuple(role for spec in self.components.values() for role in spec.roles)


def _wiring(world_outputs: tuple[str, ...], *specs: ComponentSpec) -> Wiring:
    always = (topics.CLOCK, topics.OBSERVATION, topics.OUTCOME, topics.SKILLS, topics.GROUND_TRUTH)
    return Wiring({spec.name: spec for spec in specs}, (*always, *world_outputs))


WIRINGS: Mapping[Senses, Wiring] = {
    Senses.CAMERA: _wiring(
        topics.FRAME,
        ComponentSpec(
            "perception",
            kinds.perception,
            frame=topics.FRAME,
            inputs=(topics.TASK, topics.OBSERVATION),
            outputs=(topics.SCENE_GRAPH_UPDATE, *_TOLD),
            roles=(SCENE_GRAPH.name,),
        ),
        ComponentSpec(
            "spatial_memory",
            kinds.spatial_memory,
            frame=topics.DEPTH_FRAME,
            inputs=(
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
        _temporal(kinds.temporal_memory),
        *_deciding(kinds.planner, kinds.critic),
        ComponentSpec(
            "executor",
            kinds.executor,
            inputs=(*_EXECUTOR_INPUTS, topics.SCENE_GRAPH, topics.FRONTIERS),
            outputs=_EXECUTOR_OUTPUTS,
        ),
    ),
    Senses.TEXT: _wiring(
        (),
        ComponentSpec(
            "spatial_memory",
            kinds.knowledge_memory,
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
                *_TOLD,
            ),
            roles=(RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name),
        ),
        _temporal(kinds.text_temporal_memory, topics.TASK_RESULT, roles=(SUMMARISER.name, REFLECTOR.name)),
        *_deciding(kinds.text_planner, kinds.text_critic),
        ComponentSpec("executor", kinds.text_executor, inputs=_EXECUTOR_INPUTS, outputs=_EXECUTOR_OUTPUTS),
    ),
}
"""By what the world offers to the senses."""
