"""Default knowledge of memories, that of households. Only this module of the library imports a domain."""

from __future__ import annotations

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.question_answerer import QuestionAnswerer


def household_knowledge(extension: str = "") -> CategoryKnowledge:
    """Returns general knowledge of categories in homes; it is loaded at the first call.

    Args:
        extension: a YAML or JSON file with more entries (docs/howto/settings.md); empty = none.

    Raises:
        ConfigurationError: the file cannot be read or does not fit.
    """
    from stma_ros.domains.household.category_knowledge import household_categories

    return household_categories(extension)


def household_answerer(knowledge: CategoryKnowledge) -> QuestionAnswerer:
    """Returns what answers questions in English about a home."""
    from stma_ros.domains.household.memory_answerer import MemoryAnswerer

    return MemoryAnswerer(knowledge)


def household_reader(knowledge: CategoryKnowledge) -> DescriptionReader:
    """Returns the reader of English descriptions of objects at home."""
    from stma_ros.domains.household.language import HouseholdLanguage

    return HouseholdLanguage(knowledge)
