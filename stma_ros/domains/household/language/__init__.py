"""Reads the English of a task as goals.

A text is brought to one spelling (spelling) and taken apart into clauses (sentence, courtesies); each is rewritten as
one of a few plain imperatives (rewriting: questions, wishes, imperatives), and these are read (requests, lists,
noun_phrase, references): one after the other (conversation), and for what they come to together (consistency). Nothing
is passed over that would change what is asked for: what is not read is refused.
"""

from stma_ros.domains.household.language.parse import HouseholdLanguage

__all__ = ["HouseholdLanguage"]
