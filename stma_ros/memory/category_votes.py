"""Which category an object has, by the labels of all views of it: a detector mistakes one view, rarely most.

It repeats its mistakes at one place, so that several views from there count little more than one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from stma_ros.memory.boxes import Corner
from stma_ros.types.sensing import ObjectHypothesis

Votes: TypeAlias = tuple[tuple[str, float], ...]
"""Categories with the sum of the scores of their labels, the largest sum first."""

MAX_CATEGORIES = 6
"""Categories that are stored of one object; those with the largest sums."""

MAX_WEIGHT = 8.0
"""The sums are scaled down beyond this in all, so that new views keep their influence."""

ELSEWHERE = 0.4
"""From this far away [m], a view is further evidence: a detector repeats its mistakes at the same place."""

REPEATED = 0.25
"""What a further view from the same place adds to the weight of that place, the first of which has 1."""


@dataclass(frozen=True)
class CategoryVotes:
    """The labels of an object.

    Attributes:
        elsewhere: votes from earlier places of the camera.
        here: sums of the scores of the views from the last place, all in full.
        views: number of these views.
        place: (3,) position of the camera in the first of them [m]; None = not known.
    """

    elsewhere: Votes = ()
    here: Votes = ()
    views: int = 0
    place: tuple[float, ...] | None = None

    def with_view(self, hypotheses: Iterable[ObjectHypothesis], viewpoint: Corner | None) -> CategoryVotes:
        """Returns the votes with those of one more view, from a camera at `viewpoint` (3,) [m]; None = not known."""
        labels = tuple((each.category, each.score) for each in hypotheses)
        at = None if viewpoint is None else tuple(float(each) for each in viewpoint)
        if at is not None and self.place is not None and math.dist(at, self.place) < ELSEWHERE:
            return CategoryVotes(self.elsewhere, _sum(self.here, labels), self.views + 1, self.place)
        return CategoryVotes(self.total, _sum((), labels), 1, at)

    def joined(self, other: CategoryVotes) -> CategoryVotes:
        """Returns the votes of two tracks of one object."""
        return CategoryVotes(_sum(self.elsewhere, other.total), self.here, self.views, self.place)

    @cached_property
    def total(self) -> Votes:
        """All votes."""
        weight = (1 + REPEATED * (self.views - 1)) / self.views if self.views else 0.0
        return _sum(self.elsewhere, ((category, weight * score) for category, score in self.here))

    @property
    def shares(self) -> dict[str, float]:
        """The share of the votes that is for each category [0..1], the largest first."""
        total = sum(weight for _, weight in self.total)
        return {category: weight / total for category, weight in self.total} if total > 0 else {}

    @property
    def share(self) -> float:
        """The share of the votes that is for the first category [0..1]; 1 without votes."""
        return next(iter(self.shares.values()), 1.0)


def _sum(votes: Votes, others: Iterable[tuple[str, float]]) -> Votes:
    weights = dict(votes)
    for category, weight in others:
        weights[category] = weights.get(category, 0.0) + weight
    # Of equal sums the older category stays the first: sorting keeps the order.
    ordered = sorted(weights.items(), key=lambda item: -item[1])[:MAX_CATEGORIES]
    scale = min(1.0, MAX_WEIGHT / max(sum(weight for _, weight in ordered), 1e-9))
    return tuple((category, weight * scale) for category, weight in ordered)
