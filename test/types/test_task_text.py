"""The text of a task is bounded and free of control characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ErrorCode, TaskTooLongError
from stma_ros.types.task_text import LONGEST_TASK, task_text


def test_ordinary_task_text_is_accepted_unchanged() -> None:
    text = "find the mug,\n\tthen put “it” in the sink — señor"
    assert task_text(text) == text


def test_control_characters_and_halves_of_surrogate_pairs_become_spaces() -> None:
    assert task_text("find\x00the\x1b[31m mug\r\n\x7f\x85\udc80") == "find the [31m mug \n   "


def test_the_longest_task_text_is_accepted_and_a_longer_one_is_refused_with_the_remedy() -> None:
    assert len(task_text("x" * LONGEST_TASK)) == LONGEST_TASK
    with pytest.raises(TaskTooLongError) as refusal:
        task_text("x" * (LONGEST_TASK + 1))
    assert str(refusal.value) == (
        "the task's text has 2001 characters, and at most 2000 are read: say it in fewer words, or give several tasks "
        "one after the other"
    )
    assert refusal.value.code == ErrorCode.TASK_NOT_UNDERSTOOD


@given(st.text(st.characters(exclude_categories=()), max_size=100))
def test_accepted_task_text_can_be_encoded_and_is_accepted_again_unchanged(text: str) -> None:
    taken = task_text(text)
    assert task_text(taken) == taken
    assert taken.encode().decode() == taken
    assert len(taken) == len(text)
