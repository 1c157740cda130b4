"""An agent as a user adds it: two components of its own among those that all agents share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, ComponentFactory, Preset, Requirements, of_domain, wire
from stma_ros.domains.spec import Domain
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool


def _planner(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.planner import Planner, PlannerConfig
    from support.samples.agent.greedy_planner import GreedyPlanner

    def make(config: PlannerConfig, domain: Domain, models: ModelPool | None) -> Planner:
        return Planner(config, GreedyPlanner(), joins)

    return of_domain(PlannerConfig, make)


def _critic(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.critic import Critic, CriticConfig
    from stma_ros.roles.critic import AcceptAllCritic

    def make(config: CriticConfig, domain: Domain, models: ModelPool | None) -> Critic:
        return Critic(config, AcceptAllCritic(), joins)

    return of_domain(CriticConfig, make)


GREEDY = AgentSpec(
    name="greedy",
    summary="explores the nearest unknown, and reports what it was asked for",
    source="",
    wirings=(
        wire(
            "camera",
            Requirements(Senses.CAMERA, (words.SKILL_EXPLORE,)),
            component_factories.PERCEPTION,
            component_factories.SPATIAL_MEMORY,
            component_factories.TEMPORAL_MEMORY,
            component_factories.planner_of(_planner, rules=False),
            component_factories.critic_of(_critic, rules=False),
            component_factories.EXECUTOR,
        ),
    ),
    presets={
        "greedy": Preset("as it is"),
        "greedy_short_of_memory": Preset("knows its last actions only", {"temporal_memory": {"history": 3}}),
    },
)
