"""Reads plain descriptions of objects without the language of a domain."""

from __future__ import annotations

from stma_ros.library.phrases import split_place, telling_words
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description, DescriptionReader


class CategoryReader(DescriptionReader):
    """Reads "COLOUR CATEGORY in, on or at PLACE", also within a question; other words of the phrase are passed over."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge

    def description(self, phrase: str) -> Description | None:
        thing, place = split_place(phrase)
        described = self._described(thing)
        where = self._described(place)
        if described is None or where is None:
            return described
        return Description(described.category, described.colours, place=where)

    def _described(self, phrase: str) -> Description | None:
        words = telling_words(phrase)
        named = " ".join(word for word in words if not self._knowledge.colour(word))
        colours = tuple(filter(None, map(self._knowledge.colour, words)))
        return Description(self._knowledge.canonical(named), colours) if named else None
