"""Reads plain imperatives (rewriting.py) as goals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.language import lexicon, noun_phrase
from stma_ros.domains.household.language.lists import Lists, Places
from stma_ros.domains.household.language.noun_phrase import NounPhrases, Phrase, UnreadError
from stma_ros.domains.household.language.references import Fits, Mentions
from stma_ros.domains.household.language.sentence import AND
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import with_article
from stma_ros.types import vocabulary as words

_STATES = {
    "open": words.STATE_OPEN,
    "close": words.STATE_CLOSED,
    "switch on": words.STATE_ON,
    "switch off": words.STATE_OFF,
    "start": words.STATE_ON,
    "stop": words.STATE_OFF,
    "fill": words.STATE_FULL,
    "empty": words.STATE_EMPTY,
}
_STATE_WORDS = {
    "open": words.STATE_OPEN,
    "closed": words.STATE_CLOSED,
    "shut": words.STATE_CLOSED,
    "on": words.STATE_ON,
    "running": words.STATE_ON,
    "off": words.STATE_OFF,
    "full": words.STATE_FULL,
    "empty": words.STATE_EMPTY,
}
_AS_IT_IS = re.compile(
    rf" (?:that|which) (?:is|are)(?: still| currently| left| switched| turned| standing)*"
    rf" (?P<state>{'|'.join(_STATE_WORDS)})$"
)
NONSENSE = "makes no sense"
_PLAIN = re.compile(rf"(?P<verb>find|put|bring|take|tidy|{'|'.join(_STATES)}) (?P<rest>.+)")

_VERB_OF_REMARK = (
    r"\b(?:is|are|was|were|lost|has|have|had|left|forgot|put|dropped|see|got|needs?|likes?|loves?|wants?"
    r"|contains?"
    r"|stands?|disappeared|vanished)\b"
)
_NAMED = re.compile(r"\b(?:the|my|our|his|her|a|an|some)\b")
_SOME_OF_THEM = re.compile(r"(?P<number>[\w ]+) of (?:them|these|those)")
_STATE_AT_END = re.compile(r" (?:wide )?(?:open|closed|shut|on|off|full|empty|out|running)$")


@dataclass(frozen=True)
class Request:
    """A goal, and how it was asked for.

    stage: goals of a later stage are said to come after those of an earlier one. means: finding or taking, which is
    done as well when more is asked for the same thing.
    """

    goal: Goal
    phrase: Phrase
    stage: int = 0
    means: bool = False


@dataclass
class RequestReader:
    """Reads the clauses of one text, in order, remembering what was named."""

    knowledge: CategoryKnowledge
    mentions: Mentions = field(default_factory=Mentions)
    there: Description | None = None

    def __post_init__(self) -> None:
        self.nouns = NounPhrases(self.knowledge)
        self.lists = Lists(self.knowledge, self.nouns, self.mentions)

    def read(self, plain: str, stage: int) -> tuple[Request, ...]:
        """The requests of one imperative. Raises UnreadError."""
        match = _PLAIN.fullmatch(plain)
        if match is None:
            raise UnreadError(plain)
        verb, rest = match["verb"], match["rest"]
        if verb in _STATES:
            return self._states(_STATES[verb], rest, stage, devices=verb in ("start", "stop"))
        if verb == "find":
            things = tuple(map(self._there, self._listed(rest, lambda _: True)))
            self.mentions.add(things)
            return tuple(Request(FindGoal(t.what, t.count), t, stage, means=True) for t in things)
        return self._places(verb, rest, stage)

    def remark(self, text: str) -> None:
        """Remembers what a sentence that asks for nothing speaks of."""
        for part in re.split(_VERB_OF_REMARK, text):
            part = _STATE_AT_END.sub("", part.strip())
            for start in (0, *(named.start() for named in _NAMED.finditer(part))):
                try:
                    self.lists.check_member(noun_phrase.take_apart(part[start:])[0])
                    self.mentions.add(self._listed(part[start:], lambda _: True))
                except UnreadError:
                    continue
                break

    def _states(self, state: str, rest: str, stage: int, *, devices: bool) -> tuple[Request, ...]:
        dimension = words.STATE_DIMENSION[state]
        fits: dict[str, Fits] = {
            words.STATE_DIMENSION[words.STATE_OPEN]: self.knowledge.is_openable,
            words.STATE_DIMENSION[words.STATE_ON]: self.knowledge.is_device,
            words.STATE_DIMENSION[words.STATE_FULL]: self.knowledge.is_vessel,
        }
        rest = _without_opposite(rest, state)
        self.lists.check_member(noun_phrase.take_apart(rest.split(AND)[0])[0])
        things = tuple(map(self._there, self._listed(rest, fits[dimension])))
        for thing in things:
            if self.knowledge.is_room(thing.what.category):
                raise UnreadError(f"{with_article(thing.what.category)} that is {state}", NONSENSE)
            known = self.knowledge.is_known(thing.what.category) or fits[dimension](thing.what.category)
            if (devices and not known) or not self._sensible(thing.what.category, dimension, fits[dimension]):
                raise UnreadError(f"{with_article(thing.what.category)} that is {state}", NONSENSE)
        self.mentions.add(things)
        return tuple(Request(StateGoal(t.what, state, t.count), t, stage) for t in things)

    def _sensible(self, category: str, dimension: str, fits: Fits) -> bool:
        if not self.knowledge.is_known(category) or fits(category):
            return True
        if dimension == words.STATE_DIMENSION[words.STATE_FULL] and self.knowledge.is_furniture(category):
            return True
        return bool(set(self.knowledge.lineage(category)).intersection(lexicon.ALSO[dimension].split()))

    def _places(self, verb: str, rest: str, stage: int) -> tuple[Request, ...]:
        requests: list[Request] = []
        named: list[Phrase] = []
        targets: list[Phrase] = []
        for item in self.lists.items(verb, rest):
            if verb == "put" and not item.to:
                raise UnreadError(f'"put {item.thing}" (where?)')
            relation, destination = self._destination(item.to)
            if destination is not None and not self._is_room_name(destination):
                destination = self._there(destination)
            if not _SOME_OF_THEM.fullmatch(item.thing):
                self.lists.check_member(item.thing)
            for thing in self._things(item.thing, item.at, self.lists.is_portable):
                if destination is None and not self.mentions.refers(item.thing):
                    thing = self._there(thing)
                if destination is not None:
                    self._check(thing, destination.what)
                    goal = PlaceGoal(thing.what, thing.count, relation, destination.what)
                elif verb == "tidy":
                    if not self.lists.is_portable(thing.what.category):
                        raise UnreadError(
                            f"tidying {with_article(thing.what.category)} (name the things to be put away)"
                        )
                    goal = PlaceGoal(thing.what, thing.count)
                else:
                    goal = PlaceGoal(thing.what, thing.count, words.HELD_BY)
                means = destination is None
                requests.append(Request(goal, thing, stage, means))
                named.append(thing)
            if destination is not None and destination not in targets:
                targets.append(destination)
        self.mentions.add(tuple(named), tuple(targets))
        return tuple(requests)

    def described(self, request: Request, words_said: str) -> Request:
        """The request with more said of its things. Raises UnreadError."""
        thing, places = noun_phrase.take_apart(words_said)
        phrase = request.phrase
        more = self.nouns.located(f"{thing} {phrase.what.category}".strip(), places).what
        what = replace(
            phrase.what, colours=phrase.what.colours or more.colours, size=phrase.what.size or more.size
        )
        if more.place is not None:
            what = replace(what, relation=more.relation, place=more.place)
        told = replace(phrase, what=what)
        self.mentions.add((told,))
        return replace(request, phrase=told, goal=replace(request.goal, what=what))

    def go(self, place: str) -> None:
        """Remembers where the robot is sent before it is told what to do there. Raises UnreadError."""
        self.there = self.nouns.read(place).what

    def is_room(self, place: str) -> bool:
        """Raises UnreadError."""
        return self.knowledge.is_room(self.nouns.read(place).what.category)

    def approach(self, place: str, stage: int, *, there: bool) -> Request:
        """The robot is sent somewhere, and that is all. there: in the room where it was sent just before.

        Raises UnreadError, also for rooms: it stands before things.
        """
        thing = self.nouns.read(place)
        if not self._names_a_thing(thing, place):
            raise UnreadError(place)  # "go to work"
        if thing.count != 1 or self.knowledge.is_room(thing.what.category):
            raise UnreadError(place, "is not one thing that the robot can stand before")
        thing = self._there(thing) if there else thing
        self.mentions.add((thing,))
        return Request(FindGoal(thing.what, beside=True), thing, stage)

    def _there(self, thing: Phrase) -> Phrase:
        """The thing, at the place that the robot was sent to."""
        if self.there is None or thing.what.place is not None or thing.what.id:
            return thing
        relation = self.nouns.relation("from", self.there)
        return replace(thing, what=replace(thing.what, relation=relation, place=self.there))

    def _names_a_thing(self, read: Phrase, said: str) -> bool:
        """Whether it is of a known kind, or spoken of as a thing: "the gadget"."""
        return self.knowledge.knows(read.what.category) or bool(re.match(noun_phrase.DETERMINED, said))

    def _check(self, thing: Phrase, destination: Description) -> None:
        """Raises UnreadError for a wardrobe that is to go into a cup."""
        category, knowledge = thing.what.category, self.knowledge
        if thing.what == destination or knowledge.is_room(category):
            raise UnreadError(
                f"{with_article(category)} in or on {with_article(destination.category)}", NONSENSE
            )
        if not knowledge.is_furniture(category) or knowledge.is_room(destination.category):
            return
        small = knowledge.is_known(destination.category) and not knowledge.is_furniture(destination.category)
        large = knowledge.is_container(category) or knowledge.is_surface(category)
        if small or (large and knowledge.is_receptacle(destination.category)):
            raise UnreadError(
                f"{with_article(category)} in or on {with_article(destination.category)}", NONSENSE
            )

    def _destination(self, places: Places) -> tuple[str, Phrase | None]:
        if not places:
            return "", None
        (preposition, name), *further = places
        if preposition in lexicon.HINTS:
            raise UnreadError(f'"{preposition} {name}" as the place to put something')
        if self.mentions.refers(name):
            place = self.mentions.resolve(name, self._is_place, as_place=True)[0]
        else:
            place = self.mentions.same(self.nouns.located(name, further))
            if not self._names_a_thing(place, name):
                raise UnreadError(f'"{preposition} {name}"')
        if place.count != 1:
            raise UnreadError(f"several places: {name}")
        what = place.what
        if self.knowledge.is_room(what.category):
            return words.IN_ROOM, place
        if preposition in ("to", "at"):
            return "", place
        return lexicon.RELATIONS[preposition], place

    def _listed(self, rest: str, fits: Fits) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        for part in self.lists.parts(rest):
            thing, places = noun_phrase.take_apart(part)
            if found and not places and self.lists.is_room(part) and found[-1].what.relation == words.IN_ROOM:
                room = self.nouns.read(part).what  # "the lamps in the bedroom and the kitchen"
                found.append(replace(found[-1], what=replace(found[-1].what, place=room)))
                continue
            found.extend(self._things(thing, places, fits))
        return tuple(found)

    def _things(self, thing: str, places: Places, fits: Fits) -> tuple[Phrase, ...]:
        part = _SOME_OF_THEM.fullmatch(thing)
        if part and not self.mentions.refers(thing):
            count = noun_phrase.number(part["number"])
            group = self.mentions.resolve("them", fits)
            if count in (len(group), sum(thing.count for thing in group)):
                return group
            (whole, *_) = group
            return (replace(whole, count=count, counted=True, definite=False),)
        if not self.mentions.refers(thing):
            resolved = self._resolved(places)
            return (self.mentions.same(self.nouns.located(thing, resolved)),)
        things = self.mentions.resolve(thing, fits)
        if thing == "one":
            things = tuple(
                whole if whole.count == 1 else replace(whole, count=1, counted=True, definite=False)
                for whole in things
            )
        resolved = self._resolved(places)
        if not resolved:
            return things
        at = self.nouns.located("thereof", resolved).what
        return tuple(
            t if t.what.place else replace(t, what=replace(t.what, relation=at.relation, place=at.place))
            for t in things
        )

    def _resolved(self, places: Places) -> Places:
        """The places with nouns for pronouns; "take it out" of nothing in particular says nothing."""
        if places == (("out of", "there"),) and not self._known_place():
            return ()
        return tuple(
            (p, self._named(name)) if self.mentions.refers(name) else (p, name) for p, name in places
        )

    def _known_place(self) -> bool:
        named = [*self.mentions.places, *(thing for group in self.mentions.things for thing in group)]
        return any(self.knowledge.is_container(phrase.what.category) for phrase in named)

    def _named(self, pronoun: str) -> str:
        """The words for a place that a pronoun stands for."""
        return str(self.mentions.resolve(pronoun, self._is_place, as_place=True)[0].what)

    def _is_place(self, category: str) -> bool:
        return (
            self.knowledge.is_receptacle(category)
            or self.knowledge.is_surface(category)
            or self.knowledge.is_room(category)
        )

    def _is_room_name(self, place: Phrase) -> bool:
        return self.knowledge.is_room(place.what.category)


def _without_opposite(rest: str, state: str) -> str:
    """Without that it is not yet so: "switch off the lamps that are still on"."""
    match = _AS_IT_IS.search(rest)
    now = _STATE_WORDS.get(match["state"], state) if match else state
    opposite = now != state and words.STATE_DIMENSION[now] == words.STATE_DIMENSION[state]
    return rest[: match.start()] if match and opposite else rest
