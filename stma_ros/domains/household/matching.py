"""Matches the known objects with a description, by level of evidence."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection
from dataclasses import dataclass, replace

from stma_ros.domains.household.belief_index import BeliefIndex, Thing, id_order
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.memory.descriptions import LARGE, Description
from stma_ros.types import vocabulary as words

_SURE = 0.6  # confidence from which a thing that was seen more than once is believed without going near
_DOUBTFUL = 0.3  # confidence below which a thing that was looked at from nearby is not believed
_CLOSE_LOOK = 1.5  # [m] of way from which nothing is learnt by going nearer
_CONTRAST = 1.25  # ratio from which one thing is called large and another small


class Evidence(enum.IntEnum):
    """How certain it is that an object is the one that is meant; higher is more certain."""

    UNLIKELY = 1  # furniture in a room of another kind than it is said to be in; not the smallest, where that is meant
    DOUBTFUL = 2  # only when nothing else is left: not sure from nearby, not where it is said to be, ...
    WEAK = 3  # worth a nearer look
    STRONG = 4


@dataclass(frozen=True)
class Match:
    """An object that may be meant."""

    thing: Thing
    evidence: Evidence


class Matcher:
    """Matches objects by the beliefs of one step."""

    def __init__(self, view: BeliefIndex, history: OutcomeIndex, allowed: Collection[Key]) -> None:
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._allowed = allowed
        self._known: dict[Description, tuple[Match, ...]] = {}

    def matches(self, what: Description) -> tuple[Match, ...]:
        """Returns the objects that may be meant, best first."""
        if what not in self._known:
            judged = ((thing, self.evidence(thing, what)) for thing in self._view.things.values())
            found = [Match(thing, evidence) for thing, evidence in judged if evidence is not None]
            self._known[what] = tuple(sorted(found, key=self._order))
        return self._known[what]

    def evidence(self, thing: Thing, what: Description) -> Evidence | None:
        """Returns the evidence that an object is meant; None if it is not."""
        if thing.is_missing or not self._may_be(thing, what):
            return None
        if what.id:
            return Evidence.STRONG
        seen = self._evidence_of_kind(thing, what)
        if seen is None or not self.is_where_said(thing, what):
            stays = self._knowledge.is_furniture(thing.category) and self._view.rooms.get(
                self._view.room_of(thing)
            )
            return None if seen is None else Evidence.UNLIKELY if stays else Evidence.DOUBTFUL
        if what.size:
            return self._evidence_of_size(thing, what, seen)
        return seen

    def resembles(self, thing: Thing, what: Description) -> bool:
        """Whether an object fits a description except for its place, missing or not."""
        return self._may_be(thing, what) and (
            bool(what.id) or self._evidence_of_kind(thing, what) is not None
        )

    def is_where_said(self, thing: Thing, what: Description) -> bool:
        """Whether an object is in the place of its description, or the robot has taken it from somewhere."""
        place = what.place
        if place is None or thing.held or self._history.was_picked(thing.id):
            return True
        if what.relation == words.IN_ROOM or self._knowledge.is_room(place.category):
            return self.is_in_room(thing, place)
        if what.relation == words.NEAR:
            return self.is_near(thing, place)
        for predicate, name in self._view.chain(thing):
            holder = self._view.things.get(name)
            if holder is not None and self.evidence(holder, place) is not None:
                return self.holds_by(predicate, what.relation, holder)
        return False

    def is_in_room(self, thing: Thing, room: Description) -> bool:
        """Whether an object is in such a room."""
        return self.is_room(self._view.room_of(thing), room)

    def is_room(self, name: str, room: Description) -> bool:
        """Whether a room of the belief is the one that is meant."""
        kind = self._view.rooms.get(name, "")
        return bool(kind) and self._knowledge.is_kind(kind, room.category)

    def is_near(self, thing: Thing, other: Description) -> bool:
        """Whether an object is near such an object, or on the same furniture."""
        things = self._view.things
        beside = {name for name in self._view.near(thing.id) if name in things}
        if thing.holder:
            beside |= {name for name, item in things.items() if item.holder == thing.holder}
            beside |= {name for name in self._view.near(thing.holder) if name in things}
        beside -= {thing.id, thing.holder}
        return any(self.evidence(things[name], other) is not None for name in sorted(beside))

    def could_be_one(self, one: Description, other: Description) -> bool:
        """Whether two descriptions may mean the same object."""
        if one.id and other.id:
            return one.id == other.id
        if one.id or other.id:
            return True
        colours = not one.colours or not other.colours or bool({*one.colours} & {*other.colours})
        sizes = not one.size or not other.size or one.size == other.size
        return self._knowledge.are_related(one.category, other.category) and colours and sizes

    def holds_by(self, predicate: str, relation: str, holder: Thing) -> bool:
        """Whether an object that is `predicate` (in, on) its holder is where `relation` says.

        People say "in the sink" and "on the shelf" or the other way round: the difference counts only where objects can
        be both in and on.
        """
        both = self._knowledge.is_container(holder.category)
        return predicate == relation or relation not in (words.IN, words.ON) or not both

    def _may_be(self, thing: Thing, what: Description) -> bool:
        return thing.id == what.id if what.id else self._knowledge.is_kind(thing.category, what.category)

    def _evidence_of_kind(self, thing: Thing, what: Description) -> Evidence | None:
        wanted = what.colours
        if wanted and thing.colours and not {*wanted} & {*thing.colours}:
            is_shade = self._knowledge.is_shade
            shades = any(is_shade(seen, colour) for seen in thing.colours for colour in wanted)
            return Evidence.DOUBTFUL if shades else None
        colour_seen = bool(thing.colours) or not wanted
        if thing.held or (thing.confidence >= _SURE and colour_seen and not thing.seen_once):
            return Evidence.STRONG
        if not self._had_a_close_look(thing):
            return Evidence.WEAK
        return Evidence.STRONG if thing.confidence >= _DOUBTFUL else Evidence.DOUBTFUL

    def _had_a_close_look(self, thing: Thing) -> bool:
        """Whether the robot was near the object, or cannot get nearer."""
        go = action(words.SKILL_NAVIGATE, thing.id)
        tried = (
            bool(self._history.of(go)) or key(go) not in self._allowed or not self._view.reachable(thing.id)
        )
        around = {thing.id, thing.inside, thing.on} - {""}
        near = self._view.at_hand(thing.id) or self._view.length(thing.id) <= _CLOSE_LOOK
        return tried or near or self._history.standing_at in around

    def _evidence_of_size(self, thing: Thing, what: Description, seen: Evidence) -> Evidence | None:
        """Returns the evidence of an object that is described by its size, compared with those that fit otherwise.

        If their sizes hardly differ, the only one at the described place is meant, or the largest or smallest; an
        object that was already taken for it remains it, since sizes change with every view.
        """
        anyhow = replace(what, size="", relation="", place=None)
        rivals = [
            other
            for other in self._view.things.values()
            if not math.isnan(other.size)
            and self._knowledge.is_kind(other.category, what.category)
            and self._evidence_of_kind(other, anyhow) is not None
        ]
        if math.isnan(thing.size) or not rivals:
            return Evidence.DOUBTFUL
        among = [rival.size for rival in rivals]
        wants_large = what.size == LARGE
        if max(among) >= _CONTRAST * min(among):
            is_large = thing.size**2 >= max(among) * min(among)
            return seen if is_large is wants_large else None
        if what.place is not None and sum(self.is_where_said(rival, what) for rival in rivals) == 1:
            return seen
        is_last = thing.size == (max(among) if wants_large else min(among))
        was_taken = thing.held or self._history.was_picked(thing.id)
        return Evidence.DOUBTFUL if is_last or was_taken else Evidence.UNLIKELY

    def _order(self, match: Match) -> tuple[float, float, float, tuple[str, int, str]]:
        thing = match.thing
        length = self._view.length(thing.id)
        return (
            -match.evidence,
            -thing.confidence,
            math.inf if math.isnan(length) else length,
            id_order(thing.id),
        )
