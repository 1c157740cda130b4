"""No critic: what the planner says is done (STMA, table 2)."""

from __future__ import annotations

from stma_ros.roles.contracts import CritiqueAnswer, CritiqueQuery
from stma_ros.types.planning import Verdict


class Indulgence:
    """A CriticRole that lets everything pass."""

    def criticise(self, query: CritiqueQuery) -> CritiqueAnswer:
        return CritiqueAnswer(Verdict.ACCEPTED)
