"""Tests of the checklist as text, and of the reader of a model's checklist."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.roles.checklist_format import MAX_ITEMS, MAX_LETTERS, checklist_text, parse_checklist
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.exploration import ChecklistItem, ItemState

PENDING, IN_PROGRESS, COMPLETED = ItemState.PENDING, ItemState.IN_PROGRESS, ItemState.COMPLETED
ITEMS = (
    ChecklistItem(text="Enter the hallway, which may lead to the kitchen", state=IN_PROGRESS, reason="near"),
    ChecklistItem(text="Enter the living area", state=COMPLETED, reason="dead end: there is only a balcony"),
    ChecklistItem(text="Find the fridge", state=PENDING),
)
PUBLISHED = """<update-checklist>
<branches>
[-] Enter the hallway, which may lead to the kitchen <!- near ->
[x] Enter the living area <!— dead end: there is only a balcony —>
[ ] Find the fridge
</branches>
</update-checklist>"""
IN_CODE = """<update_todo_list>
<todos>
[-] Enter the hallway, which may lead to the kitchen <!-- near -->
[X] Enter the living area <!-- dead end: there is only a balcony -->
[ ] Find the fridge
</todos>
</update_todo_list>"""


@pytest.mark.parametrize(
    "text",
    [
        PUBLISHED,
        IN_CODE,
        checklist_text(ITEMS),
        f"First I think.\n\n{PUBLISHED}\n[ ] Not part of it",
        PUBLISHED.replace("\n</branches>\n</update-checklist>", ""),
        PUBLISHED.replace("\n[", "\n  - [").replace("[ ]", "[]"),
        PUBLISHED.replace("<branches>\n", "<branches>").replace("\n</branches>\n", "</branches>"),
        IN_CODE.replace("\n[", "\n\n1. ["),
        IN_CODE.replace("<todos>", "<todos>\nBranches:").replace("\n", "\r\n"),
    ],
)
def test_checklist_is_read_from_every_published_form(text: str) -> None:
    assert parse_checklist(text) == ITEMS


def test_checklist_is_written_as_published() -> None:
    assert checklist_text(ITEMS).splitlines() == [
        "[-] Enter the hallway, which may lead to the kitchen <!-- near -->",
        "[x] Enter the living area <!-- dead end: there is only a balcony -->",
        "[ ] Find the fridge",
    ]


def test_numbers_of_pictures_do_not_get_into_a_checklist() -> None:
    (item,) = parse_checklist("[x] Explore Frontier 0 past the 2 chairs <!-- Snapshot 3 shows a wall -->")

    assert item == ChecklistItem(
        text="Explore Frontier past the 2 chairs", state=COMPLETED, reason="Snapshot shows a wall"
    )


def test_reasons_in_several_comments_are_joined() -> None:
    (item,) = parse_checklist("[x] Enter <!-- it is open --> the hall <!- done")

    assert (item.text, item.reason) == ("Enter the hall", "it is open; done")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no item; write at least one"),
        ("<update-checklist><branches></branches></update-checklist> [ ] too late", "has no item"),
        ("Find the fridge.", "has no item"),
        ("[?] Find the fridge", r"'\[\?\] Find the fridge' has an unknown mark; write \[ \], \[-\] or \[x\]"),
        ("[ ] <!-- why -->", "says nothing"),
        ("[ ] (Frontier 0)", "says nothing; describe what to do"),
        ("[ ] " + "m" * (MAX_LETTERS + 1), "is too long"),
        ("[ ] m <!-- " + "m" * (MAX_LETTERS + 1), "is too long"),
        ("[ ] go\n" * (MAX_ITEMS + 1), f"has {MAX_ITEMS + 1} items, {MAX_ITEMS} at most"),
        ("[ ] go\n" * 100_000, "characters long; write"),
    ],
    ids=lambda text: text[:20],
)
def test_unusable_checklist_is_refused_with_the_remedy(text: str, problem: str) -> None:
    with pytest.raises(UnusableReplyError, match=problem):
        parse_checklist(text)


def test_longest_checklist_is_read() -> None:
    line = f"[ ] {'m' * MAX_LETTERS} <!-- {'n' * MAX_LETTERS} -->"

    items = parse_checklist("\n".join([line] * MAX_ITEMS))

    assert [(len(item.text), len(item.reason)) for item in items] == [(MAX_LETTERS, MAX_LETTERS)] * MAX_ITEMS


WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyzäé.,;:'\"!?()[]/-", min_size=1, max_size=9), max_size=8)
ITEM = st.builds(
    ChecklistItem,
    text=WORDS.map(" ".join).filter(bool),
    state=st.sampled_from(ItemState),
    reason=WORDS.map(" ".join),
)


@given(st.lists(ITEM, min_size=1, max_size=MAX_ITEMS))
def test_reading_a_written_checklist_returns_its_items(items: list[ChecklistItem]) -> None:
    assert parse_checklist(checklist_text(items)) == tuple(items)


FRAGMENTS = st.sampled_from(
    (
        *("[ ] ", "[-]", "[x] ", "[X]", "[?]", "- ", "\n", " ", "<!-", "<!--", "<!—", "->", "-->", "—>"),
        *("<update-checklist>", "</update-checklist>", "<update_todo_list>", "<branches>", "</branches>"),
        *("<todos>", "<", ">", "snapshot", "frontier", "(", ")", "1", "2", "word", "\u2028", "\x00", "🙂"),
    )
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS, max_size=40).map("".join)))
def test_any_text_is_refused_or_read_as_a_checklist_that_stays_the_same(text: str) -> None:
    try:
        items = parse_checklist(text)
    except UnusableReplyError:
        return
    assert 1 <= len(items) <= MAX_ITEMS
    assert all(item.text for item in items)
    assert not any(set("<>\n") & set(item.text + item.reason) for item in items)
    assert parse_checklist(checklist_text(items)) == items


@pytest.mark.parametrize(
    "text",
    ["[ ] " + "-" * 40_000, "[ ] " + "<!-" * 10_000, "<update-checklist>" * 2000, "[ ] <!" + "- " * 20_000],
    ids=lambda text: text[:14],
)
def test_a_long_hostile_checklist_is_refused_in_little_time(text: str) -> None:
    begun = time.process_time()

    with pytest.raises(UnusableReplyError):
        parse_checklist(text)

    assert time.process_time() - begun < 2.0
