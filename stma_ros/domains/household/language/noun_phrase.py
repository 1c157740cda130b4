"""Reads noun phrases for objects: "the two small red mugs on the table in the kitchen"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stma_ros.domains import noun_words
from stma_ros.domains.household.goals import FLOORS
from stma_ros.domains.household.language import lexicon, limits, quantities
from stma_ros.domains.household.language.head_nouns import HeadNouns
from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError
from stma_ros.domains.noun_words import without_colour_suffix
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import is_collective, is_one_in_plural
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_MAX_WORDS = 5  # of an object's name; longer ones are misread sentences
_MAX_DEPTH = 3  # of nested places
_SOME = 2  # objects that "some" asks for at least, before a plural

_NUMBER = "|".join(sorted(noun_words.NUMBERS, key=len, reverse=True)) + r"|\d{1,3}"
_ARTICLE = "the|a|an|my|our|your|his|her|their|its|some|any|this|that|these|those"
DETERMINED = rf"(?:{_ARTICLE}) |[a-z_ ]+_\d+$"
"""The beginning of the name of a particular object, or its id."""

_QUANTITY = re.compile(
    r"(?:(?P<all>all(?: and every)?|every(?: single| last)?|each(?: and every)?|each single)(?: one)?"
    r" (?:of )?)?"
    rf"(?:(?P<number>{_NUMBER}) (?:pairs? of )?(?:of )?)?"
    rf"(?:(?P<partly>any|some) of )?(?:(?P<article>{_ARTICLE}) )?(?:(?P<later>{_NUMBER}) (?:pairs? of )?)?"
)

_PLACE = re.compile(
    r"\s+(?:(?:(?:that|which|who) )?(?:(?:is|are|was|were|should be|must be|should|might be|stands?|lies?"
    r"|sits?|lives?|hangs?"
    r"|lying|standing|sitting|placed|located|kept|stored|left|hanging|probably|maybe|perhaps|currently"
    r"|still|right|just|over"
    r"|back|down|up|away|about|around|out(?! of)|off(?= to\b)|along|across|through|together|there|somewhere|directly"
    r"|straight|neatly|safely|carefully|found|resting|inside(?="
    r" of)) )+)?"
    rf"(?P<preposition>{PREPOSITION}) "
)
_OWN = re.compile(r" of (?:mine|ours|yours|his|hers|theirs)$|^(?:of )?(?:mine|ours) ")
_POSSESSIVE = re.compile(r"(?:\w+ )??(?P<owner>\w+)(?:'s|s') (?P<thing>.+)")
_POSSESSIVE_ROOM = re.compile(r"(?P<room>.+)'s (?P<thing>.+)")
_IS = re.compile(
    r"\s+(?:that|which|who) (?:is|are|looks?)(?: all| still| very| quite| so)* (?P<what>\w+(?:-colou?red)?)$"
)
_OF = re.compile(
    r"^(?P<head>.+?) (?:of|belonging to) (?P<owner>(?:the|my|our|this|that|these|those) .+|[a-z_]+_\d+)$"
)
_CONTENTS = re.compile(r"(?P<vessel>\w+) of (?P<contents>.+)")
_ID = re.compile(r"^(?P<category>(?!.* of )[a-z][a-z_ ]*)_\d+$")
_LIVING = "is a living being, and the robot handles things only"


@dataclass(frozen=True)
class Phrase:
    """Objects as a text mentions them.

    Attributes:
        what: description of the objects.
        count: number of objects; ALL for plurals and "all".
        counted: whether the text gives a number.
        definite: whether particular objects are meant rather than any of the category.
        collective: whether a definite singular names several at once ("the cutlery"), all of which are handled.
    """

    what: Description
    count: int = 1
    counted: bool = False
    definite: bool = True
    collective: bool = False


def split_places(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Returns the noun phrase at the start, and the places after it as pairs of preposition and noun phrase."""
    thing, *rest = _PLACE.split(" " + text)
    return thing.strip(), tuple(zip(rest[::2], map(str.strip, rest[1::2]), strict=True))


@dataclass(frozen=True)
class NounPhrases:
    """Reads noun phrases with knowledge of categories."""

    knowledge: CategoryKnowledge

    @property
    def _heads(self) -> HeadNouns:
        return HeadNouns(self.knowledge)

    def read(self, text: str) -> Phrase:
        """Returns the objects that a noun phrase names. Raises UnreadError."""
        thing, places = split_places(text)
        return self.read_with_places(thing, places)

    def read_with_places(self, thing: str, places: Sequence[tuple[str, str]]) -> Phrase:
        """Returns the objects of a noun phrase at these places, each within the next. Raises UnreadError."""
        coloured = [name for _, name in places if self.knowledge.colour(name)]  # "the mug in red"
        places = [place for place in places if place[1] not in coloured]
        if len(places) > _MAX_DEPTH:
            raise UnreadError(f"so many places: {' '.join(map(' '.join, places))}")
        phrase = self._read_simple(f"{thing} that is {coloured[0]}" if coloured else thing)
        place: Description | None = None
        relation = ""
        for preposition, name in reversed(places):
            named = self._read_simple(name)
            if named.counted and named.count not in (1, ALL):
                raise UnreadError(f"several places: {name}")
            where = named.what
            if not self.knowledge.knows(where.category) and not re.match(DETERMINED, name):
                raise UnreadError(f"{preposition} {name}")  # "at noon"
            if place is not None and where.place is None:
                where = replace(where, relation=relation, place=place)
            place, relation = where, self.relation(preposition, where)
        if place is not None and phrase.what.place is not None and phrase.what.category in FLOORS:
            if place.place is not None:
                raise UnreadError(f"so many places: {' '.join(map(' '.join, places))}")
            room = replace(place, relation=phrase.what.relation, place=phrase.what.place)
            return replace(phrase, what=replace(phrase.what, relation=relation, place=room))
        if place is None or phrase.what.place is not None:
            return phrase
        return replace(phrase, what=replace(phrase.what, relation=relation, place=place))

    def relation(self, preposition: str, place: Description) -> str:
        """Returns the relation of an object to its current place; empty = in or on. Raises UnreadError."""
        if self.knowledge.is_room(place.category) and preposition not in (
            "to",
            "by",
            "near",
            "next to",
            *lexicon.HINTS,
        ):
            return words.IN_ROOM
        if preposition in lexicon.RELATIONS:
            return lexicon.RELATIONS[preposition]
        if preposition in lexicon.HINTS:
            return words.NEAR
        if preposition != "from":
            raise UnreadError(f"{preposition} the {place}")
        if place.category in FLOORS:
            return words.ON
        if place.category in lexicon.IN_AND_ON:
            return ""
        holds = self.knowledge.is_receptacle(place.category) or not self.knowledge.is_surface(place.category)
        return words.IN if holds else words.ON

    def is_adjectives(self, text: str) -> bool:
        """Whether a text consists of adjectives without a noun: "the big", "red"."""
        quantity = _QUANTITY.match(text + " ")
        left = (text + " ")[quantity.end() if quantity else 0 :].split()
        return (
            bool(left)
            and all(self._heads.is_adjective(word) for word in left)
            and not self.knowledge.is_known(self.knowledge.canonical(left[-1]))
        )

    def _read_simple(self, text: str) -> Phrase:
        """Reads a noun phrase without places."""
        text, clause = limits.without_clause(_OWN.sub("", text.strip()))
        named = _ID.match(text.removeprefix("the "))
        if named:
            category = self.knowledge.canonical(named["category"].replace("_", " "))
            return Phrase(Description(category, id=named[0].replace(" ", "_")))
        owned = _OF.match(text)
        if owned:
            return self._part_of(owned["head"], owned["owner"])
        text = _adjective_first(text)
        quantity = _QUANTITY.match(text + " ")
        assert quantity is not None  # all parts of the pattern are optional
        in_room = self._of_room(text[: quantity.end()], (text + " ")[quantity.end() :].strip())
        if in_room is not None:
            return in_room
        noun = self._check_owner((text + " ")[quantity.end() :].strip())
        whole = noun.removeprefix("half ")
        read = whole if self.knowledge.is_portable(whole) else noun  # "the half apple"
        unread = lexicon.UNREAD.search(read) or lexicon.NO_NOUN.search(read)
        if unread or not noun:
            raise UnreadError((unread[0] if unread else text) or "a thing without a name")
        many = self._is_plural(noun) or bool(quantity["all"])
        limits.check_clause(clause, noun.split()[-1], many=many)
        return self._read_noun(noun, quantity)

    def _check_owner(self, noun: str) -> str:
        """Returns a noun phrase unless it names an owner ("grandma's teapot"), which a camera cannot tell."""
        owned = _POSSESSIVE.fullmatch(noun)
        if owned is None or self.knowledge.is_known(self.knowledge.canonical(noun)):
            return noun
        if self._is_room_first(noun[owned.start("owner") :].split()):
            return noun  # "children's room shelf"
        if owned["owner"] in ("everybody", "everyone") and self._is_plural(owned["thing"]):
            return owned["thing"]
        raise LimitingWordError(noun.removesuffix(owned["thing"]).strip(), owned["thing"])

    def _of_room(self, before: str, noun: str) -> Phrase | None:
        """Returns the objects of "the kitchen's two tables"; None = what has them is no room."""
        owned = _POSSESSIVE_ROOM.fullmatch(noun)
        if owned is None or not self.knowledge.is_room(self.knowledge.canonical(owned["room"])):
            return None
        thing = self._read_simple(f"{before}{owned['thing']}")
        room = Description(self.knowledge.canonical(owned["room"]))
        return replace(thing, what=replace(thing.what, relation=words.IN_ROOM, place=room))

    def _is_room_first(self, parts: Sequence[str]) -> bool:
        """Whether words begin with the name of a room."""
        return any(self.knowledge.is_room(" ".join(parts[:end])) for end in range(1, len(parts) + 1))

    def _read_noun(self, noun: str, quantity: re.Match[str]) -> Phrase:
        is_name = self._heads.is_name(noun)
        if not is_name:  # "tank top"
            limits.check_comparison(noun)
        if _singular(noun.split()[-1]) in lexicon.NOT_PORTABLE and not self.knowledge.is_known(
            self.knowledge.canonical(noun)
        ):
            raise UnreadError(noun, _LIVING) if self.knowledge.is_living(noun) else UnreadError(noun)
        parts = [without_colour_suffix(word) for word in re.sub(r"[^\w' -]", " ", noun).split()]
        self._heads.check(parts, noun)
        adjectives = () if is_name else parts[:-1]  # "bottle of olive oil"
        colours = tuple(dict.fromkeys(filter(None, map(self.knowledge.colour, adjectives))))
        sizes = {noun_words.SIZES[part] for part in parts[:-1] if part in noun_words.SIZES}
        remaining = list(parts) if is_name else self._heads.kind(parts)
        holds = _CONTENTS.fullmatch(name := " ".join(remaining))
        if holds and self._is_told_by_contents(holds["vessel"], holds["contents"]):
            raise LimitingWordError(f"of {holds['contents']}", holds["vessel"])
        if len(remaining) > _MAX_WORDS or len(sizes) > 1:
            raise UnreadError(noun)
        plural = self._is_plural(name)
        count, counted = _count(quantity, plural)
        if not plural and quantity[0].endswith(("pair of ", "pairs of ")):
            count, counted = 1, False  # scissors
        elif counted and count != 1 and not plural:
            name = self._singular_name(name)
        category, room = self._heads.split_room(self.knowledge.canonical(name))
        what = Description(category, colours, next(iter(sizes), ""))
        if room:
            what = replace(what, relation=words.IN_ROOM, place=Description(room))
        definite = quantity["article"] not in ("a", "an", "some", "any") and (
            count == ALL or not quantity["number"]
        )
        collective = definite and bool(quantity["article"]) and is_collective(name)
        return Phrase(what, count, counted, definite, collective)

    def _is_told_by_contents(self, vessel: str, contents: str) -> bool:
        """Whether a vessel is told apart by what is in it, which is not perceived ("the cup of coffee", "a bowl of
        soup"), and not named by a kind ("a vase of flowers")."""
        kind = self.knowledge.canonical(f"{vessel} of {contents}")
        if kind == self.knowledge.canonical(vessel):
            return True
        kinds = (kind, self.knowledge.canonical(f"{self.knowledge.canonical(contents)} {vessel}"))
        return self.knowledge.is_vessel(vessel) and not any(map(self.knowledge.is_known, kinds))

    def _part_of(self, head: str, owner: str) -> Phrase:
        """Reads a phrase with "of": "the cupboard of the kitchen", "the drawer of the desk", "two of the mugs"."""
        if re.fullmatch(
            rf"(?:(?:the|any|just) )?(?:all|every one|each one|every|each|any|some|{_NUMBER})", head
        ):  # "two of the mugs"
            # "Two of the glasses" are not spectacles.
            group = self._read_simple(
                re.sub(rf"^(?:the|my|our|these|those|this|that)(?= (?!(?:{_NUMBER})\b))", "two", owner)
            )
            some = re.search(rf"({_NUMBER})$", head)
            if some and not re.search(r"\b(?:every|each) one$", head):
                return replace(group, count=quantities.number(some[0]), counted=True, definite=False)
            if re.search(r"(?:any|some)$", head):
                return replace(group, count=1, definite=False)
            return replace(group, count=ALL, counted=True)
        thing, place = self._read_simple(head), self._read_simple(owner).what
        if place.id:
            raise UnreadError(f"{head} of {owner}")
        if not self.knowledge.is_room(place.category):
            whole = self.knowledge.canonical(f"{place.category} {thing.what.category}")
            holds = self.knowledge.is_furniture(place.category) or self.knowledge.is_container(place.category)
            if (
                self.knowledge.is_furniture(thing.what.category)
                and self.knowledge.is_known(place.category)
                and not (holds or self.knowledge.is_known(whole))
            ):
                raise UnreadError(
                    f"{head} of {owner}"
                )  # "the sofa of that box": furniture is no part of a thing
            return replace(
                thing, what=replace(thing.what, category=f"{place.category} {thing.what.category}")
            )
        return replace(thing, what=replace(thing.what, relation=words.IN_ROOM, place=place))

    def _is_plural(self, name: str) -> bool:
        last = name.partition(" of ")[0].split()[-1]  # "chest of drawers" is singular
        category = self.knowledge.canonical(name)
        ends = last.endswith("s") and not last.endswith(("ss", "us", "is")) and not is_one_in_plural(last)
        return ends and self.knowledge.canonical(last) != last and not category.endswith("s")

    def _singular_name(self, name: str) -> str:
        """Returns the singular of a counted plural in "-sses": "two glasses" are not spectacles."""
        single = re.sub(r"(?<=ss)es$", "", name)
        return single if self.knowledge.is_known(single) else name


def _count(quantity: re.Match[str], plural: bool) -> tuple[int, bool]:
    """Returns the number of objects, and whether the text gives it."""
    value = quantity["number"] or quantity["later"]
    if value:
        return quantities.number(value), True
    if quantity["all"]:
        return ALL, True
    if quantity["partly"] or quantity["article"] in ("a", "an", "some", "any"):
        return (_SOME if plural and quantity["article"] == "some" else 1), False
    return (ALL if plural else 1), False


def _singular(word: str) -> str:
    return word if word in lexicon.NOT_PORTABLE else word.removesuffix("s")


def _adjective_first(thing: str) -> str:
    """Returns "the red mug" for "the mug that is red"."""
    match = _IS.search(thing)
    if not match:
        return thing
    head = thing[: match.start()].strip()
    quantity = _QUANTITY.match(head + " ")
    end = quantity.end() if quantity else 0
    return f"{head[:end].rstrip()} {match['what']} {head[end:]}".strip()
