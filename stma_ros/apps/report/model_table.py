"""What asking models took, role by role, as the report shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stma_ros.evaluation.model_use import ModelUse, model_use
from stma_ros.types.telemetry import ModelCall


@dataclass(frozen=True)
class ModelRow:
    """One role at one model. troubles: what went wrong, each with how often."""

    role: str
    model: str
    cells: tuple[str, ...]
    troubles: tuple[tuple[str, int], ...]


HEADINGS = (
    "calls",
    "failed",
    "sent again",
    "answers kept",
    "prompt tokens",
    "in prefix cache",
    "reply tokens",
    "images",
    "encoded before",
    "mean time",
)


def model_rows(calls: Iterable[ModelCall]) -> list[ModelRow]:
    """In the order in which roles first asked."""
    by_role: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        by_role.setdefault((call.role, call.model), []).append(call)
    return [_row(role, model, those) for (role, model), those in by_role.items()]


def _row(role: str, model: str, calls: Sequence[ModelCall]) -> ModelRow:
    use = model_use(calls)
    again = sum(max(0, call.attempts - 1) for call in calls)
    troubles: dict[str, int] = {}
    for call in calls:
        if call.error:
            troubles[call.error.text] = troubles.get(call.error.text, 0) + 1
    return ModelRow(role.replace("_", " "), model, _cells(use, again), tuple(troubles.items()))


def _cells(use: ModelUse, again: int) -> tuple[str, ...]:
    return (
        str(use.calls),
        str(use.failed),
        str(again),
        _share(use.kept, use.questions),
        str(use.prompt_tokens),
        _share(use.cached_tokens, use.told_tokens),
        str(use.reply_tokens),
        str(use.images),
        _share(use.images_kept, use.images),
        f"{use.seconds / use.calls:.2f} s" if use.calls else "-",
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"
