"""Refuses placements that make no sense: a wardrobe in a cup."""

from __future__ import annotations

from stma_ros.domains.household.language.noun_phrase import Phrase
from stma_ros.domains.household.language.states import NONSENSE
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import with_article


def check_fit(knowledge: CategoryKnowledge, thing: Phrase, destination: Description) -> None:
    """Raises UnreadError if an object cannot fit into its destination, such as a wardrobe into a cup."""
    category = thing.what.category
    if thing.what == destination or knowledge.is_room(category):
        raise UnreadError(f"{with_article(category)} in or on {with_article(destination.category)}", NONSENSE)
    if not knowledge.is_furniture(category) or knowledge.is_room(destination.category):
        return
    is_small = knowledge.is_known(destination.category) and not knowledge.is_furniture(destination.category)
    is_large = knowledge.is_container(category) or knowledge.is_surface(category)
    if is_small or (is_large and knowledge.is_receptacle(destination.category)):
        raise UnreadError(f"{with_article(category)} in or on {with_article(destination.category)}", NONSENSE)
