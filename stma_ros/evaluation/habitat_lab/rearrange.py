"""Rearrange episodes of habitat-lab as tasks to move objects.

    episode                             ours
    a thing, what it lies on, and       the sentence "move the bowl from the counter to the table"; several are said
    what it is to lie on                one after the other
    the exact place that it is to be    nobody tells the agent, for people do not say such things
    at (`targets`)
    success: it is within 0.15 m of     the task is done as the words have it: a bowl that was on a counter is in or on
    that place                          a table, and the agent says so
    `obj_at_goal`                       `at_goal`: the share of the things that are within `goal_distance` of their
                                        exact places; `right_place`: of those in or on the very table that is meant
    where the robot starts              drawn from the number of the episode; habitat-lab draws it, too, so its robot
                                        starts elsewhere

How far a thing is from its exact place is measured by the way that its middle has gone, against the way from where the
episode puts it to where the episode wants it: for no two programs agree on where the middle of a thing is. What begins
in a drawer that is open by half is off by the way that the drawer goes when the world shuts it, or opens it whole.

What cannot be said so is left out: nobody knows what the thing, or what it is to lie on, is called; it is to go from
one counter to another; or two sentences of one episode could mean the same thing. So is what is not in its own scene.
All is on one storey, that of the world: a thing on another one cannot be moved, and counts as not done.
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
from stma_ros.evaluation.household_tasks.phrasing import NUMBERS
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.memory.nouns import plural
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.habitat.axes import FloatArray, points_to_map
from stma_ros.worlds.habitat.lab.episodes import RearrangeEpisode, Target
from stma_ros.worlds.habitat.lab.rearranged import StagedScene, stage_episodes

AT_GOAL = "at_goal"
"""The key of a measure: the share of the things that are near enough to where the episode wants them [%]."""

RIGHT_PLACE = "right_place"
"""The key of a measure: the share of the things that are in or on the very thing that the episode means [%]."""

DISTANCE_LEFT = "object_to_goal_distance"
"""The key of a measure: from the things to where the episode wants them, on average [m]."""

REARRANGE_COLUMNS: Final[Mapping[str, str]] = {
    GOAL_CONDITION_RECALL: "GCR [%]",
    RIGHT_PLACE: "right place [%]",
    AT_GOAL: "at goal [%]",
    DISTANCE_LEFT: "left [m]",
}
"""See suite.Suite.columns."""


@dataclass(frozen=True)
class PlacementGoal:
    """Categories of the object, of its first support (empty: unknown), and of its goal."""

    thing: str
    start: str
    goal: str

    def said(self, count: int) -> str:
        """For so many things."""
        things = f"the {self.thing}" if count == 1 else f"{NUMBERS[count]} {plural(self.thing)}"
        start = f" from the {self.start}" if self.start else ""
        return f"Move {things}{start} to the {self.goal}."


@dataclass(frozen=True, eq=False)
class WantedThing:
    """thing, goal: names in the truth. way (3,): from where it is at first to where it is to be, in the map [m]."""

    thing: str
    goal: str
    way: FloatArray
    wish: PlacementGoal


@dataclass(frozen=True, eq=False)
class TellableEpisode:
    """number: in the data set. scene: in that of the scenes."""

    number: int
    scene: str
    wanted: tuple[WantedThing, ...]


@dataclass(frozen=True)
class TellableEpisodes:
    """Episodes that can be phrased as tasks. dataset: their scenes. left_out: number of the others."""

    dataset: Path
    episodes: tuple[TellableEpisode, ...]
    left_out: int

    @classmethod
    def of(
        cls, episodes: Sequence[RearrangeEpisode], dataset: str, settings: HabitatLabSettings
    ) -> TellableEpisodes:
        """Writes the scenes. Raises ConfigurationError, also where no episode can be phrased."""
        if not dataset:
            raise ConfigurationError(f"the episodes of {settings.episodes} name no scene data set")
        name = re.sub(r"\W+", "_", Path(settings.episodes).name.partition(".")[0])
        staged = stage_episodes(episodes, dataset, name, Path(settings.scenes), settings.cache_folder)
        why = [scene if isinstance(scene, str) else why_untellable(scene) for scene in staged.scenes]
        if all(why):
            raise ConfigurationError(
                f"none of the episodes of {settings.episodes} can be told in words; the first: {why[0]}"
            )
        tellable = tuple(
            TellableEpisode(number, scene.name, _wanted_in(scene))
            for number, scene in enumerate(staged.scenes)
            if not isinstance(scene, str) and not why[number]
        )
        return cls(staged.dataset, tellable, len(episodes) - len(tellable))


@dataclass(frozen=True)
class LabRearrangement:
    """A Rearrange episode with its truth; see suite.Episode. There is no best number of commands known."""

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
        """Success: everything is as the words have it, and the agent says so."""
        before, ending = trace.truths[0], trace.ending
        distances = [_distance(each, before, ending) for each in self.wanted]
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
        """One for each thing: so many of those that the words fit are where they fit, at least. What was there from the
        start counts for nothing."""
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


def rearrange(index: int, episode: TellableEpisode, settings: HabitatLabSettings) -> LabRearrangement:
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


def why_untellable(scene: StagedScene) -> str:
    """Why the episode of a scene cannot be phrased as a task; empty: it can."""
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
    """The things that the words fit at first."""
    categories = {each.name: each.category for each in before.objects}
    return [
        each.name
        for each in before.objects
        if each.category == wish.thing and wish.start in ("", categories.get(each.support, ""))
    ]


def _distance(wanted: WantedThing, before: GroundTruth, ending: GroundTruth) -> float:
    """From the thing to where it is to be [m]; infinite when the world does not know the thing."""
    middles = [
        np.array((each.center.x, each.center.y, each.center.z))
        for truth in (before, ending)
        for each in truth.objects
        if each.name == wanted.thing
    ]
    if len(middles) < 2:
        return math.inf
    return float(np.linalg.norm(middles[1] - middles[0] - wanted.way))
