"""What is left to search for a thing, and how promising each part of it is.

Planner and critic judge by this one account, so they never talk past one another.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.memory.semantic import SemanticMemory
from stma_ros.roles.symbolic.language import Goal
from stma_ros.roles.symbolic.views import HistoryView, SpatialView, Thing, id_order
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Result

ATTEMPTS = 2
"""Failures at a target after which it is left for good."""

LOOK_AROUND = Action(words.SKILL_LOOK_AROUND)

_SURE = 0.6  # confidence from which a thing that was seen more than once is reported without going near
_DOUBTFUL = 0.3  # confidence below which a thing that was looked at from nearby is not believed
_CLOSE_LOOK = 1.5  # [m] of way from which nothing is learnt by going nearer

_COMMAND = 5.0  # [m] of driving that one command is worth
_FAR = 10.0  # [m] assumed where no length of way is known
_ROOM_AREA = 12.0  # [m^2] of unknown floor behind which a whole room may lie
_NOOK_AREA = 1.5  # [m^2] of unknown floor that is often seen in passing: not worth a way of its own yet
_SOME_AREA = 4.0  # [m^2] assumed where no area is known
_NEIGHBOUR = 3.0  # [m] of way within which a container is finished before leaving
_FINISH_BONUS = 1.5
_HINT_BONUS = 3.0  # for places that the task names


class Evidence(enum.IntEnum):
    """How sure it is that a thing is the one that is sought; higher is surer."""

    DOUBTFUL = 1  # only when nothing else is left: looked at from nearby and still not sure
    WEAK = 2  # worth a nearer look
    STRONG = 3


class Tier(enum.IntEnum):
    """What is searched before what, whatever it costs."""

    USUAL = 0
    UNUSUAL = 1  # containers where such things are hardly ever kept, and nooks
    AGAIN = 2  # what failed once and may work from elsewhere


@dataclass(frozen=True)
class Candidate:
    """Something to search: `actions` toward it, `gain` (a share of the chance to find the thing), `length` of
    the way [m]."""

    target: str
    actions: tuple[Action, ...]
    tier: Tier
    gain: float
    length: float

    @property
    def value(self) -> float:
        """Expected gain per cost."""
        return self.gain / (self.length + _COMMAND * len(self.actions))


@dataclass(frozen=True)
class Match:
    thing: Thing
    evidence: Evidence


class Search:
    """The state of the search for a goal, as two beliefs and the allowed actions show it."""

    def __init__(
        self,
        goal: Goal,
        temporal: TemporalBelief,
        spatial: SpatialBelief,
        allowed: Iterable[Action],
        knowledge: SemanticMemory,
    ) -> None:
        self.knowledge = knowledge
        self.goal = goal
        self.history = HistoryView(temporal.completed)
        self.view = SpatialView(spatial.facts, spatial.routes, knowledge.rooms)
        # A skill that does not say what it is done to is of no use to anyone.
        self.allowed = frozenset(a for a in allowed if a.arguments or a.skill not in words.TARGETED)
        self._fits_inside = not self.knowledge.is_furniture(goal.category)

    # -- the thing itself

    def matches(self) -> tuple[Match, ...]:
        """The things that may be the one sought, best first."""
        judged = ((thing, self._evidence(thing)) for thing in self.view.things.values())
        found = [Match(thing, evidence) for thing, evidence in judged if evidence is not None]
        return tuple(sorted(found, key=self._match_order))

    def believed(self) -> Match | None:
        """The best match that is worth ending the search for, or None."""
        best = next(iter(self.matches()), None)
        return best if best is not None and best.evidence >= Evidence.WEAK else None

    def evidence_of(self, thing_id: str) -> Evidence | None:
        """How good an answer this thing is; None when it is none, or not known at all."""
        thing = self.view.things.get(thing_id)
        return None if thing is None else self._evidence(thing)

    def lookalikes(self) -> tuple[Thing, ...]:
        """Things that go by a name which people use for the one sought; no answer, but worth a mention."""
        return tuple(
            t for t in self.view.things.values() if self.knowledge.is_alike(t.category, self.goal.category)
        )

    def is_near(self, target: str) -> bool:
        """Whether the robot stands before the target, as far as the beliefs tell."""
        return self.history.standing_at == target or self.view.at_hand(target)

    def _evidence(self, thing: Thing) -> Evidence | None:
        if thing.state == words.STATE_MISSING:
            return None
        wanted = self.goal.colours
        colour_fits = not wanted or not thing.colours or bool({*wanted} & {*thing.colours})
        if not self.knowledge.is_kind(thing.category, self.goal.category):
            return None
        if not colour_fits:
            shades = any(self.knowledge.is_shade(seen, colour) for seen in thing.colours for colour in wanted)
            return Evidence.DOUBTFUL if shades else None
        colour_seen = bool(thing.colours) or not wanted
        if thing.confidence >= _SURE and colour_seen and not thing.seen_once:
            return Evidence.STRONG
        if not self._had_a_close_look(thing):
            return Evidence.WEAK
        return Evidence.STRONG if thing.confidence >= _DOUBTFUL else Evidence.DOUBTFUL

    def _had_a_close_look(self, thing: Thing) -> bool:
        """Also when going there failed or cannot be asked for: there is no nearer look to be had."""
        go = Action(words.SKILL_NAVIGATE, (thing.id,))
        tried = bool(self.history.of(go)) or go not in self.allowed or not self.view.reachable(thing.id)
        around = {thing.id, thing.inside, thing.on} - {""}
        return tried or self.view.length(thing.id) <= _CLOSE_LOOK or self.history.standing_at in around

    def _match_order(self, match: Match) -> tuple[float, bool, float, float, tuple[str, int, str]]:
        thing = match.thing
        length = self.view.length(thing.id)
        return (
            -match.evidence,
            not self._is_hinted(thing),
            -thing.confidence,
            math.inf if math.isnan(length) else length,
            id_order(thing.id),
        )

    def _is_hinted(self, thing: Thing) -> bool:
        things = self.view.things
        holders = [things[name].category for _, name in self.view.chain(thing) if name in things]
        room = self.view.rooms.get(self.view.room_of(thing), "")
        return any(self._names_hint(place) for place in (*holders, room))

    def _names_hint(self, place: str) -> bool:
        return bool(place and self.goal.place) and self.knowledge.is_kind(place, self.goal.place)

    # -- what is left to search

    def candidates(self) -> tuple[Candidate, ...]:
        """Everything that is worth searching and can be reached, best first."""
        found = [*self._frontiers(), *self._containers()]
        return tuple(sorted(found, key=lambda c: (c.tier, -c.value, c.length, id_order(c.target))))

    def nothing_known(self) -> bool:
        """At the start of a task: whether all that is known comes from a single glance, if from any."""
        glances = {thing.first_seen for thing in self.view.things.values()}
        return not self.history.outcomes and len(glances) <= 1

    def is_open(self, container: str) -> bool:
        """Whether a container is seen or was found to be open."""
        thing = self.view.things.get(container)
        return (thing is not None and thing.state == words.STATE_OPEN) or any(
            outcome.result == Result.SUCCEEDED or outcome.error.code == ErrorCode.ALREADY_OPEN
            for outcome in self.history.of(Action(words.SKILL_OPEN, (container,)))
        )

    def opened(self) -> tuple[Thing, ...]:
        """The containers that are known to be open."""
        containers = (t for t in self.view.things.values() if self.knowledge.is_container(t.category))
        return tuple(thing for thing in containers if self.is_open(thing.id))

    def left_out(self) -> tuple[str, ...]:
        """Ids of frontiers and containers that were not and will not be searched: no way, or it failed."""
        left = {action.arguments[0] for action in self.allowed if action.skill == words.SKILL_EXPLORE}
        left = {name for name in left if not self.history.succeeded(Action(words.SKILL_EXPLORE, (name,)))}
        if self._fits_inside:
            left |= {name for name in self._closed() if not self._is_settled(name)}
        return tuple(sorted(left - {candidate.target for candidate in self.candidates()}, key=id_order))

    def _frontiers(self) -> Iterator[Candidate]:
        for action in self.allowed:
            if action.skill != words.SKILL_EXPLORE or self.history.succeeded(action):
                continue
            target = action.arguments[0]
            tier = self._tier(action)
            if tier is None or not self.view.reachable(target):
                continue
            frontier = self.view.frontiers.get(target)
            area = _SOME_AREA if frontier is None or math.isnan(frontier.area) else frontier.area
            if tier is Tier.USUAL and area < _NOOK_AREA:
                tier = Tier.UNUSUAL
            gain = min(1.0, area / _ROOM_AREA) * self._room_factor(frontier.room if frontier else "")
            yield Candidate(target, (action,), tier, gain, self._length(target))

    def _containers(self) -> Iterator[Candidate]:
        if not self._fits_inside:
            return
        for target in self._closed():
            go, unlock = Action(words.SKILL_NAVIGATE, (target,)), Action(words.SKILL_OPEN, (target,))
            near = self.is_near(target)
            tier = self._tier(go, unlock)
            can_get_there = near or (go in self.allowed and self.view.reachable(target))
            if tier is None or not can_get_there or self._is_settled(target):
                continue
            thing = self.view.things.get(target)
            category = thing.category if thing else ""
            hinted = self._names_hint(category)
            gain = self.knowledge.share(self.goal.category, category) * (_HINT_BONUS if hinted else 1.0)
            gain *= self._room_factor(self.view.room_of(thing) if thing else "")
            usual = hinted or self.knowledge.is_usual(self.goal.category, category)
            if tier is Tier.USUAL and not usual:
                tier = Tier.UNUSUAL
            length = 0.0 if near else self._length(target)
            yield Candidate(
                target,
                (unlock,) if near else (go, unlock),
                tier,
                gain * (_FINISH_BONUS if length <= _NEIGHBOUR else 1.0),
                length,
            )

    def _closed(self) -> tuple[str, ...]:
        return tuple(action.arguments[0] for action in self.allowed if action.skill == words.SKILL_OPEN)

    def _is_settled(self, container: str) -> bool:
        """Open, or found to be nothing that opens."""
        thing = self.view.things.get(container)
        if thing is not None and thing.state in (words.STATE_NOT_OPENABLE, words.STATE_MISSING):
            return True
        failures = self.history.failures(Action(words.SKILL_OPEN, (container,)))
        return self.is_open(container) or any(o.error.code == ErrorCode.NOT_OPENABLE for o in failures)

    def _tier(self, *actions: Action) -> Tier | None:
        """By what became of earlier attempts; None when there is no point in another one now."""
        failures = self.history.failures(*actions)
        if not failures:
            return Tier.USUAL
        if len(failures) >= ATTEMPTS or not self.history.moved_since_failing(*actions):
            return None
        return Tier.AGAIN

    def _room_factor(self, room: str) -> float:
        """How well the room suits the thing: 0.5 to 1; more where the task names the room."""
        kind = self.view.rooms.get(room, "")
        if self._names_hint(kind):
            return _HINT_BONUS
        shares = self.knowledge.room_shares(self.goal.category)
        if not kind or not shares:
            return 0.75
        return 0.5 + 0.5 * shares.get(self.knowledge.canonical(kind), 0.0) / max(shares.values())

    def _length(self, target: str) -> float:
        length = self.view.length(target)
        return _FAR if math.isinf(length) else length
