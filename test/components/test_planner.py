"""Tests of the planner component, which joins a request with the beliefs of its step and answers once."""

from __future__ import annotations

import itertools

from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.common import MessageRef
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Plan, PlanRequest
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from support.components.household_components import household_planner, temporal_belief

LOOK, GIVE_UP = Action("look_around"), Action("give_up")


def request(revision: int = 0, task: str = "find the mug", step: int = 2, **more: object) -> PlanRequest:
    return PlanRequest(
        at=StepStamp(header=Header(Time(5)), task_id="a", step=step, revision=revision),
        task=task,
        allowed_actions=(LOOK, GIVE_UP),
        **more,  # type: ignore[arg-type]
    )


def inputs(step: int = 2, task: str = "find the mug") -> list[tuple[str, Message]]:
    return [
        (topics.TEMPORAL_BELIEF, temporal_belief(task, step)),
        (
            topics.SPATIAL_BELIEF,
            SpatialBelief(at=StepStamp(header=Header(Time(4), "map"), task_id="a", step=step)),
        ),
    ]


def feed(planner: Planner, *messages: tuple[str, Message]) -> list[Plan]:
    plans = []
    for topic, message in messages:
        for out, answer in planner.handle(topic, message):
            assert out == (topics.PLAN if isinstance(answer, Plan) else topics.ROLE_CALLS)
            if isinstance(answer, Plan):
                plans.append(answer)
    return plans


def test_planner_answers_once_in_any_order_of_inputs() -> None:
    asked = (topics.PLAN_REQUEST, request())
    expected = feed(household_planner(), *inputs(), asked)
    assert [plan.actions for plan in expected] == [(LOOK,)]
    for order in itertools.permutations([*inputs(), asked]):
        assert feed(household_planner(), *order, *order) == expected


def test_plan_names_the_role_that_answered() -> None:
    (plan,) = feed(household_planner(), *inputs(), (topics.PLAN_REQUEST, request(3)))
    assert (plan.task_id, plan.step, plan.revision, plan.header) == ("a", 2, 3, Header(Time(5)))
    assert plan.subgoal == "look around"
    assert plan.derived_from == (
        MessageRef("plan_request", "a/2", 3),
        MessageRef("temporal_belief", "a/2"),
        MessageRef("spatial_belief", "a/2"),
    )


def test_planner_answers_every_request_of_a_step() -> None:
    requests = [(topics.PLAN_REQUEST, request(0)), (topics.PLAN_REQUEST, request(1, rejected=(LOOK,)))]
    plans = feed(household_planner(), *requests, *inputs())
    assert [(plan.revision, plan.actions) for plan in plans] == [(0, (LOOK,)), (1, (GIVE_UP,))]


def test_planner_ignores_beliefs_of_another_step() -> None:
    assert feed(household_planner(), *inputs(1), *inputs(3), (topics.PLAN_REQUEST, request())) == []


def test_planner_answers_a_task_that_is_not_understood() -> None:
    (plan,) = feed(household_planner(), *inputs(task="sing"), (topics.PLAN_REQUEST, request(task="sing")))
    assert plan.error.code == ErrorCode.TASK_NOT_UNDERSTOOD
    assert "find the red mug" in plan.error.text
    assert plan.actions == ()
    assert len(plan.derived_from) == 3


class GivingUp:
    def answer(self, query: PlanQuery) -> PlanAnswer:
        return PlanAnswer("end", (GIVE_UP,), "the sink is full", ErrorCode.IMPOSSIBLE)


def test_planner_that_gives_up_names_the_kind_of_failure() -> None:
    (plan,) = feed(Planner.of_plans(PlannerConfig(), GivingUp()), *inputs(), (topics.PLAN_REQUEST, request()))
    assert plan.actions == (GIVE_UP,)
    assert (plan.error.code, plan.error.text) == (ErrorCode.IMPOSSIBLE, "the sink is full")


class Scripted:
    """A planner role that records its queries and fails on its first call."""

    def __init__(self) -> None:
        self.queries: list[PlanQuery] = []

    def answer(self, query: PlanQuery) -> PlanAnswer:
        self.queries.append(query)
        if len(self.queries) == 1:
            raise RoleError("no parsable answer")
        return PlanAnswer("end", (GIVE_UP,), "")


def test_planner_answers_with_an_error_when_its_role_fails() -> None:
    role = Scripted()
    first = (topics.PLAN_REQUEST, request())
    second = (topics.PLAN_REQUEST, request(1, feedback="too far", rejected=(LOOK,)))
    plans = feed(Planner.of_plans(PlannerConfig(), role), *inputs(), first, second)
    assert [(plan.error.code, plan.error.text) for plan in plans] == [
        (ErrorCode.ROLE_FAILED, "no parsable answer"),
        (ErrorCode.NONE, ""),
    ]
    query = role.queries[1]
    assert (query.task, query.feedback, query.rejected) == ("find the mug", "too far", (LOOK,))
    assert query.allowed_actions == (LOOK, GIVE_UP)


def test_planner_drops_old_requests_without_beliefs() -> None:
    planner = household_planner()
    feed(planner, *((topics.PLAN_REQUEST, request(step=step)) for step in range(20)))
    assert feed(planner, *inputs(0)) == []
    assert len(feed(planner, *inputs(19))) == 1


def test_planner_waits_for_a_further_topic_that_is_declared_and_names_it_as_a_source() -> None:
    planner = household_planner((*topics.BELIEFS, topics.OBSERVATION))

    assert feed(planner, (topics.PLAN_REQUEST, request()), *inputs()) == []
    (plan,) = feed(planner, (topics.OBSERVATION, Observation(task_id="a", step=2)))
    assert plan.derived_from[-1] == MessageRef("observation", "a/2")
