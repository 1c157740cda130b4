"""Collects the decisions of a run: plans and verdicts, with the inputs of planner and critic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, ActionProposal, Critique, Plan, PlanRequest

PLAN, VERDICT = "plan", "verdict"


class DecisionPoint(NamedTuple):
    """A decision point; sorts in the order of its task's run."""

    task_id: str
    step: int
    revision: int
    kind: str  # PLAN or VERDICT


@dataclass(frozen=True)
class DecisionInput:
    """The inputs of a decision; rejected, allowed: actions as text."""

    task: str = ""
    feedback: str = ""
    proposal: str = ""
    subgoal: str = ""
    observation: str = ""
    rejected: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    temporal_belief: str = ""
    spatial_belief: str = ""


@dataclass(frozen=True)
class DecisionOutput:
    """The output of a decision. subgoal, actions (as text): of a plan; verdict: its name; error: why there is
    no plan."""

    subgoal: str = ""
    actions: tuple[str, ...] = ()
    verdict: str = ""
    reason: str = ""
    error: str = ""


@dataclass(frozen=True)
class Decision:
    point: DecisionPoint
    seen: DecisionInput
    said: DecisionOutput


class DecisionCollector:
    """Collects decisions as text, as a tap or from a bag."""

    def __init__(self) -> None:
        self._seen: dict[DecisionPoint, DecisionInput] = {}
        self._belief_steps: dict[DecisionPoint, int] = {}
        self._said: dict[DecisionPoint, DecisionOutput] = {}
        self._temporal: dict[tuple[str, int], str] = {}
        self._spatial: dict[tuple[str, int], str] = {}
        self._order: dict[DecisionPoint, None] = {}

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case PlanRequest():
                point = DecisionPoint(message.task_id, message.step, message.revision, PLAN)
                self._ask(
                    point,
                    message.step,
                    DecisionInput(
                        message.task,
                        message.feedback,
                        observation=message.observation,
                        rejected=_texts(message.rejected),
                        allowed=_texts(message.allowed_actions),
                    ),
                )
            case ActionProposal():
                point = DecisionPoint(message.task_id, message.step, message.revision, VERDICT)
                self._ask(
                    point,
                    message.belief_step,
                    DecisionInput(
                        message.task,
                        proposal=str(message.action),
                        subgoal=message.subgoal,
                        observation=message.observation,
                        allowed=_texts(message.allowed_actions),
                    ),
                )
            case Plan():
                self._said[DecisionPoint(message.task_id, message.step, message.revision, PLAN)] = (
                    DecisionOutput(
                        message.subgoal,
                        _texts(message.actions),
                        reason=message.reasoning,
                        error=message.error.text,
                    )
                )
            case Critique():
                self._said[DecisionPoint(message.task_id, message.step, message.revision, VERDICT)] = (
                    DecisionOutput(verdict=message.verdict.name.lower(), reason=message.reason)
                )
            case TemporalBelief():
                self._temporal[message.task_id, message.step] = message.text
            case SpatialBelief():
                self._spatial[message.task_id, message.step] = message.text
            case _:
                pass

    def decisions(self) -> dict[DecisionPoint, Decision]:
        """Returns the decisions with an output, in the order of their requests."""
        return {
            point: Decision(point, self._with_beliefs(point), self._said[point])
            for point in self._order
            if point in self._said
        }

    def _ask(self, point: DecisionPoint, belief_step: int, seen: DecisionInput) -> None:
        self._order.setdefault(point)
        self._seen[point] = seen
        self._belief_steps[point] = belief_step

    def _with_beliefs(self, point: DecisionPoint) -> DecisionInput:
        at = point.task_id, self._belief_steps[point]
        return replace(
            self._seen[point],
            temporal_belief=self._temporal.get(at, ""),
            spatial_belief=self._spatial.get(at, ""),
        )


def _texts(actions: tuple[Action, ...]) -> tuple[str, ...]:
    return tuple(str(action) for action in actions)
