"""How far a detector can be trusted: what it finds of what is there, and what is there of what it finds."""

from __future__ import annotations

import math
from dataclasses import dataclass

CALIBRATED = 0.5
"""Precision of a detector whose scores are probabilities."""

SUREST = 0.999
"""Largest probability that a score stands for where scores are no probabilities."""


@dataclass(frozen=True)
class Reliability:
    """Shares that are measured for a detector, or known from its makers.

    Attributes:
        recall: share of the things in plain view that it finds [0..1].
        precision: share of its finds with a score of one half that are right (0..1).
    """

    recall: float
    precision: float = CALIBRATED

    def probability(self, score: float) -> float:
        """Returns the probability that a find is right [0..1]: its log-odds are those of the score, shifted by those of
        the precision. With that of a detector whose scores are probabilities, they stay what they are.

        Args:
            score: Confidence of the detector [0..1].
        """
        if self.precision == CALIBRATED:
            return score
        score = min(score, SUREST)
        odds = score / (1 - score) * self.precision / (1 - self.precision)
        return min(odds / (1 + odds), SUREST) if math.isfinite(odds) else SUREST
