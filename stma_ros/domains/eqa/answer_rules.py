"""Answers typed questions by what is known of a scene."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.aims import rooms_asked
from stma_ros.domains.eqa.purposes import furniture_named, things_for
from stma_ros.domains.eqa.question import (
    AnswerForm,
    PlacePhrase,
    QuestionKind,
    Relation,
    ThingPhrase,
    TypedQuestion,
)
from stma_ros.domains.eqa.scene import KnownThing, Scene
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import LARGE
from stma_ros.memory.nouns import listed, with_article
from stma_ros.memory.states import TOLD, dimension
from stma_ros.types import vocabulary as words

SURE = 0.6
"""Confidence of a thing from which on it counts as seen."""

_IN_ROOM = 0.3  # probability of a kind of room from which on a thing is taken to be in it
_KNOWN_ROOM = 0.6  # probability of a kind of room from which on it is told after a single look
_AT_ROOM = 2.5  # distance of a door from the things of a room to which it leads [m]
_SHOWN_OF_ROOM = 3  # things that are cited for what is not in a room

_FIRST_THING = re.compile(r"^(?:the|a|an|my|our) | (?:in|on|at|of|by|near|next to|under) .*$")
"""What is not the name of a thing in "the cabinet in the living room"."""

_IN_A_ROOM = re.compile(r" in (?:the|my|our|a) (?P<room>.+)$")

EVERYWHERE = ("", "room", "flat", "home", "house", "apartment", "place")
"""Kinds of places that say nothing of where in a home a thing is: "doors between the rooms"."""

YES, NO, NOTHING = "yes", "no", "nothing"


@dataclass(frozen=True)
class Finding:
    """What the scene says to a question.

    Attributes:
        answer: empty = they say nothing.
        things: that it rests on.
        is_complete: whether further looks would hardly change it.
        missing: what would have to be seen.
        is_absence: whether it says that something is nowhere, or that there is no more of it: what was not seen may
            refute it.
    """

    answer: str
    things: tuple[KnownThing, ...] = ()
    is_complete: bool = False
    missing: str = ""
    is_absence: bool = False


class AnswerRules:
    """The rules for one question and one scene."""

    def __init__(
        self, question: TypedQuestion, scene: Scene[KnownThing], knowledge: CategoryKnowledge
    ) -> None:
        self._question = question
        self._scene = scene
        self._knowledge = knowledge

    def find(self) -> Finding:
        """Returns the answer as far as it is known."""
        return _RULES[self._question.kind](self)

    @property
    def has_closed_door(self) -> bool:
        """Whether a door is seen closed last: what is behind it cannot be said to be nowhere."""
        return any(
            self._knowledge.is_door(thing.category)
            and any(fact.object == words.STATE_CLOSED for fact in thing.states)
            for thing in self._scene.things
        )

    @property
    def is_all_seen(self) -> bool:
        """Whether all places that the question may be about were seen."""
        if self._has_doubtful_place():
            return False
        rooms = rooms_asked(self._question, self._knowledge)
        if rooms:
            return all(self._scene.covers(room) for room in rooms)
        return self._scene.covers("") and not self.has_closed_door

    @property
    def _room(self) -> str:
        """Canonical name of the kind of room that the question names; empty if it names none."""
        return self._knowledge.canonical(self._question.room) if self._question.room else ""

    def _has_doubtful_place(self) -> bool:
        """Whether there is such a thing of which it is not known whether it is in the room that the question names."""
        return bool(self._room and self._question.target) and any(
            not thing.room_kind and not self._is_in_room(thing) for thing in self._like(self._question.target)
        )

    @property
    def has_doubtful_targets(self) -> bool:
        """Whether a thing was seen that may be meant, and not well enough to be sure what it is."""
        return self._question.target is not None and not all(map(is_sure, self._targets()))

    # -- what is meant

    def _targets(self) -> list[KnownThing]:
        """Returns the seen things that are meant, at the places and in the room that the question names."""
        return [thing for thing in self._like(self._question.target) if self._is_meant(thing)]

    def _like(self, phrase: ThingPhrase | None) -> list[KnownThing]:
        if phrase is None:
            return list(self._scene.things)
        return [thing for thing in self._scene.things if self._fits(thing, phrase)]

    def _fits(self, thing: KnownThing, phrase: ThingPhrase) -> bool:
        knows = self._knowledge
        if phrase.category and not (
            knows.is_kind(thing.category, phrase.category) or knows.is_alike(thing.category, phrase.category)
        ):
            return False
        colour = thing.colour
        return not phrase.colours or any(
            colour == wanted or knows.is_shade(colour, wanted) for wanted in phrase.colours
        )

    def _is_meant(self, thing: KnownThing) -> bool:
        """Whether a thing is where the question says, and in the state that what is asked for must have."""
        state = (
            ""
            if self._question.kind in (QuestionKind.STATE, QuestionKind.ATTRIBUTE)
            else self._question.state
        )
        in_state = not state or any(fact.object == state for fact in thing.states)
        return in_state and self._is_there(thing)

    def _is_there(self, thing: KnownThing) -> bool:
        return self._is_in_room(thing) and all(self._is_at(thing, place) for place in self._question.places)

    def _is_in_room(self, thing: KnownThing) -> bool:
        return not self._room or thing.room.get(self._room, 0.0) >= _IN_ROOM

    def _is_at(self, thing: KnownThing, place: PlacePhrase) -> bool:
        if all(phrase.category in EVERYWHERE for phrase in place.landmarks):
            return True
        if all(self._knowledge.is_room(phrase.category) for phrase in place.landmarks):
            return all(self._is_at_room(thing, phrase.category) for phrase in place.landmarks)
        landmarks = [mark for phrase in place.landmarks for mark in self._like(phrase)]
        return any(mark is not thing and self._holds(thing, place.relation, mark) for mark in landmarks)

    def _is_at_room(self, thing: KnownThing, room: str) -> bool:
        """Whether a thing is in a kind of room or, as a door, at its border."""
        return any(
            other.room_kind == room and self._distance(other, [thing]) <= _AT_ROOM
            for other in self._scene.things
            if other is not thing
        )

    def _holds(self, thing: KnownThing, relation: Relation, mark: KnownThing) -> bool:
        if relation in (Relation.ON, Relation.IN):
            predicates = (words.ON, words.IN)
            return any(
                fact.subject == thing.id and fact.object == mark.id and fact.predicate in predicates
                for fact in self._scene.facts
            )
        return self._scene.lies(thing.id, relation, mark.id)

    # -- rules by kind

    def existence(self) -> Finding:
        found = self._targets()
        sure = [thing for thing in found if is_sure(thing)]
        if sure:
            return Finding(YES, _best(sure), is_complete=True)
        if found:
            return Finding(YES, _best(found), missing=f"a closer look at {_the(found[0])}")
        return self._none(NO)

    def count(self) -> Finding:
        target = self._question.target
        if target is not None and self._knowledge.is_room(target.category):
            return self._count_rooms(target.category)
        found = [thing for thing in self._targets() if is_sure(thing)]
        marks = [mark for place in self._question.places for mark in self._marks(place)]
        is_complete = any(mark.is_surveyed for mark in marks) if marks else self.is_all_seen
        things = (*found, *_best(marks)) if found or marks else self._of_room()
        missing = "" if is_complete else "whether there are more"
        return Finding(str(len(found)), things, is_complete, missing, is_absence=not marks)

    def _count_rooms(self, kind: str) -> Finding:
        shown = [thing for thing in self._scene.things if thing.room_kind == kind and is_sure(thing)]
        is_complete = self.is_all_seen
        missing = "" if is_complete else "whether there are more"
        number = str(self._scene.count_rooms(kind))
        return Finding(number, _clearest(shown), is_complete, missing, is_absence=True)

    def attribute(self) -> Finding:
        found = self._of_size(self._targets())
        if not found:
            return self._absent()
        (thing,) = found
        value = thing.colour if self._question.attribute == "colour" else ""
        if not value:
            return Finding("", found, missing=f"the {self._question.attribute} of {_the(thing)}")
        if self._question.answer_form is AnswerForm.YES_NO:
            asked = self._knowledge.colour(self._question.state) or self._question.state
            value = YES if (value == asked) is not self._question.negated else NO
        is_compared = not self._size or len(self._targets()) > 1 or self.is_all_seen
        return Finding(value, found, is_complete=is_sure(thing) and is_compared)

    @property
    def _size(self) -> str:
        """Whether the small or the large one of several things is meant; empty = neither."""
        return self._question.target.size if self._question.target is not None else ""

    def _of_size(self, things: Sequence[KnownThing]) -> tuple[KnownThing, ...]:
        """Returns the thing that is meant by its size, or else the one that is seen best."""
        sure = [thing for thing in things if is_sure(thing)]
        if not self._size or not sure:
            return _best(things)
        chosen = max if self._size == LARGE else min
        return (chosen(sure, key=lambda thing: thing.longest),)

    def state(self) -> Finding:
        found = self._targets()
        if not found:
            return self._absent()
        asked = self._question.state
        for thing in sorted(found, key=lambda each: -each.clearness):
            fact = next(
                (
                    fact
                    for fact in thing.states
                    if dimension(fact.object) == dimension(asked) and fact.object != words.STATE_UNKNOWN
                ),
                None,
            )
            if fact is None:
                continue
            value = fact.object
            if self._question.answer_form is AnswerForm.YES_NO:
                value = YES if (value == asked) is not self._question.negated else NO
            return Finding(value, (thing,), is_complete=fact.confidence >= TOLD and is_sure(thing))
        return Finding("", _best(found), missing=f"whether {_the(found[0])} is {asked}")

    def where(self) -> Finding:
        found = _best(self._targets())
        if not found:
            return self._absent()
        (thing,) = found
        place = self._place_of(thing)
        return Finding(place, found, is_complete=bool(place) and is_sure(thing))

    def room_of(self) -> Finding:
        found = _best(self._targets())
        if not found:
            return self._absent()
        (thing,) = found
        is_known = thing.room.get(thing.room_kind, 0.0) >= _KNOWN_ROOM or thing.is_surveyed
        is_complete = bool(thing.room_kind) and is_known and is_sure(thing)
        return Finding(thing.room_kind, found, is_complete, "" if is_complete else "more of the room")

    def what_is(self) -> Finding:
        landmarks = {mark.id for place in self._question.places for mark in self._marks(place)}
        target = self._question.target
        vague = target is None or not self._is_known(target.category)
        found = [
            thing
            for thing in (self._of_vague_kind(target) if vague else self._like(target))
            if thing.id not in landmarks and self._is_meant(thing) and not self._is_excluded(thing)
        ]
        sure = [thing for thing in found if is_sure(thing)]
        marks = [mark for place in self._question.places for mark in self._marks(place)]
        if sure and marks and self._question.relation not in (Relation.ON, Relation.IN):
            nearest = min(
                sure, key=lambda thing: (self._is_unlike(thing, marks), self._distance(thing, marks))
            )
            return Finding(with_article(nearest.category), (nearest,), is_complete=True)
        if sure:
            names = dict.fromkeys(with_article(thing.category) for thing in sorted(sure, key=_by_size))
            # More may lie there than is seen from afar.
            is_complete = not marks or any(mark.is_surveyed for mark in marks)
            missing = "" if is_complete else "a closer look"
            return Finding(listed(names), tuple(sure), is_complete, missing)
        if found:
            return Finding(with_article(found[0].category), _best(found), missing="a closer look")
        return self._absent_landmark() or self._nothing_there()

    def _of_vague_kind(self, target: ThingPhrase | None) -> list[KnownThing]:
        """Returns the things that are meant by "something", "the red object" or "piece of furniture"."""
        things = self._like(_without_kind(target))
        if target is None or "furniture" not in target.text.split():
            return things
        knows = self._knowledge
        return [
            each for each in things if knows.is_furniture(each.category) and not knows.is_door(each.category)
        ]

    def _is_excluded(self, thing: KnownThing) -> bool:
        excluded = self._question.excluded
        return excluded is not None and bool(excluded.category) and self._fits(thing, excluded)

    def _nothing_there(self) -> Finding:
        """Returns that nothing is at the places that the question names, which is complete once they were seen well."""
        marks = _best([mark for place in self._question.places for mark in self._marks(place)])
        if not marks:
            return self._none("nothing") if self._question.room else Finding("", missing=self._unseen())
        seen_well = is_sure(marks[0]) and marks[0].is_surveyed
        return Finding(NOTHING, marks, seen_well, "" if seen_well else f"more of {_the(marks[0])}")

    def which(self) -> Finding:
        """Answers which of the options is nearest to the landmark; without options it is a question for a thing."""
        marks = _best([mark for place in self._question.places for mark in self._marks(place)])
        if not self._question.options:
            return self.what_is()
        rooms = rooms_asked(self._question, self._knowledge)
        if len(rooms) == len(self._question.options):
            return self._larger_room(rooms)
        if not marks:
            return self._absent_landmark() or Finding("", missing=self._unseen())
        named = {option: _best(self._named(option)) for option in self._question.options}
        near = {
            option: distance
            for option, found in named.items()
            if found and not math.isnan(distance := self._scene.distance(found[0].id, marks[0].id))
        }
        if not near:
            return Finding("", marks, missing="the things to choose from")
        things = (*marks, *(thing for found in named.values() for thing in found))
        missing = "" if len(near) == len(named) else "one of the things to choose from"
        return Finding(min(near, key=lambda option: near[option]), things, not missing, missing)

    def _larger_room(self, rooms: Sequence[str]) -> Finding:
        extents = [self._scene.extent(room) for room in rooms]
        if any(map(math.isnan, extents)):
            return Finding("", missing="one of the rooms to choose from")
        shown = [thing for thing in self._scene.things if thing.room_kind in rooms and is_sure(thing)]
        answer = self._question.options[extents.index(max(extents))]
        is_complete = self.is_all_seen
        return Finding(answer, _clearest(shown), is_complete, "" if is_complete else "more of the rooms")

    def relation(self) -> Finding:
        found = [thing for thing in self._targets() if is_sure(thing)]
        if found:
            return Finding(NO if self._question.negated else YES, _best(found), is_complete=True)
        things = _best(self._like(self._question.target))
        marks = _best([mark for place in self._question.places for mark in self._marks(place)])
        answer = YES if self._question.negated else NO
        is_complete = bool(things and marks)
        return Finding(answer, (*things, *marks), is_complete, self._unseen(), is_absence=True)

    def space(self) -> Finding:
        marks = _best([mark for place in self._question.places for mark in self._marks(place)])
        marks = marks or _best(self._targets())
        if not marks:
            return self._absent()
        on_it = [fact for fact in self._scene.facts if fact.object == marks[0].id]
        return Finding(YES if len(on_it) <= 2 else NO, marks, is_complete=is_sure(marks[0]))

    def function(self) -> Finding:
        places = self._question.places
        named = tuple(
            mark.category
            for place in places
            if place.relation is not Relation.PART_OF  # "a load of clothes"
            for mark in place.landmarks
            if self._is_known(mark.category)
        )
        purpose = self._question.purpose
        wanted = named or furniture_named(purpose, self._knowledge) or things_for(purpose)
        found = [
            thing
            for kind in wanted
            for thing in self._scene.things
            if self._knowledge.is_kind(thing.category, kind) and self._is_in_room(thing)
        ]
        sure = [thing for thing in found if is_sure(thing)][:1]
        form = self._question.answer_form
        if form is AnswerForm.YES_NO:
            if not found:
                return self._none(NO)
            answer = f"{YES}, {with_article(found[0].category)}"
            return Finding(answer, tuple(sure), is_complete=bool(sure), missing="a closer look")
        if not found:
            return Finding("", missing=self._unseen())
        thing = (sure or found)[0]
        answer = {AnswerForm.PLACE: self._place_of(thing), AnswerForm.ROOM: thing.room_kind}.get(form, "")
        return Finding(answer or f"the {thing.category}", (thing,), is_complete=bool(sure))

    def room_kind(self) -> Finding:
        rooms = [thing.room_kind for thing in self._scene.things if thing.room_kind]
        return Finding(max(rooms, key=rooms.count, default=""), missing="more of the room")

    def unknown(self) -> Finding:
        return Finding("", missing="what the question asks")

    # -- texts

    def _absent(self) -> Finding:
        target = self._question.target
        return self._none(f"there is no {target.text if target is not None else 'such thing'}")

    def _none(self, answer: str, missing: str = "") -> Finding:
        """Returns an answer that holds if nothing of what was asked for is there."""
        is_complete = self.is_all_seen
        missing = "" if is_complete else missing or self._unseen()
        return Finding(answer, self._of_room(), is_complete, missing, is_absence=True)

    def _of_room(self) -> tuple[KnownThing, ...]:
        """Returns a few things that show the room which the question names, the clearest first."""
        if not self._question.room:
            return ()
        there = [thing for thing in self._scene.things if self._is_in_room(thing) and is_sure(thing)]
        return _clearest(there)

    def _is_unlike(self, thing: KnownThing, marks: Sequence[KnownThing]) -> bool:
        """Whether a thing is small beside furniture, or furniture beside a small thing."""
        is_furniture = self._knowledge.is_furniture
        return all(is_furniture(mark.category) != is_furniture(thing.category) for mark in marks)

    def _distance(self, thing: KnownThing, marks: Sequence[KnownThing]) -> float:
        """Returns the distance to the nearest of some things [m]; infinite where it is not known."""
        distances = [self._scene.distance(thing.id, mark.id) for mark in marks if mark.id != thing.id]
        return min((each for each in distances if not math.isnan(each)), default=math.inf)

    def _absent_landmark(self) -> Finding | None:
        """Returns that there is no such thing as the place that the question names; None if it was seen."""
        for place in self._question.places:
            for mark in place.landmarks:
                if mark.category and not any(map(self._is_in_room, self._like(mark))):
                    return self._none(f"there is no {mark.text}", f"no {mark.text} was seen yet")
        return None

    def _named(self, option: str) -> list[KnownThing]:
        """Returns the things that an option names: "the cabinet in the living room"."""
        kind = self._knowledge.canonical(_FIRST_THING.sub("", option.lower()))
        found = [thing for thing in self._scene.things if self._knowledge.is_kind(thing.category, kind)]
        named = _IN_A_ROOM.search(option.lower())
        room = self._knowledge.canonical(named["room"]) if named else ""
        if not self._knowledge.is_room(room):
            return found
        return [thing for thing in found if thing.room.get(room, 0.0) >= _IN_ROOM]

    def _unseen(self) -> str:
        target = self._question.target
        return f"no {target.text} was seen yet" if target is not None else "nothing that fits was seen yet"

    def _place_of(self, thing: KnownThing) -> str:
        room = f" in the {thing.room_kind}" if thing.room_kind else ""
        for predicate in (words.IN, words.ON, words.NEAR):
            for fact in self._scene.facts:
                if fact.predicate == predicate and thing.id in (fact.subject, fact.object):
                    if predicate != words.NEAR and fact.subject != thing.id:
                        continue
                    other = fact.object if fact.subject == thing.id else fact.subject
                    mark = self._scene.find(other)
                    if mark is not None:
                        return (
                            f"{'next to' if predicate == words.NEAR else predicate} the {mark.category}{room}"
                        )
        return room.strip()

    def _marks(self, place: PlacePhrase) -> list[KnownThing]:
        """Returns the things that a place names, in the room that the question names."""
        return [mark for phrase in place.landmarks for mark in self._like(phrase) if self._is_in_room(mark)]

    def _is_known(self, category: str) -> bool:
        return bool(category) and self._knowledge.knows(category)


def is_sure(thing: KnownThing) -> bool:
    """Whether a thing is seen well enough to be sure what it is."""
    return thing.confidence >= SURE and thing.is_seen_well


def _clearest(things: Sequence[KnownThing]) -> tuple[KnownThing, ...]:
    """Returns a few things that show a room."""
    return tuple(sorted(things, key=lambda thing: -thing.clearness)[:_SHOWN_OF_ROOM])


def _best(things: Sequence[KnownThing]) -> tuple[KnownThing, ...]:
    """Returns the thing that is seen best, if there is one."""
    return (max(things, key=lambda each: (is_sure(each), each.clearness)),) if things else ()


def _without_kind(phrase: ThingPhrase | None) -> ThingPhrase | None:
    return None if phrase is None else ThingPhrase(phrase.text, "", phrase.colours)


def _by_size(thing: KnownThing) -> float:
    return -thing.longest


def _the(thing: KnownThing) -> str:
    return f"the {thing.category}"


_RULES: Mapping[QuestionKind, Callable[[AnswerRules], Finding]] = {
    QuestionKind.EXISTENCE: AnswerRules.existence,
    QuestionKind.COUNT: AnswerRules.count,
    QuestionKind.ATTRIBUTE: AnswerRules.attribute,
    QuestionKind.STATE: AnswerRules.state,
    QuestionKind.WHERE: AnswerRules.where,
    QuestionKind.ROOM_OF: AnswerRules.room_of,
    QuestionKind.WHAT_IS: AnswerRules.what_is,
    QuestionKind.WHICH: AnswerRules.which,
    QuestionKind.RELATION: AnswerRules.relation,
    QuestionKind.SPACE: AnswerRules.space,
    QuestionKind.FUNCTION: AnswerRules.function,
    QuestionKind.ROOM_KIND: AnswerRules.room_kind,
    QuestionKind.KNOWLEDGE: AnswerRules.unknown,
}
