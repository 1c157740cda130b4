"""The action that a task has just ended, by the temporal belief."""

from __future__ import annotations

from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Outcome


def last_outcome(belief: TemporalBelief) -> Outcome:
    """Returns the outcome at the belief's step; an empty one if there is none."""
    return next((outcome for outcome in belief.completed if outcome.step == belief.step), Outcome())
