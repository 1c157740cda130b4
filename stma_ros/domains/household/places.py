"""Finds the places where an object can be put to meet a goal, and checks whether it is there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.domains.household.feasibility import (
    MAX_FAILURES,
    MAX_PLACEMENTS,
    SPOT_ERRORS,
    Access,
    Feasibility,
)
from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.matching import Evidence, Match, Matcher
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import ALL

_MAX_ON_FLOOR = 4  # attempts to put an object on the floor
_SUITS_ROOM = 0.6  # room factor below which a piece of furniture rather stands in another kind of room

_REFUSALS = {
    ErrorCode.NO_ROOM: "is full",
    ErrorCode.HOLDS_NOTHING: "holds nothing",
    ErrorCode.DOES_NOT_FIT: "is too small for it",
    ErrorCode.IS_CLOSED: "cannot be opened",
}


@dataclass(frozen=True)
class Spot:
    """A place and the skill that puts objects there.

    Attributes:
        place: in, on or next to which objects are put.
        skill: that puts them there.
        beside: id of the object that they are to be near; empty = anywhere at the place.
    """

    place: KnownObject
    skill: str
    beside: str = ""


class Places:
    """The possible places of objects by the beliefs of one step."""

    def __init__(
        self,
        view: BeliefIndex,
        history: OutcomeIndex,
        matcher: Matcher,
        access: Access,
        allowed: Collection[Key],
        floor: Evidence,
        goals: Sequence[Goal] = (),
    ) -> None:
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._matcher = matcher
        self._access = access
        self._allowed = allowed
        self._floor = floor
        self._goals = tuple(goals)
        self._common: dict[int, KnownObject | None] = {}  # of each group of goals
        self._destinations: dict[PlaceGoal, tuple[KnownObject, ...]] = {}

    def accepts_room(self, goal: PlaceGoal) -> bool:
        """Whether a goal accepts any place in a room."""
        return goal.destination is not None and (
            goal.relation == words.IN_ROOM or self._knowledge.is_room(goal.destination.category)
        )

    def wanted_room(self, goal: PlaceGoal) -> Description | None:
        """Returns the room in which a goal accepts any place, or any place on the floor; None = it asks for another
        place, or for the floor of no particular room."""
        if self.accepts_room(goal):
            return goal.destination
        place = self._place_on_floor(goal)
        return place if place is not None and self._knowledge.is_room(place.category) else None

    def wanted_neighbour(self, goal: PlaceGoal) -> Description | None:
        """Returns next to what a goal wants things, on the floor or anywhere; None = it asks for another place."""
        if goal.relation == words.NEAR:
            return goal.destination
        place = self._place_on_floor(goal)
        return place if place is not None and not self._knowledge.is_room(place.category) else None

    def _place_on_floor(self, goal: PlaceGoal) -> Description | None:
        return goal.destination.place if goal.is_on_floor and goal.destination is not None else None

    def can_hold_objects(self, category: str) -> bool:
        """Whether objects can be put in or on places of this category."""
        return self._knowledge.is_surface(category) or self._knowledge.is_receptacle(category)

    def is_there(self, goal: PlaceGoal, thing: KnownObject) -> bool:
        """Whether an object is in the place that a goal requires."""
        if goal.relation == words.HELD_BY or thing.held:
            return thing.held and goal.relation == words.HELD_BY
        destination = goal.destination
        if destination is None:
            holder = self._view.objects.get(thing.holder)
            return holder is not None and self._knowledge.is_usual(thing.category, holder.category)
        if self.accepts_room(goal):
            fell = self._history.has_dropped(thing.id) and not thing.holder
            return not fell and self._is_in_wanted_room(goal, thing)
        if goal.is_on_floor:  # what has no holder may as well stand on something that was not made out
            neighbour = self.wanted_neighbour(goal)
            is_there = neighbour is None or self._is_near_anchor(thing, neighbour)
            return bool(thing.put_next_to) and is_there and self._is_in_wanted_room(goal, thing)
        if goal.relation == words.NEAR:
            return self._is_near_anchor(thing, destination)
        if goal.is_away:
            return self._is_away(thing, destination)
        for predicate, name in self._view.chain(thing):
            holder = self._view.objects.get(name)
            if holder is not None and (
                self._is_destination(goal, holder) or self._stays(thing, holder, destination)
            ):
                return self._matcher.matches_relation(predicate, goal.relation, holder)
        return False

    def _is_away(self, thing: KnownObject, other: Description) -> bool:
        """Whether an object is at a place that is known, and in, on or near nothing that a description may mean."""
        holders = {name for _, name in self._view.chain(thing)}
        meant = {match.thing.id for match in self._matcher.matches(other)}
        is_there = bool(holders & meant) or self._matcher.is_near(thing, other)
        return bool(holders or thing.put_next_to) and not is_there

    def is_put_where_it_may_belong(self, goal: PlaceGoal, thing: KnownObject) -> bool:
        """Whether the robot has put an object where it is, and the goal may mean that place, however unlikely."""
        if goal.destination is None or self.accepts_room(goal) or goal.is_away:
            return False
        put = {place for _, place in self._history.placements(thing.id)}
        fitting = {match.thing.id for match in self._matcher.matches(goal.destination)}
        return any(name in put & fitting for _, name in self._view.chain(thing))

    def was_there(self, goal: PlaceGoal, thing: KnownObject) -> bool:
        """Whether the robot has put an object in the place that a goal requires before."""
        if goal.relation == words.HELD_BY:
            return self._history.was_picked(thing.id)
        destinations = {place.id for place in self.destinations(goal)}
        return any(
            place in destinations and (predicate == words.NEAR or not goal.is_on_floor)
            for predicate, place in self._history.placements(thing.id)
        )

    def destinations(self, goal: PlaceGoal) -> tuple[KnownObject, ...]:
        """Returns the places that a goal names, whether or not they can be used."""
        if goal not in self._destinations:
            self._destinations[goal] = tuple(
                {place.id: place for place in self._find_destinations(goal)}.values()
            )
        return self._destinations[goal]

    def spots(self, goal: PlaceGoal, thing: KnownObject) -> tuple[Spot, ...]:
        """Returns the spots where an object can be put, without those that rejected it."""
        return tuple(spot for spot in self._possible(goal, thing) if not self.refusal(spot, thing))

    def surfaces(self, thing: KnownObject | None) -> tuple[Spot, ...]:
        """Returns every surface on which an object can be put down; None stands for an unknown object.

        Devices such as stoves are no places to put things down.
        """
        found = (
            Spot(place, words.SKILL_PLACE_ON)
            for place in self._view.objects.values()
            if self._is_furniture_surface(place.category)
            and not self._knowledge.is_device(place.category)
            and not place.is_missing
        )
        return tuple(spot for spot in found if self._is_allowed(spot) and not self.refusal(spot, thing))

    def floor_elsewhere(self, thing: KnownObject) -> tuple[Spot, ...]:
        """Returns the floor next to furniture, but for that near which the robot took an object off the floor."""
        near = thing.origin.near if thing.origin is not None else ()
        found = (
            Spot(place, words.SKILL_PLACE_NEXT_TO)
            for place in self._view.objects.values()
            if self._is_furniture_to_stand_by(place.category)
            and not place.is_missing
            and place.id not in near
        )
        return tuple(spot for spot in found if self._is_allowed(spot) and not self.refusal(spot, thing))

    def refusal(self, spot: Spot, thing: KnownObject | None) -> str:
        """Returns why a spot cannot hold an object, as attempts have shown; empty = it may hold it."""
        is_liquid = self._knowledge.is_vessel(spot.place.category)  # what a full bowl is full of
        is_full = spot.place.is_certainly(words.STATE_FULL) and not is_liquid
        if is_full and spot.skill != words.SKILL_PLACE_NEXT_TO:
            return _REFUSALS[ErrorCode.NO_ROOM]
        if spot.skill == words.SKILL_PLACE_IN and self._access.is_barred(spot.place.id):
            return _REFUSALS[ErrorCode.IS_CLOSED]
        failures = self._history.placing_failures(action(spot.skill, spot.place.id))
        codes = [
            failure.outcome.error.code
            for failure in failures
            if failure.outcome.error.code != ErrorCode.DOES_NOT_FIT
            or thing is None
            or failure.held in ("", thing.id)
        ]
        for code in (ErrorCode.NO_ROOM, ErrorCode.HOLDS_NOTHING, ErrorCode.DOES_NOT_FIT):
            if code in codes:
                is_floor = code == ErrorCode.NO_ROOM and spot.skill == words.SKILL_PLACE_NEXT_TO
                return "has no free floor next to it" if is_floor else _REFUSALS[code]
        if ErrorCode.IS_CLOSED in codes and self._access.is_stuck(spot.place.id):
            return _REFUSALS[ErrorCode.IS_CLOSED]
        other = [
            code for code in codes if code not in (ErrorCode.IS_CLOSED, ErrorCode.TOO_FAR, ErrorCode.DROPPED)
        ]
        other = [code for code in other if code not in (ErrorCode.HAND_EMPTY, ErrorCode.NO_SUCH_TARGET)]
        other = [code for code in other if code not in SPOT_ERRORS]
        tried = sum(code in SPOT_ERRORS for code in codes)
        if tried and self._access.feasibility_of(action(spot.skill, spot.place.id)) is Feasibility.IMPOSSIBLE:
            return f"has no free place that could be found in {tried} attempts"
        if len(other) >= MAX_FAILURES or codes.count(ErrorCode.TOO_FAR) > MAX_FAILURES:
            return f"could not be used ({failures[-1].outcome.error.text.rstrip('.')})"
        return ""

    def was_often_taken(self, spot: Spot) -> bool:
        """Whether attempts found no free place at a spot again and again."""
        failures = self._history.placing_failures(action(spot.skill, spot.place.id))
        return sum(failure.outcome.error.code in SPOT_ERRORS for failure in failures) >= MAX_FAILURES

    def tells_of_another_room(self, goal: PlaceGoal, place: KnownObject) -> bool:
        """Whether a piece of furniture hardly ever stands in the kind of room in which a goal accepts any place: a
        bench by the kitchen may be beyond a border that the map does not show."""
        room = goal.destination
        if room is None or not self.accepts_room(goal):
            return False
        return self._knowledge.room_factor(place.category, room.category) < _SUITS_ROOM

    def problem(self, goal: PlaceGoal) -> str:
        """Returns why no known place can hold any object; empty if one can, or no place is known."""
        reasons = []
        possible = tuple(self._possible(goal, None))
        for place in self.destinations(goal):
            refused = [self.refusal(spot, None) for spot in possible if spot.place.id == place.id]
            if any(not reason for reason in refused):
                return ""
            how = goal.relation if goal.relation in (words.IN, words.ON) else "in or on"
            reasons.append(f"{place.id} {refused[0]}" if refused else f"nothing can be put {how} {place.id}")
        return " and ".join(reasons)

    def _is_destination(self, goal: PlaceGoal, place: KnownObject) -> bool:
        assert goal.destination is not None
        if goal.together:
            common = self._common_place(goal)
            return common is not None and common.id == place.id
        return any(match.thing.id == place.id for match in self._likely_places(goal.destination))

    def _common_place(self, goal: PlaceGoal) -> KnownObject | None:
        """Returns the place where things are that a goal and others want at one and the same place: of several, that of
        most of them, and then that where the robot has put some; None if none of them is at such a place. What must be
        apart leaves a place to those that the task names before."""
        assert goal.destination is not None
        if goal.together not in self._common:
            # By their ids: the order of the matches changes while the robot moves.
            likely = sorted(
                (m.thing for m in self._likely_places(goal.destination)), key=lambda each: each.id
            )
            taken = self._places_of(group for group in goal.apart if group < goal.together)
            free = (place for place in likely if not place.held and place.id not in taken)
            ranked = [(*self._together_at(goal.together, place), place) for place in free]
            best = max(ranked, key=lambda each: each[:2], default=(0, 0, None))
            self._common[goal.together] = best[2] if best[0] else None
        return self._common[goal.together]

    def _places_of(self, groups: Iterable[int]) -> frozenset[str]:
        """Returns the ids of the common places of groups of goals."""
        wanted = {*groups} - {0}
        members = (goal for goal in self._goals if isinstance(goal, PlaceGoal) and goal.together in wanted)
        places = map(self._common_place, members)
        return frozenset(place.id for place in places if place is not None)

    def _together_at(self, group: int, place: KnownObject) -> tuple[int, int]:
        """Returns how many of the things that are wanted together are at a place, and how many the robot put there."""
        count, put = 0, 0
        for goal in self._goals:
            if not (isinstance(goal, PlaceGoal) and goal.together == group):
                continue
            things = [match.thing for match in self._matcher.matches(goal.what)]
            there = [thing for thing in things if self._holds(place, goal.relation, thing)]
            count += len(there) if goal.count == ALL else min(len(there), goal.count)
            put += sum(place.id in (at for _, at in self._history.placements(thing.id)) for thing in there)
        return count, put

    def _holds(self, place: KnownObject, relation: str, thing: KnownObject) -> bool:
        """Whether a thing is in or on a place, as a relation says."""
        return any(
            name == place.id and self._matcher.matches_relation(predicate, relation, place)
            for predicate, name in self._view.chain(thing)
        )

    def _stays(self, thing: KnownObject, holder: KnownObject, destination: Description) -> bool:
        """Whether an object stays where the robot has put it again after it took it away: at a doubtful place, or at
        any place that may be meant if the robot has put it there before.

        Which of two rooms a task means may depend on where the robot stands: a door that is seen only from there parts
        them.
        """
        matches = {match.thing.id: match.evidence for match in self._matcher.matches(destination)}
        put = [place for _, place in self._history.placements(thing.id) if place in matches]
        if len(put) <= 1 or put[-1] != holder.id:
            return False
        return put.count(holder.id) >= MAX_PLACEMENTS or max(matches.values()) <= Evidence.DOUBTFUL

    def _likely_places(self, place: Description) -> tuple[Match, ...]:
        """Returns the places that fit a description; doubtful ones only if no likely one is known."""
        matches = self._matcher.matches(place)
        best = max((match.evidence for match in matches), default=self._floor)
        floor = max(self._floor, min(best, Evidence.WEAK))
        return tuple(match for match in matches if match.evidence >= floor)

    def _find_destinations(self, goal: PlaceGoal) -> Iterator[KnownObject]:
        present = [item for item in self._view.objects.values() if not item.is_missing and not item.held]
        if goal.destination is None:
            yield from (
                t
                for t in present
                if self._knowledge.is_furniture(t.category) and self.can_hold_objects(t.category)
            )
        elif self.accepts_room(goal):
            in_room = [thing for thing in present if self._is_in_wanted_room(goal, thing)]
            yield from (thing for thing in in_room if self._is_furniture_surface(thing.category))
            yield from (thing for thing in in_room if self._is_open_furniture(thing.category))
        elif goal.is_on_floor or goal.relation in (words.NEAR, words.AWAY_FROM):
            yield from (spot.place for spot in self._possible(goal, None))
        else:
            common = self._common_place(goal) if goal.together else None
            likely = [m.thing for m in self._likely_places(goal.destination) if not m.thing.held]
            if goal.together and common is None:
                forbidden = self._places_of(goal.apart)
                likely = [place for place in likely if place.id not in forbidden]
                others = {each.together for each in self._goals if isinstance(each, PlaceGoal)}
                taken = self._places_of(others - {goal.together})
                likely = [place for place in likely if place.id not in taken] or likely
            yield from likely if common is None else (common,)

    def _neighbours(self, goal: PlaceGoal) -> Iterator[tuple[KnownObject, KnownObject]]:
        """Yields the objects near which a goal wants others, each with what it is in, on or near and things can be put
        in or on. Of two things that are wanted somewhere and together, the second goes to where the first is."""
        assert goal.destination is not None
        for anchor in self._anchors(goal.destination):
            around = self._view.near(anchor.id) if not (goal.is_mutual and anchor.holder) else ()
            names = dict.fromkeys((anchor.on, anchor.inside, *around))
            known = [self._view.objects[name] for name in names if name in self._view.objects]
            yield from ((anchor, place) for place in known if self._can_hold_beside(place, anchor))

    def _anchors(self, what: Description) -> Iterator[KnownObject]:
        """Yields the objects near which others are wanted, by their description."""
        for match in self._likely_places(what):
            if self._matcher.fits_category(match.thing, what):
                yield match.thing

    def _is_near_anchor(self, thing: KnownObject, what: Description) -> bool:
        """Whether a thing is near an object near which a description wants it."""
        neighbours = self._matcher.neighbours(thing)
        return any(anchor.id in neighbours for anchor in self._anchors(what))

    def _can_hold_beside(self, place: KnownObject, anchor: KnownObject) -> bool:
        """Whether what is put in or on a place can be near something: the place holds it as well, or is a surface of
        furniture, and not behind a wall."""
        if place.id == anchor.holder:
            return self.can_hold_objects(place.category)
        rooms = {self._view.room_of(place), self._view.room_of(anchor)} - {""}
        is_fixed = not self._knowledge.is_portable(place.category)
        return is_fixed and self._knowledge.is_surface(place.category) and len(rooms) < 2

    def _spots_near(self, goal: PlaceGoal, thing: KnownObject | None) -> Iterator[Spot]:
        """Yields the spots near what a goal names, without places where the object was put and was not near it: on and
        in what is around it, and on the floor next to what stands there."""
        name = thing.id if thing is not None else ""
        put = [place for _, place in self._history.placements(name)] if name else []
        for anchor, place in self._neighbours(goal):
            if anchor.id == name or anchor.held or put.count(place.id) >= MAX_PLACEMENTS:
                continue
            beside = "" if anchor.inside == place.id else anchor.id
            other = words.SKILL_PLACE_ON if anchor.inside == place.id else words.SKILL_PLACE_IN
            parted = other if self._knowledge.is_container(place.category) else ""
            spots = (spot for spot in self._spots(goal, place, thing) if spot.skill != parted)
            yield from (replace(spot, beside=beside) for spot in spots)
        yield from self._spots_on_floor(goal, thing)

    def _spots_away(self, goal: PlaceGoal, thing: KnownObject | None) -> Iterator[Spot]:
        """Yields the surfaces of furniture that neither are what a goal names nor hold it or stand near it."""
        assert goal.destination is not None
        meant = {match.thing.id: match.thing for match in self._matcher.matches(goal.destination)}
        around = {name for each in meant.values() for name in (each.holder, *self._view.near(each.id))}
        put = [] if thing is None else [place for _, place in self._history.placements(thing.id)]
        for spot in self.surfaces(thing):
            place = spot.place.id
            if place not in meant and place not in around and put.count(place) < MAX_PLACEMENTS:
                yield spot

    def _spots_on_floor(self, goal: PlaceGoal, thing: KnownObject | None) -> Iterator[Spot]:
        """Yields the spots on the floor next to what a goal names, or next to furniture in the room that it names; not
        next to what somebody carries or what walks away."""
        name = thing.id if thing is not None else ""
        put = [place for how, place in self._history.placements(name) if how == words.NEAR] if name else []
        if len(put) >= _MAX_ON_FLOOR:
            return
        what = self.wanted_neighbour(goal)
        if what is not None:
            anchors = self._anchors(what)
        else:
            present = (item for item in self._view.objects.values() if not item.is_missing)
            pieces = (item for item in present if self._is_furniture_to_stand_by(item.category))
            anchors = (item for item in pieces if self._is_in_wanted_room(goal, item))
        for anchor in anchors:
            spot = Spot(anchor, words.SKILL_PLACE_NEXT_TO)
            stays = not (anchor.held or anchor.holder or self._knowledge.is_living(anchor.category))
            if (
                anchor.id != name
                and stays
                and put.count(anchor.id) < MAX_PLACEMENTS
                and self._is_allowed(spot)
            ):
                yield spot

    def _is_furniture_to_stand_by(self, category: str) -> bool:
        """Whether things can stand next to a piece of furniture and be in nobody's way, unlike next to a door."""
        return self._knowledge.is_furniture(category) and self.can_hold_objects(category)

    def _is_in_wanted_room(self, goal: PlaceGoal, thing: KnownObject) -> bool:
        """Whether a thing is in the room that a goal asks for; in any if it asks for none."""
        room = self.wanted_room(goal)
        return room is None or self._view.room_of(thing) in self._rooms(room)

    def _rooms(self, room: Description) -> frozenset[str]:
        """Returns the rooms that a description means: those that are taken to be of that kind; where doubtful ones are
        used, too, and none is of that kind, the likeliest one."""
        fitting = self._matcher.rooms.destinations(room.category)
        if fitting or self._floor > Evidence.DOUBTFUL:
            return fitting
        return frozenset({self._matcher.rooms.meant(room.category, self._view.rooms).room} - {""})

    def _spots(self, goal: PlaceGoal, place: KnownObject, thing: KnownObject | None) -> Iterator[Spot]:
        if thing is not None and thing.id in (place.id, place.holder):
            return
        if (
            goal.destination is None
            and thing is not None
            and not self._knowledge.is_usual(thing.category, place.category)
        ):
            return
        onto, into = Spot(place, words.SKILL_PLACE_ON), Spot(place, words.SKILL_PLACE_IN)
        spots = [spot for spot in (onto, into) if self._is_allowed(spot) and self._suits(spot, goal)]
        if len(spots) == 2 and goal.relation == words.ON:
            spots = [onto]
        elif len(spots) == 2 and goal.relation == words.IN and not self.accepts_room(goal):
            spots = [into]
        yield from spots

    def _suits(self, spot: Spot, goal: PlaceGoal) -> bool:
        """Whether an object that is put there is where a goal wants it: on a wardrobe is not in it."""
        predicate = words.RELATION_AFTER[spot.skill]
        return self.accepts_room(goal) or self._matcher.matches_relation(predicate, goal.relation, spot.place)

    def _possible(self, goal: PlaceGoal, thing: KnownObject | None) -> Iterator[Spot]:
        """Yields the spots where an object can be put for a goal; None stands for an unknown object."""
        if goal.relation == words.NEAR:
            yield from self._spots_near(goal, thing)
        elif goal.is_away:
            yield from self._spots_away(goal, thing)
        elif goal.is_on_floor:
            yield from self._spots_on_floor(goal, thing)
        else:
            for place in self.destinations(goal):
                yield from self._spots(goal, place, thing)

    def _is_allowed(self, spot: Spot) -> bool:
        return key(action(spot.skill, spot.place.id)) in self._allowed

    def _is_furniture_surface(self, category: str) -> bool:
        """Whether things can be put onto a piece of furniture, unlike onto a tray, which may be carried away."""
        return self._knowledge.is_surface(category) and self._knowledge.is_furniture(category)

    def _is_open_furniture(self, category: str) -> bool:
        """Whether things can be put into a piece of furniture without a door, unlike into a bowl."""
        return self._knowledge.is_open_receptacle(category) and self._knowledge.is_furniture(category)
