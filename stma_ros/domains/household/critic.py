"""Judges an action by rules, criterion by criterion (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stma_ros.domains.household.critic_rules import (
    evidence,
    hazards,
    history,
    motion,
    reach,
    service,
    validity,
)
from stma_ros.domains.household.critic_rules.hazards import HazardRule
from stma_ros.domains.household.goals import goals_of
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.search import LOOK_AROUND
from stma_ros.domains.household.termination import FINISH
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types.planning import Criterion, Verdict


class SymbolicCritic:
    """A CriticRole for household tasks.

    What is possible and what serves the task is judged by the same account of the goals as the planner's. Evidence and
    hazards are judged by the facts of the beliefs alone.
    """

    def __init__(self, knowledge: CategoryKnowledge, rules: tuple[HazardRule, ...] | None = None) -> None:
        """Creates a critic.

        Args:
            knowledge: of categories.
            rules: of hazards; None = those of the domain.
        """
        self._knowledge = knowledge
        self._hazards = hazards.household_hazards() if rules is None else rules

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Returns the verdict of the first criterion that is not met, or acceptance.

        Raises:
            TaskNotUnderstoodError: the task's text is not understood.
            RoleError: the belief holds no goals.
        """
        for criterion, feedback in self._judgements(query):
            if feedback:
                return CritiqueAnswer(Verdict.REJECTED, criterion, feedback)
        return CritiqueAnswer(Verdict.ACCEPTED)

    def _judgements(self, query: CritiqueQuery) -> Iterator[tuple[Criterion, str]]:
        action = query.action
        state = PlanningState(
            goals_of(query.temporal), query.temporal, query.spatial, query.allowed_actions, self._knowledge
        )
        yield Criterion.VALIDITY, validity.feedback(action, state)
        yield Criterion.SAFETY, hazards.feedback(action, state.view, self._hazards)
        yield Criterion.SAFETY, motion.feedback(action, state)
        yield Criterion.TEMPORAL, evidence.feedback(query, self._knowledge)
        yield Criterion.TEMPORAL, history.feedback(action, state)
        yield Criterion.SPATIAL, reach.feedback(action, state)
        if action != LOOK_AROUND or not evidence.feedback(replace(query, action=FINISH), self._knowledge):
            yield Criterion.ALIGNMENT, service.feedback(action, state)
