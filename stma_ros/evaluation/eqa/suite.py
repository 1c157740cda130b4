"""The suite `eqa`: questions about flats that the agent does not know, answered by exploring.

Of an episode the agent gets the question and the scene alone; category, answer, evidence and the shortest path stay
with the scorer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.eqa import consistency, metrics
from stma_ros.evaluation.eqa.assessment import assessor_of, check_judge, rule_judge
from stma_ros.evaluation.eqa.generation.blind_prior import ANSWER_PRIORS
from stma_ros.evaluation.eqa.generation.episode import QuestionEpisode
from stma_ros.evaluation.eqa.generation.episode_geometry import EpisodeGeometry
from stma_ros.evaluation.eqa.generation.generator import question_episode
from stma_ros.evaluation.eqa.scoring import RIGHT
from stma_ros.evaluation.flats import EQA
from stma_ros.evaluation.role_use import ROLE_COLUMNS, role_use
from stma_ros.evaluation.suite import Defaults, Failure, Score
from stma_ros.mapping.transforms import looking_yaw, matrix_of
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Evidence, TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.types.standard import Pose
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.map_frame import MapFrame

GROUNDED = "grounding"
"""The key of a measure: whether a picture that the answer cites shows the evidence, of answers that cite one [%]."""

PATH, SHORTEST_PATH = "path_m", "shortest_path_m"
"""The keys of measures: length of the driven path, and of the shortest one [m]."""

SPARE_COMMANDS = 20
"""Commands beyond the agent's own limit of steps, which ends an exploration."""


@dataclass(frozen=True)
class EqaSettings:
    steps: int = setting(50, "steps of an episode, after which an answer is given", low=1, high=1000)
    noise: bool = setting(False, "noise of sensors and motion")
    width: int = setting(320, "width of the images", unit="px", low=16, high=4096)
    height: int = setting(240, "height of the images", unit="px", low=12, high=4096)
    judge: str = setting(
        "",
        "model with vision that judges the answers, such as openai:NAME@http://localhost:8000/v1; empty = rules",
        validate=check_judge,
    )


CAMERA = ("width", "height", "hfov", "camera_height", "camera_pitch")
"""Options of the world that decide what a picture shows, which the scorer has to know."""

HOME: Mapping[str, Any] = {"states": "varied", "state_reports": True}
"""Options of the world: much is open, on and full; a picture shows what is, and the detector misreads some of it."""


@dataclass(frozen=True)
class EqaEpisode:
    """A question with its ground truth, as a suite.Episode. `camera`: that of the world."""

    index: int
    question: QuestionEpisode
    max_commands: int
    judge: str = ""
    camera: Camera = Camera()

    @property
    def group(self) -> str:
        return self.question.truth.category.value

    @property
    def scene(self) -> str:
        return self.question.task.scene

    @property
    def seed(self) -> int:
        return self.question.task.seed

    @property
    def text(self) -> str:
        return self.question.task.text

    @property
    def optimal_steps(self) -> int:
        """The steps of a metre on the shortest path."""
        return max(1, math.ceil(self.question.truth.path_length))

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores the answer, and how it was found.

        Raises:
            StmaError: a model judges, and has no usable reply.
        """
        truth = self.question.truth
        answer = told_answer(result)
        right = (truth.answer, *truth.extra_answers)
        geometry = EpisodeGeometry(self.question, self.camera)
        shows = _shows_evidence(geometry, result.evidence, trace.map_frame)
        assessed = assessor_of(self.judge).assess(self.text, right, answer, result.evidence, shows)
        grade, express = assessed.score, assessed.grade
        measures = {
            metrics.LLM_MATCH: metrics.llm_match(grade),
            metrics.LLM_SPL: metrics.llm_spl(grade, truth.path_length, trace.driven),
            metrics.EXACT_MATCH: 100.0 * (grade is not None and rule_judge().is_exact(right, answer)),
            metrics.C: metrics.grounded_correctness(express),
            metrics.C_STAR: metrics.correctness(express),
            metrics.E_PATH: metrics.path_weighted_correctness(express, truth.path_length, trace.driven),
            metrics.D_T: metrics.distance_to_target(_distance_to_goal(geometry, trace)),
            GROUNDED: None if shows is None else 100.0 * shows,
            PATH: trace.driven,
            SHORTEST_PATH: truth.path_length,
            **_consistency(trace),
            **role_use(trace),
        }
        paths = f"{trace.driven:.1f} m driven, {truth.path_length:.1f} m are needed"
        detail = f"{answer!r}, right is {truth.answer!r} (score {grade}); {paths}"
        known = {name: value for name, value in measures.items() if value is not None}
        return Score(failure_of(result, grade), detail if answer else f"{reason_of(result)}; {detail}", known)


class Eqa:
    """The Suite, in which the categories take turns."""

    name = "eqa"
    worlds = ("house",)
    defaults = Defaults(seed=0, episodes=50)
    scene_options = ("rooms", "states", "identity_seed", "palette_seed", *CAMERA)

    def __init__(self, settings: EqaSettings = EqaSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def columns(self) -> Mapping[str, str]:
        return {
            metrics.LLM_MATCH: "LLM-Match",
            metrics.LLM_SPL: "LLM-SPL",
            metrics.EXACT_MATCH: "exact",
            consistency.MDCA: "mDCA",
            consistency.FRR: "FRR",
            consistency.PRR_HALF: "PRR 0.5",
            consistency.PRR_ONE: "PRR 1.0",
            GROUNDED: "grounded",
            PATH: "path [m]",
            **ROLE_COLUMNS,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        judge = "rules, not by a language model" if not self._settings.judge else self._settings.judge
        return (
            f"Answers are judged by {judge}; questions and flats are generated, so that the figures are not those of "
            "A-EQA.",
        )

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        steps = {"steps": self._settings.steps}
        return {"planner": {**steps, "answer_priors": str(ANSWER_PRIORS)}, "critic": steps}

    @property
    def world_options(self) -> Mapping[str, Any]:
        images = {"width": self._settings.width, "height": self._settings.height}
        return {**HOME, **images, **({"noise": True} if self._settings.noise else {})}

    def check(self, seed: int | None, episodes: int) -> None:
        EQA.of(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> EqaEpisode:
        EQA.of(seed, index)
        assert seed is not None  # or the line above would have raised
        commands = self._settings.steps + SPARE_COMMANDS
        camera = Camera(self._settings.width, self._settings.height)
        return EqaEpisode(index, question_episode(seed, index), commands, self._settings.judge, camera)


def told_answer(result: TaskResult) -> str:
    """Returns the answer that a task ended with; empty if it ended without one."""
    return result.text if result.status in (TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED) else ""


def robot_base(truth: GroundTruth, frame: MapFrame) -> Placement:
    """Returns the true base of the robot in the frame of the home. frame: of the map."""
    robot = truth.robot
    return frame.in_home(Placement(robot.position.x, robot.position.y, robot.yaw))


def failure_of(result: TaskResult, grade: int | None) -> Failure:
    """Returns why a question was not answered rightly. grade: of the judge."""
    if result.status != TaskStatus.SUCCEEDED:
        return cause_of(result)
    return Failure.NONE if grade is not None and grade >= RIGHT else Failure.WRONG_ANSWER


def _consistency(trace: EpisodeTrace) -> dict[str, float | None]:
    path = [(truth.robot.position.x, truth.robot.position.y) for truth in trace.truths]
    reselection = consistency.frontier_reselection(_choices(trace))
    return {
        consistency.MDCA: consistency.mean_direction_change(path),
        consistency.FRR: None if reselection is None else reselection.of_frontiers,
        consistency.FRR_STEPS: None if reselection is None else reselection.of_steps,
        consistency.PRR_HALF: consistency.position_revisit_rate(path, 0.5),
        consistency.PRR_ONE: consistency.position_revisit_rate(path, 1.0),
    }


def _choices(trace: EpisodeTrace) -> list[tuple[float, float]]:
    """Returns the places of the chosen frontiers. To go on towards the same one at the next step is no new choice."""
    chosen: list[tuple[float, float]] = []
    for request in trace.requests:
        if request.action.skill != words.SKILL_EXPLORE or not request.targets or request.targets[0].category:
            continue  # a closer look at a thing chooses no frontier
        at = request.targets[0].pose.position
        if not chosen or math.dist(chosen[-1], (at.x, at.y)) > consistency.SAME_FRONTIER:
            chosen.append((at.x, at.y))
        else:
            chosen[-1] = at.x, at.y  # it recedes as the robot comes nearer
    return chosen


def _shows_evidence(geometry: EpisodeGeometry, cited: Sequence[Evidence], frame: MapFrame) -> bool | None:
    """Returns whether one of the cited pictures shows evidence, by ground truth; None if none is cited."""
    views = [each.camera for each in cited if math.isfinite(each.camera.position.x)]
    if not views:
        return None
    return any(geometry.shows_evidence(_base_of(camera, frame)) for camera in views)


def _distance_to_goal(geometry: EpisodeGeometry, trace: EpisodeTrace) -> float:
    """Returns the length of the shortest path from the end to the end of the oracle's plan [m]."""
    return geometry.distance_to_goal(robot_base(trace.ending, trace.map_frame))


def _base_of(camera: Pose, frame: MapFrame) -> Placement:
    """Returns the base below a camera, in the frame of the home. camera: pose of the optical frame in the map."""
    at = camera.position
    return frame.in_home(Placement(at.x, at.y, looking_yaw(matrix_of(camera))))
