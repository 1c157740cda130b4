"""What memories know by default: households. The only module of the library that imports a domain."""

from __future__ import annotations

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader


def household_knowledge() -> CategoryKnowledge:
    """Returns what is generally true of categories in homes; loaded when it is first asked for."""
    from stma_ros.domains.household.category_knowledge import household_categories

    return household_categories()


def household_reader(knowledge: CategoryKnowledge) -> DescriptionReader:
    """Returns the reader of what people call things at home, in English."""
    from stma_ros.domains.household.language import HouseholdLanguage

    return HouseholdLanguage(knowledge)
