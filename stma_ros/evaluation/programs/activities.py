"""The activities of a folder that can be scored, with their goals in a home."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.evaluation.programs.conditions import Goal, Scope, goal_of
from stma_ros.evaluation.programs.identification import Rooms, identified, lasting_rooms
from stma_ros.worlds.programs.activity_folder import ActivityFolder
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


def scored_activities(folder: ActivityFolder) -> Iterator[Activity]:
    """Yields the activities that change something, and are not done by doing nothing.

    Raises:
        StorageError: an activity cannot be read.
    """
    for name in folder.names:
        before, after = folder.initial_graph(name), folder.final_graph(name)
        changes = goal_of(before, after)
        if changes.scope is Scope.NOTHING:
            continue
        steps = len(folder.program(name).steps)
        activity = Activity(name, changes, lasting_rooms(changes, before, after), steps)
        if activity.goal(before) is not None:
            yield activity
