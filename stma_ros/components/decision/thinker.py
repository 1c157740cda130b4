"""Answers plan requests with one action, reasoned over scene graph and experiences (MCoT-Memory, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from stma_ros.components.decision.planner import Planner, plan_query
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.memory.knowledge_settings import PriorConfig, QuestionConfig
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.thinker import THINKER, Reasoning, ThinkerRole, ThinkQuery
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.experience import Experiences
from stma_ros.types.exploration import Snapshot, VisualBelief
from stma_ros.types.planning import PlanRequest
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class ThinkerConfig(FaultConfig):
    graph: bool = setting(True, "show the scene graph, and where things are")
    graph_updates: bool = setting(
        True, "show the scene graph of the step; else that of the task's first step"
    )
    reasoning: str = setting(
        Reasoning.GRAPH.value,
        "how a model is asked to reason: over the scene graph as published; not at all; step by step (CoT); over a "
        "description of the picture (CCoT); by questions (DDCoT)",
        choices=tuple(way.value for way in Reasoning),
    )


@dataclass(frozen=True)
class CameraThinkerConfig(ThinkerConfig, PriorConfig, QuestionConfig):
    picture: bool = setting(True, "show a model the picture of the observation; rules read none")


def thinker_of(config: ThinkerConfig, role: ThinkerRole, inputs: Collection[str]) -> Planner:
    """Returns the component that asks a thinker.

    Args:
        config: the settings.
        role: the thinker.
        inputs: topics whose message of the same step is required before a request is answered: both beliefs, the
            experiences, and, with a camera, the picture.
    """
    return Planner(FaultyRole(THINKER, role, config), _Questions(config).make, inputs, actions=1)


class _Questions:
    """Makes the questions from the inputs of their steps."""

    def __init__(self, config: ThinkerConfig) -> None:
        self._config = config
        self._first: tuple[str, SpatialBelief, tuple[Relation, ...]] | None = None  # of a task, by its id

    def make(self, request: PlanRequest, inputs: StepInputs) -> ThinkQuery:
        plan = plan_query(request, inputs)
        known = inputs.get(topics.EXPERIENCES, Experiences)
        spatial, graph = self._graph(request.task_id, plan.spatial, known.graph)
        return ThinkQuery(
            **vars(replace(plan, spatial=spatial)),
            graph=graph,
            experiences=known.retrieved,
            rules=known.rules,
            picture=self._picture(inputs),
            reasoning=Reasoning(self._config.reasoning),
        )

    def _picture(self, inputs: StepInputs) -> Snapshot | None:
        """Returns the picture of the observation, if there is a camera and the settings show its pictures."""
        if not isinstance(self._config, CameraThinkerConfig) or not self._config.picture:
            return None
        return next(iter(inputs.get(topics.VISUAL_BELIEF, VisualBelief).snapshots), None)

    def _graph(
        self, task_id: str, spatial: SpatialBelief, graph: tuple[Relation, ...]
    ) -> tuple[SpatialBelief, tuple[Relation, ...]]:
        """Returns what the settings show of the spatial belief and of the scene graph of a step."""
        if not self._config.graph:
            return SpatialBelief(at=spatial.at), ()
        if self._config.graph_updates:
            return spatial, graph
        if self._first is None or self._first[0] != task_id:
            self._first = task_id, spatial, graph
        return self._first[1], self._first[2]
