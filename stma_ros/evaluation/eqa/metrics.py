"""Measures of answers, as the benchmarks of embodied question answering define them.

OpenEQA (Majumdar et al., CVPR 2024) scores an answer from 1 to 5 and subtracts 1; EXPRESS-Bench (Jiang et al., ICCV
2025) divides by 5. A question without an answer counts 0 in both: it is never filled in by another model, so figures
with such answers are not comparable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LLM_MATCH = "llm_match"
"""The key of a measure: correctness of the answer [%]."""

LLM_SPL = "llm_spl"
"""The key of a measure: LLM-Match weighted by path length [%]."""

EXACT_MATCH = "exact_match"
"""The key of a measure: whether the answer is one of the right ones, word for word after normalisation [%]."""

C = "c"
"""The key of a measure: correctness of the answer, weighted by its grounding [%]."""

C_STAR = "c_star"
"""The key of a measure: C as if every answer were grounded [%]."""

E_PATH = "e_path"
"""The key of a measure: C weighted by path length [%]."""

D_T = "d_t"
"""The key of a measure: length of the shortest path from the end to the target [m]."""

_BEST = 5
_SHORTEST = (
    1.0  # shorter paths count as this long, so that an answer from the start is no division by zero [m]
)


@dataclass(frozen=True)
class Grade:
    """The grade of one answer in EXPRESS-Bench.

    Attributes:
        correctness: sigma of its formulas, 0 to 5.
        grounding: delta of its formulas, 0..1: how well the last view shows what the answer says.
    """

    correctness: float
    grounding: float


def llm_match(score: float | None) -> float:
    """Returns 100 (s - 1) / 4 of a score, cut to 1..5 [%]. None = there is no answer, which counts 0."""
    return 0.0 if score is None else 100.0 * (min(max(score, 1.0), float(_BEST)) - 1.0) / (_BEST - 1)


def llm_spl(score: float | None, shortest: float, driven: float) -> float | None:
    """Returns LLM-Match weighted by path length: 100 (s - 1) / 4 * l / max(l, p) [%].

    Args:
        score: 1 to 5; None = there is no answer.
        shortest: length l of the shortest path to the evidence [m].
        driven: length p of the driven path [m].

    Returns:
        None if a length is infinite, as there is no path; such episodes are left out of the mean.
    """
    efficiency = path_efficiency(shortest, driven)
    return None if efficiency is None else llm_match(score) * efficiency


def grounded_correctness(grade: Grade | None) -> float:
    """Returns C of one answer, 100 delta sigma / 5 [%]. None = there is no answer, which counts 0."""
    return 0.0 if grade is None else 100.0 * _cut(grade.grounding * grade.correctness) / _BEST


def correctness(grade: Grade | None) -> float:
    """Returns C* of one answer, 100 sigma / 5 [%]. None = there is no answer, which counts 0."""
    return 0.0 if grade is None else 100.0 * _cut(grade.correctness) / _BEST


def path_weighted_correctness(grade: Grade | None, shortest: float, driven: float) -> float | None:
    """Returns E_path of one answer: C * l / max(p, l) [%]. Arguments and None as in `llm_spl`."""
    efficiency = path_efficiency(shortest, driven)
    return None if efficiency is None else grounded_correctness(grade) * efficiency


def distance_to_target(distance: float) -> float | None:
    """Returns d_T of one episode [m]; None for an infinite distance, which is left out of the mean."""
    if math.isnan(distance) or distance < 0:
        raise ValueError(f"the distance to the target is {distance}; give metres of a path")
    return None if math.isinf(distance) else distance


def path_efficiency(shortest: float, driven: float) -> float | None:
    """Returns l / max(l, p), in 0..1; both below 1 m count as 1 m. None if one is infinite.

    Raises:
        ValueError: a length is negative or NaN.
    """
    for length in (shortest, driven):
        if math.isnan(length) or length < 0:
            raise ValueError(f"a path has the length {length}; give metres, infinite where there is no path")
    if math.isinf(shortest) or math.isinf(driven):
        return None
    shortest, driven = max(shortest, _SHORTEST), max(driven, _SHORTEST)
    return shortest / max(shortest, driven)


def _cut(value: float) -> float:
    return min(max(value, 0.0), float(_BEST))
