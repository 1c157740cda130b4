"""Splits lists into their members, each with its current and its new place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stma_ros.domains.household.goals import FLOORS
from stma_ros.domains.household.language import noun_phrase
from stma_ros.domains.household.language.lexicon import HINTS, RELATIONS
from stma_ros.domains.household.language.noun_phrase import NounPhrases
from stma_ros.domains.household.language.patterns import AND
from stma_ros.domains.household.language.references import Mentions
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.asked_kinds import PARTS_OF_HOME
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import plural

_GOAL_PREPOSITIONS = ("into", "onto", "in to", "on to", "to", "upon", "atop")
"""Prepositions of a new place, never of the current one."""

_SOURCE_PREPOSITIONS = (
    "from",
    "out of",
    "off",
    "off of",
    *(p for p in (*RELATIONS, *HINTS) if "from " in p),
)
"""Prepositions of the current place, never of a new one."""

NEAR_PREPOSITIONS = ("next to", "close to", "adjacent to", "beside", "near", "by", "alongside")

_ONE = re.compile(
    r"(?P<start>the|my|our|a|an|that|this)(?P<which>(?: .+)?) one|(?P<other>another|a (?:second|third))(?: one)?"
)
_ONES = re.compile(r"(?:all )?(?P<start>the|my|our) (?P<which>.+) ones")
"""An object with "one" or "another" instead of a noun."""

ANOTHER = re.compile(r"(?:another|the (?:other|second|third)|a (?:second|third)|one more) (?P<kind>.+)")
"""Objects that are others than those named before."""

Places = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Item:
    """A member of a list.

    Attributes:
        thing: noun phrase of the objects.
        at: current places, each within the next.
        to: new places, each within the next.
    """

    thing: str
    at: Places = ()
    to: Places = ()


@dataclass(frozen=True)
class Lists:
    """Reads lists with knowledge of categories and of the objects that were mentioned before."""

    knowledge: CategoryKnowledge
    nouns: NounPhrases
    mentions: Mentions

    def items(self, verb: str, rest: str) -> list[Item]:
        """Returns the members of the list in a plain imperative ("put", "bring", ...). Raises UnreadError."""
        items: list[Item] = []
        for part in self.parts(rest):
            item = self._read_item(verb, part)
            before = items[-1] if items else None
            if before is not None and before.at and not item.at and self.is_room(item.thing):
                at = (*before.at[:-1], (before.at[-1][0], item.thing))
                item = Item(before.thing, at, item.to)  # "from the bedroom and the office"
            items.append(item)
        return self._shared_places(items)

    def _with_nouns(self, parts: Sequence[str]) -> list[str]:
        """Returns the members with nouns instead of "one": "the red mug & the blue one", "a candle & another"."""
        named: list[str] = []
        ones = 0
        for part in parts:
            thing, places = noun_phrase.split_places(part)
            match = _ONE.fullmatch(thing)
            kind = (
                self._category_of_one(named) if match and (match["which"] or places or match["other"]) else ""
            )
            if match and kind:
                ones += 1
                start = match["start"] or match["other"]
                part = f"{start} {match['which'] or ''} {kind}{part[len(thing) :]}"
            several = _ONES.fullmatch(thing)
            group = self._category_of_one(named) if several else ""
            if several and group:
                part = f"all {several['start']} {several['which']} {plural(group)}{part[len(thing) :]}"
            named.append(" ".join(part.split()))
        if (
            1 < ones == len(parts) - 1
            and self.nouns.read(noun_phrase.split_places(named[0])[0]).count == ones
        ):
            return named[1:]
        return named

    def _category_of_one(self, before: Sequence[str]) -> str:
        """Returns the category that "one" stands for, which is the last named one; empty = none was named."""
        if before:
            return self._category(noun_phrase.split_places(before[-1])[0])
        return self.mentions.groups[-1][-1].what.category if self.mentions.groups else ""

    def _read_item(self, verb: str, text: str) -> Item:
        """Returns a member of a list, with its places divided into current and new ones."""
        thing, places = noun_phrase.split_places(text)
        if not thing:
            raise UnreadError(text)
        start = next(
            (i for i, (preposition, _) in enumerate(places) if preposition in _GOAL_PREPOSITIONS), None
        )
        if start is None and verb == "put":
            start = self._destination_start(places)
        elif start is None and verb in ("bring", "take"):
            start = 0 if places and places[0][0] in ("next to", "beside") else None
            if start is None and verb == "bring":
                start = next((i for i, (preposition, _) in enumerate(places) if preposition == "at"), None)
        elif start is None:
            start = next(
                (i for i, (p, name) in enumerate(places) if p == "in" and self._is_receptacle_name(name)),
                None,
            )
        if start is None:
            return Item(thing, places)
        end = next(
            (i for i in range(start, len(places)) if places[i][0] in _SOURCE_PREPOSITIONS), len(places)
        )
        return Item(thing, (*places[:start], *places[end:]), places[start:end])

    def parts(self, rest: str) -> list[str]:
        """Returns the members of a list, each with a noun: "the big & red mug", "the red & the blue mug"."""
        parts: list[str] = []
        pending: list[str] = []
        members = rest.split(AND)
        if len(members) == 2:
            # "both the oven and the stove"
            members[0] = re.sub(r"^both (?=(?:the|my|our|a|an) )", "", members[0])
        for part in members:
            if self.nouns.is_adjectives(part):
                pending.append(part)
                continue
            thing, _ = noun_phrase.split_places(part)
            if not pending or not thing:
                parts.append(part)
                continue
            determined = re.match(r"(?:the|my|a|an|our|both the|all the)\b", part)
            noun = thing.split()[-1]
            kinds = {
                self._adjective_kind(p.split()[-1])
                for p in (*pending, thing.removesuffix(noun).strip() or "-")
            }
            if determined or (len(kinds) == 1 and self.nouns.read(thing).count != 1):
                parts.extend(f"{p} {noun}" for p in pending)
                parts.append(part)
            else:
                parts.append(" ".join((*pending, part)))
            pending = []
        if pending:
            raise UnreadError(" and ".join(pending))
        parts = self._with_nouns(parts)
        for part in parts[1:]:
            self.check_member(noun_phrase.split_places(part)[0])
        return parts

    def check_member(self, thing: str) -> None:
        """Raises UnreadError for a member that is not an object: "dance" in "put the mug in the sink and dance"."""
        is_determined = re.match(noun_phrase.DETERMINED, thing) or ANOTHER.fullmatch(thing)
        if not thing or self.mentions.is_pronoun(thing) or is_determined:
            return
        phrase = self.nouns.read(thing)
        known = any(map(self.knowledge.is_known, self.knowledge.lineage(phrase.what.category)))
        if not known and not phrase.counted and phrase.count == 1:
            raise UnreadError(thing)

    def is_room(self, name: str) -> bool:
        """Whether a noun phrase names a room."""
        return self.knowledge.is_room(self._category(name))

    def is_room_category(self, category: str) -> bool:
        """Whether a category is a kind of room."""
        return self.knowledge.is_room(category)

    def is_portable(self, category: str) -> bool:
        """Whether a text can mean that objects of a category are carried; of an unknown one, the planner tells."""
        is_fixed = category in PARTS_OF_HOME or self.knowledge.is_room(category)
        return not self.knowledge.is_furniture(category) and not is_fixed

    def _destination_start(self, places: Places) -> int | None:
        """Returns the index of the destination in places without "to" or "into"; None = there is none.

        The destination is the last place, with a place before it if that is located by the last one: "on the floor next
        to the sofa" is one place.
        """
        weak = [i for i, (preposition, _) in enumerate(places) if preposition not in _SOURCE_PREPOSITIONS]
        if not weak:  # "from the cupboard in the kitchen"
            return None
        last = weak[-1]
        if len(weak) == 1 or last == 0 or places[last - 1][0] in _SOURCE_PREPOSITIONS:
            return last
        (before, holder), (_, name) = places[last - 1], places[last]
        if before in NEAR_PREPOSITIONS and not self._is_portable_name(holder) and self._is_fixed_name(name):
            raise UnreadError(
                f"{before} {holder} {places[last][0]} {name}",
                "may say where to put it, or where it is now",
                "Say 'from' before the present place.",
            )
        nested = (
            self.is_room(name)
            or before in NEAR_PREPOSITIONS
            or (
                self._is_portable_name(holder)
                and not self._is_portable_name(name)
                and self.can_hold(self._category(holder))
            )
        )
        start = last - 1 if nested else last
        if start == 0:
            return start
        (before, holder), (preposition, name) = places[start - 1], places[start]
        if before in NEAR_PREPOSITIONS and self._category(name) in FLOORS:
            return start - 1  # "next to the table on the floor in the kitchen"
        if preposition not in NEAR_PREPOSITIONS or self._category(holder) not in FLOORS:
            return start
        if start < last and not self.is_room(places[last][1]):
            raise UnreadError(
                f"{before} {holder} {preposition} {name} {' '.join(places[last])}",
                "may say where to put it, or where it is now",
                "Say 'from' before the present place.",
            )
        return start - 1

    def _shared_places(self, items: Sequence[Item]) -> list[Item]:
        """Returns the members with the places that they share: "the mug, the plate in the sink"."""
        shared: list[Item] = []
        to: Places = ()
        source: Places = ()
        for item in reversed(items):
            if item.to:
                to, source = item.to, tuple(place for place in item.at if place[0] in _SOURCE_PREPOSITIONS)
            at = item.at if item.at or self.mentions.is_pronoun(item.thing) else source
            shared.append(replace(item, to=item.to or to, at=at))
            if not item.to and not to:
                source = source or tuple(place for place in item.at if place[0] in _SOURCE_PREPOSITIONS)
        shared.reverse()
        for i, item in enumerate(shared[1:], start=1):
            if not item.to:
                shared[i] = replace(item, to=shared[i - 1].to)
        return shared

    def _adjective_kind(self, word: str) -> str:
        return "colour" if self.knowledge.colour(word) else "other"

    def _category(self, name: str) -> str:
        try:
            return self.nouns.read(name).what.category
        except UnreadError:
            return ""

    def _is_portable_name(self, name: str) -> bool:
        return self.is_portable(self._category(name))

    def _is_fixed_name(self, name: str) -> bool:
        category = self._category(name)
        return self.knowledge.is_furniture(category) and not self.knowledge.is_room(category)

    def _is_receptacle_name(self, name: str) -> bool:
        category = self._category(name)
        return self.knowledge.is_receptacle(category) and not self.knowledge.is_vessel(category)

    def can_hold(self, category: str) -> bool:
        """Whether things can be in or on objects of a category."""
        kinds = set(self.knowledge.lineage(category))
        return bool(
            kinds & {"bowl", "plate", "tray", "box", "basket", "pot", "pan", "bag", "vase", "jar"}
        ) or self.knowledge.is_receptacle(category)

    def is_support(self, category: str) -> bool:
        """Whether portable things of a category are made to put others on."""
        return bool({"plate", "tray", "saucer"} & set(self.knowledge.lineage(category)))
