"""The suite `activities`: what people want done in a home, by BEHAVIOR's definitions, in our flats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice, permutations, product
from typing import Any

import numpy as np

from stma_ros.evaluation.activities.facts import ActivityFacts
from stma_ros.evaluation.activities.oracle import Unsolved, solve
from stma_ros.evaluation.activities.selection import NAMES, is_reporting
from stma_ros.evaluation.activities.wording import ActivityWording
from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.find import budget
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import Defaults, Episode, Failure, Score
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.bddl.expressions import And, Atom, Expression, ForAll, holds, literals, substituted
from stma_ros.worlds.house.activities.instantiation import ActivityHome, activity_home
from stma_ros.worlds.house.place import activity_scene, scene_of
from stma_ros.worlds.house.starting import start_pose

DEVELOPMENT, REPORTING, ALL = "development", "reporting", "all"

SOLVED, UNSOLVED = "possible", "impossible"
"""The groups: activities that the oracle solves, and others, which count as failures."""

_HOMES = 3  # flats of its own that are tried for an activity, until the oracle solves it
_ASSIGNMENTS = 720  # of things to instances of their class that a score tries
_SEEDS = 1000  # of flats, for each seed of the suite: more than all activities try


@dataclass(frozen=True)
class ActivitiesSettings:
    half: str = setting(
        DEVELOPMENT,
        "which activities: those to develop on, those for reporting, or all",
        choices=(DEVELOPMENT, REPORTING, ALL),
    )
    noise: bool = setting(False, "noise of sensors and motion")


@dataclass(frozen=True, eq=False)
class ActivityEpisode:
    """An activity that the oracle solves in its flat, as a suite.Episode."""

    index: int
    activity: str
    home: ActivityHome
    seed: int
    optimal_steps: int
    max_commands: int
    group: str = SOLVED

    @property
    def scene(self) -> str:
        return activity_scene(self.activity, self.seed)

    @property
    def text(self) -> str:
        return ActivityWording(self.home).text()

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: the goal is reached, and the agent reports it."""
        names, left = closest(self.home, trace.ending)
        started = unmet(self.home, trace.truths[0], names)
        done = sum(part not in left for part in started)
        total = len(goal_parts(self.home))
        measures = {GOAL_CONDITION_RECALL: 100 * done / len(started) if started else 100.0 * (not left)}
        detail = f"{self.activity}: {total - len(left)} of {total} conditions hold"
        detail += f"; not: {'; '.join(left)}" if left else ""
        if result.status != TaskStatus.SUCCEEDED:
            return Score(cause_of(result), f"{reason_of(result)} ({detail})", measures)
        return Score(Failure.NOT_DONE if left else Failure.NONE, detail, measures)


@dataclass(frozen=True)
class ImpossibleEpisode:
    """An activity that the oracle does not solve, or that no flat suits: a failure, whatever the agent does."""

    index: int
    activity: str
    seed: int
    reason: str
    group: str = UNSOLVED
    text: str = "Look around."
    optimal_steps: int = 1
    max_commands: int = 1

    @property
    def scene(self) -> str:
        return scene_of(self.seed)

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        return Score(Failure.IMPOSSIBLE, f"{self.activity}: {self.reason}", {GOAL_CONDITION_RECALL: 0.0})


def closest(home: ActivityHome, truth: GroundTruth) -> tuple[Mapping[str, str], list[str]]:
    """Returns the world's names of the instances with which the fewest conditions of the goal do not hold, and these
    conditions: a text says "one of the mugs", and cannot say which."""
    best: tuple[Mapping[str, str], list[str]] | None = None
    for names in islice(_assignments(home), _ASSIGNMENTS):
        left = unmet(home, truth, names)
        if best is None or len(left) < len(best[1]):
            best = names, left
        if not left:
            break
    assert best is not None  # the names of the home are one assignment
    return best


def unmet(home: ActivityHome, truth: GroundTruth, names: Mapping[str, str]) -> list[str]:
    """Returns the conditions of the goal that do not hold. names: the world's names of the instances."""
    facts = ActivityFacts(truth, home.flat, names)
    return [str(part) for part in goal_parts(home) if not holds(part, home.problem.objects, facts)]


def _assignments(home: ActivityHome) -> Iterator[Mapping[str, str]]:
    """Yields the ways to assign small things to the instances that the goal names one by one, that of the activity
    first."""
    named = {term for each in literals(home.problem.goal) for term in each.atom.terms}
    choices = []
    for instances in home.problem.objects.values():
        ones = [each for each in instances if each in named and home.names[each] in home.flat.items_by_name]
        if ones:
            others = [each for each in instances if each not in ones]
            choices.append(
                [
                    dict(zip((*ones, *others), map(home.names.__getitem__, order), strict=True))
                    for order in islice(permutations((*ones, *others)), _ASSIGNMENTS)
                ]
            )
    for chosen in product(*choices):
        yield {**home.names, **{key: name for names in chosen for key, name in names.items()}}


def goal_parts(home: ActivityHome) -> tuple[Expression, ...]:
    """Returns the conditions of a goal: its parts, and those of each instance where all of a class are meant."""
    return tuple(_parts(home.problem.goal, home.problem.objects))


def _parts(goal: Expression, objects: Mapping[str, tuple[str, ...]]) -> list[Expression]:
    match goal:
        case And(parts):
            return [each for part in parts for each in _parts(part, objects)]
        case ForAll(variable, Atom() as part):
            return [substituted(part, {variable.name: each}) for each in objects.get(variable.category, ())]
    return [goal]


class Activities:
    """The Suite of activities."""

    name = "activities"
    worlds = ("house",)
    defaults = Defaults(episodes=20)
    scene_options = ("rooms", "states", "identity_seed", "palette_seed")
    component_settings: Mapping[str, Mapping[str, Any]] = {}
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = {GOAL_CONDITION_RECALL: "GCR [%]"}

    def __init__(self, settings: ActivitiesSettings = ActivitiesSettings()) -> None:
        self._settings = settings
        wanted = {DEVELOPMENT: (False,), REPORTING: (True,), ALL: (False, True)}[settings.half]
        self._names = tuple(name for name in NAMES if is_reporting(name) in wanted)

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {"noise": True} if self._settings.noise else {}

    def check(self, seed: int | None, episodes: int) -> None:
        if seed is None or seed < 0:
            raise ConfigurationError(f"the suite's seed must be 0 or more, got {seed}")
        if episodes > len(self._names):
            raise ConfigurationError(
                f"there are {len(self._names)} activities with activities.half={self._settings.half}; give "
                f"--episodes {len(self._names)} or fewer"
            )

    def episode(self, seed: int | None, index: int) -> Episode:
        self.check(seed, index + 1)
        assert seed is not None  # or the line above would have raised
        return activity_episode(self._names[index], seed, index)


@lru_cache(maxsize=8)
def activity_episode(activity: str, seed: int, index: int = 0) -> ActivityEpisode | ImpossibleEpisode:
    """Returns an activity in the first of a few flats in which the oracle solves it. Activities share no flats.

    Args:
        activity: one of the NAMES.
        seed: of the suite.
        index: of the episode.

    Raises:
        MissingDependencyError: the definitions are not installed.
    """
    first = seed * _SEEDS + NAMES.index(activity) * _HOMES
    reason = ""
    for number in range(first, first + _HOMES):
        try:
            home = activity_home(activity, number)
        except ConfigurationError as error:
            reason = str(error)
            continue
        start = start_pose(home.flat, np.random.default_rng(number))
        reference = solve(home, start)
        if isinstance(reference, Unsolved):
            reason = f"the oracle does not solve it: {reference.reason}"
            continue
        flat = home.flat
        closed = sum(piece.name not in flat.initial.open_names for piece in flat.containers)
        inspection = len(flat.layout.rooms) + 2 * closed
        commands = budget(reference.commands, inspection, absent=False)
        return ActivityEpisode(index, activity, home, number, reference.commands, commands)
    return ImpossibleEpisode(index, activity, first, reason)
