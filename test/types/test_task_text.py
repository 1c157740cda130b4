"""The text of a task: bounded, and without what no message or terminal is to be given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ErrorCode, TaskTooLongError
from stma_ros.types.task_text import LONGEST_TASK, task_text


def test_ordinary_text_is_taken_as_it_is() -> None:
    text = "find the mug,\n\tthen put “it” in the sink — señor"
    assert task_text(text) == text


def test_control_characters_and_halves_of_surrogate_pairs_become_spaces() -> None:
    assert task_text("find\x00the\x1b[31m mug\r\n\x7f\x85\udc80") == "find the [31m mug \n   "


def test_longest_text_is_taken_and_a_longer_one_is_refused_with_cause_and_remedy() -> None:
    assert len(task_text("x" * LONGEST_TASK)) == LONGEST_TASK
    with pytest.raises(TaskTooLongError) as refusal:
        task_text("x" * (LONGEST_TASK + 1))
    assert str(refusal.value) == (
        "the task's text has 2001 characters, and at most 2000 are read: say it in fewer words, or give several tasks "
        "one after the other"
    )
    assert refusal.value.code == ErrorCode.TASK_NOT_UNDERSTOOD


@given(st.text(st.characters(exclude_categories=()), max_size=100))
def test_text_that_was_taken_can_be_sent_and_is_taken_again_as_it_is(text: str) -> None:
    taken = task_text(text)
    assert task_text(taken) == taken
    assert taken.encode().decode() == taken
    assert len(taken) == len(text)
