"""Collects what a report shows from the messages of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable

from stma_ros.apps.report.frames import Keyframe, KeyframeCollector, selectable
from stma_ros.apps.report.task_run import RunView, TaskRun, Waypoint
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.roles.tolerance import faults_in
from stma_ros.sensing.camera_frame import HAND_HELD
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.control import Fault
from stma_ros.types.experience import Experiences, JudgedTask
from stma_ros.types.exploration import ExplorationPlan, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    SkillRequest,
    Task,
    TaskResult,
)
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import KeyframeDetections, Observation
from stma_ros.types.standard import CameraInfo, Image, OccupancyGrid, Odometry, Pose, TransformStamped
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.types.truth import GroundTruth
from stma_ros.visual.drawables import Series
from stma_ros.visual.drawing_context import DATED, DrawingContext, pinhole_of
from stma_ros.visual.figures import Figures


def collect(messages: Iterable[tuple[str, Message]], keyframes: Collection[int] | None = None) -> RunView:
    """Reads a run once, in the order of its recording.

    Messages of a step are assigned by task and step; frames and maps to the task that runs at their time. A recording
    without a task is a watched one.

    Args:
        messages: in the order of the recording.
        keyframes: stamps of all keyframes among them [ns], so that their images wait however late their detections
            come; None = not known.
    """
    collector = _Collector(keyframes)
    for topic, message in messages:
        collector.take(topic, message)
    return collector.finish()


class _Collector:
    def __init__(self, keyframes: Collection[int] | None = None) -> None:
        self._stamps = keyframes
        self._view = RunView()
        self._tasks: dict[str, TaskRun] = {}
        self._early: list[tuple[str, Message]] = []
        self._keyframes = KeyframeCollector(keyframes)
        self._watched = TaskRun(Task(), 0.0, 0.0)
        self._watched_keyframes = KeyframeCollector(keyframes)
        self._localization: dict[int, Pose] = {}
        self._camera: PinholeCamera | None = None
        self._now = 0.0
        self._drawing_context = DrawingContext()
        self._figures = Figures(self._drawing_context)

    def take(self, topic: str, message: Message) -> None:
        self._drawing_context.read_stamp(message)
        for drawn in self._figures.take(topic, message):
            if isinstance(drawn.thing, Series):
                self._view.series.setdefault(drawn.path, []).append((drawn.stamp_ns / 1e9, drawn.thing.value))
        self._sort(topic, message)

    def _sort(self, topic: str, message: Message) -> None:
        header = getattr(message, "header", None)
        if header is not None:
            self._now = max(self._now, header.stamp.seconds)
            self._set_clock()
        if isinstance(message, Task):
            self._start(message)
        elif isinstance(message, Fault):
            self._view.faults.append(message)
        elif isinstance(message, ModelCall | RoleCall) and not message.task_id:
            _count_call(message, self._view.idle_calls, self._view.idle_left_out)
        elif (task_id := getattr(message, "task_id", None)) is not None:
            # Topics are recorded in parallel: messages of a task may precede it.
            if task_id in self._tasks:
                self._stepped(self._tasks[task_id], message)
            elif task_id:
                self._early.append((topic, message))
            if not self._tasks and isinstance(message, SceneGraph):
                self._watched.graph = message
        else:
            self._sensed(topic, message)

    def finish(self) -> RunView:
        """Returns the result. The odometry drifts, so that the path is drawn by each frame's localisation."""
        for values in self._view.series.values():
            values.sort(key=lambda pair: pair[0])  # topics are recorded in parallel
        if not self._tasks and self._watched.trajectory:
            self._view.watched = self._watched
            self._view.begin = self._view.begin or self._watched.start
        for run in (*self._view.tasks, self._watched):
            run.camera, run.begin = self._camera, self._view.begin
            run.trajectory = [
                point.seen_from(self._localization[point.stamp])
                if point.stamp in self._localization
                else point
                for point in run.trajectory
            ]
        return self._view

    def _set_clock(self) -> None:
        """Takes the time of day, where stamps are, as the begin of the recording and of a task that was given before
        the first of them came."""
        if self._now < DATED:
            return
        self._view.begin = self._view.begin or self._now
        run = self._running
        if run is not None and run.start < DATED:
            run.start = self._now

    def _start(self, task: Task) -> None:
        if task.task_id in self._tasks:
            return
        if not self._tasks:  # so the recording is not a watched one
            self._watched, self._watched_keyframes = (
                TaskRun(Task(), 0.0, 0.0),
                KeyframeCollector(self._stamps),
            )
        run = TaskRun(task, self._now, self._now)
        previous = self._running
        if previous is not None and previous.trajectory:
            run.trajectory.append(previous.trajectory[-1])
            run.grid, run.graph = previous.grid, previous.graph
        self._tasks[task.task_id] = run
        self._view.tasks.append(run)
        early, self._early = self._early, []
        for topic, message in early:
            self._sort(topic, message)

    @property
    def _running(self) -> TaskRun | None:
        return self._view.tasks[-1] if self._view.tasks else None

    def _sensed(self, topic: str, message: Message) -> None:
        if topic == topics.LOCALIZATION and isinstance(message, TransformStamped) and message.pose.given:
            self._localization[message.header.stamp.nanoseconds] = message.pose
            return
        if isinstance(message, CameraInfo):
            self._camera = pinhole_of(message) or self._camera
            return
        if isinstance(message, KeyframeDetections) and message.revision:
            self._revised(message)
            return
        run = self._running
        if run is not None and isinstance(message, GroundTruth):
            run.truth = message
        if run is None:
            self._seen(self._watched, self._watched_keyframes, topic, message)
        elif run.result is None:
            run.end = max(run.end, self._now)
            self._seen(run, self._keyframes, topic, message)

    def _seen(self, run: TaskRun, keyframes: KeyframeCollector, topic: str, message: Message) -> None:
        """Takes a frame or a map into a task, or into what is watched without one."""
        if isinstance(message, Odometry):
            self._moved(run, message)
        elif isinstance(message, OccupancyGrid):
            run.grid = message
        elif isinstance(message, KeyframeDetections) or (
            isinstance(message, Image) and topic == topics.COLOR
        ):
            run.keyframes.extend(keyframes.take(message))
            if run is self._watched:  # it may last for hours, a task does not
                run.keyframes = selectable(run.keyframes)

    def _revised(self, message: KeyframeDetections) -> None:
        """Takes what a model's answer adds to a keyframe, which may be one of an earlier task."""
        collector = self._keyframes if self._tasks else self._watched_keyframes
        for keyframe in collector.take(message):
            default = self._running or self._watched
            shown_in = next((run for run in self._view.tasks if _shows(run, keyframe)), default)
            others = [each for each in shown_in.keyframes if each.stamp != keyframe.stamp]
            shown_in.keyframes = [*others, keyframe]
        if not self._tasks:
            self._watched.keyframes = selectable(self._watched.keyframes)

    def _moved(self, run: TaskRun, odometry: Odometry) -> None:
        stamp, pose = odometry.header.stamp, odometry.pose.pose
        place = pose.position.x, pose.position.y, pose.position.z
        if not math.isfinite(sum(place) + pose.yaw):
            return
        if run is self._watched:  # a task begins and ends by its own messages, this by its frames
            run.start = run.start if run.trajectory else stamp.seconds
            run.end = max(run.end, stamp.seconds)
        run.trajectory.append(Waypoint(stamp.nanoseconds, pose.position.x, pose.position.y, pose.yaw))
        run.path.add(place)
        run.is_hand_held = odometry.child_frame_id == HAND_HELD

    def _stepped(self, run: TaskRun, message: Message) -> None:
        match message:
            case TaskResult():
                run.result = message
                run.end = max(run.end, message.header.stamp.seconds)
            case SceneGraph():
                if (
                    run.graph is None
                    or run.graph.task_id != message.task_id
                    or run.graph.step <= message.step
                ):
                    run.graph = message
            case PlanRequest():
                run.step(message.step).requests[message.revision] = message
            case Plan():
                run.step(message.step).plans[message.revision] = message
            case ActionProposal():
                run.step(message.step).proposals[message.revision] = message
            case Critique():
                run.step(message.step).critiques[message.revision] = message
            case TemporalBelief():
                run.step(message.step).temporal = message
            case SpatialBelief():
                run.step(message.step).spatial = message
            case Frontiers():
                run.step(message.step).frontiers = message
            case VisualBelief():
                run.step(message.step).visual = message
            case ExplorationPlan():
                run.step(message.step).checklists[message.revision] = message
            case Experiences():
                run.step(message.step).experiences = message
            case JudgedTask():
                run.judged = message
            case Observation():
                step = run.step(message.step)
                step.time = message.header.stamp.seconds
                step.text = message.feedback or message.description
            # A step begins with the outcome of the action that the previous step decided.
            case SkillRequest() if message.step > 0:
                run.step(message.step - 1).skill = message
            case Outcome() if message.step > 0:
                run.step(message.step - 1).outcome = message
            case ModelCall() | RoleCall():
                _count_call(message, run.model_calls, run.left_out)
            case _:
                pass


def _count_call(
    message: ModelCall | RoleCall, calls: list[ModelCall], left_out: dict[str, Counter[str]]
) -> None:
    """Adds the call of a model, or what was left out of a role's reply."""
    if isinstance(message, ModelCall):
        calls.append(message)
    else:
        left_out.setdefault(message.role, Counter()).update(faults_in(message.error))


def _shows(run: TaskRun, keyframe: Keyframe) -> bool:
    return any(each.stamp == keyframe.stamp for each in run.keyframes)
