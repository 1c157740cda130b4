"""Reads plain imperatives (rewriting.py) as goals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from stma_ros.domains import noun_words
from stma_ros.domains.household.goals import FLOORS, FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.language import (
    alternatives,
    lexicon,
    noun_phrase,
    placements,
    quantities,
)
from stma_ros.domains.household.language.lists import ANOTHER, NEAR_PREPOSITIONS, Lists, Places
from stma_ros.domains.household.language.noun_phrase import NounPhrases, Phrase
from stma_ros.domains.household.language.patterns import AND
from stma_ros.domains.household.language.place_references import PlaceReferences
from stma_ros.domains.household.language.references import Fits, Mentions
from stma_ros.domains.household.language.remarks import RemarkReader
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.states import STATE_VERBS, StateReader, without_opposite
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError
from stma_ros.memory.asked_kinds import PARTS_OF_HOME
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import with_article
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_PLAIN = re.compile(
    rf"(?P<verb>find|put|bring|take|tidy|separate|gather|{'|'.join(STATE_VERBS)}) (?P<rest>.+)"
)
_ONE_PLACE = re.compile(r"(?:(?P<same>(?:one and )?the same)|(?:one|a) single|just one) (?P<kind>.+)")
_EACH = re.compile(
    r"(?:each|every)\b(?! (?:one )?of (?:(?:the|my|our) )?"
    rf"(?:them|these|those|\d+|{'|'.join(noun_words.NUMBERS)})\b)"
)
_EACH_OF_THEM = re.compile(r"(?:each|every)(?: one)?(?: of (?:them|these|those))?$")
_ONE = re.compile(r"(?:one|an?) (?!of\b).+|one of (?:the|my|our) .+")
_OTHER = re.compile(r"(?:the other|another) (?P<kind>.+)")
_PART_OF_GROUP = re.compile(r"(?P<number>[\w ]+) of (?:them|these|those)")


@dataclass
class RequestReader:
    """Reads the clauses of one text in order, with a memory of the named objects.

    Attributes:
        knowledge: of categories.
        mentions: the objects and places that the text has named so far.
        destination: place to which the text has sent the robot; None = none.
    """

    knowledge: CategoryKnowledge
    mentions: Mentions = field(default_factory=Mentions)
    destination: Description | None = None

    def __post_init__(self) -> None:
        self.nouns = NounPhrases(self.knowledge)
        self.lists = Lists(self.knowledge, self.nouns, self.mentions)
        self._places = PlaceReferences(self.knowledge, self.lists, self.mentions)
        self._states = StateReader(self.knowledge, self.mentions)
        self._remarks = RemarkReader(self.nouns, self.lists, self.mentions)
        self._last_targets: tuple[Phrase, ...] = ()
        self._placed: list[PlaceGoal] = []
        self._groups: dict[Description, int] = {}  # the last group of things at one place of a description
        self._has_acted = False
        self._goes_on = False

    def read(self, plain: str, stage: int) -> tuple[Request, ...]:
        """Returns the requests of one imperative. Raises UnreadError."""
        match = _PLAIN.fullmatch(plain)
        if match is None:
            raise UnreadError(plain)
        verb, rest = match["verb"], match["rest"]
        choices = alternatives.places(rest) if verb == "put" else ()
        if choices:
            return self._read_choice(choices, stage)
        if verb in STATE_VERBS:
            return self._read_states(STATE_VERBS[verb], rest, stage, devices=verb in ("start", "stop"))
        if verb == "find":
            phrases = tuple(map(self._at_destination, self._read_list(rest, lambda _: True)))
            self.mentions.add(phrases)
            return tuple(Request(FindGoal(t.what, t.count), t, stage, means=True) for t in phrases)
        if verb == "separate":
            return self._read_separation(rest, stage)
        if verb == "gather":
            return self._read_gathering(rest, stage)
        return self._read_places(verb, rest, stage)

    def _read_choice(self, choices: Sequence[str], stage: int) -> tuple[Request, ...]:
        """Returns the requests for the first of several places that can be one: any of them will do. Raises
        UnreadError."""
        refusal: UnreadError | None = None
        for choice in choices:
            try:
                return self._read_places("put", choice, stage)
            except UnreadError as error:
                refusal = refusal or error
        raise refusal or UnreadError(" or ".join(choices))

    def knows(self, request: Request) -> bool:
        """Whether a request is about a known kind of thing."""
        return self.knowledge.knows(request.goal.what.category)

    def is_room_name(self, text: str) -> bool:
        """Whether a text is the name of a room."""
        return self.knowledge.is_room(self.knowledge.canonical(re.sub(r"^(?:the|my|our) ", "", text)))

    def is_handled(self, category: str) -> bool:
        """Whether requests can be about a known category, rather than a room or a living being."""
        return self.knowledge.is_known(category) and not self.knowledge.is_room(category)

    def is_about(self, thing: str, request: Request) -> bool:
        """Whether a noun phrase, or a pronoun where it stands, means the objects of a request. Raises UnreadError."""
        if not self.mentions.is_pronoun(thing):
            named = self.mentions.earlier_mention(self.nouns.read(thing))
            return (named.what, named.count) == (request.phrase.what, request.phrase.count)
        return self.mentions.resolve(thing, lambda _: True) == (request.phrase,)

    def focus(self) -> None:
        """Makes what was named last what the pronouns of the next clause are about."""
        if self.mentions.unclear is None and self.mentions.groups:
            self.mentions.focus = self.mentions.groups[-1]

    def read_remark(self, text: str) -> None:
        """Adds the objects in a sentence without a request to the mentions."""
        self._remarks.read(text, lambda part: self._read_list(part, lambda _: True))

    def _read_states(self, state: str, rest: str, stage: int, *, devices: bool) -> tuple[Request, ...]:
        rest, limited = without_opposite(rest, state)
        if limited:
            rest = re.sub(r"^any ", "every ", rest)
        self.lists.check_member(noun_phrase.split_places(rest.split(AND)[0])[0])
        phrases = tuple(map(self._at_destination, self._read_list(rest, self._states.fits(state))))
        if self.mentions.is_pronoun(rest):
            phrases = self._states.opened_before(phrases, state)
        self._states.check(phrases, state, limited=limited, devices=devices, text=rest)
        self._states.add(phrases, state)
        return tuple(Request(StateGoal(t.what, state, t.count), t, stage) for t in phrases)

    def _read_places(self, verb: str, rest: str, stage: int) -> tuple[Request, ...]:
        requests: list[Request] = []
        named: list[Phrase] = []
        targets: list[Phrase] = []
        same: dict[Description, str] = {}  # kinds of places that are called the same
        grouped: Places = ()
        for item in self.lists.items(verb, rest):
            for preposition, name in (*item.at, *item.to[1:]):
                if _EACH.match(name):
                    raise UnreadError(f"{preposition} {name}")
            if verb == "put" and not item.to:
                raise UnreadError(f'"put {item.thing}" (where?)')
            if named and item.to and self.mentions.is_pronoun(item.to[0][1]):
                self.mentions.add(
                    tuple(named), tuple(targets)
                )  # "the vase on the shelf & the candle beside it"
            other = self._other_one(item.thing, item.to)
            relation, destination = (
                (lexicon.RELATIONS[item.to[0][0]], other) if other else self._destination(item.to, item.thing)
            )
            if (
                destination is not None
                and self.destination is not None
                and self.knowledge.is_room(self.destination.category)
                and not self._is_room_name(destination)
            ):
                destination = self._at_destination(destination)
            named_thing, is_another = self._another(item.thing)
            if not _PART_OF_GROUP.fullmatch(named_thing):
                self.lists.check_member(named_thing)
            things = self._read_item(named_thing, item.at, self.lists.is_portable)
            if destination not in self._last_targets:
                self._check_carrier(item.thing, things)
            for thing in things:
                if destination is None and not self.mentions.is_pronoun(item.thing):
                    thing = self._at_destination(thing)
                count = ALL if thing.collective else thing.count
                if destination is not None:
                    if thing.what.place == destination.what:  # "I took it off the shelf, put it back there"
                        thing = replace(thing, what=replace(thing.what, place=None, relation=""))
                    if other is None:
                        placements.check_fit(self.knowledge, thing, destination.what)
                    is_each = destination.count == ALL
                    on_floor = is_each and destination.what.category in FLOORS
                    if is_each and (count == ALL or thing.definite or on_floor):
                        raise UnreadError(f"{item.thing} at each {destination.what}")
                    goal = PlaceGoal(thing.what, count, relation, destination.what, each=is_each)
                    if other is None and (is_another or self._is_further(named_thing, thing, goal)):
                        goal = replace(goal, another=True)
                    one = _ONE_PLACE.fullmatch(item.to[0][1])
                    is_same = (one is not None and bool(one["same"])) or self.mentions.is_pronoun(
                        item.to[0][1]
                    )
                    is_one = destination.counted and not is_each and other is None
                    if is_one and relation in ("", words.IN, words.ON):
                        if item.to is not grouped:  # the members of a list share it
                            self._begin_group(destination.what, is_same=is_same)
                            grouped = item.to
                        goal = replace(goal, together=self._groups[destination.what])
                    self._placed.append(goal)
                    if one is not None and one["same"]:
                        same[destination.what] = one["kind"]
                elif verb == "tidy":
                    if not self.lists.is_portable(thing.what.category):
                        raise UnreadError(
                            f"tidying {with_article(thing.what.category)} (name the things to be put away)"
                        )
                    goal = PlaceGoal(thing.what, count)
                else:
                    goal = PlaceGoal(thing.what, count, words.HELD_BY)
                means = destination is None
                requests.append(Request(goal, thing, stage, means))
                # What is put at each of several places is several things.
                is_several = isinstance(goal, PlaceGoal) and goal.each
                named.append(replace(thing, count=ALL) if is_several else thing)
            if destination is not None and destination not in targets:
                targets.append(destination)
            if other is not None:
                targets.remove(other)  # "it" is the one that was put there
        for place, kind in same.items():
            if self._takes_one_thing(place):
                raise LimitingWordError("same", kind)
        self.mentions.add(tuple(named), tuple(targets))
        self._last_targets = tuple(targets)
        if any(target.what != self.destination for target in targets):
            self.leave_furniture()
        return tuple(requests)

    def _read_separation(self, rest: str, stage: int) -> tuple[Request, ...]:
        """Returns the requests to keep things away from something. Raises UnreadError."""
        things, _, name = rest.rpartition(" from ")
        if self.mentions.is_pronoun(name):
            place = self._places.place("from", name, ())
        else:
            place = self.mentions.earlier_mention(self.nouns.read(name))
        category = place.what.category
        if self.knowledge.is_room(category) or category in FLOORS or self.knowledge.is_living(category):
            raise UnreadError(f'"away from {name}"', "is not a thing that others can be kept away from")
        found = self._read_list(things, self.lists.is_portable)
        self.mentions.add(found, (place,))
        return tuple(
            Request(PlaceGoal(t.what, t.count, words.AWAY_FROM, place.what), t, stage) for t in found
        )

    def _read_gathering(self, rest: str, stage: int) -> tuple[Request, ...]:
        """Returns the requests to put things next to one another. Raises UnreadError."""
        found = self._read_list(rest, self.lists.is_portable)
        self.mentions.add(found)
        first, *others = found
        if not others:
            if first.count == 1:
                raise UnreadError(rest, "is not several things that can be put next to one another")
            goal = PlaceGoal(first.what, first.count, words.NEAR, first.what)
            return (Request(goal, first, stage),)
        if first.count != 1:
            raise UnreadError(
                f"{rest} (next to which one?)", remedy="Say next to which one each of them is wanted."
            )
        return tuple(
            Request(PlaceGoal(each.what, each.count, words.NEAR, first.what), each, stage) for each in others
        )

    def _begin_group(self, place: Description, *, is_same: bool) -> None:
        """Begins a group of things that are wanted at one place; "the same bowl" is that of the group before."""
        if not (is_same and place in self._groups):
            self._groups[place] = 1 + max(self._groups.values(), default=0)

    def _takes_one_thing(self, place: Description) -> bool:
        """Whether a single thing is to be at a place."""
        return [goal.count for goal in self._placed if goal.destination == place] == [1]

    def _another(self, thing: str) -> tuple[str, bool]:
        """Returns "a mug" for "another mug", and whether the text says so of a kind of which it has placed one."""
        match = ANOTHER.fullmatch(thing)
        if match is None:
            return thing, False
        kind = self.nouns.read(f"a {match['kind']}").what.category
        is_further = any(goal.what.category == kind for goal in self._placed)
        return (f"a {match['kind']}", True) if is_further else (thing, False)

    def _is_further(self, text: str, thing: Phrase, goal: PlaceGoal) -> bool:
        """Whether a goal is about others than those that were placed: "a mug on the table and a mug in the sink"."""
        is_new = not thing.definite and (text == "one" or not self.mentions.is_pronoun(text))
        return is_new and any(
            other.what == goal.what and other.count != ALL and other.destination != goal.destination
            for other in self._placed
        )

    def _other_one(self, thing: str, to: Places) -> Phrase | None:
        """Returns "the other mug" as the place of "one mug", where no more is said of either; None = something else is
        meant."""
        if len(to) != 1 or to[0][0] not in lexicon.RELATIONS:
            return None
        other, one = _OTHER.fullmatch(to[0][1]), _ONE.fullmatch(thing)
        if other is None or one is None:
            return None
        phrases = [self.nouns.read(f"a {other['kind']}"), self.nouns.read(thing)]
        if phrases[0].what != phrases[1].what or phrases[1].count != 1:
            return None
        return phrases[0]

    def _check_carrier(self, pronoun: str, things: Sequence[Phrase]) -> None:
        """Raises UnreadError if "it" may also be what the thing was put into: "put it on the tray and bring it"."""
        is_last = self.mentions.groups[-1:] == [tuple(things)]
        carriers = (target.what.category for target in self._last_targets)
        if (
            pronoun == "it"
            and is_last
            and any(self.lists.can_hold(name) and self.lists.is_portable(name) for name in carriers)
        ):
            raise UnreadError('"it" (which one?)')

    def go_to(self, place: str) -> None:
        """Stores the place to which the robot is sent before further requests. Raises UnreadError."""
        phrase = self.nouns.read(place)
        self.destination = phrase.what
        self._has_acted = self._goes_on = False
        self.mentions.places.append(phrase)

    def begin_sentence(self) -> None:
        """Forgets the furniture to which the text has sent the robot, once it has done something there; in a room, what
        is carried about may then be anywhere."""
        self.leave_furniture()
        self._goes_on = self.destination is not None and self._has_acted

    def leave_furniture(self) -> None:
        """Forgets the furniture to which the text has sent the robot, once it has done something there."""
        if (
            self.destination is not None
            and self._has_acted
            and not self.knowledge.is_room(self.destination.category)
        ):
            self.destination = None

    def is_room(self, place: str) -> bool:
        """Whether a text names a room. Raises UnreadError."""
        return self.knowledge.is_room(self.nouns.read(place).what.category)

    def approach(self, place: str, stage: int, *, in_last_room: bool) -> Request:
        """Returns the request to go to an object.

        Args:
            place: names the object.
            stage: of the request.
            in_last_room: whether the object is in the room to which the previous clause sends the robot.

        Raises:
            UnreadError: the text names no single object, or a room, before which the robot cannot stand.
        """
        thing = self.nouns.read(place)
        if not self._is_object(thing, place):
            raise UnreadError(place)  # "go to work"
        if thing.count != 1 or self.knowledge.is_room(thing.what.category):
            raise UnreadError(place, "is not one thing that the robot can stand before")
        thing = self._at_destination(thing) if in_last_room else thing
        self.mentions.add((thing,))
        return Request(FindGoal(thing.what, beside=True), thing, stage)

    def _at_destination(self, thing: Phrase) -> Phrase:
        """Returns a phrase with the place to which the robot was sent, unless it has a place."""
        if self.destination is None or thing.what.place is not None or thing.what.id:
            self._has_acted |= self.destination is not None and thing.what.place == self.destination
            return thing
        if thing.what.category == self.destination.category:
            return thing  # "go to the fridge and open it"
        if self._goes_on and not self._stays(thing.what.category):
            return thing  # "go to the kitchen and turn off the lamp. then bring me the book"
        self._has_acted = True
        relation = self.nouns.relation("from", self.destination)
        return replace(thing, what=replace(thing.what, relation=relation, place=self.destination))

    def _is_object(self, phrase: Phrase, text: str) -> bool:
        """Whether a phrase has a known category, or its text an article as in "the gadget"."""
        return self.knowledge.knows(phrase.what.category) or bool(
            re.match(rf"(?:\w+ of )?(?:{noun_phrase.DETERMINED})", text)
        )

    def _destination(self, places: Places, placed: str) -> tuple[str, Phrase | None]:
        if not places:
            return "", None
        (preposition, name), *further = places
        if preposition in lexicon.HINTS:
            raise UnreadError(f'"{preposition} {name}" as the place to put something')
        if _EACH_OF_THEM.match(name):
            raise UnreadError(f"several places: {name}")
        if self.mentions.is_pronoun(name):
            is_named = self.mentions.is_pronoun(placed)
            things = self.mentions.resolve(placed, self.lists.is_portable) if is_named else ()
            place = self._places.place(preposition, name, things)
        else:
            one = _ONE_PLACE.fullmatch(name)
            name = f"one {one['kind']}" if one else name
            place = self.mentions.earlier_mention(self.nouns.read_with_places(name, further))
            if not (self._is_object(place, name) or self.knowledge.is_portable(place.what.category)):
                raise UnreadError(f'"{preposition} {name}"')
        what = place.what
        if place.count != 1 and (not _EACH.match(name) or self.knowledge.is_room(what.category)):
            raise UnreadError(f"several places: {name}")
        if self.knowledge.is_room(what.category):
            return words.IN_ROOM, place
        if preposition in NEAR_PREPOSITIONS and what.place is not None and what.place.category in FLOORS:
            # "next to the sofa on the floor"
            neighbour = replace(what, relation="", place=what.place.place)
            floor = replace(
                what.place, relation=words.NEAR, place=replace(neighbour, relation=what.place.relation)
            )
            return words.ON, replace(place, what=floor)
        if preposition in ("to", "at"):
            return self._places.usual_relation(what) if name == "there" else "", place
        return lexicon.RELATIONS[preposition], place

    def _read_list(self, rest: str, fits: Fits) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        for part in self.lists.parts(rest):
            thing, places = noun_phrase.split_places(part)
            if found and not places and self.lists.is_room(part) and found[-1].what.relation == words.IN_ROOM:
                room = self.nouns.read(part).what  # "the lamps in the bedroom and the kitchen"
                found.append(replace(found[-1], what=replace(found[-1].what, place=room)))
                continue
            found.extend(self._read_item(thing, places, fits))
        return tuple(found)

    def _read_item(self, thing: str, places: Places, fits: Fits) -> tuple[Phrase, ...]:
        part = _PART_OF_GROUP.fullmatch(thing)
        if part and not self.mentions.is_pronoun(thing):
            count = quantities.number(part["number"])
            group = self.mentions.resolve("them", fits)
            if count in (len(group), sum(thing.count for thing in group)):
                return group
            (whole, *_) = group
            return (replace(whole, count=count, counted=True, definite=False),)
        if not self.mentions.is_pronoun(thing):
            resolved = self._places.without_pronouns(places)
            return (self._mentioned(self.nouns.read_with_places(thing, resolved)),)
        phrases = self.mentions.resolve(thing, fits)
        if thing == "one":
            phrases = tuple(
                whole if whole.count == 1 else replace(whole, count=1, counted=True, definite=False)
                for whole in phrases
            )
        resolved = self._places.without_pronouns(places)
        if not resolved:
            return phrases
        at = self.nouns.read_with_places("thereof", resolved).what
        return tuple(
            t if t.what.place else replace(t, what=replace(t.what, relation=at.relation, place=at.place))
            for t in phrases
        )

    def _mentioned(self, phrase: Phrase) -> Phrase:
        """Returns the earlier mention of a phrase, unless the text has gone on to another room with such things."""
        earlier = self.mentions.earlier_mention(phrase)
        category = phrase.what.category
        is_any = not self._stays(category) or category in PARTS_OF_HOME
        if earlier is phrase or self.destination is None or is_any:
            return earlier
        is_elsewhere = earlier.what.place not in (None, self.destination)
        return phrase if is_elsewhere and self.knowledge.is_room(self.destination.category) else earlier

    def _stays(self, category: str) -> bool:
        """Whether things of a kind stay in their room, as furniture and devices do."""
        return self.knowledge.is_device(category) or not self.lists.is_portable(category)

    def _is_room_name(self, place: Phrase) -> bool:
        return self.knowledge.is_room(place.what.category)
