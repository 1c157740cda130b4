"""The checklist of an exploration over its steps: when each item came, was followed, ended and went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from stma_ros.apps.report.task_run import TaskRun
from stma_ros.types.exploration import ChecklistItem, ItemState

MAX_ITEMS = 80
"""Items that are shown, the first ones: a model may predict without end."""

_LABELS = 12  # steps that are numbered above the bars

_KINDS = {ItemState.PENDING: "pending", ItemState.IN_PROGRESS: "followed", ItemState.COMPLETED: "ended"}


@dataclass(frozen=True)
class Span:
    """A row of equal steps of an item.

    Attributes:
        kind: a CSS class: pending, followed, ended, or "" where the item was not in the list.
        length: number of steps.
        title: the steps and the state in words.
    """

    kind: str
    length: int
    title: str


@dataclass(frozen=True)
class ItemRow:
    """One item for the template. fate: how it ended, in words, "" if it did not. is_eliminated: whether it ended for a
    reason."""

    text: str
    fate: str
    is_eliminated: bool
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Checklist:
    """All items, in the order in which they came. marks: the numbers above the steps, "" for unnumbered ones."""

    marks: tuple[str, ...]
    rows: tuple[ItemRow, ...]
    left_out: int


def checklist_over_time(run: TaskRun) -> Checklist | None:
    """Returns the checklist of a task; None without one."""
    steps = {step.number: step.checklist.items for step in run.ordered_steps if step.checklist is not None}
    texts = dict.fromkeys(item.text for items in steps.values() for item in items)
    if not texts:
        return None
    first, last = min(number for number, items in steps.items() if items), max(steps)
    numbers = range(first, last + 1)
    # A step without a list, as one whose request was not answered, shows the list before it.
    shown: dict[int, dict[str, ChecklistItem]] = {}
    newest: tuple[ChecklistItem, ...] = ()
    for number in numbers:
        newest = steps.get(number, newest)
        shown[number] = {item.text: item for item in newest}
    rows = [_row(text, [(n, shown[n].get(text)) for n in numbers]) for text in [*texts][:MAX_ITEMS]]
    every = -(-len(numbers) // _LABELS)
    marks = tuple(str(n) if (n - first) % every == 0 else "" for n in numbers)
    return Checklist(marks, tuple(rows), max(0, len(texts) - MAX_ITEMS))


def _row(text: str, course: list[tuple[int, ChecklistItem | None]]) -> ItemRow:
    present = [(number, item) for number, item in course if item is not None]
    end = next((number for number, item in present if item.state == ItemState.COMPLETED), None)
    reason = present[-1][1].reason if end is not None else ""
    fate = f"eliminated at step {end}: {reason}" if reason else f"done at step {end}"
    return ItemRow(text, "" if end is None else fate, bool(reason), tuple(_spans(course)))


def _spans(course: Iterable[tuple[int, ChecklistItem | None]]) -> Iterator[Span]:
    for kind, those in groupby(course, lambda pair: "" if pair[1] is None else _KINDS[pair[1].state]):
        numbers = [number for number, _ in those]
        steps = f"step {numbers[0]}" if len(numbers) == 1 else f"steps {numbers[0]} to {numbers[-1]}"
        yield Span(kind, len(numbers), f"{steps}: {kind or 'not in the list'}")
