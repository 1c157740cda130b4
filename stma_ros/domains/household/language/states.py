"""Checks requests for a state: which things can get into it, and which are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stma_ros.domains.household.goals import TAP_STATES
from stma_ros.domains.household.language import lexicon
from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.references import Fits, Mentions
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import with_article
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

STATE_VERBS = {
    "open": words.STATE_OPEN,
    "close": words.STATE_CLOSED,
    "switch on": words.STATE_ON,
    "switch off": words.STATE_OFF,
    "start": words.STATE_ON,
    "stop": words.STATE_OFF,
    "fill": words.STATE_FULL,
    "empty": words.STATE_EMPTY,
}
"""The states that the verbs of plain imperatives bring about."""
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
_CURRENT_STATE = re.compile(
    rf" (?:that|which) (?:is|are)(?: still| currently| left| switched| turned| standing)*"
    rf" (?P<state>{'|'.join(_STATE_WORDS)})$"
)
_STATE_FIRST = re.compile(r"(?<= )(?P<state>open|closed|shut|running) (?=\w+s\b)")
NONSENSE = "makes no sense"


@dataclass(frozen=True)
class StateReader:
    """Checks the requests for states of one text."""

    knowledge: CategoryKnowledge
    mentions: Mentions

    def fits(self, state: str) -> Fits:
        """Returns whether things of a category are what people bring into a state."""
        dimension = words.STATE_DIMENSION[state]
        is_opening = dimension == words.STATE_DIMENSION[words.STATE_OPEN]
        can_be = self._can_be(dimension)
        return lambda category: (is_opening and category in lexicon.OPENINGS) or can_be(category)

    def opened_before(self, phrases: tuple[Phrase, ...], state: str) -> tuple[Phrase, ...]:
        """Returns what the text has asked to open rather than what was put into it, as what a pronoun means.

        An example is "open the backpack, put the notebook in it, and close it".
        """
        opened = self.mentions.opened
        if state != words.STATE_CLOSED or len(phrases) != 1 or not opened or phrases[0] in opened:
            return phrases
        return (opened[-1],)

    def check(self, phrases: Sequence[Phrase], state: str, *, limited: str, devices: bool, text: str) -> None:
        """Checks that all things can get into a state.

        Args:
            phrases: the things.
            state: that is wanted.
            limited: words for their current state; empty = the text does not tell it.
            devices: whether the verb is one for devices alone.
            text: names the things.

        Raises:
            UnreadError: they cannot, or only some of them can.
        """
        fits, can_be = self.fits(state), self._can_be(words.STATE_DIMENSION[state])
        named = {thing.what.category for thing in phrases if self.knowledge.is_known(thing.what.category)}
        if len(set(map(fits, named))) > 1:
            raise UnreadError(text)  # "shut the door, and my book please"
        for thing in phrases:
            category = thing.what.category
            if limited and thing.count != ALL:
                raise LimitingWordError(limited, category)
            known = self.knowledge.is_known(category) or can_be(category)
            if (
                self.knowledge.is_room(category)
                or (devices and not known)
                or not self._makes_sense(category, words.STATE_DIMENSION[state], can_be)
            ):
                raise UnreadError(f"{with_article(category)} that is {state}", NONSENSE)

    def add(self, phrases: tuple[Phrase, ...], state: str) -> None:
        """Adds things of a request to the mentions; what opens is also a place."""
        if state == words.STATE_OPEN:
            self.mentions.opened.extend(phrases)
        opens = words.STATE_DIMENSION[state] == words.STATE_DIMENSION[words.STATE_OPEN]
        opened = tuple(thing for thing in phrases if self.knowledge.is_receptacle(thing.what.category))
        self.mentions.add(phrases, opened if opens else ())

    def _can_be(self, dimension: str) -> Fits:
        fits: dict[str, Fits] = {
            words.STATE_DIMENSION[words.STATE_OPEN]: self.knowledge.is_openable,
            words.STATE_DIMENSION[words.STATE_ON]: self.knowledge.is_device,
            words.STATE_DIMENSION[words.STATE_FULL]: self.knowledge.is_vessel,
        }
        return fits[dimension]

    def _makes_sense(self, category: str, dimension: str, fits: Fits) -> bool:
        if not self.knowledge.is_known(category) or fits(category):
            return True
        if dimension == words.STATE_DIMENSION[words.STATE_FULL] and self.knowledge.is_furniture(category):
            return True
        return bool(
            set(self.knowledge.lineage(category)).intersection(lexicon.OTHER_STATEFUL[dimension].split())
        )


def without_opposite(rest: str, state: str) -> tuple[str, str]:
    """Returns objects without the words for their current, opposite state, and these words.

    To switch off all lamps that are still on is to have all lamps off. One lamp that is on is not any lamp.
    """
    match = _CURRENT_STATE.search(rest) or _STATE_FIRST.search(rest)
    now = _STATE_WORDS.get(match["state"], state) if match else state
    if match is None or now == state or words.STATE_DIMENSION[now] != words.STATE_DIMENSION[state]:
        return rest, ""
    if now in TAP_STATES:
        return rest, ""  # a vessel may be neither
    return rest[: match.start()] + rest[match.end() :], match[0].strip()
