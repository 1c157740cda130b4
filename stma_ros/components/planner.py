"""Answers a plan request from the two beliefs of its step (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.components.belief_join import BeliefJoin
from stma_ros.roles.contracts import PlannerRole, PlanQuery
from stma_ros.roles.symbolic.planner import SymbolicPlanner
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import source
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, PlanRequest
from stma_ros.types.standard import Header


@dataclass(frozen=True)
class PlannerConfig:
    """Nothing to set."""


class Planner:
    """A role that has no answer gives a plan with an error, never an exception."""

    def __init__(self, config: PlannerConfig, role: PlannerRole | None = None) -> None:
        self._role = role or SymbolicPlanner()
        self._join: BeliefJoin[PlanRequest] = BeliefJoin(topics.PLAN_REQUEST)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._answers(topic, message)

    def _answers(self, topic: str, message: Message) -> Iterator[Emission]:
        for request, temporal, spatial in self._join.add(topic, message):
            yield topics.PLAN, self._plan(request, temporal, spatial)

    def _plan(self, request: PlanRequest, temporal: TemporalBelief, spatial: SpatialBelief) -> Plan:
        header = Header(request.header.stamp)
        based_on = (
            source(topics.PLAN_REQUEST, request),
            source(topics.TEMPORAL_BELIEF, temporal),
            source(topics.SPATIAL_BELIEF, spatial),
        )
        query = PlanQuery(
            request.task, temporal, spatial, request.allowed_actions, request.feedback, request.rejected
        )
        step = (header, request.task_id, request.step, request.revision)
        try:
            answer = self._role.plan(query)
        except (RoleError, TaskNotUnderstoodError) as problem:
            return Plan(*step, error=Error.of(problem), based_on=based_on)
        # With give_up: the kind of failure that the task ends with.
        error = Error(answer.failure, answer.reasoning) if answer.failure != ErrorCode.NONE else Error()
        return Plan(*step, answer.subgoal, answer.actions, answer.reasoning, error, based_on)
