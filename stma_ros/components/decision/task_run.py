"""The state of a task that the executor runs."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from stma_ros.components.decision.evidence_lookup import EvidenceLookup
from stma_ros.components.decision.grounding import OBSERVE
from stma_ros.components.step_synchronizer import StepBuffer, StepKey
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types.common import MessageRef
from stma_ros.types.control import Alarm
from stma_ros.types.planning import Action, Plan, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header


class Phase(enum.Enum):
    """The message that a task waits for."""

    STEP = "the skill and the beliefs after it"
    PLAN = "the planner"
    CRITIQUE = "the critic"
    RECALL = "a memory action and the beliefs after it"
    EVIDENCE = "the pictures of what the answer rests on"


@dataclass
class TaskRun:
    """The state of the running task."""

    task: Task
    phase: Phase = Phase.STEP
    step: int = 0
    belief_step: int = 0  # step of the beliefs that the plan was made from
    belief_revision: int = 0  # revision of these beliefs
    commands: int = 0
    memory_actions: int = 0
    recalls: int = 0  # memory actions at this step, which is the revision of its newest beliefs
    rounds: int = 0  # plans requested with these beliefs
    requests: int = 0
    proposals: int = 0
    allowed: AllowedActions = field(default_factory=AllowedActions)
    pending: Action = OBSERVE
    feedback: str = ""
    rejected: list[Action] = field(default_factory=list)
    override: Action | None = None  # the first rejected action that could be executed nevertheless
    remaining: list[Action] = field(default_factory=list)
    plan: Plan = field(default_factory=Plan)
    lookup: EvidenceLookup | None = None  # of the evidence of the answer with which the task ends
    cancel_reason: str | None = None
    cause: tuple[MessageRef, ...] = ()  # reference to the message that caused the present step
    alarm: Alarm = field(default_factory=Alarm)

    @property
    def budget_is_spent(self) -> bool:
        """Whether the task's limit of commands is reached."""
        return 0 < self.task.max_commands <= self.commands

    def begin_step(self) -> None:
        """Begins the step in which the pending action is executed."""
        self.commands += 1
        self.step += 1
        self.recalls = self.rounds = self.requests = self.proposals = 0
        self.feedback = ""
        self.rejected.clear()
        self.override = None

    def begin_recall(self) -> None:
        """Begins the memory action that is pending; the step remains the same."""
        self.memory_actions += 1
        self.recalls += 1
        self.rounds = 0


def step_of(run: TaskRun) -> StepKey:
    """Returns the key of the present step."""
    return run.task.task_id, run.step


def newest_header(steps: StepBuffer, run: TaskRun) -> Header:
    """Returns the header of the task's newest observation; before the first one, that of the task."""
    for step in (run.step, run.step - 1):
        observation = steps.get(topics.OBSERVATION, Observation, (run.task.task_id, step))
        if observation is not None:
            return observation.header
    return run.task.header
