"""The examples at the end of prompts."""

from __future__ import annotations

import re

_EXAMPLE = re.compile(r"## Example\n\n```\n(?P<question>.*)\n```\n\n```json\n(?P<reply>.*)\n```", re.DOTALL)


def example_of(text: str) -> tuple[str, str]:
    """Returns the question and the reply of a prompt's example."""
    match = _EXAMPLE.search(text)
    assert match is not None
    return match["question"], match["reply"]
