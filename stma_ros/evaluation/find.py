"""Find tasks: the budget, and the score by the truth of the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.evaluation.suite import Failure, Score
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus

Box: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Centre and extents along the axes of the map [m]."""

TOLERANCE = 0.3
"""A reported box counts when its centre is this close to a true one's [m], or the boxes overlap."""

_SLACK = 3  # times the commands of the plan with perfect knowledge

_CAUSES = {
    ErrorCode.TARGET_NOT_FOUND: Failure.NOT_FOUND,
    ErrorCode.OUT_OF_COMMANDS: Failure.OUT_OF_COMMANDS,
    ErrorCode.NO_PROGRESS: Failure.NO_PROGRESS,
}


@dataclass(frozen=True)
class FindTruth:
    """What a find task asks for, and where it really is; no `instances`: nowhere."""

    category: str
    instances: tuple[Box, ...]


def budget(reference: int, inspection: int, *, absent: bool) -> int:
    """The commands an agent may use: three times the plan with perfect knowledge, and a full inspection.

    inspection: one command for each room and two (go there, open it) for each closed container. Nothing less
    shows that an object is absent, so for such a one the inspection is the reference, and the budget.
    """
    return inspection if absent else _SLACK * reference + inspection


def score_find(truth: FindTruth, result: TaskResult) -> Score:
    """A present object must be reported where one of its kind is; an absent one, as not found."""
    if result.status == TaskStatus.SUCCEEDED:
        return _score_report(truth, result.target)
    cause = (
        _CAUSES.get(result.error.code, Failure.ERROR) if result.status == TaskStatus.FAILED else Failure.ERROR
    )
    if cause is Failure.NOT_FOUND and not truth.instances:
        return Score(Failure.NONE, f"there is no {truth.category}, as reported")
    return Score(cause, f"{result.error.code.name}: {result.error.text}" if result.error else result.text)


def _score_report(truth: FindTruth, target: SkillTarget) -> Score:
    if not truth.instances:
        return Score(Failure.WRONG_OBJECT, f"reported {target.id}, but there is no {truth.category}")
    if target.category != truth.category:
        return Score(
            Failure.WRONG_OBJECT, f"reported {target.id}, a {target.category}, not a {truth.category}"
        )
    place = target.pose.position
    reported: Box = (place.x, place.y, place.z), (target.size.x, target.size.y, target.size.z)
    distance = min(math.dist(reported[0], instance[0]) for instance in truth.instances)
    if distance <= TOLERANCE or any(_overlap(reported, instance) for instance in truth.instances):
        return Score(Failure.NONE, f"{target.id} is {distance:.2f} m from the true place")
    return Score(Failure.WRONG_OBJECT, f"{target.id} is {distance:.2f} m from the nearest {truth.category}")


def _overlap(first: Box, second: Box) -> bool:
    """Whether the interiors share a point; never with a box whose numbers are not known (NaN)."""
    return all(
        abs(a - b) < (size_a + size_b) / 2
        for a, b, size_a, size_b in zip(first[0], second[0], first[1], second[1], strict=True)
    )
