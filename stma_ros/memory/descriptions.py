"""Descriptions of things, and the port through which a phrase becomes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from stma_ros.memory.nouns import plural
from stma_ros.types.goals import ThingDescription

SMALL: Final = "small"
LARGE: Final = "large"


@dataclass(frozen=True)
class Description:
    """A thing, a place or a room as people name it.

    category: a canonical name (CategoryKnowledge.canonical). colours: basic colour words that must fit. size: SMALL,
    LARGE, or empty; compared among things of the category. relation and place: where it is said to be (words.IN, ON,
    NEAR or IN_ROOM; empty relation = in or on it). An object's id of the scene graph is a description too: `id`.
    """

    category: str
    colours: tuple[str, ...] = ()
    size: str = ""
    relation: str = ""
    place: Description | None = None
    id: str = ""

    def __str__(self) -> str:
        return self._said(self.category)

    @property
    def many(self) -> str:
        """The description of several such things: "red mugs on the table"."""
        return self._said(plural(self.category))

    def _said(self, noun: str) -> str:
        words = " ".join(word for word in (self.size, *self.colours, noun) if word)
        if self.place is None:
            return words
        return f"{words} {self.relation.removesuffix(' room') or 'in or on'} the {self.place}"

    @property
    def messages(self) -> tuple[ThingDescription, ...]:
        """The description as messages have it: the thing first, then the places that it is in, from within outwards."""
        here = ThingDescription(
            category=self.category, colours=self.colours, size=self.size, relation=self.relation, id=self.id
        )
        return here, *(self.place.messages if self.place is not None else ())

    @classmethod
    def of(cls, messages: Sequence[ThingDescription]) -> Description | None:
        """Returns the description in a sequence of messages; None for an empty sequence."""
        described: Description | None = None
        for thing in reversed(messages):
            described = cls(thing.category, thing.colours, thing.size, thing.relation, described, thing.id)
        return described


class DescriptionReader(Protocol):
    """Reads what people call things, in the language of a domain."""

    def description(self, phrase: str) -> Description | None:
        """Returns what a noun phrase ("my red mug in the kitchen") or a question for a thing describes; None where the
        phrase is neither."""
