"""Household tasks: goal conditions of subtasks, and the score on the final ground truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.evaluation.conditions import Condition, Held, InState, Placed
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.household import HouseholdEpisode, conditions_of
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Place,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import Failure
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus
from stma_ros.types.standard import Point, Pose, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject

MUG = Things("mug", ("mug_1",))
BOTH = Things("book", ("book_1", "book_2"), 2)
TWO = Things("apple", ("apple_1", "apple_2", "apple_3"), 2)
TABLE = Things("table", ("table_1",))
BEDS = Things("bed", ("bed_1", "bed_2"))


@pytest.mark.parametrize(
    ("errand", "expected"),
    [
        (Find(MUG), ()),
        (Fetch(TWO), (Held(TWO.names),)),
        (Put(MUG, TABLE, SpatialRelation.ON), (Placed(("mug_1",), ("table_1",), False),)),
        (Put(MUG, TABLE, SpatialRelation.IN, Place("desk", "on")), (Placed(("mug_1",), ("table_1",), True),)),
        (Put(MUG, BEDS, SpatialRelation.TO), (Placed(("mug_1",), ("bed_1", "bed_2"), None),)),
        (
            Put(MUG, Things("kitchen", ("room_1",)), SpatialRelation.ROOM),
            (Placed(("mug_1",), ("room_1",), None),),
        ),
        (
            Put(BOTH, TABLE, SpatialRelation.ON),
            (Placed(("book_1",), ("table_1",), False), Placed(("book_2",), ("table_1",), False)),
        ),
        (
            Put(TWO, TABLE, SpatialRelation.ON),
            (Placed(TWO.names, ("table_1",), False, 1), Placed(TWO.names, ("table_1",), False, 2)),
        ),
        (SetState(MUG, words.STATE_FULL), (InState(("mug_1",), "full"),)),
        (SetState(BOTH, words.STATE_ON), (InState(("book_1",), "on"), InState(("book_2",), "on"))),
    ],
)
def test_errands_become_goal_conditions(errand: Subtask, expected: tuple[Condition, ...]) -> None:
    assert conditions_of([errand]) == expected


def home(**supports: str) -> GroundTruth:
    """Returns a ground truth with small objects (10 cm) on their supports, and the furniture."""
    things = [
        GroundTruthObject(name=name, category=name.rsplit("_", 1)[0], room="room_1", fixed=True)
        for name in ("table_1", "sink_1")
    ]
    things += [
        GroundTruthObject(
            name=name,
            category=name.rsplit("_", 1)[0],
            box=BoundingBox3D.aligned(Point(float(k), 0.0, 1.0), Vector3(0.1, 0.1, 0.1)),
            support=support,
        )
        for k, (name, support) in enumerate(supports.items())
    ]
    return GroundTruth(objects=tuple(things))


BEFORE = {"mug_1": "sink_1", "mug_2": "sink_1", "book_1": "sink_1", "book_2": "sink_1"}
AFTER = {**BEFORE, "mug_1": "table_1", "book_1": "table_1", "book_2": "table_1"}
WANTED = (Put(MUG, TABLE, SpatialRelation.ON), Put(BOTH, TABLE, SpatialRelation.ON))
EPISODE = HouseholdEpisode(0, "<10", "flat_1000", 1000, "tidy up", 9, 40, conditions_of(WANTED), None)
DONE = TaskResult(status=TaskStatus.SUCCEEDED, text="done")


def failed(code: ErrorCode, status: TaskStatus = TaskStatus.FAILED) -> TaskResult:
    return TaskResult(status=status, error=Error(code, "because"))


def witness(*supports: dict[str, str]) -> EpisodeTrace:
    seen = EpisodeTrace()
    for each in supports:
        seen(topics.GROUND_TRUTH, home(**each))
    return seen


@pytest.mark.parametrize(
    ("after", "result", "failure", "recall"),
    [
        (AFTER, DONE, Failure.NONE, 100),
        ({**AFTER, "book_2": "sink_1"}, DONE, Failure.NOT_DONE, 200 / 3),
        ({**AFTER, "mug_1": "sink_1", "mug_2": "table_1"}, DONE, Failure.WRONG_OBJECT, 200 / 3),
        ({**AFTER, "mug_1": "robot"}, DONE, Failure.NOT_DONE, 200 / 3),
        (BEFORE, DONE, Failure.NOT_DONE, 0),
        (AFTER, failed(ErrorCode.OUT_OF_COMMANDS), Failure.OUT_OF_COMMANDS, 100),
        (BEFORE, failed(ErrorCode.TASK_NOT_UNDERSTOOD), Failure.NOT_UNDERSTOOD, 0),
        (BEFORE, failed(ErrorCode.IMPOSSIBLE), Failure.GAVE_UP, 0),
        (BEFORE, failed(ErrorCode.TARGET_NOT_FOUND), Failure.NOT_FOUND, 0),
        (AFTER, failed(ErrorCode.NODE_DIED, TaskStatus.ERROR), Failure.ERROR, 100),
        (AFTER, TaskResult(status=TaskStatus.UNVERIFIED), Failure.UNVERIFIED, 100),
        (BEFORE, TaskResult(status=TaskStatus.UNVERIFIED), Failure.UNVERIFIED, 0),
    ],
)
def test_household_score_compares_the_goal_with_the_final_ground_truth(
    after: dict[str, str], result: TaskResult, failure: Failure, recall: float
) -> None:
    score = EPISODE.score(result, witness(BEFORE, after))
    assert score.failure is failure
    assert score.measures[GOAL_CONDITION_RECALL] == pytest.approx(recall)
    assert (f"{round(recall * 3 / 100)} of 3 done") in score.detail


def report(x: float, category: str = "mug") -> TaskResult:
    target = SkillTarget(
        id="object_7", category=category, pose=Pose(Point(x, 0.0, 1.0)), size=Vector3(0.1, 0.1, 0.1)
    )
    return replace(DONE, target=target)


@pytest.mark.parametrize(
    ("result", "failure", "recall"),
    [
        (report(1.1), Failure.NONE, 100),
        (report(0.0), Failure.WRONG_OBJECT, 75),  # the other mug
        (report(1.1, "cup"), Failure.WRONG_OBJECT, 75),
        (failed(ErrorCode.OUT_OF_COMMANDS), Failure.OUT_OF_COMMANDS, 75),
    ],
)
def test_an_object_to_be_found_is_one_more_goal_condition(
    result: TaskResult, failure: Failure, recall: float
) -> None:
    episode = replace(EPISODE, sought=Things("mug", ("mug_2",), colour="red"))
    score = episode.score(result, witness(BEFORE, AFTER))
    assert (score.failure, score.measures[GOAL_CONDITION_RECALL]) == (failure, recall)


def test_an_object_moved_by_the_world_is_right_at_its_present_position() -> None:
    episode = replace(EPISODE, conditions=(), sought=MUG)
    moved = {"book_1": "sink_1", **BEFORE}  # the mug stands one metre further
    assert list(moved).index("mug_1") == 1
    score = episode.score(report(1.0), witness(BEFORE, moved))
    assert score.failure is Failure.NONE


def test_household_score_without_a_ground_truth_is_an_error() -> None:
    with pytest.raises(StmaError, match="no ground truth"):
        EPISODE.score(DONE, EpisodeTrace())
