"""Builds the messages that the executor sends."""

from __future__ import annotations

from stma_ros.components.decision.grounding import Grounding, Placement
from stma_ros.components.decision.task_run import TaskRun
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.control import Alarm
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Evidence,
    PlanRequest,
    RecallRequest,
    SkillRequest,
    SkillSet,
    SkillTarget,
    Task,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp

NAME = "executor"


def plan_request(run: TaskRun, step: StepInputs, skills: SkillSet, grounding: Grounding) -> PlanRequest:
    """Returns the next request to the planner, with the feedback of this step."""
    return PlanRequest(
        at=_stamp(run, step, run.requests),
        belief_revision=run.belief_revision,
        task=run.task.text,
        observation=grounding.observation(step),
        feedback=run.feedback,
        rejected=tuple(run.rejected),
        allowed_actions=run.allowed.listed,
        derived_from=(*run.cause, *_sources(step, skills)),
    )


def action_proposal(
    run: TaskRun, step: StepInputs, skills: SkillSet, grounding: Grounding, belief: tuple[int, int]
) -> ActionProposal:
    """Returns the pending action as a proposal to the critic.

    Args:
        run: the task.
        step: inputs of the present step.
        skills: skills of the world.
        grounding: grounding of the agent.
        belief: step and revision of the beliefs by which the action is judged.
    """
    belief_step, belief_revision = belief
    return ActionProposal(
        at=_stamp(run, step, run.proposals),
        belief_step=belief_step,
        belief_revision=belief_revision,
        task=run.task.text,
        observation=grounding.observation(step),
        subgoal=run.plan.subgoal,
        action=run.pending,
        allowed_actions=run.allowed.listed,
        derived_from=(message_ref(topics.PLAN, run.plan), *_sources(step, skills)),
    )


def skill_request(
    run: TaskRun, action: Action, header: Header, placement: Placement, *, refresh_beliefs: bool
) -> SkillRequest:
    """Returns the request to the world to execute an action."""
    return SkillRequest(
        header=Header(header.stamp, placement.frame_id),
        request_id=f"{run.task.task_id}/{run.step}",
        task_id=run.task.task_id,
        step=run.step,
        subgoal=run.plan.subgoal,
        action=action,
        targets=placement.targets,
        base_goal=placement.base_goal,
        place_goal=placement.place_goal,
        refresh_beliefs=refresh_beliefs,
        derived_from=run.cause,
    )


def recall_request(run: TaskRun, step: StepInputs) -> RecallRequest:
    """Returns the request to a memory to execute the pending action."""
    return RecallRequest(
        at=_stamp(run, step, run.recalls),
        subgoal=run.plan.subgoal,
        action=run.pending,
        derived_from=run.cause,
    )


def wait_alarm(task_id: str, header: Header, duration: float = 0.0, waiting_for: str = "") -> Alarm:
    """Returns the alarm of a task's wait; it replaces the previous alarm, and a duration of 0 cancels it."""
    return Alarm(
        header=header, component=NAME, id=f"{task_id}/wait", duration=duration, waiting_for=waiting_for
    )


def task_result(
    run: TaskRun,
    header: Header,
    status: TaskStatus,
    error: Error,
    text: str,
    target: SkillTarget,
    evidence: tuple[Evidence, ...],
) -> TaskResult:
    """Returns the result of the running task."""
    plan = (message_ref(topics.PLAN, run.plan),) if run.plan.task_id else ()
    return TaskResult(
        header=header,
        task_id=run.task.task_id,
        status=status,
        error=error,
        text=text or error.text,
        target=target,
        evidence=evidence,
        commands=run.commands,
        memory_actions=run.memory_actions,
        derived_from=(*run.cause, *plan),
    )


def refused_task(task: Task, error: Error) -> TaskResult:
    """Returns the result of a task that was not begun."""
    return TaskResult(
        header=task.header, task_id=task.task_id, status=TaskStatus.ERROR, error=error, text=error.text
    )


def _stamp(run: TaskRun, step: StepInputs, revision: int) -> StepStamp:
    return StepStamp(
        header=step.observation.header, task_id=run.task.task_id, step=run.step, revision=revision
    )


def _sources(step: StepInputs, skills: SkillSet) -> tuple[MessageRef, ...]:
    return (*step.sources, message_ref(topics.SKILLS, skills))
