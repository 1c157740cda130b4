"""The course of an activity: commands by names change a home, and what is seen of it is told.

It depends on nothing but the initial graph, the seed and the commands, so whoever has these can repeat it.
"""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.commands import FORMS, command_text, conceivable, read_command
from stma_ros.worlds.programs.execution import Home, PreconditionError
from stma_ros.worlds.programs.home_graph import ON, HomeGraph
from stma_ros.worlds.programs.moved_things import with_things_moved
from stma_ros.worlds.programs.naming import Names
from stma_ros.worlds.programs.senses import rooms, seen_things
from stma_ros.worlds.programs.wording import description, inventory


@dataclass(frozen=True)
class Look:
    """What the agent gets to know in a state. commands: those that are possible, sorted."""

    description: str
    inventory: str
    commands: tuple[str, ...]


def begin(activities: ActivityFolder, name: str, seed: int, *, moved: bool) -> Episode:
    """Returns a new episode of an activity. Raises StorageError where its home cannot be read.

    Args:
        activities: those that there are.
        name: name of one of them.
        seed: draws the order in which things are named, and their places.
        moved: whether the movable things are placed anew.
    """
    graph = activities.initial_graph(name)
    return Episode(with_things_moved(graph, seed) if moved else graph, seed)


class Episode:
    """An episode in a home. Its graph is a copy, and changes with the commands."""

    def __init__(self, graph: HomeGraph, seed: int) -> None:
        """Raises StorageError for a home whose character is in no room.

        Args:
            graph: the initial state.
            seed: draws the order in which things are named.
        """
        if graph.room_of(graph.character.id) is None:
            raise StorageError("the character is in no room, so it sees nothing")
        self.graph = graph.copy()
        self._names = Names(graph, seed)
        self._home = Home(self.graph, name=lambda node: self._names.of(node.id))
        self._rooms = tuple(rooms(graph))
        self._names.see(self._rooms)
        self._see()

    def name_of(self, id: int) -> str:
        """Returns what the agent calls a node; its kind while the agent has not seen it."""
        return self._names.of(id)

    def look(self) -> Look:
        deeds = self._home.possible(conceivable(self.graph, self._seen, self._rooms))
        commands = (command_text(action, map(self._names.of, things)) for action, things in deeds)
        return Look(
            description(self.graph, self._names, self._rooms, self._seen),
            inventory(self.graph, self._names),
            tuple(sorted(commands)),
        )

    def execute(self, command: str) -> Error:
        """Executes a command; returns why not if it is none or not possible now, and changes nothing then."""
        read = read_command(command)
        if read is None:
            return _not_allowed(f"{command!r} is no command. There are: {FORMS}")
        action, names = read
        things = []
        for name in names:
            id = self._names.id_of(name)
            if id is None or not (id in self._seen or (id in self._rooms and action == "WALK")):
                return _not_allowed(f"{command!r} is no command now: there is no {name} to be seen")
            things.append(id)
        try:
            self._home.do(action, tuple(things))
        except PreconditionError as error:
            return Error(ErrorCode.NO_EFFECT, f"{command!r} is not possible now: {error}")
        self._see()
        return Error()

    def _see(self) -> None:
        self._seen = frozenset(seen_things(self.graph))
        self._names.see({*self._seen, *self.graph.targets(self.graph.character.id, ON)})


def _not_allowed(text: str) -> Error:
    return Error(ErrorCode.ACTION_NOT_ALLOWED, text)
