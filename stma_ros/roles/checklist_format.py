"""The checklist of an exploring agent as text (Pred-EQA, figures 3 to 5), and the reader of a model's checklist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from stma_ros.roles.picture_numbers import without_picture_numbers
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.exploration import ChecklistItem, ItemState

MARKS = {ItemState.PENDING: "[ ]", ItemState.IN_PROGRESS: "[-]", ItemState.COMPLETED: "[x]"}
"""The marks of a checklist, as published."""

MAX_ITEMS = 30
"""Most items of a model's checklist."""

MAX_LETTERS = 400
"""Most characters of an item's text, and of its reason, in a model's checklist."""

_MAX_TEXT = 4 * MAX_ITEMS * MAX_LETTERS  # [characters] of a reply that is searched for items
_MAX_LINE = 3 * MAX_LETTERS  # [characters]
_MAX_QUOTED = 60  # [characters] of a line that an error quotes

_BLOCK = re.compile(
    r"<(?P<tag>update-checklist|update_todo_list)>(?P<lines>.*?)(?:</(?P=tag)>|\Z)", re.DOTALL
)
_INNER_TAG = re.compile(r"</?(?:branches|todos)>")
_ITEM = re.compile(r"(?:[-*+] |\d+[.)] )?\[(?P<mark>.?)\] ?(?P<text>.*)")
_DASHES = r"[-\u2013\u2014]+"  # with the en and em dashes of the paper
_COMMENT = re.compile(rf"<! ?{_DASHES}(?P<reason>.*?)(?:{_DASHES}>|\Z)")
_STATES = {
    "": ItemState.PENDING,
    " ": ItemState.PENDING,
    "-": ItemState.IN_PROGRESS,
    "x": ItemState.COMPLETED,
    "X": ItemState.COMPLETED,
}
_ANGLES = str.maketrans("", "", "<>")  # of tags and comments


def checklist_text(items: Sequence[ChecklistItem]) -> str:
    """Returns a checklist in the published form, one item to a line."""
    return "\n".join(item_line(item) for item in items)


def item_line(item: ChecklistItem) -> str:
    """Returns an item as published: a mark, the text, and the reason as a comment."""
    reason = f" <!-- {item.reason} -->" if item.reason else ""
    return f"{MARKS[ItemState(item.state)]} {item.text}{reason}"


def parse_checklist(text: str) -> tuple[ChecklistItem, ...]:
    """Returns the items of a checklist that a model has written.

    Items are read from `<update-checklist><branches>` (the paper) or `<update_todo_list><todos>` (its code), or from
    the whole text if neither tag is there. Lines without a mark are ignored. Numbers of snapshots and frontiers are
    removed from items: they are of one step, and a checklist outlives it.

    Raises:
        UnusableReplyError: there is no item, or there are too many; or an item has an unknown mark, says nothing or is
            too long.
    """
    if len(text) > _MAX_TEXT:
        raise UnusableReplyError(f"the checklist is {len(text)} characters long; write {_MAX_TEXT} at most")
    block = _BLOCK.search(text)
    lines = _INNER_TAG.sub("\n", block["lines"] if block else text).splitlines()
    items = tuple(_items(" ".join(line.split()) for line in lines))
    if not items:
        raise UnusableReplyError(
            "the checklist has no item; write at least one, each on a line that begins with [ ], [-] or [x]"
        )
    if len(items) > MAX_ITEMS:
        raise UnusableReplyError(
            f"the checklist has {len(items)} items, {MAX_ITEMS} at most are allowed: leave out completed ones that no "
            "longer matter"
        )
    return items


def _items(lines: Iterable[str]) -> Iterator[ChecklistItem]:
    for line in lines:
        found = _ITEM.fullmatch(line)
        if found is None:
            continue
        try:
            yield _item(found["mark"], found["text"])
        except ValueError as problem:
            raise UnusableReplyError(f"the item {line[:_MAX_QUOTED]!r} {problem}") from None


def _item(mark: str, written: str) -> ChecklistItem:
    """Returns an item from its mark and the rest of its line. Raises ValueError for an unusable one."""
    if mark not in _STATES:
        raise ValueError("has an unknown mark; write [ ], [-] or [x]")
    text = reason = ""
    if len(written) <= _MAX_LINE:
        text = _plain(_COMMENT.sub(" ", written))
        reasons = (match["reason"].strip() for match in _COMMENT.finditer(written))
        reason = _plain("; ".join(filter(None, reasons)))
        if not text:
            raise ValueError("says nothing; describe what to do, without numbers of pictures")
    if not text or max(len(text), len(reason)) > MAX_LETTERS:
        raise ValueError(f"is too long; its text and its reason may have {MAX_LETTERS} characters each")
    return ChecklistItem(text=text, state=_STATES[mark], reason=reason)


def _plain(text: str) -> str:
    return without_picture_numbers(text.translate(_ANGLES))
