"""The executor: the only component that sequences a task; all others react to its messages.

In each step it waits for everything that belongs to the step, takes the next action of the plan (or asks for a plan),
proposes it to the critic, and has an accepted action executed. The next step begins with the outcome (STMA, section
4.3).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stma_ros.components.decision.evidence_lookup import EvidenceLookup
from stma_ros.components.decision.executor_config import ACT, ExecutorConfig
from stma_ros.components.decision.executor_messages import (
    NAME,
    action_proposal,
    plan_request,
    recall_request,
    refused_task,
    skill_request,
    task_result,
    wait_alarm,
)
from stma_ros.components.decision.grounding import OBSERVE, Grounding, Placement
from stma_ros.components.decision.step_clock import StepClock
from stma_ros.components.decision.task_run import Phase, TaskRun, newest_header, step_of
from stma_ros.components.step_synchronizer import StepBuffer, StepInputs
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.control import Alarm, Cancel, Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionKind,
    Criterion,
    Critique,
    Evidence,
    Outcome,
    Plan,
    Result,
    SkillSet,
    SkillTarget,
    Task,
    TaskStatus,
    Verdict,
)
from stma_ros.types.remembering import ObjectQueryResult
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Header, Time

ENDED_TASKS = 64
"""Ids of ended tasks that are stored to recognise duplicates."""

_ENDS = {
    words.SKILL_FINISH: TaskStatus.SUCCEEDED,
    words.SKILL_ANSWER: TaskStatus.SUCCEEDED,
    words.SKILL_FINISH_UNVERIFIED: TaskStatus.UNVERIFIED,
}
"""How a task ends with each action whose plan holds the answer."""


class Executor:
    """A Component that runs one task at a time."""

    def __init__(self, config: ExecutorConfig, grounding: Grounding, *, judged: bool = True) -> None:
        """Creates an executor without a task.

        Args:
            config: the settings.
            grounding: translation between actions and places of the world.
            judged: whether a critic judges each action before it is done.
        """
        self._config = config
        self._judged = judged
        self._grounding = grounding
        self._refreshes = any(topic in topics.BELIEFS for topic in self._grounding.inputs)
        self._skills: SkillSet | None = None
        self._own_kinds = {schema.name: schema.kind for schema in self._grounding.own_skills}
        self._steps = StepBuffer(self._grounding.inputs)
        self._clock = StepClock(NAME, config.idle_step_period)
        self._run: TaskRun | None = None
        self._ended: deque[str] = deque(maxlen=ENDED_TASKS)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case Task():
                return self._on_task(message)
            case SkillSet():
                self._skills = message
                return self._continue()
            case Cancel():
                return self._on_cancel(message)
            case Fault():
                return self._on_fault(message)
            case Alarm() if message.due != Time():
                return self._clock.expired(message, self._run is None)
            case Alarm():
                return self._on_deadline(message)
            case Plan():
                return self._on_plan(message)
            case Critique():
                return self._on_critique(message)
            case ObjectQueryResult():
                return self._on_query_result(message)
            case SpatialBelief() if not message.at.task_id:
                return self._clock.answered(message.at.step)
        return self._continue() if self._steps.put(topic, message) else ()

    # -- beginning and end

    def _on_task(self, task: Task) -> Iterator[Emission]:
        if self._run is not None:
            running = self._run.task
            if running.task_id != task.task_id:
                text = f"{running.task_id} ({running.text!r}) is running; cancel it or wait for its end"
                yield topics.TASK_RESULT, refused_task(task, Error(ErrorCode.BUSY, text))
            return
        if task.task_id in self._ended:
            return  # a duplicate of a task that is over
        self._run = TaskRun(task, cause=(message_ref(topics.TASK, task),))
        # The first step starts after the steps that were begun while no task ran.
        stamp = max(task.header.stamp, self._clock.reached)
        yield from self._execute(OBSERVE, replace(task.header, stamp=stamp))

    def _end(
        self,
        status: TaskStatus,
        error: Error = Error(),
        text: str = "",
        target: SkillTarget = SkillTarget(),
        evidence: tuple[Evidence, ...] = (),
    ) -> Iterator[Emission]:
        run = self._run
        assert run is not None
        header = newest_header(self._steps, run)
        result = task_result(run, header, status, error, text, target, evidence)
        self._ended.append(run.task.task_id)
        self._run = None
        yield from self._clock.resume(header.stamp)
        yield topics.ALARM, wait_alarm(run.task.task_id, header)
        yield topics.TASK_RESULT, result

    # -- one step

    def _continue(self) -> Iterable[Emission]:
        """Continues if all messages of the present step have come."""
        run = self._run
        if run is not None and run.phase is Phase.STEP:
            return self._continue_step(run)
        if run is not None and run.phase is Phase.RECALL:
            return self._continue_recall(run)
        return ()

    def _continue_step(self, run: TaskRun) -> Iterator[Emission]:
        outcome = self._steps.get(topics.OUTCOME, Outcome, step_of(run))
        if outcome is None:
            return
        run.cause = (message_ref(topics.OUTCOME, outcome),)
        if run.cancel_reason is not None or outcome.result == Result.CANCELED:
            yield from self._end_canceled(run.cancel_reason or outcome.error.text)
            return
        if outcome.error.code in (ErrorCode.WORLD_FAILED, ErrorCode.NOT_ACTIVE):
            yield from self._end(TaskStatus.ERROR, outcome.error)
            return
        observation = self._steps.get(topics.OBSERVATION, Observation, step_of(run))
        if observation is not None and observation.episode.is_over:
            yield from self._end_with_episode(observation)
            return
        step = self._inputs(run)
        if step is None or self._skills is None:
            return
        if outcome.result == Result.FAILED:
            run.remaining.clear()
            run.feedback = f"{outcome.action} failed ({outcome.error.code.name}): {outcome.error.text}"
        yield from self._decide(run, step, self._skills)

    def _continue_recall(self, run: TaskRun) -> Iterator[Emission]:
        step = self._inputs(run)
        if step is not None and self._skills is not None:
            run.belief_step, run.belief_revision = run.step, run.recalls
            yield from self._decide(run, step, self._skills)

    def _inputs(self, run: TaskRun) -> StepInputs | None:
        """Returns the inputs from which the present step is decided; None while one is missing."""
        return self._steps.inputs(step_of(run), run.recalls)

    @property
    def _known_skills(self) -> SkillSet:
        assert self._skills is not None, "no step is decided before the skills are known"
        return self._skills

    def _kind(self, action: Action) -> ActionKind:
        return self._own_kinds.get(action.skill, ActionKind.WORLD)

    def _end_with_episode(self, observation: Observation) -> Iterator[Emission]:
        """Ends the task because the world ended the episode."""
        if observation.episode == EpisodeState.WON:
            yield from self._end(TaskStatus.SUCCEEDED, text=observation.feedback)
        else:
            error = Error(ErrorCode.EPISODE_LOST, f"the world ended the episode: {observation.feedback}")
            yield from self._end(TaskStatus.FAILED, error)

    def _decide(self, run: TaskRun, step: StepInputs, skills: SkillSet) -> Iterator[Emission]:
        run.allowed = self._grounding.allowed_actions(skills.skills, step)
        if run.remaining:
            yield from self._propose(run, step)
        else:
            yield from self._request_plan(run, step)

    def _request_plan(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        if run.rounds >= self._config.max_rounds:
            yield from self._break_deadlock(run, step)
            return
        run.phase = Phase.PLAN
        run.belief_step, run.belief_revision = run.step, run.recalls
        request = plan_request(run, step, self._known_skills, self._grounding)
        run.rounds += 1
        run.requests += 1
        yield self._alarm(run, self._config.plan_deadline, "a plan from the planner")
        yield topics.PLAN_REQUEST, request

    def _break_deadlock(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        """Applies ExecutorConfig.on_deadlock after the rounds of this step are spent."""
        if run.budget_is_spent:  # no further action could be executed
            yield from self._end_out_of_commands(run)
        elif run.override is not None:
            run.pending = run.override
            yield from self._next_step(run, step)
        elif run.plan.error.code == ErrorCode.ROLE_FAILED:
            yield from self._end(TaskStatus.ERROR, run.plan.error)
        else:
            text = (
                f"no plan passed the critic in {run.rounds} rounds at step {run.step}; last: {run.feedback}"
            )
            yield from self._end(TaskStatus.FAILED, Error(ErrorCode.NO_PROGRESS, text))

    def _awaited(
        self, answer: Plan | Critique, phase: Phase, asked: int
    ) -> tuple[TaskRun, StepInputs] | None:
        """Returns the run and the step that an answer belongs to; None if it was not expected."""
        run = self._run
        if run is None or run.phase is not phase:
            return None
        if (answer.task_id, answer.step, answer.revision) != (run.task.task_id, run.step, asked - 1):
            return None
        step = self._inputs(run)
        assert step is not None  # otherwise no request would have been sent
        return run, step

    def _on_plan(self, plan: Plan) -> Iterator[Emission]:
        awaited = self._awaited(plan, Phase.PLAN, self._run.requests if self._run else 0)
        if awaited is None:
            return
        run, step = awaited
        run.plan = plan
        if plan.error.code == ErrorCode.ROLE_FAILED:
            run.feedback = f"the last answer could not be used: {plan.error.text}"
            yield from self._request_plan(run, step)
            return
        if plan.error and not plan.actions:
            status = TaskStatus.FAILED if plan.error.code < ErrorCode.ROLE_FAILED else TaskStatus.ERROR
            yield from self._end(status, plan.error)
            return
        run.remaining = list(plan.actions)
        if run.remaining:
            yield from self._propose(run, step)
        else:
            run.feedback = "the plan held no action"
            yield from self._request_plan(run, step)

    def _propose(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        run.pending = run.remaining.pop(0)
        if not self._judged:
            run.cause = (message_ref(topics.PLAN, run.plan),)
            yield from self._do(run, step)
            return
        run.phase = Phase.CRITIQUE
        belief = (run.step, run.recalls) if self._refreshes else (run.belief_step, run.belief_revision)
        proposal = action_proposal(run, step, self._known_skills, self._grounding, belief)
        run.proposals += 1
        yield self._alarm(run, self._config.critique_deadline, "a critique from the critic")
        yield topics.ACTION_PROPOSAL, proposal

    def _on_critique(self, critique: Critique) -> Iterator[Emission]:
        awaited = self._awaited(critique, Phase.CRITIQUE, self._run.proposals if self._run else 0)
        if awaited is None:
            return
        run, step = awaited
        run.cause = (message_ref(topics.CRITIQUE, critique),)
        if critique.verdict == Verdict.UNKNOWN and run.proposals < self._config.max_rounds:
            run.remaining.insert(0, run.pending)  # the critic had no answer: it is asked again
            yield from self._propose(run, step)
        elif critique.verdict != Verdict.ACCEPTED:
            run.rejected.append(run.pending)
            if self._may_override(run, critique):
                run.override = run.override or run.pending
            yield from self._replan(run, step, f"{run.pending} was rejected: {critique.reason}")
        else:
            yield from self._do(run, step)

    def _do(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        """Does the pending action, if it is allowed."""
        if self._kind(run.pending) is ActionKind.TERMINAL and run.pending in run.allowed:
            yield from self._conclude(run, step)
        elif self._kind(run.pending) is ActionKind.MEMORY and run.pending in run.allowed:
            yield from self._recall(run, step)
        elif run.budget_is_spent:
            yield from self._end_out_of_commands(run)
        elif run.pending in run.allowed:
            yield from self._next_step(run, step)
        else:
            yield from self._block(run, step)

    def _block(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        """Rejects an action outside of the allowed ones, whatever the critique; it costs a command."""
        run.commands += 1
        run.rejected.append(run.pending)
        if run.budget_is_spent:
            yield from self._end_out_of_commands(run)
        else:
            yield from self._replan(
                run, step, f"{run.pending} is not among the allowed actions and was not executed"
            )

    def _may_override(self, run: TaskRun, critique: Critique) -> bool:
        """Returns whether a rejected action may be executed if planner and critic do not agree."""
        return (
            self._config.on_deadlock == ACT
            and critique.verdict == Verdict.REJECTED
            and critique.criterion not in (Criterion.VALIDITY, Criterion.SAFETY)
            and run.pending in run.allowed
            and self._kind(run.pending) is ActionKind.WORLD
        )

    def _end_out_of_commands(self, run: TaskRun) -> Iterator[Emission]:
        text = f"the budget of {run.task.max_commands} commands is spent"
        yield from self._end(TaskStatus.FAILED, Error(ErrorCode.OUT_OF_COMMANDS, text))

    def _replan(self, run: TaskRun, step: StepInputs, feedback: str) -> Iterator[Emission]:
        run.remaining.clear()
        run.feedback = feedback
        yield from self._request_plan(run, step)

    def _conclude(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        if run.pending.skill == words.SKILL_REPORT:
            (target,) = self._grounding.place(run.pending, step).targets
            yield from self._end(TaskStatus.SUCCEEDED, text=run.plan.reasoning, target=target)
        elif run.pending.skill in _ENDS:
            run.lookup = EvidenceLookup(run.task.task_id, self._located(run.plan.evidence, step))
            if run.lookup.is_complete:
                yield from self._end_with_answer(run, run.lookup)
                return
            run.phase = Phase.EVIDENCE
            yield self._alarm(run, self._config.step_deadline, "the pictures of the evidence")
            for query in run.lookup.queries(newest_header(self._steps, run)):
                yield topics.EVIDENCE_QUERY, query
        else:
            code = run.plan.error.code or ErrorCode.TARGET_NOT_FOUND
            yield from self._end(TaskStatus.FAILED, Error(code, run.plan.reasoning))

    def _on_query_result(self, result: ObjectQueryResult) -> Iterator[Emission]:
        run = self._run
        if run is None or run.lookup is None or not run.lookup.take(result):
            return
        if run.lookup.is_complete:
            yield from self._end_with_answer(run, run.lookup)

    def _end_with_answer(self, run: TaskRun, lookup: EvidenceLookup) -> Iterator[Emission]:
        evidence = lookup.evidence
        target = next((each.thing for each in evidence if each.thing.id), SkillTarget())
        status = _ENDS[run.pending.skill]
        yield from self._end(status, text=run.plan.reasoning, target=target, evidence=evidence)

    def _located(self, evidence: tuple[Evidence, ...], step: StepInputs) -> tuple[Evidence, ...]:
        """Returns the evidence with the places of its things."""
        located = []
        for each in evidence:
            if each.thing.id:
                report = Action(words.SKILL_REPORT, (each.thing.id,))
                (target,) = self._grounding.place(report, step).targets
                each = replace(each, thing=target)
            located.append(each)
        return tuple(located)

    def _next_step(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        run.begin_step()
        yield from self._execute(run.pending, step.observation.header, step)

    def _execute(self, action: Action, header: Header, step: StepInputs | None = None) -> Iterator[Emission]:
        run = self._run
        assert run is not None
        run.phase = Phase.STEP
        placement = self._grounding.place(action, step) if step else Placement()
        request = skill_request(run, action, header, placement, refresh_beliefs=self._refreshes)
        yield self._alarm(
            run, self._config.step_deadline, f"the outcome of {action} and the beliefs after it"
        )
        yield topics.SKILL_REQUEST, request

    def _recall(self, run: TaskRun, step: StepInputs) -> Iterator[Emission]:
        """Requests the pending action of a memory. It is not a step of the world, and new beliefs of the same step
        follow."""
        if run.recalls >= self._config.max_recalls:
            run.rejected.append(run.pending)
            text = f"{run.pending} was not done: the {run.recalls} memory actions of this step are spent"
            yield from self._replan(run, step, text)
            return
        run.begin_recall()
        run.phase = Phase.RECALL
        request = recall_request(run, step)
        run.cause = (message_ref(topics.RECALL_REQUEST, request),)
        yield self._alarm(
            run, self._config.step_deadline, f"the beliefs after memory action {run.recalls}, {run.pending}"
        )
        yield topics.RECALL_REQUEST, request
        yield from self._continue()  # if a plan does not require beliefs

    # -- cancels, alarms and faults

    def _alarm(self, run: TaskRun, duration: float, waiting_for: str) -> Emission:
        name = f"step {run.step}, round {run.requests}: {waiting_for}"
        run.alarm = wait_alarm(run.task.task_id, newest_header(self._steps, run), duration, name)
        return topics.ALARM, run.alarm

    def _on_deadline(self, alarm: Alarm) -> Iterator[Emission]:
        run = self._run
        if run is None or (alarm.id, alarm.waiting_for) != (run.alarm.id, run.alarm.waiting_for):
            return  # an alarm of an earlier wait, which was in the inbox before it was replaced
        run.cause = (message_ref(topics.ALARM_EXPIRED, alarm),)
        if run.phase is Phase.EVIDENCE and run.lookup is not None:
            yield from self._end_with_answer(run, run.lookup)  # an answer needs no picture
            return
        missing = ", ".join(self.waiting_for())
        text = f"{alarm.waiting_for} did not come within {alarm.duration:g} s (missing: {missing})"
        yield from self._end(TaskStatus.ERROR, Error(ErrorCode.DEADLINE_EXPIRED, text))

    def waiting_for(self) -> tuple[str, ...]:
        """Returns the topics whose messages the running task waits for; empty if no task runs."""
        run = self._run
        if run is None:
            return ()
        if run.phase is Phase.PLAN:
            return (topics.PLAN,)
        if run.phase is Phase.CRITIQUE:
            return (topics.CRITIQUE,)
        if run.phase is Phase.EVIDENCE:
            return (topics.OBJECT_QUERY_RESULT,)
        missing = self._steps.missing(step_of(run), run.recalls)
        return missing if self._skills is not None else (topics.SKILLS, *missing)

    def _on_cancel(self, cancel: Cancel) -> Iterator[Emission]:
        run = self._run
        if run is None or (cancel.task_id and cancel.task_id != run.task.task_id):
            return
        run.cause = (message_ref(topics.CANCEL, cancel),)
        skill_runs = self._steps.get(topics.OUTCOME, Outcome, step_of(run)) is None
        if run.phase is Phase.STEP and skill_runs:
            run.cancel_reason = cancel.reason
            yield self._alarm(run, self._config.cancel_deadline, "the end of the canceled skill")
        else:
            yield from self._end_canceled(cancel.reason)

    def _end_canceled(self, reason: str) -> Iterator[Emission]:
        yield from self._end(TaskStatus.CANCELED, Error(ErrorCode.CANCELED, reason or "canceled"))

    def _on_fault(self, fault: Fault) -> Iterator[Emission]:
        if self._run is not None and fault.fatal:
            self._run.cause = (message_ref(topics.FAULT, fault),)
            text = fault.error.text
            if not text.startswith(f"{fault.node} "):  # "planner died; ..." names it already
                text = f"{fault.node}: {text}"
            yield from self._end(TaskStatus.ERROR, Error(fault.error.code, text))
