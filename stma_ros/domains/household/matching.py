"""Matches known objects with descriptions, by level of evidence."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from stma_ros.domains.household.belief_index import EVEN, BeliefIndex, KnownObject, Origin, id_order
from stma_ros.domains.household.language.limits import is_of_rare_kind
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.domains.household.recall import Recall
from stma_ros.domains.household.room_references import AMONG_CANDIDATES, RoomMeant, RoomReferences, odds
from stma_ros.memory.descriptions import LARGE, Description
from stma_ros.types import vocabulary as words

_SURE = 0.6  # confidence from which an object with several observations needs none from nearby
_DISPUTED = 0.7  # confidence below which furniture that may be of another kind is doubtful even from nearby
_NEARBY = 1.5  # [m] of route from which a nearer observation adds nothing
_CONTRAST = 1.25  # ratio of sizes from which one object is called large and another small


class Evidence(enum.IntEnum):
    """The certainty that an object is the described one; higher is more certain."""

    UNLIKELY = 1  # furniture outside the described room; not the smallest or largest of similar objects
    DOUBTFUL = (
        2  # used only without better objects: unsure or colourless from nearby, not or perhaps at its place
    )
    WEAK = 3  # worth an observation from nearby
    STRONG = 4


@dataclass(frozen=True)
class Match:
    """An object that may be the described one."""

    thing: KnownObject
    evidence: Evidence


class Matcher:
    """Matches objects by the beliefs of one step."""

    def __init__(
        self,
        view: BeliefIndex,
        history: OutcomeIndex,
        allowed: Collection[Key],
        *,
        rooms: RoomReferences | None = None,
        knows_all_rooms: bool = False,
        knows_all_things: bool = False,
        recall: Recall | None = None,
    ) -> None:
        """Creates a matcher.

        Args:
            view: index of the spatial belief.
            history: index of the temporal belief.
            allowed: keys of the allowed actions.
            rooms: what the kinds of rooms in the task's text mean; None = by the beliefs alone.
            knows_all_rooms: whether a room or piece of furniture that a description means can only be among what is
                known.
            knows_all_things: whether that is so of things that fit into containers, too.
            recall: how old what is remembered of a portable thing may be; None = any age.
        """
        self.rooms = rooms or RoomReferences(view)
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._allowed = allowed
        self._knows_all_rooms = knows_all_rooms
        self._knows_all_things = knows_all_things
        self._recall = recall
        self._meant: dict[Description, RoomMeant] = {}
        self._matches: dict[Description, tuple[Match, ...]] = {}
        moved = {thing.id: _at_origin(thing) for thing in view.objects.values() if self._was_taken(thing)}
        self._as_found = {**view.objects, **moved}

    def matches(self, what: Description) -> tuple[Match, ...]:
        """Returns the objects that may be the described one, best first."""
        if what not in self._matches:
            judged = ((thing, self.evidence(thing, what)) for thing in self._view.objects.values())
            found = [Match(thing, evidence) for thing, evidence in judged if evidence is not None]
            self._matches[what] = tuple(sorted(found, key=self._order))
        return self._matches[what]

    def evidence(self, thing: KnownObject, what: Description) -> Evidence | None:
        """Returns the evidence that an object is the described one; None if it is not."""
        if thing.is_missing:
            return None
        if not self.fits_category(thing, what):
            return self._evidence_of_other_kinds(thing, what)
        if what.id:
            return Evidence.STRONG
        evidence = self._evidence_of_looks(thing, what)
        if evidence is None:
            return None
        of_place = self._evidence_of_place(thing, what)
        if of_place is None:
            is_furniture = self._knowledge.is_furniture(thing.category)
            in_known_room = self._view.is_of_likely_kind(self._view.room_of(thing))
            meant = self._room_meant(what)
            is_elsewhere = in_known_room or (bool(meant.room) and not meant.is_known)
            return Evidence.UNLIKELY if is_furniture and is_elsewhere else Evidence.DOUBTFUL
        if what.size:
            sized = self._evidence_of_size(thing, what, evidence)
            if sized is None:
                return None
            evidence = sized
        return min(evidence, of_place)

    def resembles(self, thing: KnownObject, what: Description) -> bool:
        """Whether an object, which may be missing, fits a description apart from its place."""
        return self.fits_category(thing, what) and (
            bool(what.id) or self._evidence_of_looks(thing, what) is not None
        )

    def is_at_described_place(self, thing: KnownObject, what: Description) -> bool:
        """Whether an object is at the described place or was there when the robot first took it.

        A task's text describes where things are when the task begins. An object that was taken from a place that is not
        known may have been anywhere.
        """
        return self._evidence_of_place(thing, what) is not None

    def _evidence_of_place(self, thing: KnownObject, what: Description) -> Evidence | None:
        """Returns the evidence that an object is at the described place: doubtful if that is so only if a room is of a
        kind that is not known well; None if it is not there."""
        place, objects = what.place, self._as_found
        if place is None:
            return Evidence.STRONG
        thing = objects.get(thing.id, thing)
        if what.relation == words.IN_ROOM or self._knowledge.is_room(place.category):
            return self._evidence_of_room(self._view.room_of(thing, objects), what)
        if what.relation == words.NEAR:
            return Evidence.STRONG if self._is_near(thing, place, objects) else None
        holders = [(how, objects[name]) for how, name in self._view.chain(thing, objects) if name in objects]
        judged = [(how, holder, self.evidence(holder, place)) for how, holder in holders]
        fitting = [(how, holder, level) for how, holder, level in judged if level is not None]
        if not fitting:
            return None
        how, holder, _ = fitting[0]
        fits = self.matches_relation(how, what.relation, holder)
        if not fits and not (what.relation == words.IN and self._can_only_be_on(place)):
            return None
        is_sure = any(level > Evidence.DOUBTFUL for _, _, level in fitting)
        return Evidence.STRONG if is_sure else Evidence.DOUBTFUL

    def _can_only_be_on(self, container: Description) -> bool:
        """Whether a thing that is said to be in a container, or is wanted from it, can only be the one on top of it:
        all containers that may be meant were opened."""
        return self._knows_all_rooms and all(
            self._history.succeeded(action(words.SKILL_OPEN, match.thing.id))
            or match.thing.is_certainly(words.STATE_OPEN)
            for match in self.matches(container)
        )

    def _evidence_of_room(self, room: str, what: Description) -> Evidence | None:
        """Returns the evidence that things in a room are in the one that a description names; None if they are not."""
        assert what.place is not None
        meant = self._room_meant(what)
        if room and room == meant.room:
            is_evident = meant.is_sure if self._knows_all_rooms else meant.is_known
            return Evidence.STRONG if is_evident else Evidence.DOUBTFUL
        return Evidence.DOUBTFUL if self.rooms.is_room(room, what.place.category) else None

    def _room_meant(self, what: Description) -> RoomMeant:
        """Returns the room that a description names by its kind, among those with such an object."""
        place = what.place
        if place is None or not self._knowledge.is_room(place.category):
            return RoomMeant()
        if what not in self._meant:
            rooms = {
                self._view.room_of(thing, self._as_found)
                for thing in self._as_found.values()
                if not thing.is_missing
                and self.fits_category(thing, what)
                and self._evidence_of_looks(thing, what) is not None
            }
            self._meant[what] = self.rooms.meant(place.category, rooms)
        return self._meant[what]

    def is_meant_for_sure(self, name: str, room: Description) -> bool:
        """Whether a room of the belief is for sure the one that a kind of room means."""
        meant = self.rooms.meant(room.category, self._view.rooms)
        return meant.room == name and meant.is_sure and (meant.is_known or self._knows_all_rooms)

    def neighbours(self, thing: KnownObject) -> frozenset[str]:
        """Returns the ids of the objects near an object now, in the same room as far as is known, and that it is not in
        or on."""
        here = self._view.room_of(thing)
        near = {
            name
            for name in set(self._view.near(thing.id)) & self._view.objects.keys()
            if not here or self._view.room_of(self._view.objects[name]) in ("", here)
        }
        return frozenset({*near, thing.put_next_to} - {thing.holder, ""})

    def is_near(self, thing: KnownObject, other: Description) -> bool:
        """Whether an object is near an object now that may be of this description, however doubtful that is."""
        return self._is_any_of(self.neighbours(thing), other)

    def _is_near(self, thing: KnownObject, other: Description, objects: Mapping[str, KnownObject]) -> bool:
        neighbours = self._view.near(thing.id)
        if objects is self._as_found and self._was_taken(self._view.objects[thing.id]):
            neighbours = thing.origin.near if thing.origin is not None else ()
        near = {name for name in neighbours if name in objects}
        if thing.holder:
            near |= {name for name, item in objects.items() if item.holder == thing.holder}
            near |= {name for name in self._view.near(thing.holder) if name in objects}
        return self._is_any_of(near - {thing.id, thing.holder}, other)

    def _is_any_of(self, names: Collection[str], what: Description) -> bool:
        """Whether an object among these is the described one."""
        known = (self._view.objects[name] for name in names if name in self._view.objects)
        return any(
            self.fits_category(thing, what) and self.evidence(thing, what) is not None for thing in known
        )

    def could_be_one(self, one: Description, other: Description) -> bool:
        """Whether two descriptions may mean the same object."""
        if one.id and other.id:
            return one.id == other.id
        if one.id or other.id:
            return True
        colours = not one.colours or not other.colours or bool({*one.colours} & {*other.colours})
        sizes = not one.size or not other.size or one.size == other.size
        return self._knowledge.are_related(one.category, other.category) and colours and sizes

    def matches_relation(self, predicate: str, relation: str, holder: KnownObject) -> bool:
        """Whether an object with this predicate (in, on) to its holder is in the described relation to it.

        People use "in" and "on" loosely, as with sinks and shelves. The difference counts only for holders that can
        have objects both in and on them.
        """
        has_both = self._knowledge.is_container(holder.category)
        return predicate == relation or relation not in (words.IN, words.ON) or not has_both

    def _was_taken(self, thing: KnownObject) -> bool:
        """Whether the robot has taken an object from where it was when the task began."""
        return thing.held or thing.origin is not None or self._history.was_picked(thing.id)

    def fits_category(self, thing: KnownObject, what: Description) -> bool:
        """Whether an object is rather of the described kind than of another."""
        return thing.id == what.id if what.id else self._knowledge.is_kind(thing.category, what.category)

    def _evidence_of_other_kinds(self, thing: KnownObject, what: Description) -> Evidence | None:
        """Returns the evidence that an object, which is rather of another kind, is the described one after all."""
        is_furniture = self._knowledge.is_furniture
        if what.id or is_furniture(thing.category) is not is_furniture(what.category):
            return None
        if not any(self._knowledge.is_kind(kind, what.category) for kind in thing.other_kinds):
            return None
        if self._evidence_of_looks(thing, what) is None or self._evidence_of_place(thing, what) is None:
            return None
        return Evidence.DOUBTFUL

    def _evidence_of_looks(self, thing: KnownObject, what: Description) -> Evidence | None:
        wanted, possible = {*what.colours}, {*thing.colours, *thing.other_colours}
        if thing.colours and not wanted <= {*thing.colours}:
            is_shade = self._knowledge.is_shade
            has_shade = any(is_shade(seen, colour) for seen in thing.colours for colour in wanted)
            if not wanted & possible:
                return Evidence.DOUBTFUL if has_shade else None
            if not (wanted <= possible and self._is_the_only_one_that_may_have_colour(thing, what)):
                return Evidence.DOUBTFUL  # "the black and white mug" is hardly a black one
        if not what.id and self._may_be_other_kind(thing.category, what.category):
            return Evidence.DOUBTFUL
        if self._may_be_other_furniture(thing, what):
            return Evidence.DOUBTFUL if self._was_seen_from_nearby(thing) else Evidence.WEAK
        colour_fits = bool(thing.colours) or not wanted
        if self._may_have_moved(thing):
            return Evidence.WEAK
        if colour_fits and (thing.held or (thing.confidence >= _SURE and not thing.seen_once)):
            return Evidence.STRONG
        if not thing.held and not self._was_seen_from_nearby(thing):
            return Evidence.WEAK
        is_sure = colour_fits and self._view.likelihood(thing.id, what.category) > EVEN
        return Evidence.STRONG if is_sure else Evidence.DOUBTFUL

    def _may_be_other_kind(self, seen: str, wanted: str) -> bool:
        """Whether what was seen is of a wanted kind only as far as the last word of that goes: a plate for the "soap
        dish", a jar for the "mason jar"."""
        is_thing = not (self._knowledge.is_furniture(seen) or self._knowledge.is_device(seen))
        is_by_synonym = is_thing and self._knowledge.is_by_synonym(seen, wanted)
        return is_by_synonym or is_of_rare_kind(self._knowledge, seen, wanted)

    def _may_have_moved(self, thing: KnownObject) -> bool:
        """Whether a portable thing was seen so long ago that it is worth another look from nearby."""
        if self._recall is None or thing.held or not self._recall.is_old(thing.last_seen):
            return False
        return self._knowledge.is_portable(thing.category) and not self._was_seen_from_nearby(thing)

    def _may_be_other_furniture(self, thing: KnownObject, what: Description) -> bool:
        """Whether a piece of furniture may well be of another kind than described, by a part of its views."""
        if what.id or thing.confidence >= _DISPUTED or not self._knowledge.is_furniture(thing.category):
            return False
        if all(self._knowledge.is_kind(kind, what.category) for kind in thing.other_kinds):
            return False
        return not self._is_likeliest_of_all(thing, what)

    def _is_likeliest_of_all(self, thing: KnownObject, what: Description) -> bool:
        """Whether all rooms were searched, and this is the described piece of furniture for sure, given that one is:
        who names a sideboard knows that there is one. It is one rather than not, all the same."""
        if not self._knows_all_rooms or thing.confidence <= EVEN:
            return False
        room = what.place.category if what.place and self._knowledge.is_room(what.place.category) else ""
        odds_of_all = {
            other.id: odds(self._view.likelihood(other.id, what.category))
            for other in self._view.objects.values()
            if not other.is_missing and (not room or self.rooms.is_room(self._view.room_of(other), room))
        }
        return odds_of_all.get(thing.id, 0.0) > AMONG_CANDIDATES * math.fsum(odds_of_all.values())

    def _is_the_only_one_that_may_have_colour(self, thing: KnownObject, what: Description) -> bool:
        """Whether everything was searched, and of all objects of the described kind only this one, some of whose views
        show a described colour, may have it."""
        return self._knows_all(what) and all(
            other.id == thing.id
            or other.is_missing
            or not {*what.colours} & {*other.colours, *other.other_colours}
            for other in self._view.objects.values()
            if self.fits_category(other, what)
        )

    def _knows_all(self, what: Description) -> bool:
        """Whether the described object can only be among those that are known."""
        if self._knowledge.is_furniture(what.category):
            return self._knows_all_rooms
        return self._knows_all_things

    def is_disputed(self, thing: KnownObject, what: Description) -> bool:
        """Whether an object is rather of another kind or colour than described, and may be of that by a part of its
        views."""
        if not self.fits_category(thing, what):
            return True
        wanted = {*what.colours}
        return bool(wanted & {*thing.other_colours}) and not wanted <= {*thing.colours}

    def may_be_meant(self, thing: KnownObject, what: Description) -> bool:
        """Whether a doubtful object of a described kind may be meant after all, as far as is known: its colour did not
        show, its kind is unsure, or it may be at the described place."""
        if not self.fits_category(thing, what) or self.evidence(thing, what) is not Evidence.DOUBTFUL:
            return False
        has_other_looks = what.colours and thing.colours and not {*what.colours} & {*thing.colours}
        if has_other_looks or self._may_be_other_kind(thing.category, what.category):
            return False
        if self.is_at_described_place(thing, what):
            return True
        place, room = what.place, self._view.room_of(self._as_found.get(thing.id, thing), self._as_found)
        is_of_room = place is not None and self._knowledge.is_room(place.category)
        return is_of_room and place is not None and self.rooms.may_be_room(room, place.category)

    def _was_seen_from_nearby(self, thing: KnownObject) -> bool:
        """Whether the robot was near the object or cannot get nearer to it.

        That it has stood where the object is counts when it has left, too: what is doubtful from nearby, and worth a
        look from afar, would be gone to again and again.
        """
        places = {thing.id, thing.inside, thing.on} - {""}
        near = self._view.at_hand(thing.id) or self._view.length(thing.id) <= _NEARBY
        was_there = self._history.stood_at(places, thing.first_seen.nanoseconds)
        return self.was_approached(thing) or near or was_there

    def was_approached(self, thing: KnownObject) -> bool:
        """Whether the robot has gone to the object, or tried to, or cannot."""
        go = action(words.SKILL_NAVIGATE, thing.id)
        return (
            bool(self._history.outcomes_of(go))
            or key(go) not in self._allowed
            or not self._view.reachable(thing.id)
        )

    def _evidence_of_size(self, thing: KnownObject, what: Description, evidence: Evidence) -> Evidence | None:
        """Returns the evidence for an object that is described by its size.

        The object is compared with the others that fit the description without its size and place. If their sizes
        hardly differ, the only one at the described place counts, or else the largest or smallest one.

        Args:
            thing: the object.
            what: the description.
            evidence: evidence apart from the size.
        """
        without_size = replace(what, size="", relation="", place=None)
        rivals = [
            other
            for other in self._view.objects.values()
            if not math.isnan(other.size)
            # What was hardly seen and is not there may never have been.
            and not (other.is_missing and (other.seen_once or other.confidence < _SURE))
            and self._knowledge.is_kind(other.category, what.category)
            and self._evidence_of_looks(other, without_size) is not None
        ]
        if math.isnan(thing.size) or not rivals:
            return Evidence.DOUBTFUL
        if self._knows_all(what) and [rival.id for rival in rivals] == [thing.id]:
            return evidence  # who names a small one knows that there is one, and there is no other
        sizes = [rival.size for rival in rivals]
        wants_large = what.size == LARGE
        if max(sizes) >= _CONTRAST * min(sizes):
            is_large = thing.size**2 >= max(sizes) * min(sizes)
            return evidence if is_large is wants_large else None
        if what.place is not None and sum(self.is_at_described_place(rival, what) for rival in rivals) == 1:
            return evidence
        is_extreme = thing.size == (max(sizes) if wants_large else min(sizes))
        return Evidence.DOUBTFUL if is_extreme else Evidence.UNLIKELY

    def _order(self, match: Match) -> tuple[float, float, float, tuple[str, int, str]]:
        thing = match.thing
        length = self._view.length(thing.id)
        return (
            -match.evidence,
            -thing.confidence,
            math.inf if math.isnan(length) else length,
            id_order(thing.id),
        )


def _at_origin(thing: KnownObject) -> KnownObject:
    """Returns an object as if it were where the robot took it from."""
    origin = thing.origin or Origin()
    return replace(thing, held=False, inside=origin.inside, on=origin.on, room=origin.room)
