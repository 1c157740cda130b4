"""The suite `programs`: household activities that people wrote for VirtualHome (Puig et al. 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from stma_ros.evaluation.causes import cause_of, reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.programs.activities import Activity, Selection, select
from stma_ros.evaluation.programs.conditions import Goal, Scope
from stma_ros.evaluation.programs.matching import best_assignment
from stma_ros.evaluation.programs.sentences import goal_sentences, task_text
from stma_ros.evaluation.suite import Defaults, EpisodeFields, Failure, Score
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.planning import Result, TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.types.vocabulary import SKILL_COMMAND
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import HomeGraph
from stma_ros.worlds.programs.moved_things import with_things_moved

SAME_THINGS: Final = "same_things"
"""The key of a measure: whether the goal was reached with the very things that people used [%]."""

PEOPLE_STEPS: Final = "people_steps"
"""The key of a measure: number of steps of people's program. It is no shortest plan, so no reference of efficiency."""

_CHARACTER = "character"
_LONGEST = {"<10": 9, "10-20": 20, "20-30": 30}  # steps of people's program
_LONGER = ">30"

_DRAWS = 20  # of the places of things, until there is something to do
_MOST_COPIES = 50


@dataclass(frozen=True)
class ProgramsSettings:
    folder: str = setting("", "folder of activities: programs/NAME.txt and graphs/NAME.json")
    moved: int = setting(
        0,
        "copies of each home in which the movable things are placed anew; 0 = the homes as published",
        low=0,
        high=_MOST_COPIES,
    )
    budget: int = setting(100, "commands of an episode", low=1)


@dataclass(frozen=True)
class ProgramsEpisode(EpisodeFields):
    """An Episode of the suite. start: the initial graph; goal: in it; people_steps: length of people's program."""

    start: HomeGraph
    goal: Goal
    people_steps: int

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: the agent reports it, and all conditions hold of some things of the classes that the goal
        names."""
        ending = self._ending(trace)
        found = best_assignment(self.goal, ending)
        missing = {
            condition
            for condition in (*self.goal.conditions, *self.goal.givens)
            if not condition.of(found).holds(ending)
        }
        total = len(self.goal.conditions)
        done = sum(condition not in missing for condition in self.goal.conditions)
        measures = {
            GOAL_CONDITION_RECALL: 100 * done / total,
            SAME_THINGS: 100.0 * self.goal.reached(ending),
            PEOPLE_STEPS: float(self.people_steps),
        }
        said = [text for each, text in goal_sentences(self.goal, self.start).items() if each in missing]
        detail = f"{done} of {total} conditions" + (f"; not: {'; '.join(said)}" if said else "")
        if result.status != TaskStatus.SUCCEEDED:
            return Score(cause_of(result), f"{reason_of(result)} ({detail})", measures)
        return Score(Failure.NOT_DONE if missing else Failure.NONE, detail, measures)

    def _ending(self, trace: EpisodeTrace) -> HomeGraph:
        """Returns the home after the commands that had an effect. Raises StmaError where these are not possible."""
        episode = Episode(self.start, self.seed)
        for outcome in trace.outcomes:
            is_command = outcome.action.skill == SKILL_COMMAND and outcome.result == Result.SUCCEEDED
            if is_command and (refusal := episode.execute(str(outcome.action))):
                raise StmaError(f"the recorded commands cannot be repeated: {refusal.text}")
        return episode.graph


class Programs:
    """A Suite of all activities of a folder, by their names; with moved things, one copy of all after the other."""

    name = "programs"
    worlds = ("programs",)
    scene_options = ("folder", "moved")
    component_settings: Mapping[str, Mapping[str, Any]] = {}

    def __init__(self, settings: ProgramsSettings = ProgramsSettings()) -> None:
        """Raises ConfigurationError without activities."""
        if not settings.folder:
            raise ConfigurationError(
                "the suite programs needs activities, none come with this package: name a folder with pairs "
                "programs/NAME.txt and graphs/NAME.json, --set folder=DIR"
            )
        self._settings = settings
        self._folder = ActivityFolder(Path(settings.folder))

    @property
    def columns(self) -> Mapping[str, str]:
        return {
            GOAL_CONDITION_RECALL: "GCR [%]",
            SAME_THINGS: "same things [%]",
            PEOPLE_STEPS: "people's steps",
        }

    @property
    def defaults(self) -> Defaults:
        return Defaults(seed=0, episodes=self._number)

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {"folder": self._settings.folder, "moved": self._settings.moved > 0}

    @property
    def notes(self) -> tuple[str, ...]:
        total, unusable = len(self._folder.names), self._selection.unusable
        idle = total - len(self._activities) - len(unusable)
        told = [f"{idle} of {total} activities are not scored: doing nothing does them."] if idle else []
        if unusable:
            told.append(f"{len(unusable)} of {total} activities are left out, as they cannot be used:")
            told += [f"{name}: {why}" for name, why in unusable.items()]
        return tuple(told)

    @cached_property
    def _selection(self) -> Selection:
        found = select(self._folder)
        if not found.scored:
            why = next(iter(found.unusable.values()), "none changes a state or a relation")
            raise ConfigurationError(
                f"no activity of {self._settings.folder} can be scored ({why}): give another folder"
            )
        return found

    @property
    def _activities(self) -> tuple[Activity, ...]:
        return self._selection.scored

    @property
    def _number(self) -> int:
        return len(self._activities) * max(1, self._settings.moved)

    def check(self, seed: int | None, episodes: int) -> None:
        if episodes > self._number:
            raise ConfigurationError(
                f"{self._settings.folder} has {self._number} episodes with moved={self._settings.moved}: give at most "
                "that many --episodes"
            )

    def episode(self, seed: int | None, index: int) -> ProgramsEpisode:
        """Returns an episode. Raises StorageError for an activity that cannot be read, ConfigurationError for one that
        has nothing to do wherever its things are."""
        copy, place = divmod(index, len(self._activities))
        activity = self._activities[place]
        published = self._folder.initial_graph(activity.name)
        for draw in range(_DRAWS):
            drawn = ((seed or 0) * _MOST_COPIES + copy) * _DRAWS + draw
            start = with_things_moved(published, drawn) if self._settings.moved else published
            goal = activity.goal(start)
            if goal is None:
                continue
            return ProgramsEpisode(
                index=index,
                group=_group(activity) + (" moved" if self._settings.moved else ""),
                scene=activity.name,
                seed=drawn,
                text=task_text(self._folder.program(activity.name), goal, start),
                optimal_steps=0,
                max_commands=self._settings.budget,
                start=start,
                goal=goal,
                people_steps=activity.steps,
            )
        raise ConfigurationError(
            f"{activity.name} is done wherever its things are placed: leave it out of the folder, or use moved=0"
        )


def _group(activity: Activity) -> str:
    if activity.changes.scope is Scope.CHARACTER:
        return _CHARACTER
    return next((name for name, most in _LONGEST.items() if activity.steps <= most), _LONGER)
