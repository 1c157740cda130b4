"""Categories of what detectors name."""

from __future__ import annotations

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.detectors.port import STRUCTURE


def thing_category(name: str, knowledge: CategoryKnowledge) -> str:
    """Returns the canonical name of a kind of thing; empty for parts of the building and rooms, which are no things."""
    category = knowledge.canonical(name)
    return "" if category in STRUCTURE or knowledge.is_room(category) else category
