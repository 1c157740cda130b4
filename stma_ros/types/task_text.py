"""The text of a task as the agent takes it, wherever it comes in."""

from __future__ import annotations

import re
from typing import Final

from stma_ros.types.errors import TaskTooLongError

LONGEST_TASK: Final = 2000
"""The most characters of a task's text: the grammar's time grows with their square, and prompts with each."""

_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def task_text(text: str) -> str:
    """Returns the text with a space for each control character other than a line feed or a tab, and for each half of a
    surrogate pair, which no message can hold.

    Raises:
        TaskTooLongError: it has more than LONGEST_TASK characters.
    """
    if len(text) > LONGEST_TASK:
        raise TaskTooLongError(
            f"the task's text has {len(text)} characters, and at most {LONGEST_TASK} are read: say it in fewer words, "
            "or give several tasks one after the other"
        )
    return _UNREADABLE.sub(" ", text)
