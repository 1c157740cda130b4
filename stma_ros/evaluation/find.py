"""Find tasks: the budget, and the score by the ground truth of the scene."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.oriented_boxes import offset_in
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.memory.nouns import with_article
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus
from stma_ros.types.standard import Point, Vector3
from stma_ros.types.truth import GroundTruthObject

TOLERANCE = 0.3
"""Largest distance of a reported box's centre from the true one [m]; a box that contains the true centre is right as
well."""

_MARGIN = 0.05  # margin around a reported box in the test for containing a centre [m]
# The longest side of a reported box, relative to the true ones: a box around half a room is no answer.
_LARGEST, _ROOM = 3.0, 0.3  # factor on the true box's longest side, and margin [m]

_SLACK = 3  # factor on the commands of the plan with full knowledge


@dataclass(frozen=True)
class FindTruth:
    """The ground truth of a find task: the boxes of the objects of a category in the map frame; no `instances` = the
    object is absent."""

    category: str
    instances: tuple[BoundingBox3D, ...]

    @classmethod
    def of(cls, category: str, things: Iterable[GroundTruthObject]) -> FindTruth:
        return cls(category, tuple(thing.box for thing in things))


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
    reported = BoundingBox3D(center=target.pose, size=target.size)
    distance = min(_distance(reported, instance) for instance in truth.instances)
    there = [instance for instance in truth.instances if _is_there(reported, instance)]
    if any(_is_sized_like(reported.size, instance.size) for instance in there):
        return Score(Failure.NONE, f"{target.id} is {distance:.2f} m from the true place")
    if there:
        sides = " x ".join(f"{side:.1f}" for side in _sides(reported.size))
        return Score(
            Failure.WRONG_OBJECT,
            f"{target.id}, {sides} m, has not the size of {with_article(truth.category)}",
        )
    return Score(Failure.WRONG_OBJECT, f"{target.id} is {distance:.2f} m from the nearest {truth.category}")


def _distance(reported: BoundingBox3D, true: BoundingBox3D) -> float:
    return math.dist(_place(reported.center.position), _place(true.center.position))


# Unknown numbers (NaN) make either of them False.


def _is_there(reported: BoundingBox3D, true: BoundingBox3D) -> bool:
    offset = offset_in(reported, true.center.position)
    holds = all(
        abs(apart) <= side / 2 + _MARGIN for apart, side in zip(offset, _sides(reported.size), strict=True)
    )
    return holds or _distance(reported, true) <= TOLERANCE


def _is_sized_like(reported: Vector3, true: Vector3) -> bool:
    return all(side <= _LARGEST * max(_sides(true)) + _ROOM for side in _sides(reported))


def _place(point: Point) -> tuple[float, float, float]:
    return point.x, point.y, point.z


def _sides(size: Vector3) -> tuple[float, float, float]:
    return size.x, size.y, size.z
