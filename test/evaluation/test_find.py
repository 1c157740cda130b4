"""Budget and scoring of find tasks."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.evaluation.find import TOLERANCE, FindTruth, budget, score_find
from stma_ros.evaluation.suite import Failure
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus
from stma_ros.types.standard import Point, Pose, Vector3

MUG = BoundingBox3D.aligned(Point(2.0, 3.0, 0.9), Vector3(0.1, 0.1, 0.12))
BED = BoundingBox3D.aligned(Point(2.0, 3.0, 0.3), Vector3(2.0, 1.6, 0.6))
HERE = FindTruth("mug", (MUG, BoundingBox3D.aligned(Point(8.0, 1.0, 0.5), Vector3(0.1, 0.1, 0.12))))
NOWHERE = FindTruth("mug", ())


def report(x: float, y: float, z: float, category: str = "mug", size: float = 0.1) -> TaskResult:
    target = SkillTarget(
        id="mug_1", category=category, pose=Pose(Point(x, y, z)), size=Vector3(size, size, size)
    )
    return TaskResult(status=TaskStatus.SUCCEEDED, target=target)


def failed(code: ErrorCode, status: TaskStatus = TaskStatus.FAILED) -> TaskResult:
    return TaskResult(status=status, error=Error(code, "because"))


@pytest.mark.parametrize(
    ("reference", "inspection", "absent", "expected"),
    [
        (1, 17, False, 20),  # visible: navigate there
        (2, 17, False, 23),  # contained: navigate there, open it
        (17, 17, True, 17),  # absent: the inspection is the reference and the budget
    ],
)
def test_the_budget_of_a_find_task_follows_from_its_reference_plan(
    reference: int, inspection: int, absent: bool, expected: int
) -> None:
    assert budget(reference, inspection, absent=absent) == expected


@pytest.mark.parametrize("place", [(2.0, 3.0, 0.9), (2.0, 3.0 + TOLERANCE - 0.01, 0.9), (8.1, 1.1, 0.5)])
def test_a_reported_position_is_right_near_any_instance(place: tuple[float, float, float]) -> None:
    assert score_find(HERE, report(*place)).success


@pytest.mark.parametrize(
    ("category", "true", "size", "right"),
    [
        ("mug", MUG, (0.65, 0.1, 0.1), True),  # up to 3 x 0.12 + 0.3
        ("mug", MUG, (0.67, 0.1, 0.1), False),
        ("mug", MUG, (0.1, 0.1, 3.0), False),
        ("mug", MUG, (30.0, 30.0, 3.0), False),
        ("mug", MUG, (math.nan, math.nan, math.nan), False),
        ("mug", MUG, (0.1, math.nan, 0.1), False),
        ("bed", BED, (2.2, 1.8, 0.7), True),
    ],
)
def test_a_reported_box_must_be_about_as_large_as_the_object(
    category: str, true: BoundingBox3D, size: tuple[float, float, float], right: bool
) -> None:
    target = SkillTarget(id="it", category=category, pose=true.center, size=Vector3(*size))
    score = score_find(FindTruth(category, (true,)), TaskResult(status=TaskStatus.SUCCEEDED, target=target))
    assert score.success is right
    assert right or "size" in score.detail


def test_a_reported_box_is_right_when_it_contains_the_centre_of_the_object() -> None:
    bed = FindTruth("bed", (BED,))
    half = Vector3(1.0, 1.6, 0.6)  # only the far half was seen
    for x, right in ((2.54, True), (2.56, False)):
        target = SkillTarget(id="bed_1", category="bed", pose=Pose(Point(x, 3.0, 0.3)), size=half)
        assert score_find(bed, TaskResult(status=TaskStatus.SUCCEEDED, target=target)).success is right


@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.0, -2.9])
def test_a_reported_box_contains_the_centre_of_the_object_along_its_own_axes(yaw: float) -> None:
    half = Vector3(1.0, 1.6, 0.6)
    for along, right in ((yaw, False), (yaw + math.pi / 2, True)):
        turned = Pose.planar(2.0 - 0.75 * math.cos(along), 3.0 - 0.75 * math.sin(along), yaw)
        pose = Pose(Point(turned.position.x, turned.position.y, 0.3), turned.orientation)
        target = SkillTarget(id="bed_1", category="bed", pose=pose, size=half)
        score = score_find(FindTruth("bed", (BED,)), TaskResult(status=TaskStatus.SUCCEEDED, target=target))
        assert score.success is right


def test_a_reported_box_is_wrong_when_it_only_touches_the_object() -> None:
    assert not score_find(HERE, report(2.0, 3.0 + 0.35, 0.9, size=0.6)).success


@pytest.mark.parametrize(
    ("truth", "result", "failure"),
    [
        (HERE, report(2.0, 3.0 + TOLERANCE + 0.01, 0.9), Failure.WRONG_OBJECT),
        (HERE, report(2.0, 3.0, 0.9, category="bowl"), Failure.WRONG_OBJECT),
        (HERE, report(math.nan, math.nan, math.nan), Failure.WRONG_OBJECT),
        (NOWHERE, report(2.0, 3.0, 0.9), Failure.WRONG_OBJECT),
        (HERE, failed(ErrorCode.TARGET_NOT_FOUND), Failure.NOT_FOUND),
        (NOWHERE, failed(ErrorCode.TARGET_NOT_FOUND), Failure.NONE),
        (NOWHERE, failed(ErrorCode.OUT_OF_COMMANDS), Failure.OUT_OF_COMMANDS),
        (HERE, failed(ErrorCode.NO_PROGRESS), Failure.NO_PROGRESS),
        (HERE, failed(ErrorCode.TASK_NOT_UNDERSTOOD), Failure.NOT_UNDERSTOOD),
        (HERE, failed(ErrorCode.CONTRADICTION), Failure.NOT_UNDERSTOOD),
        (HERE, failed(ErrorCode.IMPOSSIBLE), Failure.GAVE_UP),
        (HERE, failed(ErrorCode.WORLD_FAILED, TaskStatus.ERROR), Failure.ERROR),
        # Ended with an error: the reported target does not count.
        (NOWHERE, failed(ErrorCode.TARGET_NOT_FOUND, TaskStatus.ERROR), Failure.ERROR),
        (NOWHERE, failed(ErrorCode.CANCELED, TaskStatus.CANCELED), Failure.ERROR),
    ],
)
def test_failures_of_find_tasks_are_classified_by_cause(
    truth: FindTruth, result: TaskResult, failure: Failure
) -> None:
    score = score_find(truth, result)
    assert score.failure is failure
    assert score.success == (failure is Failure.NONE)
    assert score.detail


@pytest.mark.parametrize("truth", [HERE, NOWHERE])
def test_an_unverified_report_is_no_success(truth: FindTruth) -> None:
    result = replace(report(2.0, 3.0, 0.9), status=TaskStatus.UNVERIFIED, text="It seems to be on the desk.")
    score = score_find(truth, result)
    assert score.failure is Failure.UNVERIFIED
    assert score.detail == "I believe so, but could not check: It seems to be on the desk."
