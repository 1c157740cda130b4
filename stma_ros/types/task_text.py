"""Validates the texts of tasks at all entry points."""

from __future__ import annotations

import re
from typing import Final

from stma_ros.types.errors import TaskTooLongError

LONGEST_TASK: Final = 2000
"""Largest number of characters of a task's text: parsing takes quadratic time, and prompts include the text."""

_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def task_text(text: str) -> str:
    """Returns the text with spaces in place of characters that cannot be used.

    These are control characters other than line feeds and tabs, and halves of surrogate pairs, which messages cannot
    hold.

    Raises:
        TaskTooLongError: The text has more than LONGEST_TASK characters.
    """
    if len(text) > LONGEST_TASK:
        raise TaskTooLongError(
            f"the task's text has {len(text)} characters, and at most {LONGEST_TASK} are read: say it in fewer words, "
            "or give several tasks one after the other"
        )
    return _UNREADABLE.sub(" ", text)
