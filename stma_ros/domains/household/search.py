"""Rates the places that remain to be searched for missing targets.

Planner and critic share these ratings, so that they agree.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import (
    NOOK_AREA,
    OPENNESS,
    PRESENCE,
    BeliefIndex,
    KnownObject,
    id_order,
)
from stma_ros.domains.household.feasibility import Access, Feasibility
from stma_ros.domains.household.matching import Matcher
from stma_ros.domains.household.missing_targets import MissingTarget
from stma_ros.domains.household.obstacles import BULKY
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action
from stma_ros.domains.household.search_gains import HINT_BONUS, SearchGains
from stma_ros.domains.household.subplans import COMMAND_COST
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Result

LOOK_AROUND = action(words.SKILL_LOOK_AROUND)

_ROOM_AREA = 12.0  # [m^2] of unknown floor behind which a whole room may lie
_DEFAULT_AREA = 4.0  # [m^2] assumed if no area is known
_NEARBY = 3.0  # [m] of route within which containers get _NEARBY_BONUS
_NEARBY_BONUS = 1.5  # for containers that are searched before the robot leaves the area
_SIDES = 3  # from which the inside of a bag is looked at


class Tier(enum.IntEnum):
    """Order of search. Within a tier, candidates are ordered by their value."""

    USUAL = 0
    UNUSUAL = 1  # containers that rarely hold such objects, and small unknown areas
    RETRY = 2  # actions that failed once and may succeed from another position
    REVISIT = 3  # observed rooms, for targets that were overlooked or moved


@dataclass(frozen=True)
class Candidate:
    """A place to search.

    Attributes:
        target: id of a frontier, door, container or piece of furniture.
        actions: search the place.
        tier: order of search.
        gain: sum over the missing targets of the relative probability of finding each there.
        length: of the route [m].
    """

    target: str
    actions: tuple[Action, ...]
    tier: Tier
    gain: float
    length: float

    @property
    def value(self) -> float:
        """Ratio of gain and cost."""
        return self.gain / (self.length + COMMAND_COST * len(self.actions))


class Search:
    """The state of a search by the beliefs and the allowed actions of one step.

    Attributes:
        targets: the missing targets.
        out_of_reach: ids of known targets without a known route.
        retry_later: ids of places that failed and may be searched from another position.
        unreachable: ids of places that could be searched if a route were known.
        candidates: the places to search, best first.
    """

    def __init__(
        self,
        targets: Sequence[MissingTarget],
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
            targets: the missing targets.
            view: the spatial belief.
            history: the outcomes.
            matcher: of descriptions.
            access: reachability and feasibility.
            allowed: keys of the allowed actions.
            out_of_reach: ids of known targets without a known route, which may lead through a door or an unknown area.
            thorough: search observed rooms again for targets that allow it.
        """
        self.targets = tuple(targets)
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._matcher = matcher
        self._access = access
        self._allowed = allowed
        self.out_of_reach = tuple(out_of_reach)
        self._gains = SearchGains(self.targets, self.out_of_reach, view, matcher)
        self._thorough = thorough
        self._targets_by_skill: dict[str, tuple[str, ...]] = {}
        self.retry_later: set[str] = set()
        self.unreachable: set[str] = set()
        self.candidates = self._candidates()

    def looked_into(self) -> tuple[KnownObject, ...]:
        """Returns the containers whose inside was in view."""
        names = (name for name in self._containers_known() if self._access.was_looked_into(name))
        return tuple(self._view.objects[name] for name in names)

    def unsearched(self) -> tuple[str, ...]:
        """Returns the ids of frontiers, doors and containers that are not candidates and were not searched, those that
        cannot be opened included; of containers only where a missing target may be in one."""
        left = {name for name in self._allowed_targets(words.SKILL_EXPLORE) if not self._was_explored(name)}
        left |= {*filter(self._is_door, self._unopened())}
        if any(self._gains.fits_into_containers(item) for item in self.targets):
            left |= {*self.unopened_containers()}
        return tuple(sorted(left - {candidate.target for candidate in self.candidates}, key=id_order))

    def unopened_containers(self) -> tuple[str, ...]:
        """Returns the ids of the containers whose inside was not in view."""
        return tuple(name for name in self._unopened() if not self._is_door(name))

    def _unopened(self) -> Iterator[str]:
        """Yields the ids of the doors and containers beyond or in which the robot has not looked; of the doors that it
        cannot open, those that are seen to be closed."""
        openable = {*self._allowed_targets(words.SKILL_OPEN), *self._containers_known()}
        for name, thing in self._view.objects.items():
            is_closed_door = self._is_door(name) and thing.state(OPENNESS) == words.STATE_CLOSED
            if (name in openable or is_closed_door) and not self._was_searched(name):
                yield name

    def hidden_places(self, what: Description | None = None) -> tuple[str, ...]:
        """Returns the ids of the frontiers, doors and containers beyond or in which a missing target may be, those that
        cannot be explored or opened included.

        Args:
            what: description of the target; None = any target, and a way to those out of reach.
        """
        gains = self._gains
        if what is not None:
            targets = tuple(item for item in self.targets if item.what == what)
            gains = SearchGains(targets, (), self._view, self._matcher)
        left = {*self.unsearched(), *(candidate.target for candidate in self.candidates)}
        return tuple(sorted((name for name in left if self._may_hide_target(name, gains)), key=id_order))

    def _may_hide_target(self, name: str, gains: SearchGains) -> bool:
        """Whether a missing target may be at a place, by what is known of the place."""
        frontier = self._view.frontiers.get(name)
        if frontier is not None:
            return not frontier.is_nook and gains.of_room(frontier.room) > 0
        if self._is_door(name):
            return gains.of_room("") > 0
        return any(gain > 0 for gain, _ in gains.inside(name))

    def _containers_known(self) -> Iterator[str]:
        objects = self._view.objects.values()
        return (thing.id for thing in objects if self._knowledge.is_container(thing.category))

    # -- candidates

    def _candidates(self) -> tuple[Candidate, ...]:
        if not self.targets and not self.out_of_reach:
            return ()
        found = [
            *self._frontiers(),
            *self._doors(),
            *self._containers(),
            *self._named_places(),
            *self._disputed(),
            *self._unconfirmed(),
            *self._where_others_were(),
            *self._open_receptacles(),
        ]
        found = [candidate for candidate in found if candidate.gain > 0] or [*self._seen_rooms()]
        return tuple(sorted(found, key=lambda c: (c.tier, -c.value, c.length, id_order(c.target))))

    def _frontiers(self) -> Iterator[Candidate]:
        for target in self._allowed_targets(words.SKILL_EXPLORE):
            go = action(words.SKILL_EXPLORE, target)
            tier = self._tier((go,))
            if tier is None or self._was_explored(target) or not self._view.reachable(target):
                continue
            frontier = self._view.frontiers.get(target)
            area = _DEFAULT_AREA if frontier is None or math.isnan(frontier.area) else frontier.area
            if tier is Tier.USUAL and area < NOOK_AREA:
                tier = Tier.UNUSUAL
            gain = min(1.0, area / _ROOM_AREA) * self._gains.of_room(frontier.room if frontier else "")
            yield Candidate(target, (go,), tier, gain, self._access.length(target))

    def _doors(self) -> Iterator[Candidate]:
        """Yields closed doors, each of which may lead to an unknown room."""
        for target in self._allowed_targets(words.SKILL_OPEN):
            if not self._is_door(target) or self._needs_no_search(target):
                continue
            opening = self._opening(target)
            tier = self._tier(opening)
            if tier is None:
                continue
            is_closed = self._view.objects[target].state(OPENNESS) == words.STATE_CLOSED
            if tier is Tier.USUAL and not (
                is_closed and (self.out_of_reach or len(self._rooms_at(target)) < 2)
            ):
                tier = Tier.UNUSUAL
            yield Candidate(target, opening, tier, self._gains.of_room(""), self._access.length(target))

    def _containers(self) -> Iterator[Candidate]:
        for target in self._allowed_targets(words.SKILL_OPEN):
            if self._is_door(target) or self._needs_no_search(target):
                continue
            opening = self._opening(target)
            tier = self._tier(opening)
            if tier is None:
                continue
            gains = self._gains.inside(target)
            if tier is Tier.USUAL and not any(usual for _, usual in gains):
                tier = Tier.UNUSUAL
            length = self._access.length(target)
            bonus = _NEARBY_BONUS if length <= _NEARBY else 1.0
            yield Candidate(target, opening, tier, bonus * sum(gain for gain, _ in gains), length)

    def _named_places(self) -> Iterator[Candidate]:
        """Yields places that the task names as the place of a target, for an observation from nearby."""
        places = [item.what for item in self.targets if item.what.place is not None]
        for what in places:
            assert what.place is not None
            if self._knowledge.is_room(what.place.category):
                continue
            for match in self._matcher.matches(what.place):
                target = match.thing.id
                go = action(words.SKILL_NAVIGATE, target)
                is_container = (
                    self._knowledge.is_container(match.thing.category) and what.relation != words.ON
                )
                if is_container or self._access.is_near(target) or self._history.succeeded(go):
                    continue
                tier = self._tier(self._access.approach(target) or ())
                if tier is not None:
                    yield Candidate(target, (go,), tier, HINT_BONUS, self._access.length(target))

    def _disputed(self) -> Iterator[Candidate]:
        """Yields things that are rather of another kind or colour than a target, and may be it, for a look from
        elsewhere."""
        for item in self.targets:
            for match in self._matcher.matches(item.what):
                thing = match.thing
                if not self._matcher.is_disputed(thing, item.what):
                    continue
                if thing.held or self._history.was_picked(thing.id) or self._access.stands_at(thing.id):
                    continue
                yield from self._look_at(thing, 1.0)

    def _unconfirmed(self) -> Iterator[Candidate]:
        """Yields what may be a target if it is there at all, which a look from nearby tells."""
        for thing in self._view.unconfirmed.values():
            likelihood = sum(
                self._view.likelihood_unconfirmed(thing, item.what.category)
                for item in self.targets
                if self._matcher.evidence(thing, item.what) is not None
            )
            yield from self._look_at(thing, likelihood)

    def _look_at(self, thing: KnownObject, gain: float) -> Iterator[Candidate]:
        """Yields the way to something for a look at it, unless the robot was there."""
        go = action(words.SKILL_NAVIGATE, thing.id)
        tier = None if self._matcher.was_approached(thing) else self._tier((go,))
        if tier is not None:
            yield Candidate(thing.id, (go,), tier, gain, self._access.length(thing.id))

    def _where_others_were(self) -> Iterator[Candidate]:
        """Yields the places from which the robot took things, for a look at what they hid: what a task names together
        is often at one place, and where one of a kind was, there are likely more."""
        places: dict[str, tuple[float, int]] = {}
        if not self.targets:
            return
        for thing in self._view.objects.values():
            place = self._view.objects.get(thing.origin.on or thing.origin.inside) if thing.origin else None
            if place is None or place.is_missing or place.held:
                continue
            is_alike = any(self._matcher.fits_category(thing, item.what) for item in self.targets)
            taken = self._history.first_success(action(words.SKILL_PICK, thing.id))
            best, last = places.get(place.id, (0.0, -1))
            places[place.id] = max(best, HINT_BONUS if is_alike else 1.0), max(last, taken)
        for name, (gain, taken) in places.items():
            if not self._knowledge.is_open_receptacle(self._view.objects[name].category):
                go = action(words.SKILL_NAVIGATE, name)
                tier = None if name in self._history.targets_since(taken) else self._tier((go,))
                if tier is not None:
                    yield Candidate(name, (go,), tier, gain, self._access.length(name))

    def _open_receptacles(self) -> Iterator[Candidate]:
        """Yields bags, baskets and boxes, each for looks from several sides, one after the other: from one, only a part
        of its inside shows. What things were taken out of comes first, and furniture, such as a sink, only then."""
        origins = [t.origin.inside for t in self._view.objects.values() if t.origin and t.origin.inside]
        for thing in self._view.objects.values():
            if thing.held or thing.is_missing or not self._knowledge.is_open_receptacle(thing.category):
                continue
            is_bag = thing.size >= BULKY and self._knowledge.is_portable(thing.category)
            if thing.id not in origins and not is_bag:
                continue
            go = action(words.SKILL_NAVIGATE, thing.id)
            looks = self._looks_since_last_taken(thing)
            is_here = self._history.standing_at == thing.id
            if looks >= _SIDES or (looks and not is_here):
                continue
            tier = self._tier((go,))
            gains = self._gains.inside(thing.id)
            gain = sum(gain for gain, _ in gains)
            is_usual = looks > 0 or thing.id in origins or any(usual for _, usual in gains)
            if tier is Tier.USUAL and not is_usual:
                tier = Tier.UNUSUAL
            if tier is not None:
                bonus = HINT_BONUS if thing.id in origins else 1.0
                yield Candidate(thing.id, (go,), tier, bonus * gain, self._access.length(thing.id))

    def _looks_since_last_taken(self, receptacle: KnownObject) -> int:
        """Returns how often the robot went to a receptacle since it last took a thing out of it, or moved it."""
        looks = 0
        inside = {receptacle.id}
        inside |= {
            each.id
            for each in self._view.objects.values()
            if each.origin is not None and each.origin.inside == receptacle.id
        }
        for outcome in self._history.outcomes:
            if outcome.result != Result.SUCCEEDED or not outcome.action.arguments:
                continue
            if outcome.action.skill == words.SKILL_PICK and outcome.action.target in inside:
                looks = 0
            elif outcome.action == action(words.SKILL_NAVIGATE, receptacle.id):
                looks += 1
        return looks

    def _seen_rooms(self) -> Iterator[Candidate]:
        """Yields observed rooms for another look around, if no unobserved place remains or a known object has vanished.

        The look is taken from a place where the robot has not been and where such objects are likely.
        """
        vanished = self._last_vanishing()
        targets = [item for item in self.targets if vanished >= 0 or (self._thorough and item.revisit)]
        if not targets:
            return
        here, visited = self._history.standing_at, self._history.targets_since(vanished)
        recent = self._history.targets_since(max(vanished, self._history.last_discovery)) - {here}
        searched = {self._view.room_of(self._view.objects[n]) for n in recent if n in self._view.objects}
        best: dict[str, tuple[bool, float, bool, KnownObject]] = {}
        pieces = (t for t in self._view.objects.values() if self._knowledge.is_furniture(t.category))
        for thing in pieces:
            room = self._view.room_of(thing)
            # A piece within the arm's reach may still have no place to stand before it.
            if not room or room in searched or self._is_door(thing.id) or not self._view.reachable(thing.id):
                continue
            gain = sum(self._knowledge.share(item.what.category, thing.category) for item in targets)
            rank = thing.id not in visited, gain, self._knowledge.is_surface(thing.category)
            if room not in best or rank > best[room][:3]:
                best[room] = *rank, thing
        standing = self._view.objects.get(here)
        own_room = self._view.room_of(standing) if standing is not None else ""
        if own_room in best:
            del best[own_room]
            if not self._history.looked_around_here:
                yield Candidate(here, (LOOK_AROUND,), Tier.REVISIT, HINT_BONUS, 0.0)
        for _, gain, _, thing in best.values():
            actions = (action(words.SKILL_NAVIGATE, thing.id), LOOK_AROUND)
            if self._access.is_feasible(actions):
                yield Candidate(thing.id, actions, Tier.REVISIT, gain, self._access.length(thing.id))

    def _allowed_targets(self, skill: str) -> tuple[str, ...]:
        if skill not in self._targets_by_skill:
            names = (arguments[0] for name, arguments in self._allowed if name == skill and arguments)
            self._targets_by_skill[skill] = tuple(sorted(names, key=id_order))
        return self._targets_by_skill[skill]

    def _opening(self, target: str) -> tuple[Action, ...]:
        """Returns the actions that show what a container holds, or what is behind a door; empty = there are none."""
        if not self._is_door(target) and self._access.is_certainly(words.STATE_OPEN, target):
            return self._open_again(target) or self._look_from_before(target)
        way = self._access.approach(target)
        if way is None:
            self.unreachable.add(target)
            return ()
        return (*(self._access.clear_obstacle(target) or way), action(words.SKILL_OPEN, target))

    def _open_again(self, target: str) -> tuple[Action, ...]:
        """Returns the actions that close and open a container that was found open when it should be opened, which shows
        its inside; empty for others, and for one that does not close."""
        way = self._access.approach(target)
        close, opening = (action(skill, target) for skill in (words.SKILL_CLOSE, words.SKILL_OPEN))
        found = any(o.error.code == ErrorCode.ALREADY_OPEN for o in self._history.outcomes_of(opening))
        if way is None or not found or self._access.opened_at(target) >= 0:
            return ()
        actions = (*way, close, opening)
        return actions if self._access.is_feasible(actions) else ()

    def _look_from_before(self, target: str) -> tuple[Action, ...]:
        """Returns the way to an open container that has not been in view since it was opened; it is gone once."""
        go = action(words.SKILL_NAVIGATE, target)
        opened = self._access.opened_at(target)
        gone = any(outcome.header.stamp.nanoseconds > opened for outcome in self._history.outcomes_of(go))
        return () if gone else (go,)

    def _was_explored(self, frontier: str) -> bool:
        return self._history.succeeded(action(words.SKILL_EXPLORE, frontier))

    def _is_door(self, target: str) -> bool:
        thing = self._view.objects.get(target)
        return thing is not None and self._knowledge.is_door(thing.category)

    def _needs_no_search(self, target: str) -> bool:
        """Whether opening a container or door is of no use, or was tried in vain."""
        return self._access.is_stuck(target) or self._was_searched(target)

    def _was_searched(self, target: str) -> bool:
        """Whether nothing is hidden in a container or behind a door: that was in view, or it has vanished."""
        thing = self._view.objects.get(target)
        if thing is not None and thing.is_missing:
            return True
        # The content of a container stays the same after it is closed, but a closed door blocks the route behind it.
        if self._is_door(target):
            is_open = self._access.is_certainly(words.STATE_OPEN, target)
            is_open = is_open or self._access.is_contested(words.STATE_OPEN, target)
            return is_open or self._leads_nowhere_new(target) or self._was_closed_again(target)
        return self._access.was_looked_into(target)

    def _leads_nowhere_new(self, door: str) -> bool:
        """Whether both sides of a door that does not seem closed are known, so that opening it would show nothing."""
        seems_closed = self._view.objects[door].state(OPENNESS) == words.STATE_CLOSED
        return not seems_closed and not self.out_of_reach and len(self._rooms_at(door)) >= 2

    def _was_closed_again(self, door: str) -> bool:
        """Whether the robot has closed a door, which it does once nothing is left to be searched behind it. For
        something out of reach it is opened once more."""
        closings = self._history.outcomes_of(action(words.SKILL_CLOSE, door))
        closed = sum(outcome.result == Result.SUCCEEDED for outcome in closings)
        return closed > (1 if self.out_of_reach else 0)

    def _rooms_at(self, door: str) -> set[str]:
        """Returns the rooms of objects near a door; two rooms mean that both of its sides are known."""
        names = (door, *self._view.near(door))
        rooms = {self._view.room_of(self._view.objects[n]) for n in names if n in self._view.objects}
        return rooms - {""}

    def _tier(self, actions: tuple[Action, ...]) -> Tier | None:
        """Returns the tier that follows from earlier attempts; None if an attempt is useless now."""
        blocked = {
            item.target
            for item in actions
            if item.skill == words.SKILL_NAVIGATE and not self._view.reachable(item.target)
        }
        if blocked:
            self.unreachable |= blocked
            return None
        if not self._access.is_feasible(actions):
            if actions and self._access.feasibility_of(actions[0]) is Feasibility.LATER:
                self.retry_later.add(actions[0].arguments[0])
            return None
        failed = any(self._access.feasibility_of(item) < Feasibility.UNTRIED for item in actions)
        clears_obstacle = any(item.skill == words.SKILL_CLOSE for item in actions)  # the cause of the failure
        return Tier.RETRY if failed and not clears_obstacle else Tier.USUAL

    def _last_vanishing(self) -> int:
        """Returns when a target was last found to be missing [ns]; -1 = never."""
        facts = (
            thing.state_fact(PRESENCE)
            for thing in self._view.objects.values()
            if thing.is_missing and any(self._matcher.resembles(thing, item.what) for item in self.targets)
        )
        return max((fact.last_seen.nanoseconds for fact in facts if fact is not None), default=-1)
