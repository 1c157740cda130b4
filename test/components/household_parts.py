"""Components of a household robot, answered by rules."""

from __future__ import annotations

from collections.abc import Collection

from stma_ros.components.decision.critic import Critic, CriticConfig
from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.roles.relation_retriever import RelationRetrieverRole
from stma_ros.types import topics

HOUSEHOLD = household_categories()
LANGUAGE = HouseholdLanguage(HOUSEHOLD)


def spatial_memory(
    config: SpatialMemoryConfig, retriever: RelationRetrieverRole | None = None
) -> SpatialMemory:
    return SpatialMemory(
        config,
        HOUSEHOLD,
        LANGUAGE,
        retriever or SymbolicRelationRetriever(),
        SymbolicRelationAggregator(HOUSEHOLD),
    )


def household_planner(inputs: Collection[str] = topics.BELIEFS) -> Planner:
    return Planner(PlannerConfig(), SymbolicPlanner(HOUSEHOLD, LANGUAGE.goals), inputs)


def household_critic() -> Critic:
    return Critic(CriticConfig(), SymbolicCritic(HOUSEHOLD, LANGUAGE.goals))
