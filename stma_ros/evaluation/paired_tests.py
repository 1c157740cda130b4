"""Compares presets on the same episodes with Wilcoxon's signed-rank test (Wilcoxon 1945), as HiAgent does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from stma_ros.evaluation.metrics import EpisodeRecord

PAIRED_TESTS = "paired_tests"
"""The key of the tests in a result."""

STEPS = "steps"
"""The measure of the number of commands."""


@runtime_checkable
class ComparedSuite(Protocol):
    """A suite whose presets are compared with a baseline."""

    @property
    def baseline(self) -> str:
        """The preset that the others are compared with."""
        ...

    @property
    def compared(self) -> Sequence[str]:
        """The keys of the measures that are compared, or STEPS."""
        ...


def paired_tests(
    records: Iterable[EpisodeRecord], baseline: str, compared: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yields a test for each preset and measure, over the episodes that both presets ended.

    Its keys: preset, baseline, measure, pairs (number of episodes), mean_difference (preset minus baseline), statistic
    (the smaller sum of ranks) and p_value (two-sided; 1 where nothing differs).
    """
    by_preset: dict[str, dict[int, EpisodeRecord]] = {}
    for record in records:
        if not record.crashed:
            by_preset.setdefault(record.preset, {})[record.index] = record
    reference = by_preset.pop(baseline, {})
    for preset, own in by_preset.items():
        for measure in compared:
            pairs = [
                (_value(own[index], measure), _value(reference[index], measure))
                for index in sorted(own.keys() & reference.keys())
            ]
            differences = [left - right for left, right in pairs if left is not None and right is not None]
            if differences:
                yield {
                    "preset": preset,
                    "baseline": baseline,
                    "measure": measure,
                    "pairs": len(differences),
                    "mean_difference": sum(differences) / len(differences),
                    **_signed_rank(differences),
                }


def _value(record: EpisodeRecord, measure: str) -> float | None:
    return float(record.steps) if measure == STEPS else record.measures.get(measure)


def _signed_rank(differences: Sequence[float]) -> Mapping[str, float]:
    from scipy.stats import wilcoxon

    if not any(differences):
        return {"statistic": 0.0, "p_value": 1.0}
    found = wilcoxon(differences)
    return {"statistic": float(found.statistic), "p_value": float(found.pvalue)}
