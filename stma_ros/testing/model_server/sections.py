"""Splits the text of a question into sections; the inverse of `roles.rendering`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_NO_ARGUMENTS = re.compile(rf"({'|'.join(words.ENDINGS)})\(\)")


class UnreadableQuestionError(Exception):
    """A question does not have the format of the role's questions."""


def sections(text: str, headings: Sequence[str], between: str = "\n\n") -> Mapping[str, str]:
    """Returns the sections of a text by heading; headings that do not occur are left out.

    Args:
        text: The text.
        headings: Possible headings in their fixed order, each with its colon and the space or line feed after it,
            which the keys of the result do not have.
        between: Text between a section and the next heading.
    """
    whole = between + text
    found: list[tuple[str, int, int]] = []
    start = 0
    for heading in headings:
        at = whole.find(between + heading, start)
        if at >= 0:
            start = at + len(between + heading)
            found.append((heading.strip(": \n"), at, start))
    ends = [at for _, at, _ in found[1:]] + [len(whole)]
    return {name: whole[start:end] for (name, _, start), end in zip(found, ends, strict=False)}


def required(parts: Mapping[str, str], heading: str) -> str:
    """Returns the section with a heading.

    Raises:
        UnreadableQuestionError: There is no such section.
    """
    if heading not in parts:
        raise UnreadableQuestionError(f"the question has no part {heading!r}")
    return parts[heading]


def blocks(text: str, start: re.Pattern[str]) -> list[str]:
    """Splits a text where a pattern matches; the text before the first match is left out."""
    starts = [match.start() for match in start.finditer(text)]
    return [text[one:other] for one, other in pairwise([*starts, len(text)])]


def read_action(text: str) -> Action:
    """Parses the text of `str(Action)` for an action of a text game."""
    without_arguments = _NO_ARGUMENTS.fullmatch(text)
    return Action(without_arguments[1]) if without_arguments else Action(words.SKILL_COMMAND, (text,))
