"""Resolves pronouns that stand for a place: "put it in there", "the candle beside it"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stma_ros.domains.household.language import lexicon
from stma_ros.domains.household.language.lists import NEAR_PREPOSITIONS, Lists, Places
from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.references import Fits, Mentions
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words


@dataclass(frozen=True)
class PlaceReferences:
    """The places that pronouns of one text mean."""

    knowledge: CategoryKnowledge
    lists: Lists
    mentions: Mentions

    def without_pronouns(self, places: Places) -> Places:
        """Returns the places with nouns instead of pronouns.

        The place in "take it out" is left out if no container was named before.
        """
        if places == (("out of", "there"),) and not self._has_named_container():
            return ()
        named: list[tuple[str, str]] = []
        for preposition, name in places:
            named.extend(
                self._named(preposition, name) if self.mentions.is_pronoun(name) else [(preposition, name)]
            )
        return tuple(named)

    def _has_named_container(self) -> bool:
        """Whether the text has named a container."""
        named = [*self.mentions.places, *(thing for group in self.mentions.groups for thing in group)]
        return any(self.knowledge.is_container(phrase.what.category) for phrase in named)

    def _named(self, preposition: str, pronoun: str) -> Iterator[tuple[str, str]]:
        """Yields the place to which a pronoun refers, and those within which it is, with their prepositions."""
        place: Description | None = self.mentions.resolve(pronoun, self._is_place, as_place=True)[0].what
        while place is not None and place.place is not None and not self.knowledge.knows(place.category):
            place = place.place  # "on the windowsill in the office; open the curtains there"
        while place is not None:
            yield preposition, "the " + str(replace(place, relation="", place=None))
            preposition = {words.IN_ROOM: "in", words.NEAR: "near"}.get(
                place.relation, place.relation or "at"
            )
            place = place.place

    def place(self, preposition: str, pronoun: str, things: Sequence[Phrase]) -> Phrase:
        """Returns the place that a pronoun after a preposition means.

        Args:
            preposition: before the pronoun.
            pronoun: of the text.
            things: what is put there, as far as it was named before; nothing is put into itself.

        Raises:
            UnreadError: it is not clear which place is meant.
        """
        if pronoun != "there" and preposition in NEAR_PREPOSITIONS:
            beside, *_ = self.mentions.resolve(pronoun, lambda _: True)  # what was put there, not the place
            return beside
        place = self.mentions.resolve(pronoun, self._place_of(preposition, pronoun), as_place=True)[0]
        *_, last = self.mentions.groups or [()]
        is_onto = pronoun != "there" and preposition in ("on", "onto", "on top of")
        is_into = preposition in ("in", "into", "inside")
        if is_onto and place not in last:
            if any(self.lists.is_support(phrase.what.category) for phrase in last):
                raise UnreadError(f'"{pronoun}" (which one?)')  # "put the tray on the table & the cup on it"
        elif is_into and not self.knowledge.is_receptacle(place.what.category):
            holders = [p for p in last if p not in things and self.lists.can_hold(p.what.category)]
            place = holders[0] if len(holders) == 1 else place
        return place

    def usual_relation(self, place: Description) -> str:
        """Returns the relation of things to a place that is named by "there"; empty = in or on."""
        for phrase in (phrase for group in reversed(self.mentions.groups) for phrase in group):
            if phrase.what.place == place and phrase.what.relation in (words.IN, words.ON):
                return phrase.what.relation
        holds = self.knowledge.is_receptacle(place.category)
        carries = self.knowledge.is_surface(place.category)
        if holds == carries or place.category in lexicon.IN_AND_ON:
            return ""
        return words.IN if holds else words.ON

    def _place_of(self, preposition: str, pronoun: str) -> Fits:
        """Returns whether a pronoun after a preposition can mean a place of a category: "it" is not a room."""
        if pronoun == "there":
            return self._is_place
        if preposition in ("in", "into", "inside"):
            return self.knowledge.is_receptacle
        return lambda category: self._is_place(category) and not self.knowledge.is_room(category)

    def _is_place(self, category: str) -> bool:
        return (
            self.knowledge.is_receptacle(category)
            or self.knowledge.is_surface(category)
            or self.knowledge.is_room(category)
            or self.lists.can_hold(category)
        )
