"""What a report shows of a run: its tasks, their steps, and the messages of each."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from stma_ros.apps.report.frames import Keyframe
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.control import Fault
from stma_ros.types.experience import Experiences, JudgedTask
from stma_ros.types.exploration import ExplorationPlan, FrontierView, Snapshot, VisualBelief
from stma_ros.types.planning import (
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    Result,
    SkillRequest,
    SkillTarget,
    Task,
    TaskResult,
    Verdict,
)
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.standard import OccupancyGrid, Point, Pose
from stma_ros.types.telemetry import ModelCall
from stma_ros.types.truth import GroundTruth
from stma_ros.types.vocabulary import SKILL_PICK, SKILL_SWITCH_OFF, SKILL_SWITCH_ON
from stma_ros.visual.drawing_context import is_somewhere
from stma_ros.visual.frontier_views import chosen_frontier

_DELIBERATE = (SKILL_PICK, SKILL_SWITCH_ON, SKILL_SWITCH_OFF)


@dataclass(frozen=True)
class Waypoint:
    """The base in the map at a time: stamp [ns], position [m], heading [rad]."""

    stamp: int
    x: float
    y: float
    yaw: float

    @property
    def time(self) -> float:
        """The stamp in seconds."""
        return self.stamp / 1e9

    def seen_from(self, odometry: Pose) -> Waypoint:
        """Converts the waypoint to the map, where `odometry` is the pose of the odometry's frame."""
        cos, sin, origin = math.cos(odometry.yaw), math.sin(odometry.yaw), odometry.position
        x, y = origin.x + cos * self.x - sin * self.y, origin.y + sin * self.x + cos * self.y
        return Waypoint(self.stamp, x, y, self.yaw + odometry.yaw)


@dataclass
class PathLength:
    """Length of a path of points [m]. Steps shorter than `least` [m] are put together: the noise of a pose that is
    measured many times a second would add up to a way that nobody went."""

    least: float = 0.2
    _length: float = 0.0
    _last: tuple[float, float, float] | None = None
    _rest: float = 0.0

    @property
    def metres(self) -> float:
        return self._length + self._rest

    def add(self, place: tuple[float, float, float]) -> None:
        self._rest = 0.0 if self._last is None else math.dist(self._last, place)
        if self._last is None or self._rest >= self.least:
            self._length += self._rest
            self._last, self._rest = place, 0.0


@dataclass
class Step:
    """All messages about one step; the outcome is that of the action decided in this step. `text`: report of a text
    world at its begin."""

    number: int
    time: float | None = None
    text: str = ""
    requests: dict[int, PlanRequest] = field(default_factory=dict)
    plans: dict[int, Plan] = field(default_factory=dict)
    proposals: dict[int, ActionProposal] = field(default_factory=dict)
    critiques: dict[int, Critique] = field(default_factory=dict)
    temporal: TemporalBelief | None = None
    spatial: SpatialBelief | None = None
    frontiers: Frontiers | None = None
    visual: VisualBelief | None = None
    checklists: dict[int, ExplorationPlan] = field(default_factory=dict)
    experiences: Experiences | None = None
    skill: SkillRequest | None = None
    outcome: Outcome | None = None

    @property
    def accepted(self) -> ActionProposal | None:
        """The proposal that the critic accepted."""
        passed = [r for r, critique in self.critiques.items() if critique.verdict == Verdict.ACCEPTED]
        return self.proposals.get(passed[-1]) if passed else None

    @property
    def checklist(self) -> ExplorationPlan | None:
        """The last checklist of the step."""
        return self.checklists[max(self.checklists)] if self.checklists else None

    @property
    def explored(self) -> str:
        """Id of the frontier that was chosen; empty = none."""
        plan = self.plans[max(self.plans)] if self.plans else Plan()
        actions = plan.actions if self.skill is None else (self.skill.action,)
        return chosen_frontier(actions)


@dataclass
class TaskRun:
    """One task from its text to its end, or a recording that was watched without a task.

    Attributes:
        start, end: Stamps [s].
        result: None when the recording ends before the task.
        camera: The one that took the pictures; None = not known.
        path: The way of the base, or of a hand-held camera, by odometry.
        is_hand_held: Whether a person carries the camera.
        begin: Stamp of the recording's begin [s], from which times are shown; 0 where the clock starts with the run.
    """

    task: Task
    start: float
    end: float
    result: TaskResult | None = None
    trajectory: list[Waypoint] = field(default_factory=list)
    grid: OccupancyGrid | None = None
    graph: SceneGraph | None = None
    keyframes: list[Keyframe] = field(default_factory=list)
    truth: GroundTruth | None = None
    steps: dict[int, Step] = field(default_factory=dict)
    model_calls: list[ModelCall] = field(default_factory=list)
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    camera: PinholeCamera | None = None
    judged: JudgedTask | None = None
    path: PathLength = field(default_factory=PathLength)
    is_hand_held: bool = False
    begin: float = 0.0

    def step(self, number: int) -> Step:
        return self.steps.setdefault(number, Step(number))

    @property
    def ordered_steps(self) -> list[Step]:
        return [self.steps[number] for number in sorted(self.steps)]

    @property
    def is_text_world(self) -> bool:
        """Whether its world is one of text: nothing moves there, and its clock counts commands."""
        return any(step.text for step in self.steps.values())

    @property
    def distance(self) -> float:
        """The distance that the base travelled in all skills [m]; where none measured it, the length of its path."""
        outcomes = (step.outcome for step in self.steps.values() if step.outcome is not None)
        measured = [outcome.distance for outcome in outcomes if math.isfinite(outcome.distance)]
        return sum(measured) if measured else self.path.metres

    @property
    def handled(self) -> tuple[SkillTarget, ...]:
        """Objects that were picked or switched, each once. Containers opened in search of an object do not count."""
        requests = [
            step.skill
            for step in self.ordered_steps
            if step.skill is not None
            and step.skill.action.skill in _DELIBERATE
            and step.outcome is not None
            and step.outcome.result == Result.SUCCEEDED
        ]
        return tuple({target.id: target for request in requests for target in request.targets[:1]}.values())

    @property
    def kept_snapshots(self) -> tuple[Snapshot, ...]:
        """The snapshots that were kept at the end."""
        beliefs = (step.visual for step in reversed(self.ordered_steps))
        return next((belief.snapshots for belief in beliefs if belief is not None), ())

    @property
    def trail(self) -> tuple[str, ...]:
        """The entries of an exploration's trail at the end; of other tasks none."""
        steps = self.ordered_steps
        if all(step.checklist is None for step in steps):
            return ()
        return next((step.temporal.observations for step in reversed(steps) if step.temporal is not None), ())

    @property
    def open_frontiers(self) -> tuple[tuple[FrontierView, Point], ...]:
        """The frontiers that were considered last, with their centres in the map."""
        last = next((step for step in reversed(self.ordered_steps) if step.visual is not None), None)
        if last is None or last.visual is None or last.frontiers is None:
            return ()
        centers = {frontier.id: frontier.center for frontier in last.frontiers.frontiers}
        return tuple(
            (view, centers[view.frontier])
            for view in last.visual.frontiers
            if view.frontier in centers and is_somewhere(centers[view.frontier])
        )

    @property
    def rejections(self) -> int:
        critiques = (critique for step in self.steps.values() for critique in step.critiques.values())
        return sum(critique.verdict == Verdict.REJECTED for critique in critiques)


@dataclass
class RunView:
    """The content of a report.

    Attributes:
        tasks: In the order of their begin.
        watched: What was seen, where there is no task; None = there were no camera frames either.
        faults: Of nodes.
        series: Figures of the whole run by their paths, each (time [s], value).
        begin: As of TaskRun.
        idle_calls: Calls of models outside of tasks.
        idle_left_out: What was left out of their replies or corrected, by role.
    """

    tasks: list[TaskRun] = field(default_factory=list)
    watched: TaskRun | None = None
    faults: list[Fault] = field(default_factory=list)
    series: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    begin: float = 0.0
    idle_calls: list[ModelCall] = field(default_factory=list)
    idle_left_out: dict[str, Counter[str]] = field(default_factory=dict)
