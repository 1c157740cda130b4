"""Components of a household robot, answered by rules."""

from __future__ import annotations

from collections.abc import Collection

from stma_ros.components.decision.critic import Critic, CriticConfig
from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.domains.household.memory_answerer import MemoryAnswerer
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.roles.relation_retriever import RelationRetrieverRole
from stma_ros.roles.task_parser import TaskQuery
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp

HOUSEHOLD = household_categories()
LANGUAGE = HouseholdLanguage(HOUSEHOLD)
PARSER = SymbolicTaskParser(HOUSEHOLD)


def spatial_memory(
    config: SpatialMemoryConfig, retriever: RelationRetrieverRole | None = None
) -> SpatialMemory:
    return SpatialMemory(
        config,
        HOUSEHOLD,
        LANGUAGE,
        retriever or SymbolicRelationRetriever(HOUSEHOLD),
        SymbolicRelationAggregator(HOUSEHOLD),
        MemoryAnswerer(HOUSEHOLD),
    )


def temporal_belief(task: str, step: int) -> TemporalBelief:
    """Returns the temporal belief at the start of a task."""
    parsed = PARSER.answer(TaskQuery(task))
    return TemporalBelief(
        at=StepStamp(header=Header(Time(4)), task_id="a", step=step),
        goals=parsed.goals,
        goals_error=parsed.error,
    )


def household_planner(inputs: Collection[str] = topics.BELIEFS) -> Planner:
    return Planner.of_plans(PlannerConfig(), SymbolicPlanner(HOUSEHOLD), inputs)


def household_critic() -> Critic:
    return Critic(CriticConfig(), SymbolicCritic(HOUSEHOLD))
