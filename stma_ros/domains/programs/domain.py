"""The programs domain: people's activities in homes, told in text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.domains.spec import Domain
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.thinker import THINKER

if TYPE_CHECKING:
    from stma_ros.domains.programs.judge import ProgramsJudge
    from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator
    from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever
    from stma_ros.domains.programs.summariser import ProgramsSummariser
    from stma_ros.domains.programs.thinker import ProgramsThinker


def _summariser(config: Any) -> ProgramsSummariser:
    from stma_ros.domains.programs.summariser import ProgramsSummariser

    return ProgramsSummariser()


def _relation_retriever(config: Any) -> ProgramsRelationRetriever:
    from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever

    return ProgramsRelationRetriever()


def _relation_aggregator(config: Any) -> ProgramsRelationAggregator:
    from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator

    return ProgramsRelationAggregator()


def _thinker(config: Any) -> ProgramsThinker:
    from stma_ros.domains.programs.thinker import ProgramsThinker

    return ProgramsThinker()


def _judge(config: Any) -> ProgramsJudge:
    from stma_ros.domains.programs.judge import ProgramsJudge

    return ProgramsJudge()


def _examples() -> Mapping[str, Any]:
    from stma_ros.domains.programs.examples import EXAMPLES

    return EXAMPLES


PROGRAMS = Domain(
    name="programs",
    summary="activities of people in homes that are told in text",
    rules={
        SUMMARISER.name: _summariser,
        RELATION_RETRIEVER.name: _relation_retriever,
        RELATION_AGGREGATOR.name: _relation_aggregator,
        THINKER.name: _thinker,
        JUDGE.name: _judge,
    },
    package="stma_ros.domains.programs",
    examples=_examples,
)
