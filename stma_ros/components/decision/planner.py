"""Answers plan requests from the two beliefs of their step (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from stma_ros.components.role_calls import role_call
from stma_ros.components.step_synchronizer import StepInputs, StepSynchronizer
from stma_ros.memory.knowledge_settings import PriorConfig, QuestionConfig
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.planner import PLANNER, PlanAnswer, PlannerRole, PlanQuery
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.message import Message
from stma_ros.types.planning import Evidence, Plan, PlanRequest, SkillTarget
from stma_ros.types.settings import setting

RULES, RANDOM = "rules", "random"


@dataclass(frozen=True)
class PlannerConfig(FaultConfig):
    actions: int = setting(
        0, "longest plan that is followed; what is beyond is left out; 0 = any length", low=0, high=1000
    )


@dataclass(frozen=True)
class CameraPlannerConfig(PlannerConfig, PriorConfig, QuestionConfig):
    """Settings where objects are found by a camera."""


@dataclass(frozen=True)
class TextPlannerConfig(PlannerConfig):
    policy: str = setting(
        RULES, "how actions are chosen: by rules, or any that is allowed", choices=(RULES, RANDOM)
    )
    policy_seed: int = setting(0, "seed of random choices", low=0)
    exploration: str = setting(
        "promising",
        "which unexplored exit comes first: "
        "the one with which all is likely to be found soonest, or the nearest",
        choices=("promising", "nearest"),
    )


class Planner:
    """Answers plan requests. If its role has no answer, the plan has an error."""

    def __init__(
        self,
        role: FaultyRole[Any, PlanAnswer],
        make_query: Callable[[PlanRequest, StepInputs], PlanQuery],
        inputs: Collection[str],
        *,
        actions: int = 0,
        goes_on: bool = False,
    ) -> None:
        """Creates a planner.

        Args:
            role: role that makes the plans.
            make_query: returns the question of that role about a request and the inputs of its step.
            inputs: topics whose message of the same step is required before a request is answered.
            actions: longest plan that is followed; what is beyond is left out; 0 = any length.
            goes_on: whether an answer without a subgoal goes on with the present one.
        """
        self._role = role
        self._goes_on = goes_on
        self._make_query = make_query
        self._actions = actions or None
        self._requests: StepSynchronizer[PlanRequest] = StepSynchronizer(
            topics.PLAN_REQUEST,
            inputs,
            lambda request: (request.task_id, request.step, request.belief_revision),
        )

    @classmethod
    def of_plans(
        cls, config: PlannerConfig, role: PlannerRole, inputs: Collection[str] = topics.BELIEFS
    ) -> Planner:
        """Creates a planner whose role plans several actions at a time. inputs: as for the constructor."""
        return Planner(FaultyRole(PLANNER, role, config), plan_query, inputs, actions=config.actions)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._answers(topic, message)

    def _answers(self, topic: str, message: Message) -> Iterator[Emission]:
        for request, inputs in self._requests.add(topic, message):
            yield from self._plan(request, inputs)

    def _plan(self, request: PlanRequest, inputs: StepInputs) -> Iterator[Emission]:
        derived_from = (message_ref(topics.PLAN_REQUEST, request), *inputs.sources)
        query = self._make_query(request, inputs)
        step = request.at.without_frame()
        try:
            answer = self._role.answer(query)
        except (RoleError, TaskNotUnderstoodError) as problem:
            plan = Plan(at=step, error=Error.of(problem), derived_from=derived_from)
        else:
            # With give_up: the kind of failure that the task ends with.
            error = Error(answer.failure, answer.reasoning) if answer.failure != ErrorCode.NONE else Error()
            actions = answer.actions[: self._actions]
            plan = Plan(
                at=step,
                subgoal=answer.subgoal or (query.temporal.subgoal if self._goes_on else ""),
                actions=actions,
                reasoning=answer.reasoning,
                evidence=tuple(_evidence(answer.seen, query.spatial)),
                error=error,
                derived_from=derived_from,
            )
        yield role_call(
            self._role.spec,
            query,
            step,
            error=plan.error.text if not plan.actions else "",
            injected=self._role.take(),
        )
        yield topics.PLAN, plan


def _evidence(seen: Collection[str], spatial: SpatialBelief) -> Iterator[Evidence]:
    """Yields when each of the things was seen last. seen: their ids."""
    known = {fact.subject: fact for fact in spatial.facts if fact.predicate == words.IS_A}
    for name in seen:
        fact = known.get(name)
        if fact is not None:
            yield Evidence(stamp=fact.last_seen, thing=SkillTarget(id=name))


def plan_query(request: PlanRequest, inputs: StepInputs) -> PlanQuery:
    """Returns the question to a planner about a request and the beliefs of its step."""
    return PlanQuery(
        request.task,
        inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief),
        inputs.get(topics.SPATIAL_BELIEF, SpatialBelief),
        request.allowed_actions,
        request.feedback,
        request.rejected,
        request.observation,
    )
