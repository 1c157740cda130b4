"""Reads an English task as goals.

A text is normalised (spelling, compound_names); words that link sentences (connectives), names for the robot
(addressees), things coupled otherwise than by "and" (coordination), groups (partitives), complaints (complaints),
contrasts (contrasts), motives (motives), what is not done yet (undone), errands (fetching, errands, spots), how a
state changes (changes), ranges of numbers (quantities), conditions on states (conditions), corrections (corrections),
times (time_clauses), relative clauses and reasons (subordinate_clauses) become plain text. It is divided into clauses
(sentence, conjuncts, word_order) without conversation (politeness, formulas, frames). Each clause is freed of what
says that somebody wants it (frames, matrix_clauses, judgements, attitudes), and rewritten as one of a few plain
imperatives (rewriting: questions, lost_things, searches, statements, indirect_requests, causatives, imperatives,
changing_imperatives). These are read (request, requests, states, placements, lists, noun_phrase, head_nouns,
references, place_references, alternatives, remarks) in order (clause_reader, request_sequence), together with what
belongs to them: headings, hints, movements, remedies, pending_condition, verbless_requests. Their combination is
checked (consistency). Text that would change the goals is never ignored (remark_limits, ignored_remarks): words that
say which object is meant and that nobody can perceive (limits), places that may be present or wanted (either_place),
and all else that is not understood, are refused. Typing errors of known words (typos) are corrected and said.
"""

from stma_ros.domains.household.language.parse import HouseholdLanguage

__all__ = ["HouseholdLanguage"]
