"""Reads an English task as goals.

A text is normalised (spelling) and divided into clauses (sentence, politeness). Each clause is rewritten as one of a
few plain imperatives (rewriting: questions, indirect_requests, imperatives). These are read (requests, lists,
noun_phrase, references) in order (clause_reader), and their combination is checked (consistency). Text that would
change the goals is never ignored: a text that is not understood is refused.
"""

from stma_ros.domains.household.language.parse import HouseholdLanguage

__all__ = ["HouseholdLanguage"]
