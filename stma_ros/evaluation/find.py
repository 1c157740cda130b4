"""Find tasks: the budget, and the score by the ground truth of the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.memory.nouns import with_article
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus
from stma_ros.worlds.house.flat import Box

TOLERANCE = 0.3
"""Largest distance of a reported box's centre from the true one [m]; a box that contains the true centre is right as
well."""

_MARGIN = 0.05  # margin around a reported box in the test for containing a centre [m]
# The longest side of a reported box, relative to the true ones: a box around half a room is no answer.
_LARGEST, _ROOM = 3.0, 0.3  # factor on the true box's longest side, and margin [m]

_SLACK = 3  # factor on the commands of the plan with full knowledge


@dataclass(frozen=True)
class FindTruth:
    """The ground truth of a find task; no `instances` = the object is absent."""

    category: str
    instances: tuple[Box, ...]


def budget(reference: int, inspection: int, *, absent: bool) -> int:
    """Returns the budget of commands: three times the plan with full knowledge, and a full inspection.

    Args:
        reference: commands of the plan with full knowledge.
        inspection: one command for each room and two (go there, open it) for each closed container.
        absent: whether the object is absent. Only a full inspection shows that, so that it is then both the reference
            and the budget.
    """
    return inspection if absent else _SLACK * reference + inspection


def score_find(truth: FindTruth, result: TaskResult) -> Score:
    """Scores a report: a present object must be reported at an object of its category, an absent one as not found."""
    if result.status == TaskStatus.SUCCEEDED:
        return _score_report(truth, result.target)
    cause = cause_of(result)
    if cause is Failure.NOT_FOUND and not truth.instances:
        return Score(Failure.NONE, f"there is no {truth.category}, as reported")
    return Score(cause, reason_of(result))


def _score_report(truth: FindTruth, target: SkillTarget) -> Score:
    if not truth.instances:
        return Score(Failure.WRONG_OBJECT, f"reported {target.id}, but there is no {truth.category}")
    if target.category != truth.category:
        return Score(
            Failure.WRONG_OBJECT,
            f"reported {target.id}, {with_article(target.category)}, not {with_article(truth.category)}",
        )
    place = target.pose.position
    reported: Box = (place.x, place.y, place.z), (target.size.x, target.size.y, target.size.z)
    distance = min(math.dist(reported[0], instance[0]) for instance in truth.instances)
    there = [instance for instance in truth.instances if _is_there(reported, instance)]
    if any(_is_sized_like(reported, instance) for instance in there):
        return Score(Failure.NONE, f"{target.id} is {distance:.2f} m from the true place")
    if there:
        sides = " x ".join(f"{side:.1f}" for side in reported[1])
        return Score(
            Failure.WRONG_OBJECT,
            f"{target.id}, {sides} m, has not the size of {with_article(truth.category)}",
        )
    return Score(Failure.WRONG_OBJECT, f"{target.id} is {distance:.2f} m from the nearest {truth.category}")


# Unknown numbers (NaN) make either of them False.


def _is_there(reported: Box, true: Box) -> bool:
    holds = all(
        abs(a - b) <= size / 2 + _MARGIN for a, b, size in zip(reported[0], true[0], reported[1], strict=True)
    )
    return holds or math.dist(reported[0], true[0]) <= TOLERANCE


def _is_sized_like(reported: Box, true: Box) -> bool:
    return all(side <= _LARGEST * max(true[1]) + _ROOM for side in reported[1])
