"""The activities of a folder that can be scored, with their goals in a home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.evaluation.programs.conditions import Goal, Scope, goal_of
from stma_ros.evaluation.programs.identification import Rooms, identified, lasting_rooms
from stma_ros.evaluation.programs.matching import TooManyChoicesError
from stma_ros.evaluation.programs.sentences import goal_sentences
from stma_ros.types.errors import StorageError
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import HomeGraph


@dataclass(frozen=True)
class Activity:
    """What people change in an activity.

    Attributes:
        name: in its folder.
        changes: goal by what is different at the end.
        rooms: of its things in the home as published.
        steps: number of steps of people's program.
    """

    name: str
    changes: Goal
    rooms: Rooms
    steps: int

    def goal(self, start: HomeGraph) -> Goal | None:
        """Returns the goal of an episode that begins with this graph; None if there is nothing to do."""
        return identified(self.changes, start, self.rooms)


@dataclass(frozen=True)
class Selection:
    """The activities of a folder.

    Attributes:
        scored: those that change something, and are not done by doing nothing.
        unusable: why each of those that cannot be read or scored is left out, by name.
    """

    scored: tuple[Activity, ...]
    unusable: Mapping[str, str]


def select(folder: ActivityFolder) -> Selection:
    """Returns the activities of a folder that can be scored."""
    scored: list[Activity] = []
    unusable: dict[str, str] = {}
    for name in folder.names:
        try:
            activity = _scored(folder, name)
        except (StorageError, TooManyChoicesError) as error:
            unusable[name] = str(error)
            continue
        if activity is not None:
            scored.append(activity)
    return Selection(tuple(scored), unusable)


def _scored(folder: ActivityFolder, name: str) -> Activity | None:
    """Returns an activity; None if it changes nothing, or is done by doing nothing.

    Raises:
        StorageError: it cannot be read, begun or worded.
        TooManyChoicesError: it cannot be scored.
    """
    before, after = folder.both_graphs(name)
    Episode(before, seed=0)
    changes = goal_of(before, after)
    if changes.scope is Scope.NOTHING:
        return None
    steps = len(folder.program(name).steps)
    activity = Activity(name, changes, lasting_rooms(changes, before, after), steps)
    goal = activity.goal(before)
    if goal is None:
        return None
    goal_sentences(goal, before)
    return activity
