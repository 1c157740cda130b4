"""What is believed of a home: what is in sight, and what is remembered of the rest."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import pairwise, takewhile

from stma_ros.domains.programs.commands import HANDS, PLACING, WALK, read_command
from stma_ros.domains.programs.observed_home import YOU, kind_of, read_observation
from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Outcome, Result

_MOST_WALKS, _MOST_DEEDS = 2, 3  # of the same command

_YOU_FOR_ROBOT = {words.ROBOT: YOU}  # facts and observations name the one who acts differently


class BelievedHome:
    """The home of a step. What is in sight counts before what the spatial belief holds.

    Attributes:
        seen: What is in sight.
        commands: The admissible commands.
        done: The commands that were executed, as the temporal belief remembers them, oldest first.
    """

    def __init__(self, query: PlanQuery) -> None:
        self.seen = read_observation(query.observation)
        self.commands = frozenset(
            str(action) for action in query.allowed_actions if action.skill == words.SKILL_COMMAND
        )
        self._outcomes = tuple(each for each in query.temporal.completed if _is_command(each))
        self.done = tuple(str(each.action) for each in self._outcomes if each.result == Result.SUCCEEDED)
        self._places: dict[str, tuple[str, str]] = {}
        self._rooms: dict[str, str] = {}
        self._states: dict[str, set[str]] = {}
        for fact in query.spatial.facts:
            if fact.predicate in (words.IN, words.ON, words.HELD_BY):
                self._places[fact.subject] = fact.predicate, _YOU_FOR_ROBOT.get(fact.object, fact.object)
            elif fact.predicate == words.IN_ROOM:
                self._rooms[fact.subject] = fact.object
            elif fact.predicate == words.STATE:
                self._states.setdefault(fact.subject, set()).add(fact.object)

    @property
    def here(self) -> str:
        return self.seen.room

    @cached_property
    def room_kinds(self) -> Collection[str]:
        """The kinds of the rooms."""
        return frozenset(map(kind_of, self.seen.rooms))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All things: those in sight, then those remembered, room by room as a description of the home names them."""
        rooms = set(self.seen.rooms)
        remembered = (name for name in self._places if name != words.ROBOT and name not in rooms)
        order = {room: at for at, room in enumerate(dict.fromkeys(self._rooms.values()))}
        by_room = sorted(remembered, key=lambda name: order.get(self._rooms.get(name, ""), len(order)))
        return tuple(dict.fromkeys((*self.seen.things, *self.seen.held, *by_room)))

    def of_kind(self, kind: str) -> list[str]:
        """Returns the things, or rooms, of a kind."""
        return [name for name in (*self.names, *self.seen.rooms) if kind_of(name) == kind]

    def is_seen(self, name: str) -> bool:
        return name in self.seen.things or name in self.seen.held or name in self.seen.rooms

    def is_held(self, name: str) -> bool:
        return name in self.seen.held

    def is_near(self, name: str) -> bool:
        """Whether a thing is within reach: it is held, was just walked to, or something can be done with it."""
        return (
            self.is_held(name)
            or self.last == f"walk to {name}"
            or any(name in command.split() and not command.startswith("walk ") for command in self.commands)
        )

    @property
    def has_free_hand(self) -> bool:
        return len(self.seen.held) < HANDS

    def room_of(self, name: str) -> str:
        """Returns the room of a thing; empty = not known."""
        if name in self.seen.rooms:
            return name
        return self.here if self.is_seen(name) else self._rooms.get(name, "")

    def states(self, name: str) -> Collection[str]:
        if name in self.seen.things:
            return self.seen.things[name].states
        return self._states.get(name, ())

    @property
    def shown_states(self) -> Collection[str]:
        """The states that things have or had, in the world's words."""
        seen = (thing.states for thing in self.seen.things.values())
        return {state for states in (*seen, *self._states.values()) for state in states}

    def places(self, name: str) -> frozenset[tuple[str, str]]:
        """Returns each relation, ON, IN or HELD_BY, and name of what a thing is on, in or held by."""
        if self.is_seen(name):
            seen = self.seen.things[name].places if name in self.seen.things else ()
            return frozenset((*seen, *(((words.HELD_BY, YOU),) if self.is_held(name) else ())))
        known = {self._places[name]} if name in self._places else set()
        return frozenset(known | self._put.get(name, set()))

    @cached_property
    def _put(self) -> dict[str, set[tuple[str, str]]]:
        """Where things were put: a graph remembers one place of each."""
        put: dict[str, set[tuple[str, str]]] = {}
        for command in map(read_command, self.done):
            if command.verb == "grab":
                (name,) = command.names
                put.pop(name, None)
                for places in put.values():  # what is on or in a thing stays behind
                    places.difference_update([(words.ON, name), (words.IN, name)])
            elif command.verb in PLACING:
                name, place = command.names
                put.setdefault(name, set()).add((command.relation, place))
        return put

    def holder(self, name: str) -> str:
        """Returns what a thing is in; empty = in nothing, as far as is known."""
        return next((place for relation, place in sorted(self.places(name)) if relation == words.IN), "")

    @property
    def looked_at(self) -> Collection[str]:
        """The rooms that were seen."""
        walked = {
            name for command in map(read_command, self.done) if command.verb == WALK for name in command.names
        }
        return {self.here, *self._rooms.values(), *walked.intersection(self.seen.rooms)}

    def closed(self) -> list[str]:
        """Returns the things that are closed."""
        return [name for name in self.names if words.STATE_CLOSED in self.states(name)]

    @property
    def last(self) -> str:
        """The last command, whatever came of it; empty = there was none."""
        return str(self._outcomes[-1].action) if self._outcomes else ""

    def walks_in_vain(self, name: str) -> int:
        """Returns how often a walk to a thing was followed by a command on other things."""
        walk = f"walk to {name}"
        return sum(a == walk and name not in b.split() for a, b in pairwise(self.done))

    def leads_nowhere(self, command: str) -> bool:
        """Whether a command was done so often that one goes round in a circle: anything three times, or a walk twice
        since one did something else."""
        if not command.startswith(WALK):
            return self.done.count(command) >= _MOST_DEEDS
        walks = takewhile(lambda each: each.startswith(WALK), reversed(self.done))
        return list(walks).count(command) >= _MOST_WALKS

    @property
    def failed(self) -> Collection[str]:
        """The commands that failed since one succeeded."""
        failed: set[str] = set()
        for outcome in reversed(self._outcomes):
            if outcome.result == Result.SUCCEEDED:
                break
            failed.add(str(outcome.action))
        return failed


def _is_command(outcome: Outcome) -> bool:
    return outcome.action.skill == words.SKILL_COMMAND
