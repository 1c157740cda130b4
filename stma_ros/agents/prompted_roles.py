"""Roles that a model answers, each imported when there is a model to answer it: without one, nobody waits for the
libraries that prompts and replies need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from stma_ros.models.settings import RULES

if TYPE_CHECKING:
    from stma_ros.models.session import ChatModels, RoleModel
    from stma_ros.roles.contracts import (
        CriticRole,
        PlannerRole,
        ReflectorRole,
        RelationAggregatorRole,
        RelationRetrieverRole,
        SummariserRole,
    )
    from stma_ros.roles.scene_contract import SceneGraphRole

RoleT = TypeVar("RoleT")


def answering(
    models: ChatModels | None, role: str, rules: RoleT, prompted: Callable[[RoleModel, RoleT | None], RoleT]
) -> RoleT:
    """The implementation of a role. prompted: makes one of the way to a model, and of the rules that answer where the
    model does not, if that is wanted. Raises as ChatModels.line does."""
    line = None if models is None else models.line(role)
    if models is None or line is None:
        return rules
    return prompted(line, rules if models.config.on_failure == RULES else None)


def text_planner(line: RoleModel, rules: PlannerRole | None) -> PlannerRole:
    from stma_ros.roles.prompted.planner import PromptedPlanner

    return PromptedPlanner(line, rules, prompt="text/planner")


def household_planner(line: RoleModel, rules: PlannerRole | None) -> PlannerRole:
    from stma_ros.roles.prompted.planner import PromptedPlanner

    return PromptedPlanner(line, rules, prompt="household/planner")


def text_critic(line: RoleModel, rules: CriticRole | None) -> CriticRole:
    from stma_ros.roles.prompted.critic import PromptedCritic

    return PromptedCritic(line, rules, prompt="text/critic")


def household_critic(line: RoleModel, rules: CriticRole | None) -> CriticRole:
    from stma_ros.roles.prompted.critic import PromptedCritic

    return PromptedCritic(line, rules, prompt="household/critic")


def summariser(line: RoleModel, rules: SummariserRole | None) -> SummariserRole:
    from stma_ros.roles.prompted.summariser import PromptedSummariser

    return PromptedSummariser(line, rules)


def relation_retriever(line: RoleModel, rules: RelationRetrieverRole | None) -> RelationRetrieverRole:
    from stma_ros.roles.prompted.relation_retriever import PromptedRelationRetriever

    return PromptedRelationRetriever(line, rules)


def relation_aggregator(line: RoleModel, rules: RelationAggregatorRole | None) -> RelationAggregatorRole:
    from stma_ros.roles.prompted.relation_aggregator import PromptedRelationAggregator

    return PromptedRelationAggregator(line, rules)


def reflector(line: RoleModel, rules: ReflectorRole | None) -> ReflectorRole:
    from stma_ros.roles.prompted.reflector import PromptedReflector

    return PromptedReflector(line, rules)


def scene_graph(line: RoleModel) -> SceneGraphRole:
    """No rules look at pictures."""
    from stma_ros.roles.prompted.scene_graph import PromptedSceneGraph

    return PromptedSceneGraph(line)
