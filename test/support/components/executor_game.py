"""Plays planner, critic, memory and world against one executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.grounding import GIVE_UP
from stma_ros.components.decision.text_grounding import TextGrounding
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionKind,
    ActionProposal,
    ArgumentKind,
    Criterion,
    Critique,
    Plan,
    PlanRequest,
    RecallRequest,
    SkillRequest,
    SkillSchema,
    SkillSet,
    Task,
    TaskResult,
    Verdict,
)
from stma_ros.types.stepped import StepStamp

MessageT = TypeVar("MessageT", bound=Message)


class ExecutorGame:
    """Hands messages to an executor, collects what it sends, and answers its requests.

    Attributes:
        sent: everything that the executor has sent, in order.
    """

    def __init__(self, executor: Executor, task: Task, skills: SkillSet = SkillSet()) -> None:
        self.executor = executor
        self.task_id = task.task_id
        self.sent: list[Emission] = []
        self.say(topics.SKILLS, skills)
        self.say(topics.TASK, task)

    def say(self, topic: str, message: Message) -> None:
        self.sent += self.executor.handle(topic, message)

    def plan(self, *actions: Action, error: Error = Error(), subgoal: str = "", reasoning: str = "") -> None:
        """Answers the newest plan request."""
        at = self._answer_to(self.plan_request)
        self.say(topics.PLAN, Plan(at=at, actions=actions, error=error, subgoal=subgoal, reasoning=reasoning))

    def judge(
        self, verdict: Verdict = Verdict.ACCEPTED, reason: str = "", criterion: Criterion = Criterion.NONE
    ) -> None:
        """Answers the newest proposal."""
        at = self._answer_to(self.proposal)
        self.say(topics.CRITIQUE, Critique(at=at, verdict=verdict, criterion=criterion, reason=reason))

    def last(self, topic: str, kind: type[MessageT]) -> MessageT:
        """Returns the newest message that the executor has sent on a topic."""
        message = next(message for sent, message in reversed(self.sent) if sent == topic)
        assert isinstance(message, kind)
        return message

    def count(self, topic: str) -> int:
        """Returns how many messages the executor has sent on a topic."""
        return sum(sent == topic for sent, _ in self.sent)

    @property
    def plan_request(self) -> PlanRequest:
        return self.last(topics.PLAN_REQUEST, PlanRequest)

    @property
    def proposal(self) -> ActionProposal:
        return self.last(topics.ACTION_PROPOSAL, ActionProposal)

    @property
    def request(self) -> SkillRequest:
        return self.last(topics.SKILL_REQUEST, SkillRequest)

    @property
    def recall(self) -> RecallRequest:
        return self.last(topics.RECALL_REQUEST, RecallRequest)

    @property
    def result(self) -> TaskResult:
        return self.last(topics.TASK_RESULT, TaskResult)

    def _answer_to(self, asked: PlanRequest | ActionProposal) -> StepStamp:
        return StepStamp(task_id=self.task_id, step=asked.step, revision=asked.revision)


_OWN_SKILLS = (
    GIVE_UP,
    SkillSchema(name="retrieve", arguments=(ArgumentKind.OBJECT,), kind=ActionKind.MEMORY),
)


class RetrievingGrounding(TextGrounding):
    """Offers retrieval from memory in addition to the commands of a text world."""

    def __init__(
        self, retrievable: Callable[[StepInputs], Iterable[Action]], *, beliefs: bool = True
    ) -> None:
        """
        Args:
            retrievable: returns the retrievals that are allowed at a step.
            beliefs: whether each step waits for the spatial belief.
        """
        super().__init__(beliefs=(topics.SPATIAL_BELIEF,) if beliefs else ())
        self.own_skills = _OWN_SKILLS
        self._retrievable = retrievable

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> AllowedActions:
        allowed = super().allowed_actions(skills, step)
        return replace(allowed, listed=(*allowed.listed, *self._retrievable(step)))
