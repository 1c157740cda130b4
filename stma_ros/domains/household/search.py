"""What is left to search for the missing targets, and how promising each part is.

Planner and critic both use it, so that they agree.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import OPENNESS, PRESENCE, BeliefIndex, Thing, id_order
from stma_ros.domains.household.feasibility import Access, Feasibility
from stma_ros.domains.household.matching import Matcher
from stma_ros.domains.household.missing_targets import MissingTarget
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action
from stma_ros.domains.household.subplans import COMMAND
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

LOOK_AROUND = action(words.SKILL_LOOK_AROUND)

_ROOM_AREA = 12.0  # [m^2] of unknown floor behind which a whole room may lie
_NOOK_AREA = 1.5  # [m^2] of unknown floor that is often seen in passing: not worth a way of its own yet
_SOME_AREA = 4.0  # [m^2] assumed where no area is known
_NEIGHBOUR = 3.0  # [m] of way within which a container is finished before leaving
_FINISH_BONUS = 1.5
_HINT_BONUS = 3.0  # for places that the task names
_WAY_IN_ROOM, _WAY_ELSEWHERE = 3.0, 0.75  # for a way to what is known but out of reach
_ELSEWHERE = 0.1  # for places other than the one that the task names


class Tier(enum.IntEnum):
    """Order of search; within a tier, value decides."""

    USUAL = 0
    UNUSUAL = 1  # containers where such things are hardly ever kept, and nooks
    AGAIN = 2  # what failed once and may work from elsewhere
    ONCE_MORE = 3  # rooms that were seen, for what was overlooked or moved


@dataclass(frozen=True)
class Candidate:
    """Something to search.

    Attributes:
        target: id of a frontier, door, container or piece of furniture.
        actions: that lead to it.
        tier: order of search.
        gain: sum of the shares of probability of finding a missing target there.
        length: of the way [m].
    """

    target: str
    actions: tuple[Action, ...]
    tier: Tier
    gain: float
    length: float

    @property
    def value(self) -> float:
        """Expected gain by cost."""
        return self.gain / (self.length + COMMAND * len(self.actions))


class Search:
    """The state of a search by the beliefs and the allowed actions of one step."""

    def __init__(
        self,
        wanted: Sequence[MissingTarget],
        view: BeliefIndex,
        history: OutcomeIndex,
        matcher: Matcher,
        access: Access,
        allowed: Collection[Key],
        *,
        out_of_reach: Collection[str] = (),
        thorough: bool = False,
    ) -> None:
        """Creates the candidates.

        Args:
            wanted: the missing targets.
            view: the spatial belief.
            history: the outcomes.
            matcher: of descriptions.
            access: reach and feasibility.
            allowed: keys of the allowed actions.
            out_of_reach: ids of known targets without a way; a door or an unknown corner may hide it.
            thorough: search rooms again that were seen, for targets that allow it.
        """
        self.wanted = tuple(wanted)
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._matcher = matcher
        self._access = access
        self._allowed = allowed
        self.out_of_reach = tuple(out_of_reach)
        self._rooms_out_of_reach = {view.room_of(view.things[name]) for name in self.out_of_reach} - {""}
        self._thorough = thorough
        self._offered: dict[str, tuple[str, ...]] = {}
        self.waiting: set[str] = set()
        """What failed a moment ago and may be searched from somewhere else."""
        self.cut_off: set[str] = set()
        """What could be searched if a way there were known."""
        self.candidates = self._candidates()

    def opened(self) -> tuple[Thing, ...]:
        """Returns the containers that were looked into."""
        containers = (t for t in self._view.things.values() if self._knowledge.is_container(t.category))
        return tuple(thing for thing in containers if self._access.was_opened(thing.id))

    def left_out(self) -> tuple[str, ...]:
        """Returns ids of frontiers, doors and containers that were not and will not be searched: there is no way, or it
        failed."""
        left = {name for name in self._targets(words.SKILL_EXPLORE) if not self._was_explored(name)}
        hidden = any(self._hides(item) for item in self.wanted)
        left |= {
            name
            for name in self._targets(words.SKILL_OPEN)
            if name in self._view.things and not self._is_settled(name) and (hidden or self._is_door(name))
        }
        return tuple(sorted(left - {candidate.target for candidate in self.candidates}, key=id_order))

    # -- what can be searched

    def _candidates(self) -> tuple[Candidate, ...]:
        if not self.wanted and not self.out_of_reach:
            return ()
        found = [*self._frontiers(), *self._doors(), *self._containers(), *self._named_places()]
        found = [candidate for candidate in found if candidate.gain > 0] or [*self._seen_rooms()]
        return tuple(sorted(found, key=lambda c: (c.tier, -c.value, c.length, id_order(c.target))))

    def _frontiers(self) -> Iterator[Candidate]:
        for target in self._targets(words.SKILL_EXPLORE):
            go = action(words.SKILL_EXPLORE, target)
            tier = self._tier((go,))
            if tier is None or self._was_explored(target) or not self._view.reachable(target):
                continue
            frontier = self._view.frontiers.get(target)
            area = _SOME_AREA if frontier is None or math.isnan(frontier.area) else frontier.area
            if tier is Tier.USUAL and area < _NOOK_AREA:
                tier = Tier.UNUSUAL
            gain = min(1.0, area / _ROOM_AREA) * self._room_gain(frontier.room if frontier else "")
            yield Candidate(target, (go,), tier, gain, self._access.length(target))

    def _doors(self) -> Iterator[Candidate]:
        """Yields closed doors: each may have a room behind it."""
        for target in self._targets(words.SKILL_OPEN):
            if not self._is_door(target) or self._is_settled(target):
                continue
            opening = self._opening(target)
            tier = self._tier(opening)
            if tier is None:
                continue
            shut = self._view.things[target].state(OPENNESS) == words.STATE_CLOSED
            if tier is Tier.USUAL and not (shut and (self.out_of_reach or len(self._rooms_at(target)) < 2)):
                tier = Tier.UNUSUAL
            yield Candidate(target, opening, tier, self._room_gain(""), self._access.length(target))

    def _containers(self) -> Iterator[Candidate]:
        for target in self._targets(words.SKILL_OPEN):
            if self._is_door(target) or self._is_settled(target):
                continue
            opening = self._opening(target)
            tier = self._tier(opening)
            if tier is None:
                continue
            gains = [self._gain_inside(item, target) for item in self.wanted if self._hides(item)]
            if tier is Tier.USUAL and not any(usual for _, usual in gains):
                tier = Tier.UNUSUAL
            length = self._access.length(target)
            bonus = _FINISH_BONUS if length <= _NEIGHBOUR else 1.0
            yield Candidate(target, opening, tier, bonus * sum(gain for gain, _ in gains), length)

    def _named_places(self) -> Iterator[Candidate]:
        """Yields places at which the task says that something is, for a look from nearby."""
        places = [item.what for item in self.wanted if item.what.place is not None]
        for what in places:
            assert what.place is not None
            if self._knowledge.is_room(what.place.category):
                continue
            for match in self._matcher.matches(what.place):
                target = match.thing.id
                go = action(words.SKILL_NAVIGATE, target)
                shut = self._knowledge.is_container(match.thing.category) and what.relation != words.ON
                if shut or self._access.is_near(target) or self._history.succeeded(go):
                    continue
                tier = self._tier(self._access.way_to(target) or ())
                if tier is not None:
                    yield Candidate(target, (go,), tier, _HINT_BONUS, self._access.length(target))

    def _seen_rooms(self) -> Iterator[Candidate]:
        """Yields rooms for a second look, if nothing unseen is left, or if a known object has vanished since.

        The look is taken from where the robot has not been, and where such objects are likely.
        """
        lost = self._last_loss()
        wanted = [item for item in self.wanted if lost >= 0 or (self._thorough and item.again)]
        if not wanted:
            return
        here, known = self._history.standing_at, self._history.gone_to_since(lost)
        gone = self._history.gone_to_since(max(lost, self._history.last_discovery)) - {here}
        looked = {self._view.room_of(self._view.things[n]) for n in gone if n in self._view.things}
        best: dict[str, tuple[bool, float, bool, Thing]] = {}
        pieces = (t for t in self._view.things.values() if self._knowledge.is_furniture(t.category))
        for thing in pieces:
            room = self._view.room_of(thing)
            if not room or room in looked or self._is_door(thing.id) or self._access.way_to(thing.id) is None:
                continue
            worth = sum(self._knowledge.share(item.what.category, thing.category) for item in wanted)
            rank = thing.id not in known, worth, self._knowledge.is_surface(thing.category)
            if room not in best or rank > best[room][:3]:
                best[room] = *rank, thing
        standing = self._view.things.get(here)
        beside = self._view.room_of(standing) if standing is not None else ""
        if beside in best:  # the robot stands in it
            del best[beside]
            if not self._history.looked_around_here:
                yield Candidate(here, (LOOK_AROUND,), Tier.ONCE_MORE, _HINT_BONUS, 0.0)
        for _, worth, _, thing in best.values():
            actions = (action(words.SKILL_NAVIGATE, thing.id), LOOK_AROUND)
            if self._access.may_do(actions):
                yield Candidate(thing.id, actions, Tier.ONCE_MORE, worth, self._access.length(thing.id))

    # -- how promising it is

    def _room_gain(self, room: str) -> float:
        kind = self._view.rooms.get(room, "")
        gains = [self._factor(item, kind) for item in self.wanted]
        return sum(gains) + self._way_gain(room)

    def _way_gain(self, room: str) -> float:
        """Returns how likely a way to the targets out of reach shows there: most likely in their own room."""
        if not self.out_of_reach:
            return 0.0
        return _WAY_IN_ROOM if room in self._rooms_out_of_reach else _WAY_ELSEWHERE

    def _factor(self, item: MissingTarget, kind: str) -> float:
        place = item.what.place
        if kind and place is not None and self._knowledge.is_kind(kind, place.category):
            return _HINT_BONUS
        if item.is_confined:
            return 0.0
        return self._knowledge.room_factor(item.what.category, kind)

    def _gain_inside(self, item: MissingTarget, target: str) -> tuple[float, bool]:
        """Returns the gain of opening a container, and whether to open it before everything else was searched."""
        thing = self._view.things.get(target)
        category = thing.category if thing else ""
        kind = self._view.rooms.get(self._view.room_of(thing), "") if thing else ""
        gain = self._knowledge.share(item.what.category, category)
        place = item.what.place
        if place is None:
            return gain * self._factor(item, kind), self._knowledge.is_usual(item.what.category, category)
        if self._knowledge.is_room(place.category):
            if kind and not self._knowledge.is_kind(kind, place.category):
                return (0.0 if item.strictly else gain * _ELSEWHERE), False
            usual = self._knowledge.is_usual(item.what.category, category)
            return gain * self._factor(item, kind), usual
        if (
            thing is not None
            and self._matcher.evidence(thing, place) is not None
            and item.what.relation != words.ON
        ):
            return max(gain, self._knowledge.share(item.what.category, "")) * _HINT_BONUS, True
        return (0.0 if item.strictly else gain * _ELSEWHERE), False

    def _hides(self, item: MissingTarget) -> bool:
        """Whether the target fits into containers."""
        category = item.what.category
        return not self._knowledge.is_furniture(category) and not self._knowledge.is_room(category)

    def _targets(self, skill: str) -> tuple[str, ...]:
        if skill not in self._offered:
            names = (arguments[0] for name, arguments in self._allowed if name == skill and arguments)
            self._offered[skill] = tuple(sorted(names, key=id_order))
        return self._offered[skill]

    def _opening(self, target: str) -> tuple[Action, ...]:
        way = self._access.way_to(target)
        if way is None:
            self.cut_off.add(target)
            return ()
        return (*(self._access.clearing(target) or way), action(words.SKILL_OPEN, target))

    def _was_explored(self, frontier: str) -> bool:
        return self._history.succeeded(action(words.SKILL_EXPLORE, frontier))

    def _is_door(self, target: str) -> bool:
        thing = self._view.things.get(target)
        if thing is None or not self._knowledge.is_openable(thing.category):
            return False
        return not self._knowledge.is_container(thing.category)

    def _is_settled(self, target: str) -> bool:
        """Whether it was looked into or through already, or does not open."""
        thing = self._view.things.get(target)
        if thing is not None and thing.is_missing:
            return True
        if self._access.is_stuck(target):
            return True
        # A container that was shut again holds what it held; behind a door that was shut there is a way.
        return self._access.is_open(target) if self._is_door(target) else self._access.was_opened(target)

    def _rooms_at(self, door: str) -> set[str]:
        """Returns the rooms of objects near a door: with two, both of its sides are known."""
        names = (door, *self._view.near(door))
        rooms = {self._view.room_of(self._view.things[n]) for n in names if n in self._view.things}
        return rooms - {""}

    def _tier(self, actions: tuple[Action, ...]) -> Tier | None:
        """Returns the tier by earlier attempts; None if another attempt is of no use now."""
        if not self._access.may_do(actions):
            if actions and self._access.feasibility_of(actions[0]) is Feasibility.LATER:
                self.waiting.add(actions[0].arguments[0])
            return None
        again = any(self._access.feasibility_of(item) < Feasibility.UNTRIED for item in actions)
        if any(item.skill == words.SKILL_CLOSE for item in actions):
            again = False  # what was in the way is known, and no longer needed open
        return Tier.AGAIN if again else Tier.USUAL

    def _last_loss(self) -> int:
        """Returns when the newest vanished object that may be a target was missed [ns]; -1 = none was."""
        facts = (
            thing.state_fact(PRESENCE)
            for thing in self._view.things.values()
            if thing.is_missing and any(self._matcher.resembles(thing, item.what) for item in self.wanted)
        )
        return max((fact.last_seen.nanoseconds for fact in facts if fact is not None), default=-1)
