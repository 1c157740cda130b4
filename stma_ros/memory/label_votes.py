"""Which category or colour an object has, by the labels of all views of it: one view is mistaken, rarely most.

A mistake is repeated at one place, so that several views from there count little more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from stma_ros.memory.boxes import Corner
from stma_ros.memory.viewpoints import Position, is_here, position_of

Votes: TypeAlias = tuple[tuple[str, float], ...]
"""Labels with the sum of their scores, the largest sum first."""

MAX_LABELS = 6
"""Labels that are stored of one object; those with the largest sums."""

MAX_WEIGHT = 8.0
"""The sums are scaled down beyond this in all, so that new views keep their influence."""

MAX_PLACES = 6
"""Places of the camera that are remembered of one object; the labels from earlier ones count as they did."""

REPEATED = 0.25
"""What a further view from the same place adds to the weight of that place, the first of which has 1."""


@dataclass(frozen=True)
class PlaceVotes:
    """The labels of all views from one place.

    Attributes:
        place: position of the camera in the first view; None = not known.
        views: their number.
        sums: of their scores, by label.
    """

    place: Position | None
    views: int
    sums: Votes

    def is_at(self, place: Position | None) -> bool:
        """Whether a view is from here: from no place that is known to be another one."""
        return is_here(place, self.place)

    def added(self, other: PlaceVotes) -> PlaceVotes:
        """Returns these labels with those of other views from here."""
        place = self.place if self.place is not None else other.place
        return PlaceVotes(place, self.views + other.views, _sum(self.sums, other.sums))

    @property
    def weighted(self) -> Votes:
        """The votes of the place."""
        weight = (1 + REPEATED * (self.views - 1)) / self.views
        return tuple((label, weight * score) for label, score in self.sums)


@dataclass(frozen=True)
class LabelVotes:
    """The labels of an object.

    Attributes:
        places: the labels from the last places, the newest place last.
        earlier: votes from the places before.
    """

    places: tuple[PlaceVotes, ...] = ()
    earlier: Votes = ()

    def with_view(self, labels: Iterable[tuple[str, float]], viewpoint: Corner | None) -> LabelVotes:
        """Returns the votes with those of one more view.

        Args:
            labels: pairs of a label and its score.
            viewpoint: (3,) position of the camera [m]; None = not known.
        """
        return self._with_place(PlaceVotes(position_of(viewpoint), 1, _sum((), labels)))

    def joined(self, other: LabelVotes) -> LabelVotes:
        """Returns the votes of two tracks of one object."""
        result = replace(self, earlier=_capped(_sum(self.earlier, other.earlier)))
        for place in other.places:
            result = result._with_place(place)
        return result

    def moved(self, move: Callable[[Position], Position]) -> LabelVotes:
        """Returns the votes after the places were moved with the map."""
        return replace(
            self,
            places=tuple(replace(p, place=None if p.place is None else move(p.place)) for p in self.places),
        )

    @cached_property
    def total(self) -> Votes:
        """All votes."""
        votes = self.earlier
        for place in self.places:
            votes = _sum(votes, place.weighted)
        return _capped(votes)

    @property
    def first(self) -> str:
        """The label with most votes; empty = there are none."""
        return self.total[0][0] if self.total else ""

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of the votes that is for each label [0..1], the largest first."""
        total = sum(weight for _, weight in self.total)
        return {label: weight / total for label, weight in self.total} if total > 0 else {}

    @property
    def share(self) -> float:
        """The share of the votes that is for the first label [0..1]; 1 without votes."""
        return next(iter(self.shares.values()), 1.0)

    def _with_place(self, new: PlaceVotes) -> LabelVotes:
        known = next((each for each in reversed(self.places) if each.is_at(new.place)), None)
        if known is not None:
            others = tuple(each for each in self.places if each is not known)
            return replace(self, places=(*others, known.added(new)))
        places, earlier = (*self.places, new), self.earlier
        if len(places) > MAX_PLACES:
            earlier, places = _capped(_sum(earlier, places[0].weighted)), places[1:]
        return LabelVotes(places, earlier)


def _sum(votes: Votes, others: Iterable[tuple[str, float]]) -> Votes:
    weights = dict(votes)
    for label, weight in others:
        weights[label] = weights.get(label, 0.0) + weight
    # Of equal sums the older label stays the first: sorting keeps the order.
    return tuple(sorted(weights.items(), key=lambda item: -item[1])[:MAX_LABELS])


def _capped(votes: Votes) -> Votes:
    scale = min(1.0, MAX_WEIGHT / max(sum(weight for _, weight in votes), 1e-9))
    return tuple((label, weight * scale) for label, weight in votes)
