"""Reads sentences without a request for the objects that they name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from stma_ros.domains.household.language import limits, noun_phrase
from stma_ros.domains.household.language.lists import Lists
from stma_ros.domains.household.language.noun_phrase import NounPhrases, Phrase
from stma_ros.domains.household.language.patterns import PREPOSITION, STATE
from stma_ros.domains.household.language.references import Mentions
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError

_VERB_OF_REMARK = (
    r"\b(?:(?<!that )(?<!which )(?<!who )(?:is|are|was|were)|lost|has|have|had|left|forgot|put|dropped|see|got"
    r"|needs?|likes?|loves?|wants?"
    r"|contains?"
    r"|(?:normally |usually |always |really )?(?:lives?|belongs?|goes)|ended up|(?:turned|switched) (?:on|off)"
    r"|stands|stand(?= (?:in|on|at|by|near|under|next)\b)|disappeared|vanished)\b"
)
_NAMED = re.compile(
    r"\b(?:both|all(?= (?:the|my|our|of)\b)|the|my|our|your|their|his|her|a|an|some|two|three|four|five"
    r"|one of(?= (?:the|my|our|these|those)\b)"
    r"|(?:every|each)(?! (?:(?:single|other) )?(?:day|night|morning|evening|afternoon|week|month|year|time|minute|hour"
    r"|now|so|bit|of|one|inch|step)\b))\b"
)
_PLACE_OF_SOMETHING = re.compile(rf"(?:^|\w ){PREPOSITION} $")
_BEFORE_PLACE = re.compile(
    r"(?:(?:still|somewhere|probably|perhaps|maybe|usually|hidden|hiding|kept|found|resting|lying|standing"
    rf"|sitting|hanging|just|now|currently|always|again|left|right|over|up|down)"
    rf" )*{PREPOSITION} "
)
_LIQUID = re.compile(r"\b(?:water|liquid)\b")
_CONTENTS = re.compile(
    r"\b(?:water|liquid|tea|coffee|juice|soup)(?: (?:that|which) (?:is|was))?(?: left| still)? in(?:side)?"
    r" (?P<x>(?:the|my|our|both|all the) .+)"
)
"""What is in a vessel; the vessel is what the next sentence is about."""
_PART_OF_KIND = re.compile(
    rf"(?:a|an|one|some|two|three|four|another)(?: of (?:the|my|our|these|those))? [\w -]+? (?:is|are)"
    rf"(?: (?:still|very|quite|so|all|already))* (?!{STATE}$)[\w-]+"
)
"""Tells some of a kind from others by how they look: "one of the mugs is red, put it in the sink"."""
_TIME_AT_END = re.compile(
    r" (?:yesterday|today|earlier(?: today| on)?|just now|before|recently|last night|this (?:morning|afternoon"
    r"|evening)|(?:\w+ )?(?:minutes|hours|days) ago|a (?:while|moment|minute) ago)$"
)
_STATE_AT_END = re.compile(
    r" (?:wide )?(?:behind|(?:lying )?(?:around|about)|somewhere|down|open|closed|shut|on|off|full|empty|out"
    r"|running)$"
)


@dataclass(frozen=True)
class RemarkReader:
    """Reads the remarks of one text."""

    nouns: NounPhrases
    lists: Lists
    mentions: Mentions

    def read(self, text: str, read_list: Callable[[str], tuple[Phrase, ...]]) -> None:
        """Adds the objects in a sentence to the mentions, or why they are not known.

        Args:
            text: of the sentence.
            read_list: reads a list of objects; raises UnreadError.
        """
        contents = _CONTENTS.search(text)
        if contents and self._holds_things(contents["x"]):
            contents = None  # "the juice in the fridge" is a bottle of it
        if contents:
            text = contents["x"]
        unclear: UnreadError | None = None
        named = placed = False
        for part in re.split(_VERB_OF_REMARK, text):
            part = _STATE_AT_END.sub("", _TIME_AT_END.sub("", part.strip()))
            for start in (0, *(named.start() for named in _NAMED.finditer(part))):
                try:
                    self.lists.check_member(noun_phrase.split_places(part[start:])[0])
                    found = read_list(part[start:])
                except UnreadError as error:
                    if _is_unclear(part[start:], error):
                        unclear = error
                    continue
                if (
                    named
                    and _BEFORE_PLACE.fullmatch(part[:start])
                    and self._locate_last(part, may_move=not placed)
                ):
                    break  # "a sock is | on the floor"
                if named and _PLACE_OF_SOMETHING.search(part[:start]):
                    self.mentions.places.extend(found)  # "the mug is | well hidden behind the vase"
                    break
                self.mentions.add(found)
                placed = bool(noun_phrase.split_places(part[start:])[1])
                if (
                    not named
                    and _PLACE_OF_SOMETHING.search(part[:start])
                    and not _LIQUID.search(part)
                    and not all(self.lists.is_room_category(thing.what.category) for thing in found)
                ):
                    unclear = UnreadError(part)  # "somebody's things are on the desk"
                named = True
                break
        if _PART_OF_KIND.fullmatch(text):
            unclear = UnreadError(text)
        self.mentions.unclear = unclear
        if contents and unclear is None and self.mentions.groups:
            self.mentions.focus = self.mentions.groups[-1]

    def _holds_things(self, place: str) -> bool:
        """Whether a text begins with the name of furniture, in which drinks stand in bottles."""
        try:
            category = self.nouns.read(noun_phrase.split_places(place)[0]).what.category
        except UnreadError:
            return False
        return self.nouns.knowledge.is_furniture(category) and not self.nouns.knowledge.is_vessel(category)

    def _locate_last(self, places: str, *, may_move: bool) -> bool:
        """Adds places to the objects that were named last; returns whether it did.

        Args:
            places: words for them.
            may_move: whether places that earlier sentences have told do not hold any more, or are those of others.
        """
        *_, last = self.mentions.groups
        if not may_move and any(thing.what.place is not None for thing in last):
            return False
        at = self.nouns.read(f"thereof {places}").what
        if at.place is None:
            return False
        self.mentions.add(
            tuple(
                replace(thing, what=replace(thing.what, relation=at.relation, place=at.place))
                for thing in last
            )
        )
        return True


def _is_unclear(phrase: str, error: UnreadError) -> bool:
    """Whether a noun phrase of a remark names an object that is not understood, rather than a person or a liquid."""
    if _LIQUID.search(phrase) or limits.PERSON.match(phrase):
        return False
    return isinstance(error, LimitingWordError) or bool(_NAMED.match(phrase))
