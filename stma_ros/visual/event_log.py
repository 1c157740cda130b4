"""Writes a log of events, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types.control import Fault
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    Result,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
    answer_of,
)
from stma_ros.types.remembering import MemoryReply, ObjectQuery, ObjectQueryResult
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.telemetry import ModelCall
from stma_ros.visual import paths
from stma_ros.visual.drawables import Drawn, Level, Remark
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.reasoning_pages import in_one_line, outcome, verdict

_LEVELS = {TaskStatus.SUCCEEDED: Level.GOOD, TaskStatus.UNVERIFIED: Level.WARNING}


class EventLog:
    """Writes a line for each plan, verdict, outcome, task, fault, question to the memory, and failed model call."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._proposals: dict[tuple[str, int, int], ActionProposal] = {}

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if isinstance(message, ActionProposal):
            # Of one step: a critique answers a proposal of its own step.
            self._proposals = {
                key: proposal
                for key, proposal in self._proposals.items()
                if key[:2] == (message.task_id, message.step)
            }
            self._proposals[message.task_id, message.step, message.revision] = message
        for path, text, level in self._lines(message):
            yield self._context.unplaced(path, Remark(in_one_line(text), level))

    def _lines(self, message: Message) -> Iterator[tuple[str, str, Level]]:
        match message:
            case Task():
                yield paths.TASKS_LOG, f"task: {message.text}", Level.INFO
            case TaskResult():
                level = _LEVELS.get(message.status, Level.ERROR)
                yield paths.TASKS_LOG, f"{message.status.name.lower()}: {answer_of(message)}", level
            case Plan():
                yield paths.PLANS_LOG, *_planned(message)
            case Critique():
                proposal = self._proposals.get((message.task_id, message.step, message.revision))
                accepted = message.verdict == Verdict.ACCEPTED
                line = f"critic, step {message.step}: {verdict(message, proposal)}"
                yield paths.CRITIC_LOG, line, Level.GOOD if accepted else Level.WARNING
            case Outcome() if message.step > 0:
                done = message.result == Result.SUCCEEDED
                yield (
                    paths.OUTCOMES_LOG,
                    f"outcome: {outcome(message)}",
                    Level.GOOD if done else Level.WARNING,
                )
            case Fault():
                error = message.error
                yield (
                    paths.FAULTS_LOG,
                    f"fault of {message.node}: {error.code.name}: {error.text}",
                    Level.ERROR,
                )
            case KeyframeDetections() if message.error and not message.awaits_answer:
                what = "a keyframe is incomplete" if message.keyframe else "a frame was not used"
                yield paths.FAULTS_LOG, f"perception: {what}: {message.error.text}", Level.WARNING
            case ObjectQuery():
                yield paths.MEMORY_LOG, f"memory, asked: {message.description}", Level.INFO
            case ObjectQueryResult() | MemoryReply():
                level = Level.WARNING if message.error else Level.INFO
                yield paths.MEMORY_LOG, f"memory: {message.text or message.error.text}", level
            case ModelCall() if message.error:
                yield paths.MODELS_LOG, f"model, {message.role}: {message.error.text}", Level.WARNING
            case _:
                pass


def _planned(plan: Plan) -> tuple[str, Level]:
    if plan.error:
        return f"plan, step {plan.step}: none: {plan.error.text}", Level.ERROR
    actions = ", then ".join(str(action) for action in plan.actions) or "no action"
    return f"plan, step {plan.step}: {plan.subgoal}: {actions}", Level.INFO
