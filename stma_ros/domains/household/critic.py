"""Judges an action by rules, criterion by criterion (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.domains.household.critic_rules import (
    alignment,
    clearance,
    evidence,
    hazards,
    history,
    reach,
    validity,
)
from stma_ros.domains.household.critic_rules.hazard_file import household_hazards
from stma_ros.domains.household.critic_rules.hazards import HazardRule
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.planning_states import PlanningStates
from stma_ros.domains.household.search import LOOK_AROUND
from stma_ros.domains.household.termination import GIVE_UP
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery, advised
from stma_ros.types.planning import Action, Criterion, Verdict


class SymbolicCritic:
    """A CriticRole for household tasks.

    What is possible and what serves the task is judged by the same account of the goals as the planner's. Evidence and
    hazards are judged by the beliefs alone.
    """

    def __init__(
        self,
        knowledge: CategoryKnowledge,
        rules: tuple[HazardRule, ...] | None = None,
        questions: QuestionConfig = QuestionConfig(),
    ) -> None:
        """Creates a critic.

        Args:
            knowledge: of categories.
            rules: of hazards; None = those of the domain.
            questions: settings of tasks that ask a question.
        """
        self._states = PlanningStates(knowledge, questions)
        self._hazards = household_hazards() if rules is None else rules

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
        state = self._states.of(query.temporal, query.spatial, query.allowed_actions)
        yield Criterion.VALIDITY, validity.feedback(action, state)
        yield Criterion.SAFETY, hazards.feedback(action, state.view, self._hazards)
        yield Criterion.SAFETY, hazards.premature(action, _useful(state), state.view, self._hazards)
        yield Criterion.SAFETY, clearance.feedback(action, state)
        yield Criterion.TEMPORAL, evidence.feedback(query, state.view.knowledge)
        if action == LOOK_AROUND and evidence.is_doubtful(query, state.view.knowledge):
            return  # the look settles the doubt
        yield Criterion.TEMPORAL, history.feedback(action, state)
        yield Criterion.SPATIAL, reach.feedback(action, state)
        if self._is_precaution(action, state) or (action == GIVE_UP and self._is_barred(state)):
            return
        yield Criterion.ALIGNMENT, alignment.feedback(action, state)

    def _is_precaution(self, action: Action, state: PlanningState) -> bool:
        """Whether an action makes another one safe that serves the task, or makes such an action possible."""
        wanted = {advised(hazards.feedback(item, state.view, self._hazards)) for item in _useful(state)} - {
            ""
        }
        if not wanted:
            return False
        allowed = (Action(skill, arguments) for skill, arguments in state.allowed)
        precautions = [item for item in allowed if str(item) in wanted]
        return action in precautions or any(
            advised(reach.feedback(item, state)) == str(action) for item in precautions
        )

    def _is_barred(self, state: PlanningState) -> bool:
        """Whether a hazard is in the way of everything that is left to be done."""
        left = [option.actions for option in state.options]
        return bool(left) and all(
            any(hazards.feedback(item, state.view, self._hazards) for item in actions) for actions in left
        )


def _useful(state: PlanningState) -> list[Action]:
    """Returns the actions that serve the task."""
    return [item for option in state.options for item in option.actions]
