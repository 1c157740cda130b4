"""Tests of memory actions: they make beliefs of the next revision instead of a step, and their number is bounded."""

from __future__ import annotations

import pytest

from stma_ros.components.decision.critic import Critic, CriticConfig
from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.executor_config import ACT, TextExecutorConfig
from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.control import Alarm, Cancel
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    Result,
    SkillRequest,
    Task,
    TaskStatus,
    Verdict,
)
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp
from support.components.executor_game import ExecutorGame, RetrievingGrounding

NORTH, GIVE_UP = Action("command", ("go north",)), Action("give_up")
RETRIEVE, OTHER, UNKNOWN = (Action("retrieve", (name,)) for name in ("1", "2", "99"))


class Game(ExecutorGame):
    """An executor that may do two memory actions."""

    def __init__(self, *, beliefs: bool = True, max_commands: int = 0, **config: object) -> None:
        settings = TextExecutorConfig(**config)  # type: ignore[arg-type]
        grounding = RetrievingGrounding(lambda step: (RETRIEVE, OTHER), beliefs=beliefs)
        super().__init__(
            Executor(settings, grounding), Task(task_id="t", text="eat", max_commands=max_commands)
        )
        self.beliefs = beliefs

    def step(self, number: int) -> None:
        self.say(topics.OBSERVATION, Observation(task_id="t", step=number, admissible_commands=("go north",)))
        self.say(topics.OUTCOME, Outcome(task_id="t", step=number, result=Result.SUCCEEDED))
        if self.beliefs:
            self.believe(number)

    def believe(self, step: int, revision: int = 0) -> None:
        self.say(
            topics.SPATIAL_BELIEF, SpatialBelief(at=StepStamp(task_id="t", step=step, revision=revision))
        )

    def plan(
        self, *actions: Action, error: Error = Error(), subgoal: str = "recall", reasoning: str = ""
    ) -> None:
        super().plan(*actions, error=error, subgoal=subgoal, reasoning=reasoning)


def begun(**settings: object) -> Game:
    """A game whose critic has accepted a memory action at step 0."""
    game = Game(**settings)  # type: ignore[arg-type]
    game.step(0)
    game.plan(RETRIEVE)
    game.judge()
    return game


def test_executor_asks_the_memory_and_not_the_world() -> None:
    game = begun()

    assert game.count(topics.SKILL_REQUEST) == 1  # the first look
    asked = game.recall
    assert (asked.task_id, asked.step, asked.revision) == ("t", 0, 1)
    assert (asked.action, asked.subgoal) == (RETRIEVE, "recall")
    assert asked.derived_from == (MessageRef(topics.CRITIQUE, "t/0"),)


def test_executor_waits_for_the_beliefs_of_the_next_revision_after_a_memory_action() -> None:
    game = begun()
    assert game.count(topics.PLAN_REQUEST) == 1
    assert game.executor.waiting_for() == (topics.SPATIAL_BELIEF,)

    game.believe(0, revision=1)

    asked = game.last(topics.PLAN_REQUEST, PlanRequest)
    assert (asked.step, asked.revision, asked.belief_revision) == (0, 1, 1)
    assert MessageRef(topics.RECALL_REQUEST, "t/0", 1) in asked.derived_from
    assert MessageRef(topics.SPATIAL_BELIEF, "t/0", 1) in asked.derived_from
    game.plan(NORTH)
    proposal = game.last(topics.ACTION_PROPOSAL, ActionProposal)
    assert (proposal.belief_step, proposal.belief_revision) == (0, 1)


def test_executor_continues_the_plan_after_a_memory_action() -> None:
    game = Game()
    game.step(0)
    game.plan(RETRIEVE, NORTH)
    game.judge()
    game.believe(0, revision=1)

    assert game.count(topics.PLAN_REQUEST) == 1
    assert game.last(topics.ACTION_PROPOSAL, ActionProposal).action == NORTH
    game.judge()
    assert game.last(topics.SKILL_REQUEST, SkillRequest).step == 1


def test_executor_begins_the_next_step_with_the_first_revision() -> None:
    game = begun()
    game.believe(0, revision=1)
    game.plan(NORTH)
    game.judge()
    game.step(1)

    assert game.last(topics.PLAN_REQUEST, PlanRequest).belief_revision == 0


def test_executor_counts_memory_actions_apart_from_commands() -> None:
    game = begun()
    game.believe(0, revision=1)
    game.plan(NORTH, RETRIEVE, GIVE_UP)
    game.judge()
    game.step(1)
    game.judge()
    game.believe(1, revision=1)
    game.judge()

    assert (game.result.commands, game.result.memory_actions) == (1, 2)


def test_executor_does_memory_actions_when_the_commands_are_spent() -> None:
    game = Game(max_commands=1)
    game.step(0)
    game.plan(NORTH, RETRIEVE, NORTH)
    game.judge()
    game.step(1)
    game.judge()
    game.believe(1, revision=1)
    game.judge()

    assert (game.result.error.code, game.result.memory_actions) == (ErrorCode.OUT_OF_COMMANDS, 1)


def test_critic_may_reject_a_memory_action() -> None:
    game = Game()
    game.step(0)
    game.plan(RETRIEVE)
    game.judge(Verdict.REJECTED)

    assert game.count(topics.RECALL_REQUEST) == 0
    assert game.last(topics.PLAN_REQUEST, PlanRequest).rejected == (RETRIEVE,)


def test_executor_bounds_the_memory_actions_of_a_step_and_informs_the_planner() -> None:
    game = Game(max_recalls=2)
    game.step(0)
    for revision, action in enumerate((RETRIEVE, OTHER), start=1):
        game.plan(action)
        game.judge()
        game.believe(0, revision)
    game.plan(RETRIEVE)
    game.judge()

    assert game.count(topics.RECALL_REQUEST) == 2
    asked = game.last(topics.PLAN_REQUEST, PlanRequest)
    assert asked.feedback == "retrieve(1) was not done: the 2 memory actions of this step are spent"
    assert (asked.rejected, asked.belief_revision) == ((RETRIEVE,), 2)
    game.plan(NORTH)
    game.judge()
    game.step(1)
    game.plan(RETRIEVE)
    game.judge()
    assert (game.recall.step, game.recall.revision) == (1, 1)


def test_executor_ends_a_task_whose_planner_proposes_only_memory_actions() -> None:
    game = Game(max_recalls=1, max_rounds=3)
    game.step(0)
    game.plan(RETRIEVE)
    game.judge()
    game.believe(0, revision=1)
    for _ in range(3):
        game.plan(RETRIEVE)
        game.judge()

    assert (game.result.status, game.result.error.code) == (TaskStatus.FAILED, ErrorCode.NO_PROGRESS)


def test_executor_resets_the_rounds_of_planner_and_critic_after_a_memory_action() -> None:
    game = Game(max_rounds=2)
    game.step(0)
    game.plan(NORTH)
    game.judge(Verdict.REJECTED, criterion=Criterion.SAFETY)
    game.plan(RETRIEVE)
    game.judge()
    game.believe(0, revision=1)
    game.plan(NORTH)

    assert game.count(topics.TASK_RESULT) == 0
    assert game.last(topics.ACTION_PROPOSAL, ActionProposal).action == NORTH


def test_memory_action_that_is_not_allowed_is_stopped_at_the_gate() -> None:
    game = Game()
    game.step(0)
    game.plan(UNKNOWN)
    game.judge()

    assert game.count(topics.RECALL_REQUEST) == 0
    assert "not among the allowed actions" in game.last(topics.PLAN_REQUEST, PlanRequest).feedback
    game.plan(GIVE_UP)
    game.judge()
    assert (game.result.commands, game.result.memory_actions) == (1, 0)


def test_refused_memory_action_is_not_executed_at_a_deadlock() -> None:
    game = Game(max_rounds=1, on_deadlock=ACT)
    game.step(0)
    game.plan(RETRIEVE)
    game.judge(Verdict.REJECTED, criterion=Criterion.ALIGNMENT)

    assert game.result.error.code == ErrorCode.NO_PROGRESS


def test_alarm_names_the_missing_belief_after_a_memory_action() -> None:
    game = begun()
    alarm = game.last(topics.ALARM, Alarm)
    game.say(topics.ALARM_EXPIRED, alarm)

    assert game.result.error.code == ErrorCode.DEADLINE_EXPIRED
    assert "the beliefs after memory action 1, retrieve(1)" in game.result.text
    assert "missing: spatial_belief" in game.result.text


def test_cancel_ends_the_task_during_a_memory_action() -> None:
    game = begun()
    game.say(topics.CANCEL, Cancel(task_id="t", reason="enough"))

    assert (game.result.status, game.result.text) == (TaskStatus.CANCELED, "enough")


def test_executor_without_a_wait_for_beliefs_names_the_revision_to_come() -> None:
    game = Game(beliefs=False)
    game.step(0)
    game.plan(NORTH, RETRIEVE, NORTH)
    game.judge()
    game.step(1)
    game.judge()

    proposal = game.last(topics.ACTION_PROPOSAL, ActionProposal)
    assert (proposal.step, proposal.belief_step, proposal.belief_revision) == (1, 1, 1)


class ScriptedPlanner:
    """A planner whose answer names the beliefs that it received."""

    def answer(self, query: PlanQuery) -> PlanAnswer:
        return PlanAnswer(f"{query.temporal.text} {query.spatial.text}", (NORTH,), "")


class ScriptedCritic:
    """A critic whose answer names the beliefs that it received."""

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        return CritiqueAnswer(Verdict.ACCEPTED, reason=f"{query.temporal.text} {query.spatial.text}")


@pytest.mark.parametrize("revision", [0, 1, 2])
def test_planner_and_critic_use_the_beliefs_of_the_named_revision_and_not_the_newest(revision: int) -> None:
    planner = Planner.of_plans(PlannerConfig(), ScriptedPlanner())
    critic = Critic(CriticConfig(), ScriptedCritic())
    beliefs: list[Emission] = [
        pair
        for number in (2, 0, 1)
        for pair in (
            (
                topics.TEMPORAL_BELIEF,
                TemporalBelief(at=StepStamp(task_id="t", revision=number), text=f"history {number}"),
            ),
            (
                topics.SPATIAL_BELIEF,
                SpatialBelief(at=StepStamp(task_id="t", revision=number), text=f"map {number}"),
            ),
        )
    ]
    request = topics.PLAN_REQUEST, PlanRequest(at=StepStamp(task_id="t"), belief_revision=revision)
    proposal = topics.ACTION_PROPOSAL, ActionProposal(at=StepStamp(task_id="t"), belief_revision=revision)

    emissions = [
        message
        for component, question in ((planner, request), (critic, proposal))
        for topic, item in (*beliefs, question)
        for _, message in component.handle(topic, item)
        if isinstance(message, Plan | Critique)
    ]

    plan, critique = emissions
    assert isinstance(plan, Plan)
    assert isinstance(critique, Critique)
    assert plan.subgoal == critique.reason == f"history {revision} map {revision}"
    assert [made_from.revision for made_from in plan.derived_from] == [0, revision, revision]
