"""Which things of a scene a question means."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from stma_ros.domains.eqa.aims import rooms_asked
from stma_ros.domains.eqa.purposes import kinds_for_people, serving_kinds
from stma_ros.domains.eqa.question import (
    PlacePhrase,
    Quantifier,
    QuestionKind,
    Relation,
    ThingPhrase,
    TypedQuestion,
)
from stma_ros.domains.eqa.scene import KnownThing, Scene
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import LARGE
from stma_ros.memory.states import dimension
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation as Fact

SURE = 0.6
"""Confidence of a thing from which on it counts as seen."""

EVERYWHERE = ("", "room", "flat", "home", "house", "apartment", "place")
"""Kinds of places that say nothing of where in a home a thing is: "doors between the rooms"."""

ABOUT_DEFINITE = (QuestionKind.ATTRIBUTE, QuestionKind.STATE, QuestionKind.RELATION)
"""Kinds of questions for what is so of things: of "two lamps" it may be so while it is not of a third one."""

_KNOWN_ROOM = 0.6  # probability of a kind of room from which on it is told after a single look
_LIKELY_ROOM = 0.4  # the same, of a thing that was seen well with its surroundings
_IN_ROOM = 0.3  # probability of a kind of room from which on a thing is taken to be in it
_MAYBE_IN_ROOM = 0.1  # the same, from which on it may be in it where no other room is of that kind
_AT_ROOM = 2.5  # distance of a door from the things of a room to which it leads [m]
_OF_DEFINITE = (*ABOUT_DEFINITE, QuestionKind.WHERE, QuestionKind.ROOM_OF)
"""Kinds of questions about things that there are: "the small lamp" is the smaller one of several."""

_SHOWING_A_ROOM = 3  # things that are cited for what is not in a room
_OF_ONE_THING = (
    QuestionKind.EXISTENCE,
    QuestionKind.COUNT,
    QuestionKind.ATTRIBUTE,
    QuestionKind.STATE,
    QuestionKind.WHERE,
    QuestionKind.ROOM_OF,
    QuestionKind.FUNCTION,
)
"""Kinds of questions that a thing inside a closed container answers, too. A count tells what can be seen, if there is
any."""

_FIRST_THING = re.compile(r"^(?:the|a|an|my|our) | (?:in|on|at|of|by|near|next to|under) .*$")
"""What is not the name of a thing in "the cabinet in the living room"."""

_IN_A_ROOM = re.compile(r" in (?:the|my|our|a) (?P<room>.+)$")


class MeantThings:
    """The things of a scene that a question means, by their kinds, colours, sizes, states, places and rooms."""

    def __init__(
        self, question: TypedQuestion, scene: Scene[KnownThing], knowledge: CategoryKnowledge
    ) -> None:
        self._question = question
        self._scene = scene
        self._knowledge = knowledge

    # -- what was seen

    @property
    def is_all_seen(self) -> bool:
        """Whether all places that the question may be about were seen."""
        if self._has_doubtful_place() or self.hiding() or self.not_looked_over():
            return False
        if self.of_unknown_state() or self.of_unknown_colour():
            return False
        # What is behind a closed door cannot be said to be nowhere.
        is_behind_door = not self._rooms and any(map(self._is_closed_door, self._scene.things))
        return self.is_explored and not is_behind_door

    @property
    def is_explored(self) -> bool:
        """Whether no way leads on in the rooms that the question is about."""
        return all(self._scene.covers(room) for room in self._rooms or ("",))

    @property
    def _rooms(self) -> tuple[str, ...]:
        return rooms_asked(self._question, self._knowledge)

    def hiding(self) -> list[KnownThing]:
        """Returns the containers that may hide what the question asks for: none was seen, nor were their insides."""
        return self._closed_containers() if self._unseen_kind else []

    def _closed_containers(self) -> list[KnownThing]:
        return [
            thing
            for thing in self._scene.things
            if self._knowledge.is_container(thing.category)
            and self.is_in_room(thing)
            and not is_looked_into(thing)
        ]

    def not_looked_over(self) -> list[KnownThing]:
        """Returns the furniture, seen from afar, on which what the question asks for may lie: none was seen."""
        return [
            thing
            for thing in self._scene.things
            if self.is_usual_place(thing)
            and self._knowledge.is_surface(thing.category)
            and self.is_in_room(thing)
            and not thing.is_surveyed
        ]

    def is_usual_place(self, thing: KnownThing) -> bool:
        """Whether what the question asks for, and was not seen, is usually kept on or in such a thing."""
        kind = self._unseen_kind
        return bool(kind) and self._knowledge.lists(kind, thing.category)

    @cached_property
    def _unseen_kind(self) -> str:
        """Returns the kind of the small thing that the question asks for, wherever it is; empty if one was seen."""
        if not self._knowledge.has_priors or any(map(self.names_things, self._question.places)):
            return ""
        found = self.serving() if self._question.kind is QuestionKind.FUNCTION else self.targets()
        return "" if found else self._sought()

    def of_unknown_state(self) -> list[KnownThing]:
        """Returns the things that may be in the state for which the question asks, and whose state was not seen."""
        asked = self._question.state
        return [thing for thing in self.in_any_state() if is_sure(thing) and state_fact(thing, asked) is None]

    def of_unknown_colour(self) -> list[KnownThing]:
        """Returns the things that are meant if they have the colour that the question names, and whose colour did not
        show."""
        target = self._question.target
        if target is None or not target.colours:
            return []
        things = self.like(replace(target, colours=()))
        return [thing for thing in things if not thing.colour and self._is_meant(thing)]

    def in_any_state(self) -> list[KnownThing]:
        """Returns the things that are meant if they are in the state by which the question describes what it asks for;
        none if it names no such state."""
        asked, target = self._question.state, self._question.target
        if not asked or self._question.kind in (QuestionKind.STATE, QuestionKind.ATTRIBUTE):
            return []
        is_named = target is not None and bool(target.category) and self._knowledge.knows(target.category)
        things = self._at_places(ignore_state=True)
        return [thing for thing in things if is_named or self._knowledge.can_be(thing.category, asked)]

    def _sought(self) -> str:
        """Returns the kind of the thing that a container may hide; empty if the question asks for none."""
        question, target = self._question, self._question.target
        if question.kind not in _OF_ONE_THING:
            return ""
        kind = target.category if target is not None else ""
        if question.kind is QuestionKind.FUNCTION:
            kind = next(iter(serving_kinds(question, self._knowledge)), "")
        return kind if kind and self._knowledge.is_portable(kind) else ""

    def _is_closed_door(self, thing: KnownThing) -> bool:
        is_closed = any(fact.object == words.STATE_CLOSED for fact in thing.states)
        return is_closed and self._knowledge.is_door(thing.category)

    def _has_doubtful_place(self) -> bool:
        """Whether there is such a thing of which it is not known whether it is in the room that the question names: its
        room is of no known kind, or may be that one, while no other is."""
        if not (self._room and self._question.target):
            return False
        is_unknown = not self._scene.rooms.get(self._room, 0)
        return any(
            not thing.room_kind or (is_unknown and thing.room.get(self._room, 0.0) >= _MAYBE_IN_ROOM)
            for thing in self.like(self._question.target)
            if not self.is_in_room(thing)
        )

    @property
    def has_doubtful_targets(self) -> bool:
        """Whether a thing was seen that may be meant, and not well enough to be sure what it is, or of which colour."""
        is_unsure = self._question.target is not None and not all(map(is_sure, self.targets()))
        return is_unsure or bool(self.of_unknown_colour())

    @property
    def is_about_a_room(self) -> bool:
        """Whether the target is a room."""
        target = self._question.target
        return target is not None and (target.category == "room" or self._knowledge.is_room(target.category))

    # -- targets

    def targets(self) -> list[KnownThing]:
        """Returns the seen things that are meant, at the places and in the room that the question names."""
        if self._question.kind is QuestionKind.RELATION:  # where it is is what is asked
            return [thing for thing in self.called_so() if self._is_meant(thing)]
        things = [thing for thing in self.like(self._question.target) if self._is_meant(thing)]
        return list(self._sized(things, self._question.target)) if self.is_told_by_size else things

    def called_so(self) -> Sequence[KnownThing]:
        """Returns the things that have the name, the colour and the size of the target, wherever they are."""
        things = self.like(self._question.target)
        return self._sized(things, self._question.target) if self.is_told_by_size else things

    def unnamed(self) -> list[KnownThing]:
        """Returns the things at the places of a question that asks what is there."""
        return self._at_places()

    def _at_places(self, *, ignore_state: bool = False) -> list[KnownThing]:
        marks = {mark.id for mark in self.marks()}
        target = self._question.target
        is_named = target is not None and bool(target.category) and self._knowledge.knows(target.category)
        return [
            thing
            for thing in (self.like(target) if is_named else self._of_vague_kind(target))
            if thing.id not in marks and self._is_meant(thing, ignore_state=ignore_state)
        ]

    def serving(self) -> list[KnownThing]:
        """Returns the things that serve the purpose of the question, those first that do so best."""
        return [
            thing
            for kind in serving_kinds(self._question, self._knowledge)
            for thing in self._scene.things
            if self._knowledge.is_kind(thing.category, kind) and self.is_in_room(thing)
        ]

    def holding_people(self) -> list[KnownThing]:
        """Returns the seats or beds for the people that the question asks to count, at the places that it names."""
        kinds = kinds_for_people(self._question.purpose)
        marks = self.marks()
        near = {mark.id for mark in marks}
        return [
            thing
            for thing in self._scene.things
            if is_sure(thing)
            and any(self._knowledge.is_kind(thing.category, kind) for kind in kinds)
            and (
                self.is_in_room(thing)
                if not marks
                else thing.id in near or any(self._scene.lies(thing.id, Relation.NEAR, mark) for mark in near)
            )
        ]

    def like(self, phrase: ThingPhrase | None) -> list[KnownThing]:
        """Returns the things that a phrase describes, wherever they are; all of them without a phrase.

        Of a kind that people confuse with another one, things of the other kind are meant where there is no such thing,
        and so are those of a colour that light can change into the one that is named.
        """
        if phrase is None:
            return list(self._scene.things)
        found = [thing for thing in self._scene.things if self._fits(thing, phrase)]
        found = [thing for thing in found if self.is_exactly(thing, phrase)] or found
        return [thing for thing in found if _has_colour(thing, phrase)] or found

    def is_exactly(self, thing: KnownThing, phrase: ThingPhrase | None) -> bool:
        """Whether a thing is of the kind that a phrase names, and not of one that people confuse with it."""
        kind = phrase.category if phrase is not None else ""
        return not kind or self._knowledge.is_kind(thing.category, kind)

    def is_certain(self, thing: KnownThing) -> bool:
        """Whether a target was seen well, it has the colour that is named, and none that fits better may be found."""
        is_exactly = self.is_exactly(thing, self._question.target) and self._are_sizes_told
        is_coloured = _has_colour(thing, self._question.target) and self._have_marks_their_colours
        return is_sure(thing) and is_coloured and (is_exactly or self.is_all_seen)

    @cached_property
    def _have_marks_their_colours(self) -> bool:
        return all(_has_colour(mark, phrase) for phrase in self.landmarks for mark in self._marked(phrase))

    def stands_at_mark(self, thing: KnownThing) -> bool:
        """Whether a thing touches a landmark of the question, so that none can be nearer."""
        return any(
            self._distance(thing, [mark]) <= (thing.longest + mark.longest) / 2
            for phrase in self.landmarks
            for mark in self._marked(phrase)
            if self.is_exactly(mark, phrase)
        )

    def is_mark_surveyed(self) -> bool:
        """Whether a landmark of the question was seen so well that what lies at it would have been seen, too."""
        return any(
            mark.is_surveyed
            and ((self.is_exactly(mark, phrase) and self._is_size_told(phrase)) or self.is_all_seen)
            for phrase in self.landmarks
            for mark in self._marked(phrase)
        )

    @property
    def quantifier(self) -> Quantifier | None:
        """Of how many of the targets the question asks something; None = of a single one."""
        target = self._question.target
        if target is None or target.quantifier is not None:
            return target.quantifier if target is not None else None
        is_one = target.amount is not None and target.amount.least == 1
        return Quantifier.ALL if target.plural and not is_one else None

    def are_all_known(self, things: Sequence[KnownThing]) -> bool:
        """Whether no more things may be meant than these: "the two chairs" are two that were seen."""
        target = self._question.target
        if target is not None and target.amount is not None:
            return target.amount.includes(len(things)) and target.amount.most is not None
        asks_where = self._question.kind is QuestionKind.RELATION
        if asks_where and target is not None and target.quantifier is None:
            return True  # "the keys" are those that are known
        may_be_hidden = target is not None and self._knowledge.is_portable(target.category)
        if may_be_hidden and self._question.kind is not QuestionKind.STATE and self._closed_containers():
            return False
        # Of "all keys" some may be in other rooms than the one that is asked for.
        return self.is_all_seen and not (asks_where and self._room)

    # -- sizes

    @property
    def is_told_by_size(self) -> bool:
        """Whether the target, if it has a size, is the small or the large one of several things."""
        return self._question.kind in _OF_DEFINITE and self.quantifier is None

    @staticmethod
    def _sized(things: Sequence[KnownThing], phrase: ThingPhrase | None) -> Sequence[KnownThing]:
        """Returns the one of some things that has the size of a phrase; all of them if the phrase names none."""
        sure = [thing for thing in things if is_sure(thing)]
        if phrase is None or not phrase.size or not sure:
            return things
        chosen = max if phrase.size == LARGE else min
        return (chosen(sure, key=lambda thing: thing.longest),)

    @cached_property
    def _are_sizes_told(self) -> bool:
        target = self._question.target
        phrases = [*self.landmarks, *([target] if target is not None else [])]
        return all(map(self._is_size_told, phrases))

    def _is_size_told(self, phrase: ThingPhrase) -> bool:
        """Whether there are things of which the one with the size of a phrase can be told, if it names a size."""
        return not phrase.size or sum(map(self.is_in_room, self.like(phrase))) > 1

    def _of_vague_kind(self, target: ThingPhrase | None) -> list[KnownThing]:
        """Returns the things that are meant by "something", "the red object" or "piece of furniture"."""
        if target is None:
            return self.like(None)
        things = self.like(ThingPhrase(target.text, "", target.colours))
        if "furniture" not in target.text.split():
            return things
        knows = self._knowledge
        return [
            each for each in things if knows.is_furniture(each.category) and not knows.is_door(each.category)
        ]

    def _fits(self, thing: KnownThing, phrase: ThingPhrase) -> bool:
        knows = self._knowledge
        if phrase.category and not (
            knows.is_kind(thing.category, phrase.category) or knows.is_alike(thing.category, phrase.category)
        ):
            return False
        return _has_colour(thing, phrase) or any(
            thing.colour == wanted or knows.is_shade(thing.colour, wanted) for wanted in phrase.colours
        )

    def _is_meant(self, thing: KnownThing, *, ignore_state: bool = False) -> bool:
        """Whether a thing is where the question says, in the state that it must have for that, and not excluded."""
        excluded = self._question.excluded
        if excluded is not None and excluded.category and self._fits(thing, excluded):
            return False
        asks_state = self._question.kind in (QuestionKind.STATE, QuestionKind.ATTRIBUTE)
        state = "" if asks_state or ignore_state else self._question.state
        in_state = not state or any(fact.object == state for fact in thing.states)
        # What lies on the table in the kitchen is in the kitchen, whatever else is known of its room.
        in_room = self.is_in_room(thing) or any(map(self.names_things, self._question.places))
        return in_state and in_room and all(self._is_at(thing, place) for place in self._question.places)

    # -- places

    @property
    def _room(self) -> str:
        """Canonical name of the kind of room that the question names; empty if it names none."""
        return self._knowledge.canonical(self._question.room) if self._question.room else ""

    def is_in_room(self, thing: KnownThing) -> bool:
        """Whether a thing may be in the room that the question names, if it names one."""
        return not self._room or thing.room.get(self._room, 0.0) >= _IN_ROOM

    def marks(self) -> list[KnownThing]:
        """Returns the landmarks of the places that the question names, in the room that it names."""
        return [mark for phrase in self.landmarks for mark in self._marked(phrase)]

    def _marked(self, phrase: ThingPhrase) -> Sequence[KnownThing]:
        """Returns the things in the room of the question that a landmark of it may be."""
        return self._sized([mark for mark in self.like(phrase) if self.is_in_room(mark)], phrase)

    @property
    def landmarks(self) -> list[ThingPhrase]:
        """The landmarks of all places that the question names."""
        return [phrase for place in self._question.places for phrase in place.landmarks]

    def missing_mark(self) -> str:
        """Returns the text of a landmark that the question names and that was not seen; empty if there is none."""
        return next(
            (
                phrase.text
                for phrase in self.landmarks
                if phrase.category and not any(map(self.is_in_room, self.like(phrase)))
            ),
            "",
        )

    def named(self, option: str) -> list[KnownThing]:
        """Returns the things that an option names: "the cabinet in the living room"."""
        kind = self._knowledge.canonical(_FIRST_THING.sub("", option.lower()))
        found = [thing for thing in self._scene.things if self._knowledge.is_kind(thing.category, kind)]
        said = _IN_A_ROOM.search(option.lower())
        room = self._knowledge.canonical(said["room"]) if said else ""
        if not self._knowledge.is_room(room):
            return found
        return [thing for thing in found if thing.room.get(room, 0.0) >= _IN_ROOM]

    def is_room_known(self, thing: KnownThing) -> bool:
        """Whether it is known in which kind of room a thing is: what looks a little like a second kitchen is none."""
        kind = thing.room_kind
        if thing.room.get(kind, 0.0) >= _KNOWN_ROOM:
            return True
        is_second = kind in self._knowledge.single_rooms and self._scene.rooms.get(kind, 0) > 1
        is_likely = thing.room.get(kind, 0.0) >= _LIKELY_ROOM
        return is_likely and thing.is_surveyed and not is_second

    def is_surely_there(self, thing: KnownThing) -> bool:
        """Whether a thing, or what it is said to be on or near, is known to be in the room that the question names."""
        marks = best(self.marks()) if any(map(self.names_things, self._question.places)) else ()
        return not self._room or any(
            each.room_kind == self._room and self.is_room_known(each) for each in (thing, *marks)
        )

    def showing_the_room(self) -> tuple[KnownThing, ...]:
        """Returns a few things that show the room which the question names."""
        if not self._room:
            return ()
        return clearest([thing for thing in self._scene.things if self.is_in_room(thing)])

    def nearest(self, things: Sequence[KnownThing], marks: Sequence[KnownThing]) -> KnownThing:
        """Returns the thing that is nearest to one of the landmarks: furniture beside furniture, if there is any."""
        is_furniture = self._knowledge.is_furniture

        def rank(thing: KnownThing) -> tuple[bool, float]:
            is_unlike = all(is_furniture(mark.category) != is_furniture(thing.category) for mark in marks)
            return is_unlike, self._distance(thing, marks)

        return min(things, key=rank)

    def _distance(self, thing: KnownThing, marks: Sequence[KnownThing]) -> float:
        """Returns the distance to the nearest of some things [m]; infinite where it is not known."""
        distances = [self._scene.distance(thing.id, mark.id) for mark in marks if mark.id != thing.id]
        return min((each for each in distances if not math.isnan(each)), default=math.inf)

    def names_things(self, place: PlacePhrase) -> bool:
        """Whether a place is told by things, and not by rooms or the home."""
        kinds = [phrase.category for phrase in place.landmarks]
        return not all(kind in EVERYWHERE or self._knowledge.is_room(kind) for kind in kinds)

    def _is_at(self, thing: KnownThing, place: PlacePhrase) -> bool:
        if not self.names_things(place):
            rooms = [phrase.category for phrase in place.landmarks if phrase.category not in EVERYWHERE]
            return all(self._is_at_room(thing, room) for room in rooms)
        marks = [mark for phrase in place.landmarks for mark in self._marked(phrase)]
        return any(mark is not thing and self._holds(thing, place.relation, mark) for mark in marks)

    def _is_at_room(self, thing: KnownThing, room: str) -> bool:
        """Whether a thing is in a kind of room or, as a door, at its border."""
        return any(
            other.room_kind == room and self._distance(other, [thing]) <= _AT_ROOM
            for other in self._scene.things
            if other is not thing
        )

    def _holds(self, thing: KnownThing, relation: Relation, mark: KnownThing) -> bool:
        if relation not in (Relation.ON, Relation.IN):
            return self._scene.lies(thing.id, relation, mark.id)
        return any(
            fact.subject == thing.id and fact.object == mark.id and fact.predicate in (words.ON, words.IN)
            for fact in self._scene.facts
        )


def is_looked_into(container: KnownThing) -> bool:
    """Whether a container was seen open from nearby."""
    return container.is_surveyed and any(fact.object == words.STATE_OPEN for fact in container.states)


def _has_colour(thing: KnownThing, phrase: ThingPhrase | None) -> bool:
    """Whether a thing has the colour that a phrase names, if it names one; of two colours a scene tells one alone."""
    return phrase is None or not phrase.colours or phrase.colours == (thing.colour,)


def state_fact(thing: KnownThing, state: str) -> Fact | None:
    """Returns what is known of a thing in the dimension of a state; None if that did not show."""
    return next(
        (
            fact
            for fact in thing.states
            if dimension(fact.object) == dimension(state) and fact.object != words.STATE_UNKNOWN
        ),
        None,
    )


def is_sure(thing: KnownThing) -> bool:
    """Whether a thing is seen well enough to be sure what it is."""
    return thing.confidence >= SURE and thing.is_seen_well


def best(things: Sequence[KnownThing]) -> tuple[KnownThing, ...]:
    """Returns the thing that is seen best, if there is one."""
    return (max(things, key=lambda each: (is_sure(each), each.clearness)),) if things else ()


def clearest(things: Sequence[KnownThing]) -> tuple[KnownThing, ...]:
    """Returns a few things that show a room, of those that are sure."""
    sure = filter(is_sure, things)
    return tuple(sorted(sure, key=lambda thing: -thing.clearness)[:_SHOWING_A_ROOM])
