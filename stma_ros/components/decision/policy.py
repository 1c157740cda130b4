"""Answers plan requests with one action and its subgoal (HiAgent, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from stma_ros.components.decision.planner import Planner
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.memory.knowledge_settings import PriorConfig, QuestionConfig
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.policy import POLICY, PolicyQuery, PolicyRole
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import PlanRequest
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class PolicyConfig(FaultConfig):
    subgoals: bool = setting(True, "group the actions by subgoals; else the history has no parts")


@dataclass(frozen=True)
class CameraPolicyConfig(PolicyConfig, PriorConfig, QuestionConfig):
    """Settings where objects are found by a camera."""


def policy_of(config: PolicyConfig, role: PolicyRole, inputs: Collection[str]) -> Planner:
    """Returns the component that asks a policy.

    Args:
        config: the settings.
        role: the policy.
        inputs: topics whose message of the same step is required before a request is answered: the temporal belief,
            the observation, and the spatial belief where there is one.
    """
    faulty = FaultyRole(POLICY, role, config)
    return Planner(faulty, _question(config), inputs, actions=1, goes_on=True)


def _question(config: PolicyConfig) -> Callable[[PlanRequest, StepInputs], PolicyQuery]:
    def make(request: PlanRequest, inputs: StepInputs) -> PolicyQuery:
        spatial = topics.SPATIAL_BELIEF in inputs.messages
        return PolicyQuery(
            request.task,
            inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief),
            inputs.get(topics.SPATIAL_BELIEF, SpatialBelief) if spatial else SpatialBelief(),
            request.allowed_actions,
            request.feedback,
            request.rejected,
            request.observation,
            inputs.observation.action_model,
            inputs.observation.any_command,
            config.subgoals,
        )

    return make
