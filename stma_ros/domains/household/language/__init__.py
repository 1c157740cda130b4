"""Reads an English task as goals.

A text is normalised (spelling); names for the robot (addressees), things coupled otherwise than by "and"
(coordination), groups (partitives), complaints and contrasts (complaints), ranges of numbers (quantities), conditions
on states (conditions), corrections (corrections), relative clauses and reasons (subordinate_clauses) become plain
text. It is divided into clauses (sentence, word_order) without conversation (politeness, formulas). Each clause is
freed of what says that somebody wants it (matrix_clauses, attitudes), and rewritten as one of a few plain imperatives
(rewriting: questions, indirect_requests, imperatives). These are read (requests, lists, noun_phrase, references,
place_references, remarks) in order (clause_reader, request_sequence), together with what belongs to them: headings,
hints, pending_condition, verbless_requests. Their combination is checked (consistency). Text that would change the
goals is never ignored (remark_limits, ignored_remarks): words that say which object is meant and that nobody can
perceive (limits), and all else that is not understood, are refused. Typing errors of known words (typos) are
corrected and said.
"""

from stma_ros.domains.household.language.parse import HouseholdLanguage

__all__ = ["HouseholdLanguage"]
