"""What "it", "them" and "the mug" (the red one, of before) stand for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from stma_ros.domains.household.language.noun_phrase import Phrase, UnreadError
from stma_ros.memory.descriptions import Description

SAME = "the same"
SINGULAR = re.compile(
    r"(?:it|him|her|this|that|this one|that one|one|the thing|the same|he|she|there|the latter)(?: again)?"
)
PLURAL = re.compile(
    r"(?:(?:all|both|each|every one) of )?(?:them|they|these|those)(?: (?:both|all))?|both|all|the two"
    r"|all of it"
)

Fits = Callable[[str], bool]


@dataclass
class Mentions:
    """The things and places that a text has named so far."""

    things: list[tuple[Phrase, ...]] = field(default_factory=list)
    places: list[Phrase] = field(default_factory=list)

    def refers(self, text: str) -> bool:
        """Whether a noun phrase is a pronoun."""
        return bool(SINGULAR.fullmatch(text) or PLURAL.fullmatch(text))

    def resolve(self, pronoun: str, fits: Fits, *, as_place: bool = False) -> tuple[Phrase, ...]:
        """What the pronoun stands for: the last of what was named that fits, else the last. Raises UnreadError."""
        if not self.things:
            raise UnreadError(f'"{pronoun}" (which one?)')
        if pronoun == SAME:
            return self.things[-1]
        if PLURAL.fullmatch(pronoun):
            return next((group for group in reversed(self.things) if _several(group)), self.things[-1])
        single: list[tuple[Phrase, ...]] = [group for group in reversed(self.things) if len(group) == 1]
        named = single or [(self.things[-1][-1],)]
        places: list[tuple[Phrase, ...]] = [(place,) for place in reversed(self.places)]
        candidates = [*places, *named] if as_place else [*named, *places]
        return next((group for group in candidates if fits(group[0].what.category)), candidates[0])

    def same(self, phrase: Phrase) -> Phrase:
        """The thing as it was first named, if it was: "the mug" may be the red mug of before."""
        if not phrase.definite:
            return phrase
        for group in reversed(self.things):
            for earlier in group:
                if includes(earlier.what, phrase.what) and (phrase.count == earlier.count):
                    return earlier
        return phrase

    def add(self, things: tuple[Phrase, ...], places: tuple[Phrase, ...] = ()) -> None:
        for thing in things:
            if thing.what.place is not None:
                self.places.append(Phrase(thing.what.place))
        self.places.extend(places)
        if things:
            self.things.append(things)


def includes(narrow: Description, wide: Description) -> bool:
    """Whether what is described as `narrow` fits the other description by its words alone."""
    return (
        narrow.category == wide.category
        and narrow.id == wide.id
        and set(wide.colours) <= set(narrow.colours)
        and wide.size in ("", narrow.size)
        and (wide.place is None or (wide.place, wide.relation) == (narrow.place, narrow.relation))
    )


def _several(group: tuple[Phrase, ...]) -> bool:
    """Whether they are called "them": trousers and scissors are, though there is one pair."""
    pair = group[0].what.category.endswith("s") and not group[0].what.category.endswith("ss")
    return len(group) > 1 or group[0].count != 1 or pair
