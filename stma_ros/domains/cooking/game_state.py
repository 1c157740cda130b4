"""The state of a text game for planner and critic, from beliefs, observation and admissible commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from stma_ros.domains.cooking.cooking import CookingRules, cooking_rules, room_key
from stma_ros.domains.cooking.layout import likely_loops
from stma_ros.domains.cooking.notes import Note, history_text, read_notes
from stma_ros.domains.cooking.recipe import Recipe, Step, read_recipe
from stma_ros.domains.cooking.relation_aggregator import read_exit_target
from stma_ros.domains.cooking.scene import FLOOR, Exit, Scene, read_scene
from stma_ros.domains.cooking.spelling import restore_spelling, world_spelling
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Route

_INVENTORY = re.compile(r"you are carrying[^\n]*", re.IGNORECASE)


@dataclass(frozen=True)
class ExitRoute:
    """A route through an exit.

    Attributes:
        room: room with the exit.
        direction: of the exit.
        door: name of its door; empty = it has none.
        moves: commands from the current room through the exit.
    """

    room: str
    direction: str
    door: str
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.direction} of the {self.room}"


@dataclass(frozen=True)
class Container:
    """An unopened container.

    Attributes:
        name: of the container.
        room: room with the container.
        moves: commands that lead there from the current room and open it.
    """

    name: str
    room: str
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"inside the {self.name}"


class GameState:
    """The state of a text game.

    Names and commands are in lower case; `spell` restores the world's spelling.

    Attributes:
        rules: of cooking.
        commands: the admissible commands.
        scene: the observed scene.
        here: name of the current room; empty = unknown.
        routes: the routes of the spatial belief, by their targets.
    """

    def __init__(
        self, temporal: TemporalBelief, spatial: SpatialBelief, observation: str, allowed: Sequence[Action]
    ) -> None:
        """Creates the state of a step.

        Args:
            temporal: temporal belief of the step.
            spatial: spatial belief of the step.
            observation: text of the world.
            allowed: the allowed actions.
        """
        self.rules: CookingRules = cooking_rules()
        texts = (a.arguments[0] for a in allowed if a.skill == words.SKILL_COMMAND and a.arguments)
        self._spellings = {text.casefold(): text for text in texts}
        self.commands: tuple[str, ...] = tuple(self._spellings)
        now = observation.casefold()
        carried = _INVENTORY.findall(now)
        self.scene: Scene = read_scene(now, carried[-1] if carried else "", self.commands)
        self.here: str = self.scene.room
        self._temporal, self._spatial, self._observation = temporal, spatial, observation
        self.routes: Mapping[str, Route] = {route.target: route for route in spatial.routes}

    def spell(self, command: str) -> Action:
        """Returns the action of a command, in the world's spelling as far as it is known."""
        text = self._spellings.get(command) or restore_spelling(command, self._word_spellings)
        return Action(words.SKILL_COMMAND, (text,))

    @cached_property
    def _word_spellings(self) -> Mapping[str, str]:
        """The world's spelling of single words."""
        done = (str(outcome.action) for outcome in self._temporal.completed)
        belief = self._temporal
        prose = (self._observation, *belief.observations, *belief.instructions, belief.text)
        return world_spelling((*self._spellings.values(), *done), prose)

    # -- recipe, history and objects

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
        """The notes of the history, oldest first."""
        return read_notes(history_text(self._temporal).casefold())

    @cached_property
    def states(self) -> Mapping[str, frozenset[str]]:
        """The states of each carried object."""
        return {item.name: frozenset(item.states) for item in self.scene.carried}

    @cached_property
    def places(self) -> Mapping[str, str]:
        """The known room of each object that is not carried."""
        known = {f.subject: f.object for f in self._spatial.facts if f.predicate == words.IN_ROOM}
        seen_here = {item.name for item in self.scene.objects}
        # The place of an object that is remembered in this room and not observed here is unknown.
        known = {name: room for name, room in known.items() if room != self.here or self.hidden_in(name)}
        known |= dict.fromkeys(seen_here, self.here)
        return {name: room for name, room in known.items() if name not in self.states}

    def hidden_in(self, name: str) -> str:
        """Returns the closed container in this room that, by the belief, holds an object; empty = none."""
        holder = self.scene.find_object(self.holders.get(name, ""))
        return holder.name if holder is not None and holder.state == words.STATE_CLOSED else ""

    @cached_property
    def holders(self) -> Mapping[str, str]:
        """The object that each object is known to be in or on."""
        known = {f.subject: f.object for f in self._spatial.facts if f.predicate in (words.IN, words.ON)}
        return known | {item.name: item.holder for item in self.scene.objects if item.holder}

    def room_behind(self, direction: str) -> str:
        """Returns the room behind an exit of this room; empty = unknown."""
        exit_ = self.here, direction
        return next((behind for room, way, behind in self.explored_exits if (room, way) == exit_), "")

    # -- remaining steps of the recipe

    @cached_property
    def todo(self) -> tuple[Step, ...]:
        """The directions of the recipe that remain to be followed."""
        steps = self.recipe.steps if self.recipe else ()
        return tuple(s for s in steps if self.rules.results[s.verb] not in self.states.get(s.food, ()))

    @property
    def impossible_steps(self) -> tuple[str, ...]:
        """The directions of the recipe that cannot be followed. The meal cannot be made if there are any."""
        return self.recipe.unknown if self.recipe else ()

    @property
    def is_stuck(self) -> bool:
        """Whether all possible directions are followed, and others remain."""
        return bool(self.impossible_steps) and not (self.todo or self.to_collect)

    @cached_property
    def to_collect(self) -> tuple[str, ...]:
        """The objects that remain to be taken: ingredients, and the cutting tool while a direction needs it."""
        if self.recipe is None:
            return ()
        tool = (self.rules.cutting_tool,) if any(self.rules.cuts(s.verb) for s in self.todo) else ()
        return tuple(name for name in (*self.recipe.ingredients, *tool) if name not in self.states)

    @cached_property
    def is_ready(self) -> bool:
        """Whether the recipe is followed, and only the meal remains to be made."""
        return self.recipe is not None and not (self.todo or self.to_collect or self.impossible_steps)

    @cached_property
    def search_targets(self) -> tuple[str, ...]:
        """The needed objects without a known route to them: the recipe, or ingredients, tool and appliances."""
        if self.recipe is None:
            return () if self._can_be_reached(self.rules.book) else (self.rules.book,)
        appliances = (self.rules.tool(step.verb) for step in self.todo if not self.rules.cuts(step.verb))
        book = (self.rules.book,) if self.is_ready else ()  # the meal is made in the room of the recipe
        needed = dict.fromkeys((*self.to_collect, *appliances, *book))
        return tuple(name for name in needed if not self._can_be_reached(name))

    def _can_be_reached(self, name: str) -> bool:
        return self.route_to(self.places.get(name, "")) is not None

    # -- places to search, and routes

    @cached_property
    def unexplored_exits(self) -> tuple[ExitRoute, ...]:
        """The unexplored exits with a known route; without known routes, the best exit of this room."""
        known = tuple(self._known_unexplored_exits())
        return known if known or self.routes else self.exits_by_last_use[:1]

    def _known_unexplored_exits(self) -> Iterator[ExitRoute]:
        doors = {
            (f.subject, f.predicate.removeprefix(words.DOOR)): f.object
            for f in self._spatial.facts
            if f.predicate.startswith(words.DOOR)
        }
        for target, route in self.routes.items():
            exit_ = read_exit_target(target)
            if exit_ is not None:
                direction, room = exit_
                yield ExitRoute(room, direction, doors.get((room, direction), ""), route.moves)

    @property
    def explored_exits(self) -> Iterator[tuple[str, str, str]]:
        """The exits with a known room behind them, as room, direction and room behind."""
        for fact in self._spatial.facts:
            direction = fact.predicate.removeprefix(words.EXIT)
            if direction != fact.predicate and fact.object != words.UNEXPLORED:
                yield fact.subject, direction, fact.object

    @cached_property
    def likely_loops(self) -> frozenset[tuple[str, str]]:
        """The unexplored exits that likely lead to a known room, as pairs of room and direction."""
        return likely_loops(self.here, self._spatial.facts)

    @property
    def exits_by_last_use(self) -> tuple[ExitRoute, ...]:
        """The exits of this room. Those that were never used come first, then those that were used longest ago."""
        routes = [
            ExitRoute(self.here, exit_.direction, exit_.door, _through(exit_)) for exit_ in self.scene.exits
        ]
        last: dict[str, int] = {}
        for before, note in pairwise(self.notes):
            direction = note.action.removeprefix("go ")
            if direction == note.action:
                continue
            if before.scene.room == self.here:
                last[direction] = note.step
            if note.scene.room == self.here:  # the robot came in by the opposite exit
                last[words.OPPOSITE.get(direction, "")] = note.step
        known = {exit_.direction for exit_ in self.scene.exits if self.room_behind(exit_.direction)}
        return tuple(
            sorted(routes, key=lambda route: (last.get(route.direction, -1), route.direction in known))
        )

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """The closed containers that may hold needed objects and can be reached."""
        closed = {
            f.subject
            for f in self._spatial.facts
            if (f.predicate, f.object) == (words.STATE, words.STATE_CLOSED)
        }
        closed |= {item.name for item in self.scene.objects if item.state == words.STATE_CLOSED}
        closed -= {item.name for item in self.scene.objects if item.state != words.STATE_CLOSED}
        found = []
        for name in sorted(closed):
            route = self.route_to(self.places.get(name, ""))
            if route is not None and self.rules.likelihood_inside(name) > 0:
                found.append(Container(name, self.places[name], (*route, f"open {name}")))
        return tuple(found)

    def route_to(self, room: str) -> tuple[str, ...] | None:
        """Returns the commands that lead to a room; None if no route is known."""
        if not room:
            return None
        if room == self.here:
            return ()
        route = self.routes.get(room)
        if route is not None:
            return route.moves
        for exit_ in self.scene.exits:
            if self.room_behind(exit_.direction) == room:
                return _through(exit_)
        return None

    def distance(self, one: str, two: str) -> int:
        """Returns the number of moves between two rooms.

        It is estimated from the routes from here to each room, without their common part. The estimate is exact without
        loops, and otherwise an upper bound.
        """
        routes = [
            tuple(move for move in self.route_to(room) or () if move.startswith("go ")) for room in (one, two)
        ]
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*routes, strict=False)))
        return len(routes[0]) + len(routes[1]) - 2 * common

    @cached_property
    def known_rooms(self) -> frozenset[str]:
        """The kinds of the rooms that are known."""
        facts = (f for f in self._spatial.facts if f.predicate.startswith(words.EXIT))
        rooms = {name for f in facts for name in (f.subject, f.object)} - {words.UNEXPLORED}
        return frozenset(map(room_key, (*rooms, self.here)))

    def take_commands(self, name: str) -> tuple[str, ...]:
        """Returns the commands that take an object once the player is in its room."""
        holder = self.holders.get(name, "")
        where = f" from {holder}" if holder and holder != FLOOR and holder != self.places.get(name) else ""
        opening = (f"open {holder}",) if self.hidden_in(name) else ()
        return *opening, f"take {name}{where}"


def _through(exit_: Exit) -> tuple[str, ...]:
    """Returns the commands that lead through an exit of this room."""
    go = f"go {exit_.direction}"
    return (f"open {exit_.door}", go) if exit_.closed else (go,)
