"""Which category an object has, by the labels of all views of it: a detector mistakes one view, rarely most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from stma_ros.types.sensing import ObjectHypothesis

Votes: TypeAlias = tuple[tuple[str, float], ...]
"""Categories with the sum of the scores of their labels, the largest sum first."""

MAX_CATEGORIES = 6
"""Categories that are stored of one object; those with the largest sums."""

MAX_WEIGHT = 8.0
"""The sums are scaled down beyond this in all, so that new views keep their influence."""


def with_hypotheses(votes: Votes, hypotheses: Iterable[ObjectHypothesis]) -> Votes:
    """Returns the votes with those of one more view."""
    return _joined(votes, ((each.category, each.score) for each in hypotheses))


def joined(votes: Votes, others: Votes) -> Votes:
    """Returns the votes of two tracks of one object."""
    return _joined(votes, others)


def share(votes: Votes) -> float:
    """Returns the share of the votes that is for the first category [0..1]; 1 without votes."""
    total = sum(weight for _, weight in votes)
    return votes[0][1] / total if total > 0 else 1.0


def _joined(votes: Votes, others: Iterable[tuple[str, float]]) -> Votes:
    weights = dict(votes)
    for category, weight in others:
        weights[category] = weights.get(category, 0.0) + weight
    # Of equal sums the older category stays the first: sorting keeps the order.
    ordered = sorted(weights.items(), key=lambda item: -item[1])[:MAX_CATEGORIES]
    scale = min(1.0, MAX_WEIGHT / max(sum(weight for _, weight in ordered), 1e-9))
    return tuple((category, weight * scale) for category, weight in ordered)
