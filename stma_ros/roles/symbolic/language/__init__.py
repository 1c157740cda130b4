"""Reads the English of a task as goals.

A text is taken apart into clauses (sentence), every clause is rewritten as one of a few plain imperatives (rewriting,
verbs), and these are read (requests, noun_phrase, references). Nothing is passed over that would change what is asked
for: what is not read is refused.
"""

from stma_ros.roles.symbolic.language.parse import parse_task

__all__ = ["parse_task"]
