"""Rearrange episodes of habitat-lab as tasks to move objects.

    episode                             task
    an object, its first support, and   the sentence "move the bowl from the counter to the table"; several sentences
    its goal support                    follow one another
    the exact goal pose (`targets`)     no part of the text, as people do not state such poses
    success: the object is within       the text is fulfilled: a bowl that was on a counter is in or on a table, and
    0.15 m of that pose                 the agent reports success
    `obj_at_goal`                       `at_goal`: the share of the objects within `goal_distance` of their exact poses;
                                        `right_place`: the share in or on the very table of the episode
    the robot's start                   drawn from the number of the episode; habitat-lab draws it too, so that its
                                        robot starts elsewhere

The distance of an object from its exact goal compares the displacement of its centre with the displacement from the
episode's start pose to its goal, as no two programs agree on the centre of an object. An object that begins in a
half-open drawer is off by the travel of the drawer when the world closes or opens it fully.

An episode is left out when its text would be impossible or ambiguous: the category of the object or of its goal is
unknown; object and goal support have the same category; or two sentences of one episode could refer to the same object.
Episodes that are not in their own scene are left out as well. Everything is on one storey, that of the world: an object
on another one cannot be moved, and counts as not done.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stma_ros.evaluation.conditions import Condition, Placed
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
from stma_ros.evaluation.household import score_conditions
from stma_ros.evaluation.household_tasks.english import NUMBERS
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.memory.nouns import plural
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.habitat.axes import FloatArray, points_to_map
from stma_ros.worlds.habitat.lab.episodes import RearrangeEpisode, Target
from stma_ros.worlds.habitat.lab.rearranged import StagedScene, stage_episodes
from stma_ros.worlds.robot.map_frame import MapFrame

AT_GOAL = "at_goal"
"""The key of a measure: the share of the objects that are near enough to the episode's goal poses [%]."""

RIGHT_PLACE = "right_place"
"""The key of a measure: the share of the objects that are in or on the episode's own goal supports [%]."""

DISTANCE_LEFT = "object_to_goal_distance"
"""The key of a measure: mean distance of the objects from the episode's goal poses [m]."""

REARRANGE_COLUMNS: Final[Mapping[str, str]] = {
    GOAL_CONDITION_RECALL: "GCR [%]",
    RIGHT_PLACE: "right place [%]",
    AT_GOAL: "at goal [%]",
    DISTANCE_LEFT: "left [m]",
}
"""See suite.Suite.columns."""


@dataclass(frozen=True)
class PlacementGoal:
    """Categories of an object, of its first support (empty = unknown), and of its goal support."""

    thing: str
    start: str
    goal: str

    def said(self, count: int) -> str:
        """Returns the sentence for that number of objects."""
        things = f"the {self.thing}" if count == 1 else f"{NUMBERS[count]} {plural(self.thing)}"
        start = f" from the {self.start}" if self.start else ""
        return f"Move {things}{start} to the {self.goal}."


@dataclass(frozen=True, eq=False)
class WantedThing:
    """An object to move.

    Attributes:
        thing: name of the object in the ground truth.
        goal: name of its goal support in the ground truth.
        way: (3,), displacement from its first place to its goal, in the frame of the data set [m].
        wish: categories for the text.
    """

    thing: str
    goal: str
    way: FloatArray
    wish: PlacementGoal


@dataclass(frozen=True, eq=False)
class PhrasableEpisode:
    """An episode that can be phrased as a task. number: position in the data set. scene: name in the staged scenes."""

    number: int
    scene: str
    wanted: tuple[WantedThing, ...]


@dataclass(frozen=True)
class PhrasableEpisodes:
    """Episodes that can be phrased as tasks. dataset: their scenes. left_out: number of the others."""

    dataset: Path
    episodes: tuple[PhrasableEpisode, ...]
    left_out: int

    @classmethod
    def of(
        cls, episodes: Sequence[RearrangeEpisode], dataset: str, settings: HabitatLabSettings
    ) -> PhrasableEpisodes:
        """Selects the episodes, and writes their scenes. Raises ConfigurationError, also where no episode can be
        phrased."""
        if not dataset:
            raise ConfigurationError(f"the episodes of {settings.episodes} name no scene data set")
        name = re.sub(r"\W+", "_", Path(settings.episodes).name.partition(".")[0])
        staged = stage_episodes(episodes, dataset, name, Path(settings.scenes), settings.cache_folder)
        why = [scene if isinstance(scene, str) else why_not_phrasable(scene) for scene in staged.scenes]
        if all(why):
            raise ConfigurationError(
                f"none of the episodes of {settings.episodes} can be phrased as a task; the first: {why[0]}"
            )
        tellable = tuple(
            PhrasableEpisode(number, scene.name, _wanted_in(scene))
            for number, scene in enumerate(staged.scenes)
            if not isinstance(scene, str) and not why[number]
        )
        return cls(staged.dataset, tellable, len(episodes) - len(tellable))


@dataclass(frozen=True)
class LabRearrangement:
    """A Rearrange episode with its ground truth, as a suite.Episode. The best number of commands is unknown."""

    index: int
    group: str
    scene: str
    seed: int
    text: str
    max_commands: int
    wanted: tuple[WantedThing, ...]
    goal_distance: float
    optimal_steps: int = 0

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: everything is as the text states, and the agent reports it."""
        before, ending = trace.truths[0], trace.ending
        distances = [_distance(each, before, ending, trace.map_frame) for each in self.wanted]
        right = [Placed((each.thing,), (each.goal,)).holds(ending) for each in self.wanted]
        measures = {
            RIGHT_PLACE: 100 * sum(right) / len(right),
            AT_GOAL: 100 * sum(each < self.goal_distance for each in distances) / len(distances),
        }
        if all(map(math.isfinite, distances)):
            measures[DISTANCE_LEFT] = sum(distances) / len(distances)
        conditions = self._conditions(before)
        if not conditions:
            return Score(Failure.NOT_DONE, "nothing was left to do: the words held from the start", measures)
        return score_conditions(conditions, result, trace, measures)

    def _conditions(self, before: GroundTruth) -> list[Condition]:
        """Returns a condition for each object: at least the required number of objects of the category at goals of the
        category. Objects that were there at the start do not count."""
        conditions: list[Condition] = []
        for wish in dict.fromkeys(each.wish for each in self.wanted):
            places = tuple(place.name for place in before.objects if place.category == wish.goal)
            meant = [each.thing for each in self.wanted if each.wish == wish]
            things = tuple(
                name
                for name in dict.fromkeys([*meant, *_fitting(wish, before)])
                if not Placed((name,), places).holds(before)
            )
            to_do = len(set(meant).intersection(things))
            conditions += [Placed(things, places, count=number) for number in range(1, to_do + 1)]
        return conditions


def rearrange(index: int, episode: PhrasableEpisode, settings: HabitatLabSettings) -> LabRearrangement:
    wishes = Counter(each.wish for each in episode.wanted)
    count = len(episode.wanted)
    return LabRearrangement(
        index=index,
        group="1 thing" if count == 1 else f"{count} things",
        scene=episode.scene,
        seed=episode.number,
        text=" ".join(wish.said(number) for wish, number in wishes.items()),
        max_commands=settings.commands * count,
        wanted=episode.wanted,
        goal_distance=settings.goal_distance,
    )


def _wanted_in(scene: StagedScene) -> tuple[WantedThing, ...]:
    return tuple(_wanted(target, scene) for target in scene.targets)


def _wanted(target: Target, scene: StagedScene) -> WantedThing:
    way = points_to_map(np.array([target.transform[:3, 3] - scene.starts[target.thing]]))[0]
    names = scene.categories
    wish = PlacementGoal(names[target.thing], names.get(target.start, ""), names.get(target.goal, ""))
    return WantedThing(target.thing, target.goal, way, wish)


def why_not_phrasable(scene: StagedScene) -> str:
    """Returns why the episode of a scene cannot be phrased as a task; empty = it can."""
    wishes = [wanted.wish for wanted in _wanted_in(scene)]
    for target, wish in zip(scene.targets, wishes, strict=True):
        if not wish.thing or not wish.goal:
            unknown = target.goal if wish.thing else target.thing
            return f"nothing says what {unknown or 'that which ' + target.thing + ' is to lie on'} is called"
        if wish.start == wish.goal:
            return f"{target.thing} is to go from one {wish.start} to another"
    counts = Counter(wishes)
    if max(counts.values()) >= len(NUMBERS):
        return f"there is no word for {max(counts.values())} things"
    for one, other in itertools.combinations(counts, 2):
        if one.thing == other.thing and (one.start == other.start or "" in (one.start, other.start)):
            return (
                f'"{one.said(counts[one])}" and "{other.said(counts[other])}" may mean the same {one.thing}'
            )
    return ""


def _fitting(wish: PlacementGoal, before: GroundTruth) -> list[str]:
    """Returns the objects that the text refers to at the start."""
    categories = {each.name: each.category for each in before.objects}
    return [
        each.name
        for each in before.objects
        if each.category == wish.thing and wish.start in ("", categories.get(each.support, ""))
    ]


def _distance(wanted: WantedThing, before: GroundTruth, ending: GroundTruth, frame: MapFrame) -> float:
    """Returns the distance of the object from its goal [m]; infinite when the world does not know the object."""
    middles = [
        np.array((each.center.x, each.center.y, each.center.z))
        for truth in (before, ending)
        for each in truth.objects
        if each.name == wanted.thing
    ]
    if len(middles) < 2:
        return math.inf
    origin, goal = frame.points(np.stack([np.zeros(3), wanted.way]))
    return float(np.linalg.norm(middles[1] - middles[0] - (goal - origin)))
