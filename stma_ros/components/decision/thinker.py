"""Answers plan requests with one action, reasoned over scene graph and experiences (MCoT-Memory, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from stma_ros.components.decision.planner import Planner, plan_query
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.memory.knowledge_settings import PriorConfig, QuestionConfig
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.thinker import THINKER, ThinkerRole, ThinkQuery
from stma_ros.types import topics
from stma_ros.types.experience import Experiences
from stma_ros.types.planning import PlanRequest


@dataclass(frozen=True)
class ThinkerConfig(FaultConfig, PriorConfig, QuestionConfig):
    """Settings of a thinker where objects are found by a camera."""


def thinker_of(config: ThinkerConfig, role: ThinkerRole, inputs: Collection[str]) -> Planner:
    """Returns the component that asks a thinker.

    Args:
        config: the settings.
        role: the thinker.
        inputs: topics whose message of the same step is required before a request is answered: both beliefs and the
            experiences.
    """
    return Planner(FaultyRole(THINKER, role, config), _question, inputs, actions=1)


def _question(request: PlanRequest, inputs: StepInputs) -> ThinkQuery:
    known = inputs.get(topics.EXPERIENCES, Experiences)
    return ThinkQuery(
        **vars(plan_query(request, inputs)),
        graph=known.graph,
        experiences=known.retrieved,
        rules=known.rules,
    )
