"""Splits the text of a question into its sections, as `roles.rendering` wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_NO_ARGUMENTS = re.compile(rf"({words.SKILL_GIVE_UP})\(\)")


class UnreadableQuestionError(Exception):
    """A question that is not laid out as the role's questions are."""


def sections(text: str, headings: Sequence[str], between: str = "\n\n") -> Mapping[str, str]:
    """What stands under each heading that is there, which is the first one in its place. headings: word for word,
    colon and what follows it included, in their fixed order; the keys are without those. between: what parts a heading
    from the section before it."""
    told = between + text
    found: list[tuple[str, int, int]] = []
    start = 0
    for heading in headings:
        at = told.find(between + heading, start)
        if at >= 0:
            start = at + len(between + heading)
            found.append((heading.strip(": \n"), at, start))
    ends = [at for _, at, _ in found[1:]] + [len(told)]
    return {name: told[start:end] for (name, _, start), end in zip(found, ends, strict=False)}


def needed(found: Mapping[str, str], heading: str) -> str:
    """Raises UnreadableQuestionError where there is no such heading."""
    if heading not in found:
        raise UnreadableQuestionError(f"the question has no part {heading!r}")
    return found[heading]


def blocks(text: str, start: re.Pattern[str]) -> list[str]:
    """The parts of a text that begin where a pattern matches; what is before the first of them is left out."""
    starts = [match.start() for match in start.finditer(text)]
    return [text[one:other] for one, other in pairwise([*starts, len(text)])]


def read_action(text: str) -> Action:
    """As `str(Action)` words those of text games."""
    own = _NO_ARGUMENTS.fullmatch(text)
    return Action(own[1]) if own else Action(words.SKILL_COMMAND, (text,))
