"""Tests of the executor in text worlds: commands instead of skills, the end of an episode, and roles that give no
answer or do not agree."""

from __future__ import annotations

from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.executor_config import ACT, END, TextExecutorConfig
from stma_ros.components.decision.text_grounding import TextGrounding
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Outcome,
    PlanRequest,
    Result,
    Task,
    TaskStatus,
    Verdict,
)
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.stepped import StepStamp
from support.components.executor_game import ExecutorGame

COMMANDS = ("go north", "open fridge", "eat apple")
NORTH, OPEN, EAT = (Action("command", (text,)) for text in COMMANDS)


class Game(ExecutorGame):
    """A game in which the beliefs of a step are delivered with it, or never if beliefs is False."""

    def __init__(
        self, *, beliefs: bool = True, max_commands: int = 0, on_deadlock: str = ACT, max_rounds: int = 3
    ) -> None:
        config = TextExecutorConfig(max_rounds=max_rounds, on_deadlock=on_deadlock)
        executor = Executor(config, TextGrounding(beliefs=(topics.SPATIAL_BELIEF,) if beliefs else ()))
        super().__init__(executor, Task(task_id="t", text="cook", max_commands=max_commands))
        self.beliefs = beliefs

    def step(self, number: int, episode: EpisodeState = EpisodeState.RUNNING, feedback: str = "") -> None:
        observation = Observation(
            task_id="t", step=number, feedback=feedback, admissible_commands=COMMANDS, episode=episode
        )
        self.say(topics.OBSERVATION, observation)
        self.say(topics.OUTCOME, Outcome(task_id="t", step=number, result=Result.SUCCEEDED))
        if self.beliefs:
            self.say(topics.SPATIAL_BELIEF, SpatialBelief(at=StepStamp(task_id="t", step=number)))

    def plan(
        self, *actions: Action, error: Error = Error(), subgoal: str = "eat", reasoning: str = ""
    ) -> None:
        super().plan(*actions, error=error, subgoal=subgoal, reasoning=reasoning)


def test_allowed_actions_are_the_admissible_commands() -> None:
    game = Game()
    game.step(0, feedback="Hello.")

    asked = game.last(topics.PLAN_REQUEST, PlanRequest)
    assert asked.allowed_actions == (NORTH, OPEN, EAT, Action("give_up"))
    assert "Hello." in asked.observation


def test_agent_says_that_a_task_is_done_where_the_world_does_not() -> None:
    game = Game()
    game.step(0, EpisodeState.UNJUDGED)
    asked = game.last(topics.PLAN_REQUEST, PlanRequest)
    assert asked.allowed_actions[-3:] == (Action("finish"), Action("finish_unverified"), Action("give_up"))

    game.plan(Action("finish"), reasoning="The fridge is open.")
    game.judge()
    assert (game.result.status, game.result.text) == (TaskStatus.SUCCEEDED, "The fridge is open.")


def test_skill_request_names_its_subgoal() -> None:
    game = Game()
    game.step(0)
    game.plan(OPEN)
    game.judge()

    assert (game.request.action, game.request.subgoal) == (OPEN, "eat")


def test_end_of_the_episode_ends_the_task() -> None:
    for episode, status, code in (
        (EpisodeState.WON, TaskStatus.SUCCEEDED, ErrorCode.NONE),
        (EpisodeState.LOST, TaskStatus.FAILED, ErrorCode.EPISODE_LOST),
    ):
        game = Game()
        game.step(0)
        game.plan(EAT)
        game.judge()
        game.step(1, episode, "That was all.")

        assert (game.result.status, game.result.error.code, game.result.commands) == (status, code, 1)
        assert "That was all." in game.result.text


def test_disallowed_command_is_not_executed_and_costs_a_command() -> None:
    game = Game(max_commands=1)
    game.step(0)
    game.plan(Action("command", ("fly",)))
    game.judge()

    assert game.count(topics.SKILL_REQUEST) == 1  # the first look
    assert (game.result.error.code, game.result.commands) == (ErrorCode.OUT_OF_COMMANDS, 1)


def test_disallowed_command_after_the_budget_costs_nothing() -> None:
    game = Game(max_commands=1)
    game.step(0)
    game.plan(OPEN)
    game.judge()
    game.step(1)
    game.plan(Action("command", ("fly",)))
    game.judge()

    assert (game.result.error.code, game.result.commands) == (ErrorCode.OUT_OF_COMMANDS, 1)


class TestRolesWithoutAnAnswer:
    FAILED = Error(ErrorCode.ROLE_FAILED, "gibberish")

    def test_planner_without_an_answer_is_asked_again_with_the_reason(self) -> None:
        game = Game()
        game.step(0)
        game.plan(error=self.FAILED)

        assert game.count(topics.PLAN_REQUEST) == 2
        assert "gibberish" in game.last(topics.PLAN_REQUEST, PlanRequest).feedback

    def test_planner_that_never_answers_ends_the_task(self) -> None:
        game = Game(max_rounds=3)
        game.step(0)
        for _ in range(3):
            game.plan(error=self.FAILED)

        assert (game.result.status, game.result.error.code) == (TaskStatus.ERROR, ErrorCode.ROLE_FAILED)

    def test_critic_without_an_answer_is_asked_again_about_the_same_action(self) -> None:
        game = Game()
        game.step(0)
        game.plan(OPEN, EAT)
        game.judge(Verdict.UNKNOWN)

        assert game.count(topics.PLAN_REQUEST) == 1
        assert game.last(topics.ACTION_PROPOSAL, ActionProposal).action == OPEN
        game.judge()
        assert game.request.action == OPEN

    def test_critic_that_never_answers_accepts_nothing(self) -> None:
        game = Game(max_rounds=2)
        game.step(0)
        for _ in range(2):
            game.plan(OPEN)
            for _ in range(2):
                game.judge(Verdict.UNKNOWN)

        assert game.count(topics.SKILL_REQUEST) == 1
        assert game.result.error.code == ErrorCode.NO_PROGRESS


class TestDeadlock:
    def refuse(self, game: Game, *refused: tuple[Action, Criterion]) -> None:
        game.step(0)
        for action, criterion in refused:
            game.plan(action)
            game.judge(Verdict.REJECTED, criterion=criterion)

    def test_deadlock_executes_the_first_action_that_is_possible_and_safe(self) -> None:
        game = Game(max_rounds=3)
        self.refuse(game, (EAT, Criterion.SAFETY), (OPEN, Criterion.ALIGNMENT), (NORTH, Criterion.SPATIAL))

        assert game.request.action == OPEN

    def test_deadlock_without_a_possible_action_ends_the_task(self) -> None:
        game = Game(max_rounds=2)
        self.refuse(game, (EAT, Criterion.SAFETY), (Action("command", ("fly",)), Criterion.ALIGNMENT))

        assert game.result.error.code == ErrorCode.NO_PROGRESS

    def test_deadlock_ignores_a_last_plan_without_an_answer(self) -> None:
        game = Game(max_rounds=2)
        self.refuse(game, (OPEN, Criterion.ALIGNMENT))
        game.plan(error=Error(ErrorCode.ROLE_FAILED, "gibberish"))

        assert game.request.action == OPEN

    def test_deadlock_with_a_spent_budget_ends_out_of_commands(self) -> None:
        for refused in (OPEN, Action("command", ("fly",))):  # one that could be done, and one that could not
            game = Game(max_rounds=1, max_commands=1)
            game.step(0)
            game.plan(NORTH)
            game.judge()
            game.step(1)
            game.plan(refused)
            game.judge(Verdict.REJECTED, criterion=Criterion.ALIGNMENT)

            assert game.result.error.code == ErrorCode.OUT_OF_COMMANDS

    def test_deadlock_with_the_setting_end_ends_the_task_without_progress(self) -> None:
        game = Game(max_rounds=1, on_deadlock=END)
        self.refuse(game, (OPEN, Criterion.ALIGNMENT))

        assert game.result.error.code == ErrorCode.NO_PROGRESS


def test_action_is_judged_by_the_beliefs_of_its_plan_if_only_plans_refresh_them() -> None:
    game = Game(beliefs=False)
    game.step(0)
    game.plan(OPEN, NORTH)
    game.judge()
    assert not game.request.refresh_beliefs
    game.step(1)

    proposal = game.last(topics.ACTION_PROPOSAL, ActionProposal)
    assert (proposal.action, proposal.step, proposal.belief_step) == (NORTH, 1, 0)
    game.judge(Verdict.REJECTED)
    game.plan(EAT)
    assert game.last(topics.ACTION_PROPOSAL, ActionProposal).belief_step == 1
