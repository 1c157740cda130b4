"""Resolves references to objects that a text has named before: "it", "them", "the mug" for a red mug."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.asked_kinds import PARTS_OF_HOME
from stma_ros.memory.descriptions import Description

SAME = "the same"
SINGULAR = re.compile(
    r"(?:it|him|her|this|that|this one|that one|one|the thing|the same|he|she|there|the latter)(?: again)?"
)
PLURAL = re.compile(
    r"(?:(?:all|both|each|every one|all (?:two|three|four|five)) of )?(?:them|they|these|those)(?: (?:both"
    r"|all))?|both|all|the two"
    r"|(?:all|the) (?:two|three|four|five|six)|the lot"
    r"|all of it"
)

Fits = Callable[[str], bool]


@dataclass
class Mentions:
    """The objects and places that a text has named so far.

    Attributes:
        groups: objects that were named together, oldest first.
        places: oldest first.
        focus: what the next clause is about, since the last one gave a reason for a request about it; empty = open.
        opened: objects that the text has asked to open, oldest first.
        unclear: why the last named object is not known ("Tom's mug is next to the plate. Bring it."); None = it is.
    """

    groups: list[tuple[Phrase, ...]] = field(default_factory=list)
    places: list[Phrase] = field(default_factory=list)
    focus: tuple[Phrase, ...] = ()
    opened: list[Phrase] = field(default_factory=list)
    unclear: UnreadError | None = None

    def is_pronoun(self, text: str) -> bool:
        """Whether a noun phrase is a pronoun."""
        return bool(SINGULAR.fullmatch(text) or PLURAL.fullmatch(text))

    def resolve(self, pronoun: str, fits: Fits, *, as_place: bool = False) -> tuple[Phrase, ...]:
        """Returns the objects to which a pronoun refers.

        These are the last named ones that fit, or else the last named ones.

        Args:
            pronoun: of the text.
            fits: whether objects of a category fit the request.
            as_place: whether the pronoun stands for a place, for which named places come first.

        Raises:
            UnreadError: the text has named no object.
        """
        if self.unclear is not None:
            raise self.unclear
        if not self.groups:
            if not any(fits(place.what.category) for place in self.places):
                raise UnreadError(f'"{pronoun}" (which one?)')
            return (next(place for place in reversed(self.places) if fits(place.what.category)),)
        if self.focus and pronoun != SAME and not as_place:
            return self.focus
        if pronoun == SAME:
            return self.groups[-1]
        if PLURAL.fullmatch(pronoun):
            return next((group for group in reversed(self.groups) if _is_plural(group)), self.groups[-1])
        singles: list[tuple[Phrase, ...]] = [group for group in reversed(self.groups) if len(group) == 1]
        named = singles or [(self.groups[-1][-1],)]
        places: list[tuple[Phrase, ...]] = [(place,) for place in reversed(self.places)]
        one = [group for group in named if group[0].count == 1]
        if not as_place and named[0][0].count != 1 and not one and places and pronoun.startswith("it"):
            # "put the towels in the basket and carry it away"
            carried = [place for place in places if fits(place[0].what.category)]
            return carried[0] if carried else named[0]
        candidates = [*places, *named] if as_place else [*named, *places]
        fitting = [group for group in candidates if fits(group[0].what.category)]
        if not fitting and not as_place and candidates[0][0].what.category in PARTS_OF_HOME:
            raise UnreadError(f'"{pronoun}" (which one?)')
        chosen = (fitting or candidates)[0]
        together = self.groups[-1] if len({phrase.what for phrase in self.groups[-1]}) > 1 else ()
        if (
            not as_place
            and (chosen[0] in together or chosen[0] not in self.places)
            and any(phrase == chosen[0] or fits(phrase.what.category) for phrase in together)
        ):
            raise UnreadError(f'"{pronoun}" (which one?)')  # "take the mug and the plate and put it away"
        return chosen

    def earlier_mention(self, phrase: Phrase) -> Phrase:
        """Returns the earlier mention of a definite phrase, if there is one: "the mug" may be the red mug before."""
        if not phrase.definite:
            return phrase
        if self.unclear is not None and phrase.what.category in self.unclear.about.split():
            raise self.unclear
        for group in reversed(self.groups):
            for earlier in group:
                if includes(earlier.what, phrase.what) and (phrase.count == earlier.count):
                    return earlier
        return phrase

    def add(self, phrases: tuple[Phrase, ...], places: tuple[Phrase, ...] = ()) -> None:
        """Adds objects that were named together, with their places, and further places."""
        self.unclear = None
        for phrase in phrases:
            if phrase.what.place is not None:
                self.places.append(Phrase(phrase.what.place))
        self.places.extend(places)
        if phrases:
            self.groups.append(phrases)


def includes(narrow: Description, wide: Description) -> bool:
    """Whether every object that fits the narrow description also fits the wide one."""
    return (
        narrow.category == wide.category
        and narrow.id == wide.id
        and set(wide.colours) <= set(narrow.colours)
        and wide.size in ("", narrow.size)
        and (wide.place is None or (wide.place, wide.relation) == (narrow.place, narrow.relation))
    )


def _is_plural(group: tuple[Phrase, ...]) -> bool:
    """Whether "them" can refer to a group; a single pair of trousers or scissors counts as plural."""
    is_pair = group[0].what.category.endswith("s") and not group[0].what.category.endswith("ss")
    return len(group) > 1 or group[0].count != 1 or is_pair
