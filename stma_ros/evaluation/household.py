"""Household tasks: conditions at the end, command budget, and score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.conditions import Condition, Held, InState, Placed, recall, unmet, wrong_things
from stma_ros.evaluation.critic_score import critic_shares
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.find import FindTruth, budget, score_find
from stma_ros.evaluation.household_tasks.household import HouseholdTask
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.evaluation.household_tasks.wording import Phrasing
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import EpisodeFields, Failure, Score
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.truth import truth_of

_INSIDE = {
    SpatialRelation.IN: True,
    SpatialRelation.ON: False,
    SpatialRelation.TO: None,
    SpatialRelation.ROOM: None,
}


@dataclass(frozen=True)
class HouseholdEpisode(EpisodeFields):
    """A household task with its ground truth, as a suite.PhrasedEpisode. `sought`: objects to find and report in
    addition."""

    conditions: tuple[Condition, ...]
    sought: Things | None
    phrasing: str = Phrasing.PLAIN.value

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: everything is done, and the agent reports it. A report of found objects counts as one more
        condition."""
        return score_conditions(
            self.conditions, result, trace, report=self._score_report(result, trace.ending)
        )

    def _score_report(self, result: TaskResult, ending: GroundTruth) -> Score | None:
        """Scores a report by the places of the objects at the end, since others may have moved them."""
        if self.sought is None:
            return None
        things = [thing for thing in ending.objects if thing.name in self.sought.names]
        return score_find(FindTruth.of(self.sought.category, things), result)


def score_conditions(
    conditions: Sequence[Condition],
    result: TaskResult,
    trace: EpisodeTrace,
    measures: Mapping[str, float] = MappingProxyType({}),
    report: Score | None = None,
) -> Score:
    """Scores success: all conditions hold, and the agent reports success.

    Args:
        conditions: conditions at the end.
        result: result of the task.
        trace: recorded episode.
        measures: further measures of the score.
        report: score of the agent's report, counted as one more condition.
    """
    ending = trace.ending
    left = unmet(conditions, ending)
    total = len(conditions) + (report is not None)
    done = len(conditions) - len(left) + (report is not None and report.success)
    measures = {GOAL_CONDITION_RECALL: 100 * done / total, **measures}
    shares = critic_shares(trace)
    missing = [str(condition) for condition in left]
    missing += [report.detail] if report is not None and not report.success else []
    detail = f"{done} of {total} done" + (f"; not: {'; '.join(missing)}" if missing else "")
    if result.status != TaskStatus.SUCCEEDED:
        return Score(cause_of(result), f"{reason_of(result)} ({detail})", measures, shares=shares)
    if report is not None and not report.success:
        return Score(report.failure, detail, measures, shares=shares)
    if not left:
        return Score(Failure.NONE, detail, measures, shares=shares)
    wrong = wrong_things(conditions, trace.truths[0], ending)
    detail += f"; instead: {', '.join(wrong)}" if wrong else ""
    return Score(Failure.WRONG_OBJECT if wrong else Failure.NOT_DONE, detail, measures, shares=shares)


def household_episode(index: int, group: str, task: HouseholdTask) -> HouseholdEpisode | None:
    """Returns the episode of a task; None when one of its conditions holds before the begin, or not after the oracle's
    plan."""
    conditions = conditions_of(task.subtasks)
    inspection = task.rooms + 2 * task.closed_containers
    start, end = (
        truth_of(task.flat, task.scene, base, state, Time())
        for base, state in ((task.start, task.flat.initial), (task.reference.base, task.reference.state))
    )
    if any(condition.holds(start) for condition in conditions) or recall(conditions, end) < 1:
        return None
    return HouseholdEpisode(
        index=index,
        group=group,
        scene=task.scene,
        seed=task.seed,
        text=task.text,
        optimal_steps=task.reference.commands,
        max_commands=budget(task.reference.commands, inspection, absent=False),
        conditions=conditions,
        sought=next((subtask.things for subtask in task.subtasks if isinstance(subtask, Find)), None),
    )


def conditions_of(subtasks: Iterable[Subtask]) -> tuple[Condition, ...]:
    """Returns a condition for each object that is to be somewhere or in some state; objects that are only to be found
    have none."""
    return tuple(condition for subtask in subtasks for condition in _conditions(subtask))


def _conditions(subtask: Subtask) -> Sequence[Condition]:
    match subtask:
        case Find():
            return ()
        case Fetch(things):
            return (Held(things.names),)
        case Put(things, places, relation):
            inside = _INSIDE[relation]
            return [Placed(names, places.names, inside, count) for names, count in _each(things)]
        case SetState(things, state):
            return [InState(names, state, count) for names, count in _each(things)]


def _each(things: Things) -> list[tuple[tuple[str, ...], int]]:
    """Splits conditions on objects: for all, one for each; for some, one for at least one, one for at least two, and so
    on."""
    if things.number == len(things.names):
        return [((name,), 1) for name in things.names]
    return [(things.names, count) for count in range(1, things.number + 1)]
