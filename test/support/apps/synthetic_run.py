"""A made-up run of two tasks in a flat of three rooms, message by message, for tests of readers of runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    Result,
    SkillRequest,
    SkillTarget,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.scene_graph import ObjectNode, Relation, RoomNode, SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis, Observation
from stma_ros.types.standard import (
    ColorRGBA,
    Header,
    Image,
    MapMetaData,
    OccupancyGrid,
    Odometry,
    Point,
    Point32,
    Polygon,
    Pose,
    PoseWithCovariance,
    RegionOfInterest,
    Time,
    Vector3,
)
from stma_ros.types.stepped import StepStamp

RESOLUTION = 0.05
ROOMS = (
    ("room_1", "kitchen", 0.0, 0.0, 5.0, 4.0),
    ("room_2", "living room", 5.0, 0.0, 11.0, 4.0),
    ("room_3", "", 0.0, 4.0, 5.0, 8.0),
)
# id, x, y, width, depth, height of the underside, room, support, openness
STATES = ((), (StateEstimate(state="open"),), (StateEstimate(state="closed"),))
THINGS = (
    ("counter_1", 0.4, 1.2, 0.6, 2.0, 0.0, "room_1", "", 0),
    ("cupboard_1", 0.3, 3.2, 0.5, 0.9, 1.2, "room_1", "", 1),
    ("cupboard_2", 2.2, 3.7, 0.9, 0.5, 0.0, "room_1", "", 2),
    ("table_1", 3.0, 1.6, 1.4, 0.8, 0.0, "room_1", "", 0),
    ("chair_1", 2.6, 0.8, 0.45, 0.45, 0.0, "room_1", "", 0),
    ("chair_2", 3.4, 2.4, 0.45, 0.45, 0.0, "room_1", "", 0),
    ("mug_1", 0.35, 3.1, 0.08, 0.08, 1.3, "room_1", "in cupboard_1", 0),
    ("plate_1", 2.8, 1.5, 0.2, 0.2, 0.75, "room_1", "on table_1", 0),
    ("plate_2", 3.3, 1.7, 0.2, 0.2, 0.75, "room_1", "on table_1", 0),
    ("bowl_1", 3.3, 1.7, 0.1, 0.1, 0.77, "room_1", "on plate_2", 0),
    ("kettle_1", 0.4, 0.6, 0.2, 0.2, 0.9, "room_1", "on counter_1", 0),
    ("sofa_1", 8.0, 0.6, 2.2, 0.9, 0.0, "room_2", "", 0),
    ("cushion_1", 7.4, 0.6, 0.4, 0.4, 0.4, "room_2", "on sofa_1", 0),
    ("cushion_2", 8.6, 0.6, 0.4, 0.4, 0.4, "room_2", "on sofa_1", 0),
    ("shelf_1", 10.7, 2.0, 0.4, 1.8, 0.0, "room_2", "", 0),
    ("book_1", 10.7, 1.5, 0.2, 0.1, 1.0, "room_2", "on shelf_1", 0),
    ("book_2", 10.7, 2.0, 0.2, 0.1, 1.0, "room_2", "on shelf_1", 0),
    ("vase_1", 10.7, 2.5, 0.2, 0.2, 1.4, "room_2", "on shelf_1", 0),
    ("low_table_1", 8.0, 2.0, 1.0, 0.6, 0.0, "room_2", "", 0),
    ("remote_control_1", 8.2, 2.0, 0.15, 0.05, 0.4, "room_2", "on low_table_1", 0),
    ("plant_1", 5.5, 3.6, 0.4, 0.4, 0.0, "room_2", "", 0),
    ("bed_1", 1.2, 6.8, 2.0, 1.6, 0.0, "room_3", "", 0),
    ("pillow_1", 0.5, 6.8, 0.4, 0.6, 0.5, "room_3", "on bed_1", 0),
    ("wardrobe_1", 4.6, 6.0, 0.6, 1.8, 0.0, "room_3", "", 2),
    ("lamp_1", 2.6, 7.6, 0.3, 0.3, 0.0, "", "", 0),
)
WAY = (
    (4.0, 2.9),
    (4.4, 3.2),
    (5.0, 3.0),
    (6.5, 2.8),
    (9.0, 3.0),
    (6.4, 3.0),
    (4.6, 3.1),
    (4.0, 4.6),
    (3.0, 5.5),
    (3.8, 4.4),
    (3.6, 3.0),
    (1.4, 3.0),
)


def synthetic_run() -> list[tuple[str, Message]]:
    """Task 1 finds the mug in a cupboard after a rejected action; task 2 fails; a camera fault in between."""
    return list(_Script().play())


@dataclass
class _Script:
    now: float = 0.0
    task_id: str = ""
    step: int = 0
    seen: int = 8
    leg: int = 0
    text: str = ""
    known: list[Outcome] = field(default_factory=list)

    def play(self) -> Iterator[tuple[str, Message]]:
        yield from self.begin("task_1", "find the mug")
        yield from self.step_of(
            "look round the first room", Action("look_around"), "nothing is known of this place yet"
        )
        yield from self.step_of(
            "see what is behind the door", Action("explore", ("frontier_2",)), "the mug was not seen"
        )
        yield from self.step_of(
            "see the rest of the flat", Action("explore", ("frontier_5",)), "the mug was not seen"
        )
        yield from self.step_of(
            "look into cupboard 1",
            Action("open", ("cupboard_1",)),
            "mugs are kept in cupboards",
            rejected=True,
        )
        yield from self.step_of("look into cupboard 1", Action("open", ("cupboard_1",)), "", plan=False)
        yield from self.end(
            TaskStatus.SUCCEEDED, Error(), "The mug is in cupboard 1 in the kitchen.", "mug_1"
        )
        error = Error(ErrorCode.BAD_IMAGE, "320x240 rgb8 needs 230400 bytes, got 1200: truncated on the way?")
        yield topics.FAULT, Fault(header=self.header(), node="perception", fatal=False, error=error)
        yield from self.begin("task_2", 'find <the> "teapot" & report')
        yield from self.step_of(
            "see the rest of the flat", Action("explore", ("frontier_7",)), "no teapot", fails=True
        )
        text = "everything that can be searched was searched"
        yield from self.end(TaskStatus.FAILED, Error(ErrorCode.TARGET_NOT_FOUND, text), "", "")

    def header(self, frame: str = "map") -> Header:
        return Header(Time.from_nanoseconds(round(self.now * 1e9)), frame)

    def begin(self, task_id: str, text: str) -> Iterator[tuple[str, Message]]:
        self.task_id, self.text, self.step = task_id, text, 0
        self.known = []
        yield topics.TASK, Task(header=self.header(), task_id=task_id, text=text, max_commands=40)
        yield from self.act(Action("observe"), ())

    def end(self, status: TaskStatus, error: Error, text: str, target: str) -> Iterator[tuple[str, Message]]:
        reported = next((self.target(thing[0]) for thing in THINGS if thing[0] == target), SkillTarget())
        yield (
            topics.TASK_RESULT,
            TaskResult(
                header=self.header(),
                task_id=self.task_id,
                status=status,
                error=error,
                text=text or error.text,
                target=reported,
                commands=self.step,
            ),
        )

    def step_of(
        self,
        subgoal: str,
        action: Action,
        reasoning: str,
        *,
        rejected: bool = False,
        plan: bool = True,
        fails: bool = False,
    ) -> Iterator[tuple[str, Message]]:
        at = StepStamp(header=self.header(), task_id=self.task_id, step=self.step)
        again = replace(at, revision=1)
        allowed = (action, Action("look_around"), Action("give_up"))
        here = f"{self.task_id}/{self.step}"
        derived_from = (MessageRef(topics.PLAN, here, 0),) if plan else ()
        if plan:
            yield topics.PLAN_REQUEST, PlanRequest(at=at, task=self.text, allowed_actions=allowed)
            yield topics.PLAN, Plan(at=at, subgoal=subgoal, actions=(action,), reasoning=reasoning)
        proposal = ActionProposal(
            at=at, task=self.text, subgoal=subgoal, action=action, derived_from=derived_from
        )
        yield topics.ACTION_PROPOSAL, proposal
        if rejected:
            reason = "cupboard_1 is 3.2 m away; go there first"
            yield (
                topics.CRITIQUE,
                Critique(at=at, verdict=Verdict.REJECTED, criterion=Criterion.SPATIAL, reason=reason),
            )
            action = Action("navigate", ("cupboard_1",))
            feedback = f"{proposal.action} was rejected: {reason}"
            yield (
                topics.PLAN_REQUEST,
                PlanRequest(at=again, feedback=feedback, allowed_actions=allowed),
            )
            then = (action, proposal.action)
            yield (
                topics.PLAN,
                Plan(at=again, subgoal=subgoal, actions=then, reasoning="go there, then open it"),
            )
            derived_from = (MessageRef(topics.PLAN, here, 1),)
            yield (
                topics.ACTION_PROPOSAL,
                replace(proposal, at=again, action=action, derived_from=derived_from),
            )
            yield topics.CRITIQUE, Critique(at=again, verdict=Verdict.ACCEPTED)
        else:
            yield topics.CRITIQUE, Critique(at=at, verdict=Verdict.ACCEPTED)
        self.step += 1
        targets = tuple(self.target(name) for name in action.arguments)
        yield from self.act(action, targets, fails)

    def target(self, name: str) -> SkillTarget:
        for identity, x, y, width, depth, low, *_ in THINGS:
            if identity == name:
                category = name.rsplit("_", 1)[0].replace("_", " ")
                return SkillTarget(
                    id=name, category=category, pose=Pose(Point(x, y, low)), size=Vector3(width, depth, 0.3)
                )
        x, y = WAY[min(self.leg + 2, len(WAY) - 1)]
        return SkillTarget(id=name, category="", pose=Pose(Point(x, y, 0.0)))

    def act(
        self, action: Action, targets: tuple[SkillTarget, ...], fails: bool = False
    ) -> Iterator[tuple[str, Message]]:
        request = SkillRequest(
            header=self.header(),
            request_id=f"{self.task_id}/{self.step}",
            task_id=self.task_id,
            step=self.step,
            subgoal="",
            action=action,
            targets=targets,
        )
        yield topics.SKILL_REQUEST, request
        start, distance = self.now, 0.0
        legs = 2 if action.skill in ("explore", "navigate") else 0
        for _ in range(legs):
            (x0, y0), (x1, y1) = WAY[self.leg], WAY[min(self.leg + 1, len(WAY) - 1)]
            self.leg = min(self.leg + 1, len(WAY) - 1)
            distance += math.hypot(x1 - x0, y1 - y0)
            for share in np.linspace(0.1, 1.0, 10):
                self.now += 0.25
                yield from self.odometry(
                    x0 + share * (x1 - x0), y0 + share * (y1 - y0), math.atan2(y1 - y0, x1 - x0)
                )
        if not legs:
            self.now += 0.0 if action.skill == "observe" else 3.0
            yield from self.odometry(*WAY[self.leg], 0.8)
        self.seen = min(len(THINGS), self.seen + 5)
        yield from self.keyframe()
        result = Result.FAILED if fails else Result.SUCCEEDED
        error = Error(ErrorCode.BLOCKED, "a chair stands in the way") if fails else Error()
        outcome = Outcome(
            header=self.header(),
            request_id=request.request_id,
            task_id=self.task_id,
            step=self.step,
            action=action,
            result=result,
            error=error,
            distance=distance,
            duration=self.now - start,
        )
        self.known.append(outcome)
        yield topics.OUTCOME, outcome
        yield (
            topics.OBSERVATION,
            Observation(
                header=self.header("odom"),
                task_id=self.task_id,
                step=self.step,
                watermark=self.header().stamp,
            ),
        )
        yield topics.MAP, grid(self.header(), self.seen)
        yield topics.SCENE_GRAPH, scene_graph(self.header(), self.task_id, self.step, self.seen)
        done = "; ".join(str(known.action) for known in self.known)
        text = f"Goal: {self.text}.\nDone so far: {done}."
        yield (
            topics.TEMPORAL_BELIEF,
            TemporalBelief(
                at=StepStamp(header=self.header(), task_id=self.task_id, step=self.step), text=text
            ),
        )
        text = "mug 1 is in cupboard 1.\ncupboard 1 is closed; 3.2 m away.\nfrontier 5: 6 m² unknown."
        yield (
            topics.SPATIAL_BELIEF,
            SpatialBelief(
                at=StepStamp(header=self.header(), task_id=self.task_id, step=self.step),
                room="room_1",
                text=text,
            ),
        )

    def odometry(self, x: float, y: float, yaw: float) -> Iterator[tuple[str, Message]]:
        pose = PoseWithCovariance(Pose.planar(x, y, yaw))
        yield topics.ODOMETRY, Odometry(self.header("odom"), "base_link", pose)

    def keyframe(self) -> Iterator[tuple[str, Message]]:
        yield topics.COLOR, Image.from_array(self.header("camera"), picture(), "rgb8")
        shown = THINGS[max(0, self.seen - 9) : self.seen] if self.step != 5 else THINGS[1:7]
        detections = tuple(
            Detection(
                hypotheses=(ObjectHypothesis(category=name.rsplit("_", 1)[0].replace("_", " "), score=0.9),),
                roi=RegionOfInterest(10 + 33 * index, 60 + 23 * (index % 5), 90 - 8 * index, 70 - 6 * index),
            )
            for index, (name, *_) in enumerate(shown)
        )
        yield (
            topics.KEYFRAME_DETECTIONS,
            KeyframeDetections(
                header=self.header(),
                processed_until=self.header().stamp,
                keyframe=True,
                detections=detections,
            ),
        )


def grid(header: Header, seen: int) -> OccupancyGrid:
    """Returns the map of the flat; its third room is only partly known."""
    cells = np.full((180, 240), -1, np.int8)

    def fill(x0: float, y0: float, x1: float, y1: float, value: int) -> None:
        rows = slice(round((y0 + 0.5) / RESOLUTION), round((y1 + 0.5) / RESOLUTION))
        cells[rows, round((x0 + 0.5) / RESOLUTION) : round((x1 + 0.5) / RESOLUTION)] = value

    for index, (_, _, x0, y0, x1, y1) in enumerate(ROOMS):
        if index < 2 or seen > 20:
            fill(x0 - 0.1, y0 - 0.1, x1 + 0.1, y1 + 0.1, 100)
            fill(x0, y0, x1, y1, 0)
    fill(4.8, 2.6, 5.2, 3.6, 0)
    fill(3.4, 3.8, 4.4, 4.2, 0)
    for name, x, y, width, depth, low, *_ in THINGS[:seen]:
        if low == 0.0 and name != "lamp_1":
            fill(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2, 100)
    info = MapMetaData(header.stamp, RESOLUTION, 240, 180, Pose.planar(-0.5, -0.5, 0.0))
    return OccupancyGrid(header, info, cells.reshape(-1))


def scene_graph(header: Header, task_id: str, step: int, seen: int) -> SceneGraph:
    objects, relations = [], []
    for index, (name, x, y, width, depth, low, room, support, openness) in enumerate(THINGS[:seen]):
        colour = ColorRGBA(
            0.3 + 0.6 * (index % 3) / 2, 0.3 + 0.5 * (index % 4) / 3, 0.3 + 0.5 * (index % 5) / 4, 1.0
        )
        node = ObjectNode(
            id=name,
            category=name.rsplit("_", 1)[0].replace("_", " "),
            confidence=0.9,
            box=BoundingBox3D.aligned(Point(x, y, low), Vector3(width, depth, 0.3)),
        )
        objects.append(replace(node, color=colour, states=STATES[openness], keyframes=3))
        if room:
            relations.append(Relation(name, "in room", room))
        if support:
            predicate, carrier = support.split()
            relations.append(Relation(name, predicate, carrier))
    relations += [
        Relation("chair_1", "near", "table_1"),
        Relation("chair_2", "near", "table_1"),
        Relation("plate_1", "near", "plate_2"),
    ]
    rooms = []
    for name, category, x0, y0, x1, y1 in ROOMS[: 3 if seen > 20 else 2]:
        corners = tuple(Point32(x, y, 0.0) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        centre, area = Point((x0 + x1) / 2, (y0 + y1) / 2, 0.0), (x1 - x0) * (y1 - y0)
        rooms.append(
            RoomNode(
                id=name,
                category=category,
                confidence=0.8,
                center=centre,
                area=area,
                footprint=Polygon(corners),
            )
        )
    return SceneGraph(
        at=StepStamp(header=header, task_id=task_id, step=step, revision=0),
        objects=tuple(objects),
        rooms=tuple(rooms),
        relations=tuple(relations),
    )


def picture() -> np.ndarray:
    """Returns an image of a wall, a floor and some boxes, 320 x 240."""
    pixels = np.zeros((240, 320, 3), np.uint8)
    pixels[:150] = (214, 205, 190)
    pixels[150:] = (150, 120, 90)
    for index in range(9):
        top, left = 60 + 23 * (index % 5), 10 + 33 * index
        pixels[top : top + 90 - 8 * index, left : left + 70 - 6 * index] = (
            60 + 20 * index,
            140 - 9 * index,
            90 + 12 * index,
        )
    return pixels
