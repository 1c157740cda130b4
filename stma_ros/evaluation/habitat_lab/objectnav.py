"""ObjectNav episodes of habitat-lab as tasks to go to an object.

    episode                             task
    the category "tv_monitor"           the text "go to a tv monitor"
    the robot calls stop                the task ends, and the agent reports success
    success: the robot has stopped      the same. `success_distance` is habitat-lab's 0.1 m to a view point; where a
    near a view point of an object      data set has none, it stops within `object_distance` of an object
    500 steps of 0.25 m or 30 degrees   `commands`: one is a whole skill, such as driving to a place
    SPL                                 the same: the shortest path is the data set's, the driven one the robot's

The agent does not know the criterion of success: it stops where its arm reaches the object, and names it. Two figures
therefore belong together: the success of ObjectNav, and `answer_right`, the share of the answers at the right place.
There is no soft SPL, and the remaining distance is a straight line: the scorer knows the robot's pose, but not the path
from there.

The robot takes no stairs: goals on another storey do not count, and an episode without a goal on its storey fails.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.habitat_lab.navigation import PATH_LENGTH, SPL, spl
from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.standard import Point
from stma_ros.worlds.habitat.lab.episodes import LabEpisode, LabGoal
from stma_ros.worlds.habitat.lab.scenes import scene_name
from stma_ros.worlds.robot.map_frame import MapFrame

ANSWER_RIGHT = "answer_right"
"""The key of a measure: whether the reported place is that of an object of the category [%]."""

STRAIGHT_DISTANCE = "straight_distance_to_goal"
"""The key of a measure: straight distance from the robot's end pose to the nearest view point (or object) [m]."""

_STEPS = 0.5  # largest difference between the floor's height and the start's within a storey [m]
_STOREY = 2.5  # height of a storey [m]
_ANSWER = 1.0  # largest distance of a report from the middle of an object such as a bed [m]

OBJECT_NAV_COLUMNS: Final[Mapping[str, str]] = {
    SPL: "SPL [%]",
    ANSWER_RIGHT: "answer right [%]",
    STRAIGHT_DISTANCE: "left [m]",
    PATH_LENGTH: "driven [m]",
}
"""See suite.Suite.columns."""


@dataclass(frozen=True)
class ObjectNavEpisode:
    """An ObjectNav episode with its ground truth, as a suite.Episode. The best number of commands is unknown.

    Attributes:
        goals: the goals in reach of the robot, in the frame of the data set, with z = 0 on its floor.
        shortest: length of the shortest path to one [m].
    """

    index: int
    group: str
    scene: str
    seed: int
    text: str
    max_commands: int
    goals: tuple[LabGoal, ...]
    shortest: float | None
    settings: HabitatLabSettings
    optimal_steps: int = 0

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: the agent reports the end, and the robot stands near enough."""
        goals = [_in_map(goal, trace.map_frame) for goal in self.goals]
        distance, near = left(goals, trace.ending.robot.position, self.settings)
        done = result.status == TaskStatus.SUCCEEDED
        right = done and _is_right(result.target.pose.position, goals)
        measures = {PATH_LENGTH: trace.driven, ANSWER_RIGHT: 100.0 * right}
        if self.goals:
            measures[STRAIGHT_DISTANCE] = distance
        if self.shortest is not None:
            measures[SPL] = spl(done and near, self.shortest, trace.driven)
        answer = f"the answer is {'right' if right else 'wrong'}, " if done else ""
        detail = f"{answer}the robot is {distance:.2f} m from where it should stop"
        if not done:
            return Score(cause_of(result), f"{reason_of(result)} ({detail})", measures)
        failure = Failure.NOT_DONE if right else Failure.WRONG_OBJECT
        return Score(Failure.NONE if near else failure, detail, measures)


def _is_right(answer: Point, goals: Sequence[LabGoal]) -> bool:
    place = answer.x, answer.y, answer.z
    return any(math.dist(goal.position, place) <= _ANSWER for goal in goals)


def _in_map(goal: LabGoal, frame: MapFrame) -> LabGoal:
    return LabGoal(frame.points(goal.position[None])[0], frame.points(goal.view_points))


def on_storey(goals: Sequence[LabGoal], floor: float) -> tuple[LabGoal, ...]:
    """Returns the goals that a robot without stairs can reach, with z = 0 on the floor at that height [m]."""
    shift = np.array((0.0, 0.0, floor))
    reached = []
    for goal in goals:
        views, position = goal.view_points - shift, goal.position - shift
        near = views[np.abs(views[:, 2]) <= _STEPS]
        if len(near) or (not len(views) and -_STEPS <= position[2] <= _STOREY):
            reached.append(LabGoal(position, near))
    return tuple(reached)


def left(goals: Sequence[LabGoal], robot: Point, settings: HabitatLabSettings) -> tuple[float, bool]:
    """Returns the straight distance from the robot to the nearest permitted end [m], and whether the robot is near
    enough. Without goals the distance is infinite."""
    here = np.array((robot.x, robot.y))
    views = np.concatenate([np.empty((0, 3)), *(goal.view_points for goal in goals)])
    objects = [goal.position for goal in goals if not len(goal.view_points)]
    to_view, to_object = (
        float(np.linalg.norm(np.reshape(places, (-1, 3))[:, :2] - here, axis=1).min(initial=math.inf))
        for places in (views, objects)
    )
    near = to_view < settings.success_distance or to_object < settings.object_distance
    return min(to_view, to_object), near


def object_nav(
    index: int, number: int, episode: LabEpisode, settings: HabitatLabSettings
) -> ObjectNavEpisode:
    """Makes an episode. number: position in its data set. Raises ConfigurationError when its scene is missing."""
    thing = words_of(episode.category)
    return ObjectNavEpisode(
        index=index,
        group=thing,
        scene=scene_name(episode, Path(settings.scenes)),
        seed=number,
        text=task_of(thing),
        max_commands=settings.commands,
        goals=on_storey(episode.goals, episode.start.z),
        shortest=episode.geodesic,
        settings=settings,
    )


def words_of(category: str) -> str:
    """Converts a category to plain words: "tv_monitor" is "tv monitor"."""
    return " ".join(category.replace("_", " ").split()).lower()


def task_of(thing: str) -> str:
    """Returns the task text for the agent."""
    article = "an" if thing[:1] in tuple("aeiou") else "a"
    return f"go to {article} {thing}"
