"""The beliefs, indexed for rules to ask: what is where, and what was done."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import itemgetter

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Route, Triple
from stma_ros.types.standard import Time

REACH = 0.3
"""The robot stands before a thing when the way to where one stands before it is no longer than this [m]."""


def id_order(name: str) -> tuple[str, int, str]:
    """Sorts ids as people count: mug_2 before mug_10."""
    stem, digits = re.fullmatch(r"(.*?)(\d*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    return stem, int(digits or 0), digits


@dataclass(frozen=True)
class Thing:
    """An object of the spatial belief. Empty texts: not known."""

    id: str
    category: str
    confidence: float
    first_seen: Time
    last_seen: Time
    inside: str
    on: str
    room: str
    state: str
    colours: tuple[str, ...]

    @property
    def seen_once(self) -> bool:
        """Whether all that is known of it comes from one moment."""
        return self.first_seen == self.last_seen


@dataclass(frozen=True)
class FrontierView:
    """A frontier of the spatial belief; `area` [m^2], NaN = not known."""

    id: str
    area: float
    room: str


class SpatialView:
    """Things, rooms and frontiers of a spatial belief, each in the order of their ids."""

    def __init__(self, facts: Iterable[Triple], routes: Iterable[Route], room_kinds: Collection[str]) -> None:
        self._facts: dict[tuple[str, str], list[Triple]] = {}
        for fact in facts:
            self._facts.setdefault((fact.subject, fact.predicate), []).append(fact)
        self._at_hand = {fact.object for fact in self._facts.get((words.ROBOT, words.NEAR), ())}
        self._lengths = {route.target: route.length for route in routes}
        subjects = {subject for subject, predicate in self._facts if predicate == words.IS_A}
        kinds = {subject: self._best(subject, words.IS_A) for subject in sorted(subjects, key=id_order)}
        rooms = {
            fact.object for group in self._facts.values() for fact in group if fact.predicate == words.IN_ROOM
        }
        rooms |= {subject for subject, kind in kinds.items() if kind in room_kinds}
        self.rooms = {name: kinds.get(name, "") for name in sorted(rooms, key=id_order)}
        self.frontiers = {
            name: self._frontier(name) for name, kind in kinds.items() if kind == words.FRONTIER
        }
        self.things = {
            name: self._thing(name, kind)
            for name, kind in kinds.items()
            if name not in self.rooms and name not in self.frontiers
        }

    def length(self, target: str) -> float:
        """Of the way to a thing or frontier [m]; NaN: there is known to be none; inf: nothing is known."""
        return self._lengths.get(target, math.inf)

    def at_hand(self, target: str) -> bool:
        """Whether a thing is within the arm's reach, or the robot stands before it."""
        return target in self._at_hand or self.length(target) <= REACH

    def reachable(self, target: str) -> bool:
        """False when it is known that no way leads there."""
        return not math.isnan(self.length(target))

    def chain(self, thing: Thing) -> tuple[tuple[str, str], ...]:
        """What the thing is in or on, what that is in or on, and so on: (predicate, id), innermost first."""
        links: list[tuple[str, str]] = []
        seen = {thing.id}
        place: Thing | None = thing
        while place is not None:
            predicate, name = (words.IN, place.inside) if place.inside else (words.ON, place.on)
            if not name or name in seen:
                break
            seen.add(name)
            links.append((predicate, name))
            place = self.things.get(name)
        return tuple(links)

    def room_of(self, thing: Thing) -> str:
        """The thing's room, or that of what holds it; empty = not known."""
        holders = (self.things[name] for _, name in self.chain(thing) if name in self.things)
        return next((item.room for item in (thing, *holders) if item.room), "")

    def described(self, name: str) -> str:
        """An id with its kind, as people read it: "room_1 (kitchen)"; the id alone when it says it all."""
        thing = self.things.get(name)
        kind = self.rooms.get(name, "") if thing is None else thing.category
        stem = id_order(name)[0].strip("_").replace("_", " ")
        return f"{name} ({kind})" if kind and kind.replace("_", " ") != stem else name

    def whereabouts(self, thing: Thing) -> str:
        """ "on table_1, in room_2 (kitchen)"; empty = not known."""
        parts = [f"{predicate} {self.described(name)}" for predicate, name in self.chain(thing)]
        room = self.room_of(thing)
        return ", ".join([*parts, *([f"in {self.described(room)}"] if room else [])])

    def _best(self, subject: str, predicate: str) -> str:
        """The object of the surest fact; of equals, the newest, then the first by id."""
        facts = self._facts.get((subject, predicate), ())
        ranked = sorted(facts, key=lambda f: (-f.confidence, -f.last_seen.nanoseconds, id_order(f.object)))
        return ranked[0].object if ranked else ""

    def _thing(self, name: str, category: str) -> Thing:
        (fact, *_) = (f for f in self._facts[name, words.IS_A] if f.object == category)
        colours = sorted({f.object for f in self._facts.get((name, words.COLOUR), ())})
        return Thing(
            name,
            category,
            fact.confidence,
            fact.first_seen,
            fact.last_seen,
            self._best(name, words.IN),
            self._best(name, words.ON),
            self._best(name, words.IN_ROOM),
            self._best(name, words.STATE),
            tuple(colours),
        )

    def _frontier(self, name: str) -> FrontierView:
        try:
            area = float(self._best(name, words.UNKNOWN_AREA))
        except ValueError:
            area = math.nan
        return FrontierView(name, area, self._best(name, words.IN_ROOM))


class HistoryView:
    """The outcomes of a temporal belief, oldest first."""

    def __init__(self, completed: Iterable[Outcome]) -> None:
        self.outcomes = tuple(completed)
        # By action and in order: a search asks for the same few actions over and over.
        self._of: dict[Action, list[tuple[int, Outcome]]] = {}
        self._last_change = -1
        for index, outcome in enumerate(self.outcomes):
            self._of.setdefault(outcome.action, []).append((index, outcome))
            if outcome.result == Result.SUCCEEDED and outcome.action.skill != words.SKILL_LOOK_AROUND:
                self._last_change = index

    def of(self, *actions: Action) -> tuple[Outcome, ...]:
        """The outcomes of any of these actions."""
        return tuple(outcome for _, outcome in self._indexed(actions))

    def failures(self, *actions: Action) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.of(*actions) if outcome.result == Result.FAILED)

    def succeeded(self, action: Action) -> bool:
        return any(outcome.result == Result.SUCCEEDED for outcome in self.of(action))

    def moved_since_failing(self, *actions: Action) -> bool:
        """Whether the robot has got somewhere else, or something has been opened, since the last failure of
        any of these actions. True when none has failed."""
        failed = [index for index, past in self._indexed(actions) if past.result == Result.FAILED]
        return not failed or failed[-1] < self._last_change

    def _indexed(self, actions: Iterable[Action]) -> list[tuple[int, Outcome]]:
        found = [entry for action in frozenset(actions) for entry in self._of.get(action, ())]
        return sorted(found, key=itemgetter(0))

    @property
    def standing_at(self) -> str:
        """What the robot went to and still stands before or at; empty = nothing."""
        for outcome in reversed(self.outcomes):
            if outcome.action.skill in words.MOTIONS and outcome.action.arguments:
                if outcome.result == Result.SUCCEEDED:
                    return outcome.action.arguments[0]
                if outcome.distance > 0:
                    return ""
        return ""

    @property
    def looked_around_here(self) -> bool:
        """Whether a full look around was taken and the robot has not moved since."""
        for outcome in reversed(self.outcomes):
            if outcome.action.skill in words.MOTIONS:
                return False
            if outcome.action.skill == words.SKILL_LOOK_AROUND and outcome.result == Result.SUCCEEDED:
                return True
        return False

    @property
    def is_boxed_in(self) -> bool:
        """Whether the last two motions both ran into something, with no look around since."""
        moves = [o for o in self.outcomes if o.action.skill in (*words.MOTIONS, words.SKILL_LOOK_AROUND)]
        return [o.error.code for o in moves[-2:]] == [ErrorCode.BLOCKED, ErrorCode.BLOCKED]
