"""The household domain: tasks in homes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.domains.eqa.rules import question_rules
from stma_ros.domains.spec import Domain
from stma_ros.memory.knowledge_settings import (
    HazardConfig,
    KnowledgeConfig,
    PriorConfig,
    QuestionConfig,
)
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.policy import POLICY
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.roles.thinker import THINKER

if TYPE_CHECKING:
    from stma_ros.domains.household.critic import SymbolicCritic
    from stma_ros.domains.household.judge import SymbolicJudge
    from stma_ros.domains.household.language import HouseholdLanguage
    from stma_ros.domains.household.memory_answerer import MemoryAnswerer
    from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser
    from stma_ros.domains.household.planner import SymbolicPlanner
    from stma_ros.domains.household.policy import HouseholdPolicy
    from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
    from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
    from stma_ros.domains.household.summariser import SymbolicSummariser
    from stma_ros.domains.household.task_parser import SymbolicTaskParser
    from stma_ros.domains.household.thinker import HouseholdThinker
    from stma_ros.memory.category_knowledge import CategoryKnowledge


def _categories(config: Any) -> CategoryKnowledge:
    from stma_ros.domains.household.category_knowledge import household_categories

    extension = config.knowledge if isinstance(config, KnowledgeConfig) else ""
    return household_categories(extension, config.priors if isinstance(config, PriorConfig) else True)


def _questions(config: Any) -> QuestionConfig:
    return config if isinstance(config, QuestionConfig) else QuestionConfig()


def _language(config: Any) -> HouseholdLanguage:
    from stma_ros.domains.household.language import HouseholdLanguage

    return HouseholdLanguage(_categories(config))


def _answerer(config: Any) -> MemoryAnswerer:
    from stma_ros.domains.household.memory_answerer import MemoryAnswerer

    return MemoryAnswerer(_categories(config), _questions(config))


def _task_parser(config: Any) -> SymbolicTaskParser:
    from stma_ros.domains.household.task_parser import SymbolicTaskParser

    return SymbolicTaskParser(_categories(config))


def _summariser(config: Any) -> SymbolicSummariser:
    from stma_ros.domains.household.summariser import SymbolicSummariser

    return SymbolicSummariser()


def _relation_retriever(config: Any) -> SymbolicRelationRetriever:
    from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever

    return SymbolicRelationRetriever(_categories(config))


def _relation_aggregator(config: Any) -> SymbolicRelationAggregator:
    from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator

    return SymbolicRelationAggregator(_categories(config))


def _planner(config: Any) -> SymbolicPlanner:
    from stma_ros.domains.household.planner import SymbolicPlanner

    return SymbolicPlanner(_categories(config), _questions(config))


def _policy(config: Any) -> HouseholdPolicy:
    from stma_ros.domains.household.policy import HouseholdPolicy

    return HouseholdPolicy(_categories(config), _questions(config))


def _thinker(config: Any) -> HouseholdThinker:
    from stma_ros.domains.household.thinker import HouseholdThinker

    return HouseholdThinker(_categories(config), _questions(config))


def _judge(config: Any) -> SymbolicJudge:
    from stma_ros.domains.household.judge import SymbolicJudge

    return SymbolicJudge(_categories(config))


def _observation_summariser(config: Any) -> HouseholdObservationSummariser:
    from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser

    return HouseholdObservationSummariser()


def _critic(config: Any) -> SymbolicCritic:
    from stma_ros.domains.household.critic import SymbolicCritic
    from stma_ros.domains.household.critic_rules.hazard_file import household_hazards

    extension = config.hazards if isinstance(config, HazardConfig) else ""
    return SymbolicCritic(_categories(config), household_hazards(extension), _questions(config))


def _examples() -> Mapping[str, Any]:
    from stma_ros.domains.household.examples import EXAMPLES

    return EXAMPLES


HOUSEHOLD = Domain(
    name="household",
    summary="find, fetch and tidy things in a home",
    rules={
        TASK_PARSER.name: _task_parser,
        SUMMARISER.name: _summariser,
        RELATION_RETRIEVER.name: _relation_retriever,
        RELATION_AGGREGATOR.name: _relation_aggregator,
        PLANNER.name: _planner,
        CRITIC.name: _critic,
        POLICY.name: _policy,
        THINKER.name: _thinker,
        JUDGE.name: _judge,
        OBSERVATION_SUMMARISER.name: _observation_summariser,
        **question_rules(_categories),
    },
    package="stma_ros.domains.household",
    examples=_examples,
    categories=_categories,
    language=_language,
    answerer=_answerer,
)
