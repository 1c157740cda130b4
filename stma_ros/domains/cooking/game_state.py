"""The state of a text game for planner and critic: beliefs, observation and admissible commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from stma_ros.domains.cooking.cooking import CookingRules, cooking_rules, room_key
from stma_ros.domains.cooking.layout import likely_loops
from stma_ros.domains.cooking.notes import Note, noted, read_notes
from stma_ros.domains.cooking.recipe import Recipe, Step, read_recipe
from stma_ros.domains.cooking.relation_aggregator import read_exit_target
from stma_ros.domains.cooking.scene import FLOOR, Scene, read_scene
from stma_ros.domains.cooking.spelling import letters, respelt
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Route

_INVENTORY = re.compile(r"you are carrying[^\n]*", re.IGNORECASE)


@dataclass(frozen=True)
class Opening:
    """An unexplored exit. moves: the commands that lead through it."""

    room: str
    direction: str
    door: str
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.direction} of the {self.room}"


@dataclass(frozen=True)
class Container:
    """An unopened container. moves: the commands that open it."""

    name: str
    room: str
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"inside the {self.name}"


class GameState:
    """The state of a text game. Names are in lower case; `spell` restores the world's spelling."""

    def __init__(
        self, temporal: TemporalBelief, spatial: SpatialBelief, observation: str, allowed: Sequence[Action]
    ) -> None:
        self.rules: CookingRules = cooking_rules()
        texts = (a.arguments[0] for a in allowed if a.skill == words.SKILL_COMMAND and a.arguments)
        self._spelt = {text.casefold(): text for text in texts}
        self.commands: tuple[str, ...] = tuple(self._spelt)
        now = observation.casefold()
        carried = _INVENTORY.findall(now)
        self.scene: Scene = read_scene(now, carried[-1] if carried else "", self.commands)
        self.here: str = self.scene.room
        self._temporal, self._spatial, self._observation = temporal, spatial, observation
        self.routes: Mapping[str, Route] = {route.target: route for route in spatial.routes}

    def spell(self, command: str) -> Action:
        """Returns the action of a command, in the world's spelling as far as it was seen."""
        spelt = self._spelt.get(command) or respelt(command, self._letters)
        return Action(words.SKILL_COMMAND, (spelt,))

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """The world's spelling of words: commands are more reliable than prose."""
        done = (str(outcome.action) for outcome in self._temporal.completed)
        belief = self._temporal
        prose = (self._observation, *belief.observations, *belief.instructions, belief.text)
        return letters((*self._spelt.values(), *done), prose)

    # -- what was read and seen

    @cached_property
    def recipe(self) -> Recipe | None:
        """The recipe that was read in this attempt or in an earlier one, or None."""
        known = "\n".join(self._temporal.instructions), *reversed(self._temporal.lessons)
        for text in (*known, f"{self._temporal.text}\n{self._observation}"):
            recipe = read_recipe(text.casefold(), self.rules)
            if recipe is not None:
                return recipe
        return None

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the history, as far as it goes back."""
        return read_notes(noted(self._temporal).casefold())

    @cached_property
    def states(self) -> Mapping[str, frozenset[str]]:
        """The carried objects and their states."""
        return {item.name: frozenset(item.states) for item in self.scene.carried}

    @cached_property
    def places(self) -> Mapping[str, str]:
        """The known room of each object that is not carried."""
        known = {f.subject: f.object for f in self._spatial.facts if f.predicate == words.IN_ROOM}
        seen_here = {thing.name for thing in self.scene.things}
        # What is not here any more, be it remembered here, is nowhere that is known.
        known = {name: room for name, room in known.items() if room != self.here or self.hidden_in(name)}
        known |= dict.fromkeys(seen_here, self.here)
        return {name: room for name, room in known.items() if name not in self.states}

    def hidden_in(self, name: str) -> str:
        """Returns the closed container in this room that is remembered to hold an object; empty = none."""
        holder = self.holders.get(name, "")
        thing = self.scene.thing(holder)
        return holder if thing is not None and thing.state == words.STATE_CLOSED else ""

    @cached_property
    def holders(self) -> Mapping[str, str]:
        """What each object is known to be in or on."""
        known = {f.subject: f.object for f in self._spatial.facts if f.predicate in (words.IN, words.ON)}
        return known | {thing.name: thing.holder for thing in self.scene.things if thing.holder}

    def beyond(self, direction: str) -> str:
        """Returns the room behind an exit of this room; empty = it is not known."""
        exit_ = self.here, direction
        return next((beyond for room, way, beyond in self.taken if (room, way) == exit_), "")

    # -- what the recipe asks for

    @cached_property
    def todo(self) -> tuple[Step, ...]:
        """The directions of the recipe that are still to be followed."""
        steps = self.recipe.steps if self.recipe else ()
        return tuple(s for s in steps if self.rules.results[s.verb] not in self.states.get(s.food, ()))

    @property
    def undoable(self) -> tuple[str, ...]:
        """The directions that cannot be followed: the meal cannot be made."""
        return self.recipe.unknown if self.recipe else ()

    @property
    def is_stuck(self) -> bool:
        """Whether all possible directions are followed, and others remain."""
        return bool(self.undoable) and not (self.todo or self.lacking)

    @cached_property
    def lacking(self) -> tuple[str, ...]:
        """What has to be taken: ingredients, and the tool while something is to be cut."""
        if self.recipe is None:
            return ()
        tool = (self.rules.cutting_tool,) if any(self.rules.cuts(s.verb) for s in self.todo) else ()
        return tuple(name for name in (*self.recipe.ingredients, *tool) if name not in self.states)

    @cached_property
    def is_ready(self) -> bool:
        """Whether the recipe is followed, and only the meal remains to be made."""
        return self.recipe is not None and not (self.todo or self.lacking or self.undoable)

    @cached_property
    def sought(self) -> tuple[str, ...]:
        """What is needed and cannot be reached by what is known: first the recipe, then ingredients, tool and
        appliances."""
        if self.recipe is None:
            return () if self._can_be_reached(self.rules.book) else (self.rules.book,)
        appliances = (self.rules.tool(step.verb) for step in self.todo if not self.rules.cuts(step.verb))
        book = (self.rules.book,) if self.is_ready else ()  # the meal is made where it is
        needed = dict.fromkeys((*self.lacking, *appliances, *book))
        return tuple(name for name in needed if not self._can_be_reached(name))

    def _can_be_reached(self, name: str) -> bool:
        return self.way_to(self.places.get(name, "")) is not None

    # -- where to look for it

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        """The unexplored exits with a known route; without known routes, the best exit of this room."""
        known = tuple(self._known_openings())
        return known if known or self.routes else self.ways_on[:1]

    def _known_openings(self) -> Iterator[Opening]:
        doors = {
            (f.subject, f.predicate.removeprefix(words.DOOR)): f.object
            for f in self._spatial.facts
            if f.predicate.startswith(words.DOOR)
        }
        for target, route in self.routes.items():
            exit_ = read_exit_target(target)
            if exit_ is not None:
                direction, room = exit_
                yield Opening(room, direction, doors.get((room, direction), ""), route.moves)

    @property
    def taken(self) -> Iterator[tuple[str, str, str]]:
        """Exits with a known room behind them: room, direction, room beyond."""
        for fact in self._spatial.facts:
            direction = fact.predicate.removeprefix(words.EXIT)
            if direction != fact.predicate and fact.object != words.UNEXPLORED:
                yield fact.subject, direction, fact.object

    @cached_property
    def likely_loops(self) -> frozenset[tuple[str, str]]:
        """Unexplored exits that likely lead to a known room: (room, direction)."""
        return likely_loops(self.here, self._spatial.facts)

    @property
    def ways_on(self) -> tuple[Opening, ...]:
        """The exits of this room: first those that were never taken, then those that were taken longest ago."""
        ways = [
            Opening(self.here, way.direction, way.door, _through(way.direction, way.door, way.closed))
            for way in self.scene.exits
        ]
        last: dict[str, int] = {}
        for before, note in pairwise(self.notes):
            direction = note.action.removeprefix("go ")
            if direction == note.action:
                continue
            if before.scene.room == self.here:
                last[direction] = note.step
            if note.scene.room == self.here:  # came in by it
                last[words.OPPOSITE.get(direction, "")] = note.step
        known = {way.direction for way in self.scene.exits if self.beyond(way.direction)}
        return tuple(sorted(ways, key=lambda way: (last.get(way.direction, -1), way.direction in known)))

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """Closed containers that may hold what is needed, and can be reached."""
        closed = {
            f.subject
            for f in self._spatial.facts
            if (f.predicate, f.object) == (words.STATE, words.STATE_CLOSED)
        }
        closed |= {thing.name for thing in self.scene.things if thing.state == words.STATE_CLOSED}
        closed -= {thing.name for thing in self.scene.things if thing.state != words.STATE_CLOSED}
        found = []
        for name in sorted(closed):
            way = self.way_to(self.places.get(name, ""))
            if way is not None and self.rules.likelihood_inside(name) > 0:
                found.append(Container(name, self.places[name], (*way, f"open {name}")))
        return tuple(found)

    def way_to(self, room: str) -> tuple[str, ...] | None:
        """Returns the commands that lead to a room; None if no way is known."""
        if not room:
            return None
        if room == self.here:
            return ()
        route = self.routes.get(room)
        if route is not None:
            return route.moves
        for way in self.scene.exits:
            if self.beyond(way.direction) == room:
                return _through(way.direction, way.door, way.closed)
        return None

    def distance(self, one: str, two: str) -> int:
        """Returns the number of moves between two rooms, by the ways that lead from here to each, without their common
        part.

        It is exact without loops, else never too small.
        """
        ways = [
            tuple(move for move in self.way_to(room) or () if move.startswith("go ")) for room in (one, two)
        ]
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ways, strict=False)))
        return len(ways[0]) + len(ways[1]) - 2 * common

    @cached_property
    def known_rooms(self) -> frozenset[str]:
        """The kinds of room that were seen."""
        facts = (f for f in self._spatial.facts if f.predicate.startswith(words.EXIT))
        rooms = {name for f in facts for name in (f.subject, f.object)} - {words.UNEXPLORED}
        return frozenset(map(room_key, (*rooms, self.here)))

    def taking(self, name: str) -> tuple[str, ...]:
        """Returns the commands that take an object once the player is in its room."""
        holder = self.holders.get(name, "")
        where = f" from {holder}" if holder and holder != FLOOR and holder != self.places.get(name) else ""
        opening = (f"open {holder}",) if self.hidden_in(name) else ()
        return *opening, f"take {name}{where}"


def _through(direction: str, door: str, closed: bool) -> tuple[str, ...]:
    return (f"open {door}", f"go {direction}") if closed else (f"go {direction}",)
