"""Whether there is an object where detections say so, by all keyframes that show its place.

The belief is the sum of log-odds, as in an occupancy grid (Moravec and Elfes 1985), of looks from different places of
the camera. A look that finds it says as much as its score, and more: a detector finds what is there far more often than
it repeats a mistake from another place. A look that finds nothing, though the place is in plain view, says how rarely
the detector overlooks things. Looks from one place are hardly independent: a mistake is repeated there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from stma_ros.memory.boxes import Corner
from stma_ros.memory.viewpoints import Position, is_here, position_of

SETTLED = 0.65
"""Probability from which on an object is believed; below, another look must tell."""

UNLIKELY = 0.3
"""Probability below which another look is not worth its way."""

REPEATS, LESS_OFTEN = 0.25, 1 / 3
"""Share of a detector's mistakes that it repeats when it sees their place from elsewhere; for one that overlooks much,
this times its recall: it overlooks a mistake as well."""

FURTHER, MOST = 0.1, 1.25
"""What a further look from the same place adds to the weight of that place, and the largest weight of a place."""

SURE, LIMIT = 0.99, 5.0
"""Largest score that counts, and the largest log-odds of an object."""

MAX_PLACES = 6
"""Places of the camera that are remembered of one object; what earlier ones said counts as it did."""


@dataclass(frozen=True)
class PlaceLooks:
    """The looks at an object from one place.

    Attributes:
        place: position of the camera in the first look; None = not known.
        count: number of looks.
        evidence: sum of their log-odds.
    """

    place: Position | None
    count: int
    evidence: float

    @property
    def weighted(self) -> float:
        """Log-odds of the place: the mean of its looks, with the weight of their number."""
        weight = min(1 + FURTHER * (self.count - 1), MOST)
        return weight * self.evidence / self.count


@dataclass(frozen=True)
class Existence:
    """The belief that an object exists, from the looks at its place.

    Attributes:
        places: the looks from the last places, the newest place last.
        earlier: log-odds of the places before.
        selection: log-odds that the first find does not have: without it, there would be no object.
    """

    places: tuple[PlaceLooks, ...] = ()
    earlier: float = 0.0
    selection: float = 0.0

    @cached_property
    def log_odds(self) -> float:
        """The log-odds, within LIMIT."""
        total = self.earlier - self.selection + sum(place.weighted for place in self.places)
        return min(max(total, -LIMIT), LIMIT)

    @property
    def probability(self) -> float:
        """The probability that the object exists [0..1]."""
        return 1 / (1 + math.exp(-self.log_odds))

    @property
    def is_settled(self) -> bool:
        """Whether the object is believed."""
        return self.probability >= SETTLED

    @property
    def is_unlikely(self) -> bool:
        """Whether there is hardly such an object."""
        return self.probability < UNLIKELY

    @classmethod
    def proven(cls) -> Existence:
        """Returns the belief in an object that was touched."""
        return cls(earlier=LIMIT)

    def found(
        self, score: float, recall: float, viewpoint: Corner | None, usual_score: float = 0.5
    ) -> Existence:
        """Returns the belief after a look that finds the object.

        A score is the probability that a find is right, which counts how rarely the detector's finds are right. That is
        in the first find's score already: a further one below one half says less for the object only as far as it is
        below the usual one.

        Args:
            score: probability by this look alone [0..1].
            recall: share of the things in plain view that those who found it find.
            viewpoint: (3,) position of the camera [m]; None = not known.
            usual_score: mean probability of their finds.
        """
        repeated = _log_ratio(recall, _repeated(recall)) - min(_logit(usual_score), 0.0)
        after = self._with(position_of(viewpoint), repeated + _logit(score))
        return after if self.places or self.earlier else replace(after, selection=repeated)

    def overlooked(self, recall: float, viewpoint: Corner) -> Existence:
        """Returns the belief after a look at its place in plain view that does not find it; arguments as in `found`."""
        return self._with(position_of(viewpoint), _log_ratio(1 - recall, 1 - _repeated(recall)))

    def joined(self, other: Existence) -> Existence:
        """Returns the belief of two tracks of one object."""
        result = replace(
            self, earlier=self.earlier + other.earlier, selection=max(self.selection, other.selection)
        )
        for place in other.places:
            result = result._with(place.place, place.evidence, place.count)
        return result

    def moved(self, move: Callable[[Position], Position]) -> Existence:
        """Returns the belief after the places were moved with the map."""
        return replace(
            self,
            places=tuple(
                replace(each, place=None if each.place is None else move(each.place)) for each in self.places
            ),
        )

    def _with(self, at: Position | None, evidence: float, count: int = 1) -> Existence:
        for index, known in enumerate(self.places):
            if is_here(at, known.place):
                again = PlaceLooks(
                    known.place if known.place is not None else at,
                    known.count + count,
                    known.evidence + evidence,
                )
                return replace(self, places=(*self.places[:index], *self.places[index + 1 :], again))
        places, earlier = (*self.places, PlaceLooks(at, count, evidence)), self.earlier
        if len(places) > MAX_PLACES:
            earlier = min(max(earlier + places[0].weighted, -LIMIT), LIMIT)
            places = places[1:]
        return replace(self, places=places, earlier=earlier)


def _repeated(recall: float) -> float:
    """Returns the share of its mistakes that a detector with some recall repeats from elsewhere."""
    return min(REPEATS, LESS_OFTEN * max(recall, 1 - SURE))


def _logit(share: float) -> float:
    share = min(max(share, 1 - SURE), SURE)
    return math.log(share / (1 - share))


def _log_ratio(there: float, mistaken: float) -> float:
    """Returns the log-odds of an event that has one probability if the object exists, and another one if not."""
    return math.log(max(there, 1 - SURE) / mistaken)
