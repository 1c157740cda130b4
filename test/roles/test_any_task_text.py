"""Tests that the grammar of household tasks reads or refuses any text in a short time."""

from __future__ import annotations

import ast
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stma_ros.domains.household import language
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.roles.task_parser import ParsedTask, TaskQuery
from stma_ros.types.errors import ErrorCode
from stma_ros.types.task_text import LONGEST_TASK

PARSER = SymbolicTaskParser(household_categories())
REFUSALS = (ErrorCode.TASK_NOT_UNDERSTOOD, ErrorCode.CONTRADICTION)
SOON = 5.0  # [s] of the processor
_PARTS = 4  # of the words, for processes side by side


def literals(source: str) -> Iterator[str]:
    """Yields the strings of a module, without its docstrings."""
    nodes = list(ast.walk(ast.parse(source)))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


WORDS = sorted(
    {
        word
        for file in Path(language.__file__).parent.glob("*.py")
        for literal in literals(file.read_text(encoding="utf-8"))
        for word in re.findall(r"[a-z]{1,12}", literal)
    }
)
"""All words in the patterns of the grammar, and some more."""


@contextmanager
def within(seconds: float, text: str) -> Iterator[None]:
    """Fails a test that takes more processor time than this, independent of the load of the machine."""

    def expired(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"{text[:100]!r} is still being read after {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, expired)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def parsed(text: str, seconds: float = SOON) -> ParsedTask:
    with within(seconds, text):
        answer = PARSER.answer(TaskQuery(text))
    assert answer.goals or (answer.error.code in REFUSALS and answer.error.text)
    return answer


@given(st.text(max_size=LONGEST_TASK + 20))
def test_arbitrary_task_text_is_read_or_refused_in_time(text: str) -> None:
    parsed(text)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from([*WORDS, ",", ".", "\n", "find the mug", "put it in"]), min_size=1, max_size=400)
)
def test_any_words_of_the_grammar_are_read_or_refused_in_time(words: list[str]) -> None:
    parsed(" ".join(words))


@settings(max_examples=150)
@given(
    st.sampled_from(["", "please ", "i want you to ", "make sure that the mug is ", "put the mug that is "]),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    st.sampled_from(["", "x", "."]),
)
@example("", ["dear", "old"], "x")
@example("hey ", ["everyone"], "x")
@example("hey ", ["little", "helper"], "x")
def test_repeated_words_of_the_grammar_are_read_or_refused_in_time(
    start: str, words: list[str], end: str
) -> None:
    unit = " ".join(words) + " "
    parsed(start + unit * (300 // len(unit)) + end)


@pytest.mark.parametrize("part", range(_PARTS))
def test_many_repetitions_of_a_word_of_the_grammar_are_read_in_time(part: int) -> None:
    """A pattern that can read a word in two ways, such as "there", takes twice as long for each repetition, of which 30
    are far too many then."""
    assert {"there", "around"} <= set(WORDS)
    for word in WORDS[part::_PARTS]:
        again = f"{word} " * 30
        for text in (again, f"{again}x", f"please the mug {word} {again}x"):
            parsed(text)


@pytest.mark.parametrize(
    "unit", ["find the mug\n", "find the mug ", "take the cup put it on the table ", "a ", "the red ", ", "]
)
def test_longest_repetition_of_a_request_is_read_without_recursion(unit: str) -> None:
    parsed((unit * LONGEST_TASK)[: LONGEST_TASK // len(unit) * len(unit)], 30.0)


def test_line_feeds_and_control_characters_in_a_task_are_read_as_spaces() -> None:
    expected = parsed("find the mug. put it on the table")
    assert parsed("find\nthe\tmug.\r\nput it\x00on the\x1btable") == expected
    assert len(expected.goals) == 1


def test_three_thousand_repetitions_of_a_request_are_refused_at_once() -> None:
    answer = parsed("find the mug and " * 3000, 0.1)
    assert answer.error.code == ErrorCode.TASK_NOT_UNDERSTOOD
    assert "has 51000 characters, and at most 2000 are read" in answer.error.text
