"""Reads the words of a noun phrase that name a kind of thing: its head noun, and what stands before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.domains.household.goals import FLOORS
from stma_ros.domains.household.language import lexicon, limits, verbs
from stma_ros.domains.household.language.common_words import COMMON_WORDS
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError
from stma_ros.domains.noun_words import without_colour_suffix
from stma_ros.memory.category_knowledge import CategoryKnowledge

_PACKED = re.compile(
    r"(?:bottle|carton|jar|pack|packet|package|box|bag|can|tin|tube|tub|bar|loaf|stick)(?:s|es)? of"
    r" (?P<goods>(?!(?:of|the|my|our|these|those|his|her|their|it|them)\b)[a-z-]+(?: (?!of\b)[a-z-]+)?)"
)


@dataclass(frozen=True)
class HeadNouns:
    """Reads head nouns with knowledge of categories."""

    knowledge: CategoryKnowledge

    def check(self, parts: Sequence[str], noun: str) -> None:
        """Raises UnreadError if words do not end with a noun.

        Args:
            parts: the words of a noun phrase after its determiner and numbers.
            noun: the same as a text.
        """
        # A colour at the end of the phrase may be a noun: an orange is a fruit.
        if not parts or (
            self.is_adjective(parts[-1]) and not self.knowledge.is_known(self.knowledge.canonical(parts[-1]))
        ):
            raise UnreadError(noun)
        is_noun = any(map(self.knowledge.is_known, map(self.knowledge.canonical, (noun, parts[-1]))))
        if parts[-1] in noun_words.NUMBERS or (parts[-1] in lexicon.VERBS_OF_PLACE and not is_noun):
            raise UnreadError(noun)
        if len(parts) > 1 and not is_noun and (parts[-1].endswith("ly") or self._is_verb_form(parts[-1])):
            raise UnreadError(parts[-1])  # "the fridge thoroughly"
        if self._goes_on_after_noun(parts):
            raise UnreadError(noun)

    def is_name(self, text: str) -> bool:
        """Whether a text is the name of a kind: of the vocabulary, or of a thing of several words that the priors know:
        "wicker basket", "jar of honey"; not what may as well be a quality and a kind: "broken glass"."""
        text = text.removeprefix("half ")
        name = self.knowledge.canonical(text)
        if self.knowledge.is_known(name) or self._is_packed(text):
            return True
        first, space, rest = text.partition(" ")
        is_material = first in noun_words.MATERIALS and first not in noun_words.LIMITING_ADJECTIVES
        is_quality = self.is_adjective(first) and not is_material
        may_be_quality = is_quality and self.knowledge.is_known(self.knowledge.canonical(rest))
        return bool(space) and name in self.knowledge.portables and not may_be_quality

    def _is_packed(self, text: str) -> bool:
        """Whether a text names goods by what they are sold in, which is seen: "bottle of milk", not "cup of coffee"."""
        packed = _PACKED.fullmatch(text)
        return packed is not None and not any(map(self.is_adjective, packed["goods"].split()))

    def is_adjective(self, word: str) -> bool:
        """Whether a word is an adjective, as far as the grammar knows."""
        return bool(
            self.knowledge.colour(without_colour_suffix(word))
            or word in noun_words.SIZES
            or word in noun_words.MATERIALS
            or word in noun_words.LIMITING_ADJECTIVES
            or word in noun_words.DROPPED_ADJECTIVES
        )

    def _goes_on_after_noun(self, parts: Sequence[str]) -> bool:
        """Whether a known noun is followed by a word that is none: "fridge been", "counter requires"."""
        if len(parts) < 2 or self.is_name(" ".join(parts)):
            return False
        last = self.knowledge.canonical(parts[-1])
        if self.knowledge.knows(last) or self.knowledge.is_portable(last) or self.knowledge.is_living(last):
            return False
        return parts[-1] in COMMON_WORDS and any(
            self.knowledge.is_known(self.knowledge.canonical(part)) for part in parts[:-1]
        )

    def _is_verb_form(self, word: str) -> bool:
        """Whether a last word says what is done with the thing before it: "water running", "shoes wanted"."""
        return not self.knowledge.is_known(self.knowledge.canonical(word)) and (
            (word.endswith("ed") and len(word) > 4)
            or word in verbs.GERUNDS
            or word in verbs.PARTICIPLES
            or word in lexicon.VERBS_OF_PLACE
        )

    def kind(self, parts: Sequence[str]) -> list[str]:
        """Returns the words of a noun phrase that name a kind of thing, without colours and sizes.

        Raises:
            LimitingWordError: a word says which thing is meant, and a camera cannot tell it.
        """
        told = (*noun_words.SIZES, *noun_words.DROPPED_ADJECTIVES)
        named = [part for part in parts[:-1] if part not in told and not self.knowledge.colour(part)]
        for start in range(len(named)):
            if self.is_name(" ".join((*named[start:], parts[-1]))):
                limits.check_modifiers(self.knowledge, named[:start], " ".join((*named[start:], parts[-1])))
                return [*named, parts[-1]]
        for word in named:
            if word in noun_words.LIMITING_ADJECTIVES:
                raise LimitingWordError(word, parts[-1])
        if self.knowledge.is_known(self.knowledge.canonical(parts[-1])):
            limits.check_modifiers(self.knowledge, named, parts[-1])
        return [*named, parts[-1]]

    def split_room(self, category: str) -> tuple[str, str]:
        """Splits "bedroom lamp" into lamp and bedroom, for furniture, devices and floors, not for "kitchen knife"."""
        if self.knowledge.is_known(category):
            return category, ""
        parts = category.split()
        for start in range(len(parts) - 1, 0, -1):
            room, thing = " ".join(parts[:start]), self.knowledge.canonical(" ".join(parts[start:]))
            if self.knowledge.is_room(room) and (
                self.knowledge.is_furniture(thing) or self.knowledge.is_device(thing) or thing in FLOORS
            ):
                return thing, self.knowledge.canonical(room)
        return category, ""
