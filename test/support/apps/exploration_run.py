"""A made-up exploration that answers a question, message by message, for tests of readers of runs.

The robot stands at (0, 0), looks along x and sees a sofa 4 m ahead. Frontiers are at (2, 1) and (3, -1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stma_ros.mapping.transforms import R_BODY_OPTICAL, message_of
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import (
    ChecklistItem,
    ExplorationPlan,
    FrontierView,
    ItemState,
    Snapshot,
    VisualBelief,
)
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    Evidence,
    Outcome,
    Plan,
    Result,
    SkillRequest,
    SkillTarget,
    Task,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, SceneGraph
from stma_ros.types.sensing import Detection, ObjectHypothesis, Observation
from stma_ros.types.standard import (
    CameraInfo,
    CompressedImage,
    Header,
    MapMetaData,
    OccupancyGrid,
    Odometry,
    Point,
    Pose,
    PoseWithCovariance,
    RegionOfInterest,
    Time,
    Vector3,
)
from stma_ros.types.stepped import StepStamp
from support.roles.drawn_snapshots import BLUE, RED, drawn

TASK = "task_1"
QUESTION, ANSWER = "What colour is the sofa?", "red"
SOFA = Point(4.0, 0.0, 0.4)
REFUTED = "it shows a kitchen"
OVEN, DOOR, FIND = "Go on past the oven", "Go on past the door", "Find the sofa"
CHECKLISTS = {
    0: (),
    1: (
        ChecklistItem(text=OVEN, state=ItemState.IN_PROGRESS),
        ChecklistItem(text=DOOR),
        ChecklistItem(text=FIND),
    ),
    2: (
        ChecklistItem(text=OVEN, state=ItemState.COMPLETED, reason=REFUTED),
        ChecklistItem(text=DOOR, state=ItemState.IN_PROGRESS),
        ChecklistItem(text=FIND),
    ),
    3: (
        ChecklistItem(text=OVEN, state=ItemState.COMPLETED, reason=REFUTED),
        ChecklistItem(text=FIND, state=ItemState.COMPLETED),
    ),
}
TRAIL = ("I saw an oven.", "The kitchen has no sofa.")
CENTERS = {"frontier_1": Point(2.0, 1.0, 0.3), "frontier_2": Point(3.0, -1.0, 0.3)}


def camera_pose(yaw: float = 0.0) -> Pose:
    """Returns the pose of the optical frame of a level camera at (0, 0) and a height of 1.2 m."""
    turned = np.array(
        [[math.cos(yaw), -math.sin(yaw), 0.0], [math.sin(yaw), math.cos(yaw), 0.0], [0.0, 0.0, 1.0]]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turned @ R_BODY_OPTICAL
    matrix[:3, 3] = 0.0, 0.0, 1.2
    return message_of(matrix)


def camera_info() -> CameraInfo:
    """Returns a camera of 160 x 120 px that sees 90 degrees: twice the size of the snapshots' pictures."""
    k = np.array([80.0, 0.0, 79.5, 0.0, 80.0, 59.5, 0.0, 0.0, 1.0])
    return CameraInfo(header=Header(Time(1)), height=120, width=160, k=k)


def taken(name: str, second: int, *categories: str, yaw: float = 0.0) -> Snapshot:
    """Returns a snapshot whose picture has a red patch, in which the detections are."""
    detections = tuple(
        Detection(
            hypotheses=(ObjectHypothesis(category=category, score=0.9),),
            roi=RegionOfInterest(60, 40, 40, 40),
            box=BoundingBox3D.aligned(SOFA, Vector3(1.0, 2.0, 0.8)),
        )
        for category in categories
    )
    data = np.frombuffer(drawn(RED if "sofa" in categories else BLUE).png, np.uint8)
    picture = CompressedImage(format="png", data=data)
    return Snapshot(
        id=name, stamp=Time(second), camera=camera_pose(yaw), picture=picture, detections=detections
    )


SNAPSHOTS = {
    0: (taken("snapshot_0", 1, "oven"),),
    1: (taken("snapshot_0", 1, "oven"), taken("snapshot_1", 11, "oven", yaw=1.0)),
    2: (taken("snapshot_1", 11, "oven", yaw=1.0), taken("snapshot_2", 21, "door", yaw=2.0)),
    3: (taken("snapshot_2", 21, "door", yaw=2.0), taken("snapshot_3", 31, "sofa", "rug")),
}
ACTIONS = {
    0: Action("look_around"),
    1: Action("explore", ("frontier_1",)),
    2: Action("explore", ("frontier_2",)),
    3: Action("answer"),
}


def exploration_run() -> list[tuple[str, Message]]:
    """Returns the run: a look around, two steps to frontiers, and the answer from one snapshot."""
    return list(_run())


def _run() -> Iterator[tuple[str, Message]]:
    yield topics.CAMERA_INFO, camera_info()
    yield topics.TASK, Task(header=Header(Time(1)), task_id=TASK, text=QUESTION)
    for step, action in ACTIONS.items():
        yield from _step(step, action)
    shown = SNAPSHOTS[3][1]
    evidence = Evidence(snapshot=shown.id, stamp=shown.stamp, camera=shown.camera, picture=shown.picture)
    yield (
        topics.TASK_RESULT,
        TaskResult(
            header=Header(Time(32)),
            task_id=TASK,
            status=TaskStatus.SUCCEEDED,
            text=ANSWER,
            evidence=(evidence,),
            commands=3,
        ),
    )


def _step(step: int, action: Action) -> Iterator[tuple[str, Message]]:
    header = Header(Time(1 + 10 * step), "map")
    at = StepStamp(header=header, task_id=TASK, step=step)
    yield topics.ODOMETRY, Odometry(header, "base_link", PoseWithCovariance(Pose.planar(0.1 * step, 0, 0)))
    yield (
        topics.OBSERVATION,
        Observation(header=header, task_id=TASK, step=step, watermark=header.stamp),
    )
    info = MapMetaData(header.stamp, 0.1, 60, 40, Pose.planar(-1.0, -2.0, 0.0))
    yield topics.MAP, OccupancyGrid(header, info, np.zeros(2400, np.int8))
    sofa = ObjectNode(id="sofa_1", category="sofa", box=BoundingBox3D.aligned(SOFA, Vector3(1.0, 2.0, 0.8)))
    yield topics.SCENE_GRAPH, SceneGraph(at=at, objects=(sofa,) if step == 3 else ())
    yield (
        topics.FRONTIERS,
        Frontiers(
            at=at, frontiers=tuple(Frontier(id=name, center=center) for name, center in CENTERS.items())
        ),
    )
    yield topics.TEMPORAL_BELIEF, TemporalBelief(at=at, observations=TRAIL[: max(0, step - 1)])
    views = tuple(
        FrontierView(frontier=name, length=length, view=SNAPSHOTS[step][-1])
        for name, length in (("frontier_1", 2.25), ("frontier_2", math.nan))
    )
    yield topics.VISUAL_BELIEF, VisualBelief(at=at, snapshots=SNAPSHOTS[step], frontiers=views)
    yield (
        topics.EXPLORATION_PLAN,
        ExplorationPlan(
            at=at,
            question=QUESTION,
            items=CHECKLISTS[step],
            assessment="No sofa was seen yet.",
            reasoning="I follow the likeliest prediction.",
        ),
    )
    yield topics.PLAN, Plan(at=at, actions=(action,), reasoning="so the plan says")
    if action.skill == "answer":
        return
    following = step + 1
    targets = tuple(SkillTarget(id=name, pose=Pose(CENTERS[name])) for name in action.arguments)
    yield (
        topics.SKILL_REQUEST,
        SkillRequest(header=header, task_id=TASK, step=following, action=action, targets=targets),
    )
    yield (
        topics.OUTCOME,
        Outcome(
            header=Header(Time(10 * following)),
            task_id=TASK,
            step=following,
            action=action,
            result=Result.SUCCEEDED,
        ),
    )
