"""The cooking domain: text games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.domains.spec import Domain
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.summariser import SUMMARISER

if TYPE_CHECKING:
    from stma_ros.domains.cooking.critic import TextCritic
    from stma_ros.domains.cooking.planner import TextPlanner
    from stma_ros.domains.cooking.reflector import TextReflector
    from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
    from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
    from stma_ros.domains.cooking.summariser import TextSummariser


def _summariser(config: Any) -> TextSummariser:
    from stma_ros.domains.cooking.summariser import TextSummariser

    return TextSummariser()


def _relation_retriever(config: Any) -> TextRelationRetriever:
    from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever

    return TextRelationRetriever()


def _relation_aggregator(config: Any) -> TextRelationAggregator:
    from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator

    return TextRelationAggregator()


def _planner(config: Any) -> TextPlanner:
    """Creates the planner. `config` has the setting `exploration`."""
    from stma_ros.domains.cooking.exploration import EXPLORATIONS
    from stma_ros.domains.cooking.planner import TextPlanner

    return TextPlanner(EXPLORATIONS[config.exploration])


def _critic(config: Any) -> TextCritic:
    from stma_ros.domains.cooking.critic import TextCritic

    return TextCritic()


def _reflector(config: Any) -> TextReflector:
    from stma_ros.domains.cooking.reflector import TextReflector

    return TextReflector()


def _examples() -> Mapping[str, Any]:
    from stma_ros.domains.cooking.examples import EXAMPLES

    return EXAMPLES


COOKING = Domain(
    name="cooking",
    summary="text games in which a recipe is to be found, followed and eaten",
    rules={
        SUMMARISER.name: _summariser,
        RELATION_RETRIEVER.name: _relation_retriever,
        RELATION_AGGREGATOR.name: _relation_aggregator,
        PLANNER.name: _planner,
        CRITIC.name: _critic,
        REFLECTOR.name: _reflector,
    },
    package="stma_ros.domains.cooking",
    examples=_examples,
)
