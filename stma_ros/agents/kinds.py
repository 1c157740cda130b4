"""What components are made of: the configuration of each, and its roles, answered by rules or by models.

Each is imported when it is needed: a node waits for the libraries of the component that it hosts, not for everybody's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from stma_ros.agents.prompted_roles import answering, prompted
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.types.component import Component

if TYPE_CHECKING:
    from stma_ros.models.session import ChatModels

_COOKING, _HOUSEHOLD = "stma_ros.domains.cooking", "stma_ros.domains.household"

ConfigT = TypeVar("ConfigT")

Kind: TypeAlias = tuple[type, Callable[[Any, "ChatModels | None"], Component]]
"""A component's configuration, and what makes a component of it and of the models that its roles may ask, if any."""


def plain(config: type[ConfigT], component: Callable[[ConfigT], Component]) -> Kind:
    """Of a component that asks no model; the type checker sees to it that the two fit."""
    return config, lambda values, models: component(values)


def _asking(config: type[ConfigT], component: Callable[[ConfigT, ChatModels | None], Component]) -> Kind:
    """Of one that may."""
    return config, component


def perception() -> Kind:
    from stma_ros.components.perception.perception import SEGMENTATION, Perception, PerceptionConfig
    from stma_ros.domains.household.category_knowledge import household_categories

    def make(config: PerceptionConfig, models: ChatModels | None) -> Perception:
        """No rules look at pictures: without a model there is no expert."""
        knowledge = household_categories()
        expert = prompted(models, SCENE_GRAPH, _HOUSEHOLD)
        if models is None or expert is None or config.source == SEGMENTATION:
            return Perception(config, knowledge)
        return Perception(config, knowledge, expert, models.config.image_pixels)

    return _asking(PerceptionConfig, make)


def spatial_memory() -> Kind:
    from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
    from stma_ros.domains.household.category_knowledge import household_categories
    from stma_ros.domains.household.language import HouseholdLanguage
    from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
    from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever

    def make(config: SpatialMemoryConfig) -> SpatialMemory:
        knowledge = household_categories()
        return SpatialMemory(
            config,
            knowledge,
            HouseholdLanguage(knowledge),
            SymbolicRelationRetriever(),
            SymbolicRelationAggregator(knowledge),
        )

    return plain(SpatialMemoryConfig, make)


def temporal_memory() -> Kind:
    from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory, TemporalMemoryConfig
    from stma_ros.domains.household.summariser import SymbolicSummariser

    return plain(TemporalMemoryConfig, lambda config: TemporalMemory(config, SymbolicSummariser()))


def planner() -> Kind:
    from stma_ros.components.decision.planner import Planner, PlannerConfig
    from stma_ros.domains.household.category_knowledge import household_categories
    from stma_ros.domains.household.language import HouseholdLanguage
    from stma_ros.domains.household.planner import SymbolicPlanner

    def make(config: PlannerConfig, models: ChatModels | None) -> Planner:
        knowledge = household_categories()
        rules = SymbolicPlanner(knowledge, HouseholdLanguage(knowledge).goals)
        return Planner(config, answering(models, PLANNER, _HOUSEHOLD, rules))

    return _asking(PlannerConfig, make)


def critic() -> Kind:
    from stma_ros.components.decision.critic import Critic, CriticConfig
    from stma_ros.domains.household.category_knowledge import household_categories
    from stma_ros.domains.household.critic import SymbolicCritic
    from stma_ros.domains.household.language import HouseholdLanguage

    def make(config: CriticConfig, models: ChatModels | None) -> Critic:
        knowledge = household_categories()
        rules = SymbolicCritic(knowledge, HouseholdLanguage(knowledge).goals)
        return Critic(config, answering(models, CRITIC, _HOUSEHOLD, rules))

    return _asking(CriticConfig, make)


def executor() -> Kind:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import ExecutorConfig
    from stma_ros.components.decision.scene_grounding import SceneGrounding
    from stma_ros.domains.household.category_knowledge import household_categories

    return plain(ExecutorConfig, lambda config: Executor(config, SceneGrounding(household_categories())))


def knowledge_memory() -> Kind:
    from stma_ros.components.knowledge_memory.knowledge_memory import KnowledgeMemory, KnowledgeMemoryConfig
    from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
    from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever

    def make(config: KnowledgeMemoryConfig, models: ChatModels | None) -> KnowledgeMemory:
        return KnowledgeMemory(
            config,
            answering(models, RELATION_RETRIEVER, _COOKING, TextRelationRetriever()),
            answering(models, RELATION_AGGREGATOR, _COOKING, TextRelationAggregator()),
        )

    return _asking(KnowledgeMemoryConfig, make)


def text_temporal_memory() -> Kind:
    from stma_ros.components.temporal_memory.reflections import Reflections
    from stma_ros.components.temporal_memory.temporal_memory import ReflectiveMemoryConfig, TemporalMemory
    from stma_ros.domains.cooking.reflector import TextReflector
    from stma_ros.domains.cooking.summariser import TextSummariser

    def make(config: ReflectiveMemoryConfig, models: ChatModels | None) -> TemporalMemory:
        reflections = None
        if config.reflections:
            reflector = answering(models, REFLECTOR, _COOKING, TextReflector())
            reflections = Reflections(config.reflections, reflector)
        summariser = answering(models, SUMMARISER, _COOKING, TextSummariser())
        return TemporalMemory(config, summariser, reflections)

    return _asking(ReflectiveMemoryConfig, make)


def text_planner() -> Kind:
    from stma_ros.components.decision.planner import RANDOM, Planner, TextPlannerConfig
    from stma_ros.domains.cooking.exploration import EXPLORATIONS
    from stma_ros.domains.cooking.planner import TextPlanner
    from stma_ros.roles.random_choice import RandomChoice

    def make(config: TextPlannerConfig, models: ChatModels | None) -> Planner:
        if config.policy == RANDOM:
            return Planner(config, RandomChoice(config.policy_seed))
        rules = TextPlanner(EXPLORATIONS[config.exploration])
        return Planner(config, answering(models, PLANNER, _COOKING, rules))

    return _asking(TextPlannerConfig, make)


def text_critic() -> Kind:
    from stma_ros.components.decision.critic import Critic, TextCriticConfig
    from stma_ros.domains.cooking.critic import TextCritic

    def make(config: TextCriticConfig, models: ChatModels | None) -> Critic:
        return Critic(config, answering(models, CRITIC, _COOKING, TextCritic()))

    return _asking(TextCriticConfig, make)


def text_executor() -> Kind:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import TextExecutorConfig
    from stma_ros.components.decision.text_grounding import TextGrounding

    def make(config: TextExecutorConfig) -> Executor:
        return Executor(config, TextGrounding(beliefs=config.belief_refresh == "action"))

    return plain(TextExecutorConfig, make)
