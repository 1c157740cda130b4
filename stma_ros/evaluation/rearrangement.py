"""The suite `rearrangement`: household tasks in flats that the agent does not know, or only its find tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count, repeat
from typing import Any, TypeVar

import numpy as np

from stma_ros.components.spatial_memory.belief_faults import ALL_FAULTS, BELIEFS, LABELS
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.critic_score import CRITIC_COLUMNS
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.find import FindTruth, budget, score_find
from stma_ros.evaluation.flats import FLAT_WORLDS, REARRANGEMENT
from stma_ros.evaluation.household import HouseholdEpisode, household_episode
from stma_ros.evaluation.household_tasks.everyday.phrasing import say_everyday
from stma_ros.evaluation.household_tasks.everyday.templates import Templates
from stma_ros.evaluation.household_tasks.find_tasks import Presence, find_task
from stma_ros.evaluation.household_tasks.household import demonstration, household_task
from stma_ros.evaluation.household_tasks.subtasks import Find, Things
from stma_ros.evaluation.household_tasks.wording import Phrasing, everyday_templates, phrasing_of
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.prior_overlap import prior_overlap
from stma_ros.evaluation.suite import Defaults, Episode, EpisodeFields, Score
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting

HOUSEHOLD, FIND = "household", "find"
MIXED = "mixed"
ALL_LENGTHS = "all"
PLANS = "plans"

_CLASSES = {"<10": (1, 9), "10-20": (10, 20), "20-30": (21, 30), ">30": (31, 50)}
"""Length class -> fewest and most commands of the reference."""

LENGTHS = (ALL_LENGTHS, *_CLASSES)
"""The choices of tasks by length."""

_GROUPS = {
    Presence.IN_VIEW: "visible",
    Presence.IN_CONTAINER: "contained",
    Presence.ABSENT: "absent",
}
# The groups in every run of five find tasks: 40, 40 and 20 %.
_ROUND = (
    Presence.IN_VIEW,
    Presence.IN_CONTAINER,
    Presence.IN_VIEW,
    Presence.IN_CONTAINER,
    Presence.ABSENT,
)

_WORDING = 1  # distinguishes random numbers for the wording
_THE_SHARE = 0.6  # share of objects to find that are named with "the", where there are not several

_T = TypeVar("_T")
_SeedT = TypeVar("_SeedT")


@dataclass(frozen=True)
class RearrangementSettings:
    tasks: str = setting(HOUSEHOLD, "which tasks", choices=(HOUSEHOLD, FIND))
    length: str = setting(ALL_LENGTHS, "length class of the household tasks", choices=LENGTHS)
    noise: bool = setting(False, "noise of sensors and motion")
    flats: int = setting(
        0, "flats that the household tasks share; 0 = each has one of its own", low=0, high=1000
    )
    items: int = setting(
        0,
        "small things of the flats: 0 = those that they were made with; others: drawn and placed anew by this number",
        low=0,
        high=1_000_000,
    )
    changes: int = setting(0, "things that someone else changes in the middle of a task", low=0, high=20)
    corruption: float = setting(
        0.0, "share of plans and beliefs that are corrupted, to measure the critic", low=0.0, high=1.0
    )
    corrupted: str = setting(ALL_FAULTS, "what is corrupted", choices=(ALL_FAULTS, PLANS, BELIEFS, LABELS))
    corruption_seed: int = setting(0, "seed of what is corrupted, and how", low=0)
    phrasing: str = setting(
        MIXED,
        "wording of the tasks",
        choices=(MIXED, Phrasing.PLAIN.value, Phrasing.EVERYDAY.value),
    )


@dataclass(frozen=True)
class FindEpisode(EpisodeFields):
    """A find task, as a suite.PhrasedEpisode. category: of the target."""

    category: str
    phrasing: str = Phrasing.PLAIN.value

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores a report by the places of the objects at the end, since others may have moved them."""
        things = (thing for thing in trace.ending.objects if thing.category == self.category)
        return score_find(FindTruth.of(self.category, things), result)


class Rearrangement:
    """The Suite of household tasks."""

    name = "rearrangement"
    worlds = FLAT_WORLDS
    defaults = Defaults()
    scene_options = ("rooms", "states", "identity_seed", "palette_seed")

    def __init__(self, settings: RearrangementSettings = RearrangementSettings()) -> None:
        """Raises ConfigurationError for settings that exclude each other."""
        if settings.tasks != HOUSEHOLD and (settings.flats or settings.items):
            raise ConfigurationError(
                f"rearrangement.flats and items are for tasks={HOUSEHOLD}; leave them out with {settings.tasks}"
            )
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def columns(self) -> Mapping[str, str]:
        if self._settings.tasks != HOUSEHOLD:
            return {}
        return {GOAL_CONDITION_RECALL: "GCR [%]", **(CRITIC_COLUMNS if self._settings.corruption else {})}

    @property
    def notes(self) -> tuple[str, ...]:
        return (str(prior_overlap(household_categories())),)

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        if not self._settings.corruption:
            return {}
        what = self._settings.corrupted
        faults = {"fault_rate": self._settings.corruption, "fault_seed": self._settings.corruption_seed}
        result: dict[str, Mapping[str, Any]] = {}
        if what in (ALL_FAULTS, PLANS):
            result["planner"] = faults
        if what != PLANS:
            result["spatial_memory"] = {**faults, "fault_kinds": what}
        return result

    @property
    def world_options(self) -> Mapping[str, Any]:
        options = {"noise": self._settings.noise, "changes": self._settings.changes}
        return {name: value for name, value in options.items() if value}

    def check(self, seed: int | None, episodes: int) -> None:
        REARRANGEMENT.of(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> Episode:
        flats: Iterable[int] = REARRANGEMENT.of(seed, index)
        assert seed is not None  # or the line above would have raised
        if self._settings.tasks == FIND:
            turn, position = divmod(index, len(_ROUND))
            presence = _ROUND[position]
            ordinal = turn * _ROUND.count(presence) + _ROUND[:position].count(presence)
            templates = self._templates(seed, tuple(_GROUPS).index(presence), ordinal)
            return _first(flats, lambda flat: _find_episode(index, flat, presence, templates))
        if self._settings.length == ALL_LENGTHS:
            ordinal, number = divmod(index, len(_CLASSES))
        else:
            ordinal, number = index, tuple(_CLASSES).index(self._settings.length)
        group = tuple(_CLASSES)[number]
        templates = self._templates(seed, number, ordinal)
        items = self._settings.items
        tasks = REARRANGEMENT.of(seed + items, index)  # other small things, other tasks
        if self._settings.flats:
            flats = repeat(REARRANGEMENT.of(seed, ordinal % self._settings.flats).start)
        seeds = zip(flats, tasks, strict=False)
        return _first(seeds, lambda pair: _household_episode(index, *pair, items, group, templates))

    def _templates(self, seed: int, group: int, ordinal: int) -> Templates | None:
        """Returns the everyday templates for a task; None for plain wording."""
        mixed = self._settings.phrasing == MIXED
        phrasing = phrasing_of(seed, group, ordinal) if mixed else Phrasing(self._settings.phrasing)
        return everyday_templates(seed) if phrasing is Phrasing.EVERYDAY else None


def demo_episodes(seed: int, rooms: int) -> tuple[HouseholdEpisode, ...]:
    """Returns three tasks in one flat of `rooms` rooms, the first suitable one from `seed` on: find an object, bring an
    object from a closed container, and gather all objects of one kind."""

    def fitting(flat: int) -> tuple[HouseholdEpisode, ...] | None:
        tasks = demonstration(seed, flat, rooms)
        kinds = ("find", "fetch", "put all")
        episodes = [household_episode(k, kinds[k], task) for k, task in enumerate(tasks)]
        made = tuple(episode for episode in episodes if episode is not None)
        return made if len(made) == len(kinds) else None

    return _first(count(seed), fitting)


def _first(seeds: Iterable[_SeedT], make: Callable[[_SeedT], _T | None]) -> _T:
    """Returns the result for the first suitable seed; a few are not."""
    made = map(make, seeds)
    return next(episode for episode in made if episode is not None)


def _household_episode(
    index: int, flat: int, seed: int, items: int, group: str, templates: Templates | None
) -> HouseholdEpisode | None:
    task = household_task(seed, flat, *_CLASSES[group], items)
    episode = None if task is None else household_episode(index, group, task)
    if task is None or episode is None or templates is None:
        return episode
    text = say_everyday(_wording_generator(seed), templates, task.subtasks)
    return replace(episode, text=text, phrasing=Phrasing.EVERYDAY.value)


def _find_episode(
    index: int, flat: int, presence: Presence, templates: Templates | None
) -> FindEpisode | None:
    """Returns the episode; None when the flat has no visible target with that presence."""
    task = find_task(flat, presence, flat)
    if task.presence is not presence:
        return None
    commands = budget(task.reference_commands, task.inspection_commands, absent=presence is Presence.ABSENT)
    episode = FindEpisode(
        index=index,
        group=_GROUPS[presence],
        scene=task.scene,
        seed=task.seed,
        text=task.text,
        optimal_steps=task.reference_commands,
        max_commands=commands,
        category=task.category,
    )
    if templates is None:
        return episode
    rng = _wording_generator(flat)
    names = ("it",) if task.instances <= 1 and rng.random() < _THE_SHARE else ()  # "the mug", or "a mug"
    text = say_everyday(rng, templates, [Find(Things(task.category, names))])
    return replace(episode, text=text, phrasing=Phrasing.EVERYDAY.value)


def _wording_generator(flat: int) -> np.random.Generator:
    """Returns random numbers for the wording alone, so that a task is the same in any wording."""
    return np.random.default_rng((flat, _WORDING))
