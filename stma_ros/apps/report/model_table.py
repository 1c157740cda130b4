"""The report's table of model calls by role."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from stma_ros.evaluation.model_use import ModelUse, model_use
from stma_ros.types.telemetry import ModelCall

_TROUBLES = 5  # shown for each role
_LONGEST = 300  # letters of each

_HEADINGS = (
    "calls",
    "failed",
    "sent again",
    "answers cached",
    "prompt tokens",
    "in prefix cache",
    "reply tokens",
    "mean time",
)
_OF_IMAGES = ("images", "encoded before")


@dataclass(frozen=True)
class ModelRow:
    """One role at one model.

    Attributes:
        role: in words.
        cells: figures below the headings.
        troubles: errors with their counts.
        left_out: what was left out of usable replies or corrected, with the counts.
    """

    role: str
    cells: tuple[str, ...]
    troubles: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ModelTable:
    """The table. headings: of the cells. models: by their names, the roles that each answered, in the order of first
    calls."""

    headings: tuple[str, ...]
    models: Mapping[str, tuple[ModelRow, ...]]


def model_table(
    calls: Iterable[ModelCall], left_out: Mapping[str, Counter[str]] = MappingProxyType({})
) -> ModelTable:
    """Makes the table; without models where none was asked, with images where any were sent.

    Args:
        calls: calls of a task.
        left_out: by role, what was left out of its replies or corrected.
    """
    asked: dict[str, dict[str, list[ModelCall]]] = {}
    images = False
    for call in calls:
        asked.setdefault(call.model, {}).setdefault(call.role, []).append(call)
        images = images or call.images > 0
    headings = _HEADINGS + (_OF_IMAGES if images else ())
    models = {
        model: tuple(
            _row(role, those, len(headings), left_out.get(role, Counter())) for role, those in by_role.items()
        )
        for model, by_role in asked.items()
    }
    return ModelTable(headings, models)


def _row(role: str, calls: Sequence[ModelCall], columns: int, left_out: Counter[str]) -> ModelRow:
    again = sum(max(0, call.attempts - 1) for call in calls)
    cells = tuple(_cells(model_use(calls), again))
    return ModelRow(
        role.replace("_", " "), cells[:columns], tuple(_troubles(calls)), tuple(left_out.most_common())
    )


def _troubles(calls: Iterable[ModelCall]) -> Iterator[tuple[str, int]]:
    """Yields the most frequent errors, then the number of the others."""
    counts = Counter(
        textwrap.shorten(call.error.text, _LONGEST) for call in calls if call.error
    ).most_common()
    yield from counts[:_TROUBLES]
    others = sum(count for _, count in counts[_TROUBLES:])
    if others:
        yield "something else", others


def _cells(use: ModelUse, again: int) -> Iterator[str]:
    """Yields cells in the order of _HEADINGS, then of _OF_IMAGES."""
    yield str(use.calls)
    yield str(use.failed)
    yield str(again)
    yield _share(use.cached, use.questions)
    yield f"{use.prompt_tokens:,}"
    yield _share(use.cached_tokens, use.reported_tokens)
    yield f"{use.reply_tokens:,}"
    yield f"{use.seconds / use.calls:.2f} s" if use.calls else "-"
    yield str(use.images)
    yield _share(use.images_cached, use.images)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"
